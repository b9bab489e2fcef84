"""How fast the command is, beside the tools it is compared with: `make bench TREE=~/verl`."""

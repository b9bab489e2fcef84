"""Who starts the scripts of a repository: the workflows of GitHub, with variables, arguments and runner."""

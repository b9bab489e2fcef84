"""Files: the scripts to check, what they read, the repository and checkout they lie in, and the cache of results."""

"""Data files and prompts: what is read, filtered and cut."""

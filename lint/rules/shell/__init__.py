"""Launch scripts as bash: commands that end too early, lost exit statuses, logs and arguments."""

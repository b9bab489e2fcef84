"""State: what a shell knows at one moment on one path, and how paths part and meet."""

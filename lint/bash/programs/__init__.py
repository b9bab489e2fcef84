"""Programs: what is known of those that a script starts: what they print, change, hand on and start."""

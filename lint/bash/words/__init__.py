"""Words: what bash makes of them: expansion, splitting, patterns, arithmetic."""

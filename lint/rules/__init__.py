"""The rules: one module each under its group. `rule` declares one, `subject` is what a rule looks at, `registry` finds
them all."""

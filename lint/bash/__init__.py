"""Reading bash without running it: text -> syntax tree -> the commands that bash would run.

`parser.parse` turns a source into the tree of `syntax`; `evaluator.read` walks the tree as bash would and yields the
`Reading` of `reading`: every external command with its words expanded, and where each character of them came from.

The rooms, from the outside in: `scenarios` (every value of every toggle), `evaluator` (lists of commands, on every
path), `commands/` (what each kind of command does) with `builtins/` and `programs/` (what other programs print, change
and start), `words/` (expansion, patterns, arithmetic), `state/` (what a shell knows on one path; paths fork and join).
`parsing/` is the parser's; `budget` bounds the work, `origins` and `unknown` say where a value comes from and what is
not known of it.
"""

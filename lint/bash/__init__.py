"""Reading bash without running it: text -> syntax tree -> the commands that bash would run.

`parser.parse` turns a source into the tree of `syntax`; `evaluator.read` walks the tree as bash would and yields the
`Reading` of `reading`: every external command with its words expanded, and where each character of them came from.

The evaluator, from the outside in: `scenarios` (every value of every toggle), `evaluator` (lists, paths), `pipelines`,
`compound` and `loops`, `simple` (one command) with `builtins/`, `programs` and `shells`; `expansion` with
`parameters`, `edits`, `splitting`, `braces` and `pattern`; `arithmetic`; `conditions`; `state` and `variables`. A path
is one `State`; `paths` forks and joins them, `log` keeps their commands, `budget` bounds the work.
"""

"""Reading bash without running it: text -> syntax tree -> the commands that bash would run.

`parser.parse` turns a source into the tree of `syntax`; `evaluator.read` walks the tree as bash would and yields the
`Reading` of `reading`: every external command with its words expanded, and where each character of them came from.
"""

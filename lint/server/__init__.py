"""The editor server (`recipe-lint server`): what `check` and `show` know, while somebody types.

`document` understands one text; `hover`, `completion`, `comments` and `actions` answer one kind of question each as
plain functions of a document, and `server` speaks the Language Server Protocol (through pygls, an optional dependency).
"""

"""Here-documents: their bodies begin after the line end that follows the redirection."""

from __future__ import annotations

from lint.bash.parsing.conditionals import ConditionalParser
from lint.bash.parsing.cursor import PendingDocument
from lint.bash.parsing.words import HERE_DOCUMENT
from lint.bash.syntax import Part, Quoted
from lint.regular import regular

_SPECIAL = regular(r"[\\$`]")
_TRAILING_BACKSLASHES = regular(r"(\\*)\Z")


class HereDocumentParser(ConditionalParser):
    """Reads here-documents."""

    def read_here_documents(self) -> None:
        """Reads the bodies of the pending here-documents, in their order."""
        pending = tuple(self.pending)
        self.pending.clear()
        for document in pending:
            self.read_here_document(document)

    def read_here_document(self, pending: PendingDocument) -> None:
        """Reads the body at the position, and completes the `HereDocument` node that was made for it.

        The node had to exist before its body was read: the commands around it were built in the meantime.
        """
        start = self.position
        lines, end, terminated = self.document_lines(pending)
        parts = self.document_parts(pending, lines, start, end)
        node = pending.document
        for name, value in (("start", start), ("end", end), ("parts", parts), ("terminated", terminated)):
            object.__setattr__(node, name, value)

    def document_lines(self, pending: PendingDocument) -> tuple[list[tuple[int, int]], int, bool]:
        """Ranges of the lines of the body (without stripped tabs), its end, and whether the delimiter was found.

        Moves the position behind the line of the delimiter.
        """
        text = self.text
        lines: list[tuple[int, int]] = []
        position = self.position
        joined = False
        while position < len(text):
            newline = text.find("\n", position)
            line_end = len(text) if newline < 0 else newline
            begin = position
            if pending.strip_tabs and not joined:
                while text.startswith("\t", begin):
                    begin += 1
            if not joined and text.startswith(pending.delimiter, begin):
                after = begin + len(pending.delimiter)
                if after == line_end:
                    self.position = min(line_end + 1, len(text))
                    return lines, position, True
                if pending.inside_substitution and text.find(")", after, line_end) >= 0:
                    self.position = after
                    return lines, position, True
            lines.append((begin, min(line_end + 1, len(text))))
            backslashes = _TRAILING_BACKSLASHES.search(text, begin, line_end)
            joined = not pending.quoted and backslashes is not None and len(backslashes.group(1)) % 2 == 1
            position = line_end + 1
        self.position = len(text)
        return lines, len(text), False

    def document_parts(
        self, pending: PendingDocument, lines: list[tuple[int, int]], start: int, end: int
    ) -> tuple[Part, ...]:
        text = "".join(self.text[begin:stop] for begin, stop in lines)
        if not text:
            return ()
        if not text.endswith("\n"):  # the end of the file ends the document, and its last line
            text += "\n"
            lines = [*lines, (end, end + 1)]
        if pending.quoted or not _SPECIAL.search(text):
            return (Quoted(start, end, text),)
        offsets = [offset for begin, stop in lines for offset in range(begin, stop)]
        return self.derived_parts(text, [*offsets, end], HERE_DOCUMENT)

"""The options of a shell: of `set`, and of `shopt` (the list of bash 5.2, with two of 5.3); with which it begins."""

_SHELL_OPTIONS = """
autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40
compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug
extglob extquote failglob force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit
histverify hostcomplete huponexit inherit_errexit interactive_comments lastpipe lithist localvar_inherit
localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation nullglob
patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose sourcepath varredir_close
xpg_echo array_expand_once bash_source_fullpath
"""
SHELL_OPTIONS = frozenset(_SHELL_OPTIONS.split())

LETTERS = {
    "a": "allexport",
    "b": "notify",
    "e": "errexit",
    "f": "noglob",
    "h": "hashall",
    "k": "keyword",
    "m": "monitor",
    "n": "noexec",
    "p": "privileged",
    "t": "onecmd",
    "u": "nounset",
    "v": "verbose",
    "x": "xtrace",
    "B": "braceexpand",
    "C": "noclobber",
    "E": "errtrace",
    "H": "histexpand",
    "P": "physical",
    "T": "functrace",
}
"""The options of `set` that have a letter."""

NAMES = frozenset(
    (*LETTERS.values(), "emacs", "history", "ignoreeof", "interactive-comments", "nolog", "pipefail", "posix", "vi")
)

FROM_TEXT, FROM_INPUT = "(a text)", "(the input)"
"""Stand for `bash -c` and `bash -s`, which show in `$-`, too."""

IN_PARENTHESES = "( )"
"""Stands for a subshell that was written as one."""

INITIAL = frozenset(("hashall", "braceexpand"))
_INITIAL_SHELL_OPTIONS = """
checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete
interactive_comments patsub_replacement progcomp promptvars sourcepath
"""
INITIAL_SHELL_OPTIONS = frozenset(_INITIAL_SHELL_OPTIONS.split())


def shown(options: frozenset[str]) -> str:
    """The value of `$-`."""
    letters = {**LETTERS, "c": FROM_TEXT, "s": FROM_INPUT}
    return "".join(letter for letter, name in letters.items() if name in options)

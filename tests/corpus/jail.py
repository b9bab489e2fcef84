"""A machine for real bash that holds a checkout and nothing else: no program, and every path may be written.

A jail is a folder with bash, the libraries that it needs, and a tree under its own path. Each run sees it through a
layer of its own (user namespace and overlay: Linux 5.11 or later, no privileges), so that nothing outlives a run.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from lint.bash.programs import text_tools
from tests.real_bash import ENVIRONMENT, NOBODY

TIMEOUT = 60  # seconds for one run
ROUNDS = 8  # runs of one script, each with the files whose lack the last one complained of
PRELUDE = Path(__file__).with_name("prelude.bash")
FOLDERS = (
    "bin",
    "usr/bin",
    "dev",
    "etc",
    "proc",
    "tmp",
    "root",
    "home/me",
    "corpus/path",
    "corpus/record",
    "corpus/tools",
)
LOCALE = Path("/usr/lib/locale/C.utf8")
USUAL = {"USER": "me", "LOGNAME": "me", "SHELL": "/bin/bash"}  # variables that a login sets
DEVICES = ("null", "zero", "urandom")
# The programs whose output the reader works out, but the one that starts others.
TOOLS = sorted(text_tools.TOOLS.keys() - {"xargs"})
OWN_TOOLS = ("mkdir", "cp", "mv", "rm", "chmod", "sleep")  # of the prelude
EMPTY_SCRIPT = "#!/corpus/bash\n"  # the prelude is all that it runs: it records how it was started

# Arguments: the jail, the folder of this run, the time, the number of variables for bash, these, the folder to start
# in, and the words of bash. The first process of a namespace takes no signals, so bash is another one.
_ENTER = r"""
set -e
jail=$1 own=$2 time=$3
mkdir "$own/layer"
mount -t tmpfs -o size=256m tmpfs "$own/layer"
mkdir "$own/layer/upper" "$own/layer/work" "$own/layer/root"
cp -r "$own/made/." "$own/layer/upper" || true
mount -t overlay overlay -o "lowerdir=$jail,upperdir=$own/layer/upper,workdir=$own/layer/work" "$own/layer/root"
root=$own/layer/root
mount -t proc proc "$root/proc"
for device in null zero urandom; do mount --bind "/dev/$device" "$root/dev/$device"; done
status=0
timeout -s KILL "$time" env -i "${@:5:$4}" "$(type -P chroot)" "$root" \
    /corpus/bash -p -c 'cd "$1" && CORPUS_STARTED=1 exec /corpus/bash "${@:2}"' start "${@:5+$4}" \
    2>"$own/layer/errors" || status=$?
while ((SECONDS < time)); do # what runs in the background comes to its end, too
    processes=("$root"/proc/[0-9]*)
    ((${#processes[@]} > 1)) || break
    sleep 0.05
done
((SECONDS < time)) || status=137
head -c 1000000 "$own/layer/errors" >&2
cp "$root/corpus/record/"* "$own/record" 2>/dev/null || true
mv "$own/record/"{folders,lacked} "$own" 2>/dev/null || true
exit "$status"
"""
_UNSHARE = ("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child")
_KILLED = 137
_NAME = r"((?:(?!: line \d+: )[\s\S])+?)"  # of a file that bash complains of
_ABSENT = re.compile(rf"(?:line \d+|^/corpus/bash): (?!cd: ){_NAME}: No such file or directory$", re.MULTILINE)
_TOO_LONG = re.compile(rf": line \d+: {_NAME}: File name too long$", re.MULTILINE)
_NO_PROGRAM = re.compile(r"line \d+: exec: ([^/\n]+): not found$", re.MULTILINE)
_EXEC_REDIRECTS = re.compile(r"\bexec[ \t]+([0-9]*[<>]|\{\w+\}[<>]|&>)")
_EXEC = re.compile(r"\bexec[ \t]+([A-Za-z][\w.-]*)")


@dataclass(frozen=True)
class Recorded:
    """What bash would start, each process in its own order, what it said, and whether it came to an end."""

    commands: list[list[str]]
    errors: str
    ended: bool
    folders: Collection[str] = ()  # that the script changed to
    lacked: Collection[str] = ()  # scripts that were to be run by name and are not there


def can_enter() -> bool:
    """Whether this machine lets anybody make a jail."""
    try:
        return subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False, **NOBODY).returncode == 0
    except OSError:
        return False


@contextmanager
def jail(tree: Path) -> Iterator[Path]:
    """A jail whose only contents are a tree, at its own absolute path."""
    with tempfile.TemporaryDirectory(prefix="jail") as folder:
        root = Path(folder).resolve()
        for name in FOLDERS:
            (root / name).mkdir(parents=True)
        _install("/bin/bash", root, "corpus/bash")
        for name in OWN_TOOLS:
            _install(f"/bin/{name}", root, f"corpus/{name}")
        for name in TOOLS:
            if (found := shutil.which(name)) is not None:
                _install(found, root, f"corpus/tools/{name}")
        shutil.copy(PRELUDE, root / "corpus/prelude")
        if LOCALE.exists():
            shutil.copytree(LOCALE, root / str(LOCALE).lstrip("/"))
        for name in ("bin/sh", "usr/bin/env"):
            (root / name).write_text(EMPTY_SCRIPT)
            (root / name).chmod(0o755)
        for name in ("bin/bash", "usr/bin/bash"):
            (root / name).symlink_to("/corpus/bash")
        for name in DEVICES:
            (root / "dev" / name).touch()
        (root / "dev/fd").symlink_to("/proc/self/fd")
        shutil.copytree(tree, root / str(tree).lstrip("/"), symlinks=True)
        _give_away(root)
        yield root


def _install(program: str, root: Path, name: str) -> None:
    """Copy a program and the libraries that it needs."""
    shutil.copy(os.path.realpath(program), root / name)
    listed = subprocess.run(["ldd", os.path.realpath(program)], capture_output=True, text=True, check=False)
    for word in listed.stdout.split():
        target = root / word.lstrip("/")
        if word.startswith("/") and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(word), target)


def _give_away(root: Path) -> None:
    """Let the one who runs bash own everything, or he could not write in it through a layer."""
    for folder, _, names in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            if NOBODY:
                os.chown(path, NOBODY["user"], NOBODY["group"], follow_symlinks=False)
            if not os.path.islink(path):
                os.chmod(path, 0o755)


def run(
    root: Path,
    folder: Path,
    script: str,
    texts: Iterable[str],
    over: Mapping[str, str] = {},
    given: Mapping[str, str] = {},
    silent: Collection[str] = (),
) -> Recorded:
    """What `bash SCRIPT` would start in a folder of a jail, with the variables `given` and the files `over`, by path.

    `texts`: of the script and of all files that it runs. `silent`: files that may be missing without a word of bash.

    It runs again with each file that it complained of: the reading takes it that what is not in the checkout is on the
    machine, and that a script that is not in the folder is beside the one that names it, or where the first one was
    started. Then it runs again with what it may have missed while nobody heard it complain.
    """
    text = "\n".join(texts)
    variables = {**ENVIRONMENT, **USUAL, **given, "PATH": "/corpus/path", "BASH_ENV": "/corpus/prelude"}
    made = dict(over)
    if _EXEC_REDIRECTS.search(text):  # what bash says is perhaps not seen, then
        variables["CORPUS_KEEPS_EXEC"] = "1"
        made.update({f"/corpus/path/{name}": EMPTY_SCRIPT for name in _EXEC.findall(text)})
    for _ in range(ROUNDS):
        recorded = _run(root, [str(folder), script], variables, made)
        names = {*_ABSENT.findall(recorded.errors), *recorded.lacked}
        absent = _absent(folder, script, names, recorded.folders, over)
        absent |= {f"/corpus/path/{name}": EMPTY_SCRIPT for name in _NO_PROGRAM.findall(recorded.errors)}
        if absent.keys() <= made.keys():
            started = {words[0] for words in recorded.commands}
            unheard = {name for name in silent if name not in started or _python(name)}
            absent = _absent(folder, script, unheard, recorded.folders, over)
        if absent.keys() <= made.keys():
            break
        made = {**absent, **made}
    too_long = [[name] for name in _TOO_LONG.findall(recorded.errors)]
    return replace(recorded, commands=[*recorded.commands, *too_long])


def _absent(
    folder: Path, script: str, names: Iterable[str], others: Iterable[str], over: Mapping[str, str]
) -> dict[str, str]:
    """Files that bash did not find, in the folders that they may have been looked for in."""
    absent: dict[str, str] = {}
    for name in names:
        if name.startswith("/"):
            absent[posixpath.normpath(name)] = EMPTY_SCRIPT
            continue
        places = [posixpath.normpath(folder / posixpath.dirname(script) / name), posixpath.normpath(folder / name)]
        texts = (over.get(place) or _text(Path(place)) for place in places if not _python(place))
        text = next((text for text in texts if text is not None), EMPTY_SCRIPT)
        absent |= dict.fromkeys([*places, *(posixpath.normpath(Path(other, name)) for other in others)], text)
    return {path: text for path, text in absent.items() if not os.path.lexists(path) or path in over or _python(path)}


def _python(path: str) -> bool:
    """Whether a file is no script of bash, which would run it where no first line says otherwise."""
    return path.endswith(".py")


def _text(path: Path) -> str | None:
    return path.read_text(errors="surrogateescape") if os.path.isfile(path) else None


def _run(root: Path, words: Sequence[str], variables: Mapping[str, str], made: Mapping[str, str]) -> Recorded:
    with tempfile.TemporaryDirectory(prefix="run") as scratch:
        own = Path(scratch).resolve()
        for name in ("made", "record"):
            (own / name).mkdir()
            (own / name).chmod(0o777)
        own.chmod(0o777)
        for path, text in made.items():
            _make(own / "made" / path.lstrip("/"), text)
        given = [f"{name}={value}" for name, value in variables.items()]
        done = subprocess.run(
            [*_UNSHARE, "/bin/bash", "-c", _ENTER, "enter", root, own, str(TIMEOUT), str(len(given)), *given, *words],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            **NOBODY,
        )
        texts = [file.read_bytes().decode(errors="surrogateescape") for file in sorted((own / "record").iterdir())]
        endless = (own / "record/endless").exists()
        folders, lacked = (frozenset((_text(own / name) or "").splitlines()) for name in ("folders", "lacked"))
    commands = [entry.split("\x1f") for text in texts for entry in text.split("\x1e")[:-1]]
    return Recorded(
        commands, done.stderr.decode(errors="replace"), done.returncode != _KILLED and not endless, folders, lacked
    )


def _make(path: Path, text: str) -> None:
    """A file that is laid over the checkout, or was missing: as a program the empty script is recorded."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, errors="surrogateescape")
        path.chmod(0o755)
    except OSError:
        return

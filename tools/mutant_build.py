"""A program with one seeded bug, made out of the finished build in build/dev.        docs/reliability.md

The file with the bug is compiled by the build's own command and linked before the library, whose object of the
same name is then not taken. Nothing else is built, and neither the sources nor the build change.
"""

import json
import pathlib
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEV = ROOT / "build/dev"


def run(words: list, seconds: float = 900, folder: pathlib.Path = DEV):
    """What was said and the exit code; that of timeout is 124."""
    done = subprocess.run(["timeout", f"{seconds}", *map(str, words)], cwd=folder, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    return done.stdout, done.returncode


class Failed(Exception):
    """A compiler or linker did not like it."""


class Dev:
    """How build/dev compiles, links and tests."""

    def __init__(self):
        for words in (["cmake", "--preset", "dev"], ["cmake", "--build", "--preset", "dev"]):
            said, code = run(words, 3600, ROOT)
            if code != 0:
                raise SystemExit(said[-3000:])
        commands = json.loads((DEV / "compile_commands.json").read_text(encoding="utf-8"))
        self.compile = {each["file"]: shlex.split(each["command"]) for each in commands
                        if "tests/narrow/include" not in each["command"]}  # which has some files of its own kind
        said, _ = run(["ctest", "--show-only=json-v1"])
        self.tests = {each["name"]: each["command"] for each in json.loads(said)["tests"] if "command" in each}
        self.links = {}

    def link_command(self, program: pathlib.Path) -> list:
        """The words that link build/dev/<program>."""
        if program not in self.links:
            said, _ = run(["ninja", "-t", "commands", program])
            steps = said.splitlines()[-1].split(" && ")
            self.links[program] = next(shlex.split(step) for step in steps if f" -o {program} " in step)
        return self.links[program]

    def sources_of(self, name: str) -> list:
        """The file itself, or the sources that include it, if only by another header."""
        if name.endswith(".cc"):
            return [name]
        included = f'#include "{name.removeprefix("src/").removeprefix("include/")}"'
        found = set()
        for path in (each for suffix in ("cc", "h") for each in (ROOT / "src").rglob(f"*.{suffix}")):
            if included in path.read_text(encoding="utf-8"):
                found.update(self.sources_of(str(path.relative_to(ROOT))))
        return sorted(found)


class MutantBuild:
    """Programs with one bug, in a folder of their own."""

    def __init__(self, dev: Dev, folder: pathlib.Path, mutant: dict):
        self.dev, self.folder = dev, folder
        shutil.rmtree(folder, ignore_errors=True)
        text = (ROOT / mutant["file"]).read_text(encoding="utf-8")
        changed = folder / mutant["file"]
        changed.parent.mkdir(parents=True)
        changed.write_text(text.replace(mutant["old"], mutant["new"]), encoding="utf-8")
        self.objects = [self.compiled(source) for source in dev.sources_of(mutant["file"])]

    def compiled(self, source: str) -> pathlib.Path:
        words = list(self.dev.compile[str(ROOT / source)])
        changed = self.folder / source
        if not changed.exists():
            changed.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, changed)
        words[words.index("-o") + 1] = target = changed.with_suffix(".o")
        words[words.index("-c") + 1] = changed
        said, code = run([words[0], f"-I{self.folder / 'src'}", f"-I{self.folder / 'include'}", *words[1:]])
        if code != 0:
            raise Failed(said)
        return target

    def linked(self, program: pathlib.Path) -> pathlib.Path:
        target = self.folder / program.name
        if not target.exists():
            words = list(self.dev.link_command(program))
            place = words.index("-o") + 1
            words[place:place + 1] = [target, *self.objects]
            said, code = run(words)
            if code != 0:
                raise Failed(said)
        return target

    def test_command(self, test: str) -> list:
        """A test program by its name, or a test of ctest with the programs that it calls."""
        if test.endswith("_tests"):
            return [self.linked(pathlib.Path("tests", test)), "--gtest_fail_fast", "--gtest_brief=1"]
        own = {str(DEV / name): pathlib.Path(name) for name in ("sqmax", "tests/e2e/dying_program")}
        return [self.linked(own[word]) if word in own else word for word in self.dev.tests[test]]

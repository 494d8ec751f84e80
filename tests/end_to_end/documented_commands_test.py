"""The commands in the documents and in `--help` as a user would copy them: what is quick is run, the rest is parsed."""

import json
import re
import shlex
import subprocess
import unittest

from program import PROGRAM, ROOT, EndToEnd

DOCUMENTS = [
    path for folder in (".", "docs", "docs/performance", "configs", "plots") for path in ROOT.glob(f"{folder}/*.md")
]
FENCE = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = (
    "list",
    "run",
    "plan",
    "references",
    "solve",
    "verify",
    "compare",
    "merge",
    "export",
    "datasets",
    "report",
    "doctor",
)
# Stands for something of the user's own: RUN_DIR, <document>, OLD…, files that the text before makes.
PLACEHOLDER = re.compile(r"[A-Z]{2}|[<…$]|^(/tmp/run|old/|new/|results/(before|after)|mine/|email-enron)")


def commands_in(text):
    """The lines of a shell as lists of words, without comments, variables set before a command, and `$ ` prompts."""
    for line in text.replace("\\\n", " ").splitlines():
        if line and not line[0].isspace():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            words = words[: words.index("|")] if "|" in words else words
            while words and re.match(r"[A-Z_]+=", words[0]):
                words.pop(0)
            if words:
                yield words


def documented():
    """(where, words) of each command in the documents; what a console prints is not one."""
    for path in DOCUMENTS:
        for block in FENCE.findall(path.read_text(encoding="utf-8")):
            console = "\n".join(re.findall(r"^\$ (?:.*\\\n)*.*", block, re.MULTILINE))
            for words in commands_in(console or block):
                yield str(path.relative_to(ROOT)), words


def is_ours(words):
    return re.fullmatch(r"(build/\w+/)?warpbench", words[0]) and len(words) > 1 and words[1] in COMMANDS


class DocumentedCommands(EndToEnd):
    def setUp(self):
        super().setUp()
        for path in ROOT.iterdir():  # commands are given in the checkout, and may write there
            if path.name != "build":
                (self.folder / path.name).symlink_to(path)

    def check(self, where, words):
        """Runs the program's command; what takes minutes only up to its plan."""
        arguments = words[1:]
        if arguments[0] == "run":
            arguments.append("--dry-run")
        if arguments[0] == "report" and not (ROOT / ".venv" / "bin" / "python").exists():
            return
        with self.subTest(where, command=shlex.join(words)):
            done = self.warpbench(*arguments, expect=None)
            if any(map(PLACEHOLDER.search, arguments)):
                self.assertNotIn("--help", done.stderr, "the command cannot be parsed")
            else:
                # Where files of datasets are missing, a plan ends with 1.
                self.assertIn(
                    done.returncode, (0, 1) if arguments[0] in ("run", "plan", "doctor") else (0,), done.stderr
                )

    def test_commands_of_the_program(self):
        found = [(where, words) for where, words in documented() if is_ours(words)]
        self.assertGreater(len(found), 10)
        once = {
            re.sub(r" --(out|calibrate)( \S+)?", "", shlex.join(words[1:])): (where, words) for where, words in found
        }
        for where, words in once.values():
            self.check(where, words)

    def test_examples_of_help(self):
        for command in COMMANDS:
            shown = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=True).stdout
            (words,) = commands_in(shown.rpartition("Example:\n")[2].strip())
            self.assertEqual(words[:2], ["warpbench", command])
            self.check("--help", words)

    def test_the_trial_for_a_debugger(self):
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        recipe = re.search(r"^id=.*$", text, re.MULTILINE)[0].replace("build/debug/warpbench", shlex.quote(PROGRAM))
        self.assertIn('gdb --args build/debug/warpbench solve smoke "$id"', text)
        found = subprocess.run(
            ["bash", "-c", f'{recipe}; echo "$id"'], capture_output=True, text=True, check=True
        ).stdout
        self.assertRegex(found, r"^[0-9a-f]{16}\n$")
        self.assertIn(" bmp-gpu ", self.warpbench("solve", "smoke", found.strip()).stdout)

    def test_targets_presets_and_scripts_exist(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
        counts = {"make": 0, "cmake": 0, "script": 0}
        for words in {tuple(words): None for _, words in documented()}:
            with self.subTest(command=shlex.join(words)):
                if words[0] == "make":
                    counts["make"] += 1
                    subprocess.run(["make", "--dry-run", *words[1:]], cwd=ROOT, check=True, capture_output=True)
                if words[:2] == ("cmake", "--preset"):
                    counts["cmake"] += 1
                    self.assertIn(words[2], [preset["name"] for preset in presets])
                if words[0].startswith("scripts/"):
                    counts["script"] += 1
                    self.assertTrue((ROOT / words[0]).exists())
        self.assertTrue(all(counts.values()), counts)


if __name__ == "__main__":
    unittest.main()

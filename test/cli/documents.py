"""The manual page and the shells' completions know every command and option of the help texts.

documents.py TUTTI DATA_DIR
"""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

from driver import Driver, main, TUTTI, WRONG_USAGE

COMMANDS = re.compile(r"^  (\w+) {2,}", re.MULTILINE)
SWITCHES = re.compile(r"^  (?:-\w,)?(--[\w-]+)", re.MULTILINE)


class Documents(Driver):
    def written(self, *arguments):
        out, said = self.run_tutti(*arguments)
        self.assertEqual(said, "")
        return out

    def commands(self):
        """Returns the commands, as lists of words, with their help texts."""
        found, left = {}, [()]
        while left:
            command = left.pop()
            found[command] = text = self.written(*command, "--help")
            left += [(*command, name) for name in COMMANDS.findall(text.partition("Subcommands:\n")[2].partition("\n\n")[0])]
        return found

    def completed(self, *words):
        """Returns what bash offers in place of the last word."""
        Path(self.folder, "_tutti.bash").write_text(self.written("completion", "bash"), encoding="utf-8")
        script = 'PATH=$1:$PATH; cd "$2"; . ./_tutti.bash; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tutti; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script, "bash", str(Path(TUTTI).parent), str(self.folder), *words],
                              capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_the_manual_has_every_command_and_option(self):
        page = self.written("man").replace("\\-", "-")
        for command, text in self.commands().items():
            section = page.partition(f'.SS "{" ".join(("tutti", *command))}"\n')[2].partition("\n.S")[0] if command else page
            self.assertTrue(section, command)
            for switch in SWITCHES.findall(text):
                self.assertIn(switch, section, command)

    @unittest.skipUnless(shutil.which("groff"), "needs groff")
    def test_the_manual_is_valid(self):
        done = subprocess.run(["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z"], input=self.written("man"), capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")

    def test_bash_completes_commands_options_passes_and_files(self):
        self.file("", "program.relay")
        for command, text in self.commands().items():
            for switch in SWITCHES.findall(text):
                self.assertIn(switch, [word.rstrip("=") for word in self.completed("tutti", *command, switch)])
        self.assertEqual(self.completed("tutti", "comp"), ["compare", "completion"])
        self.assertEqual(self.completed("tutti", "list", "ker"), ["kernels"])
        self.assertEqual(self.completed("tutti", "list", "prog"), [])
        self.assertEqual(self.completed("tutti", "opt", "--passes", "=", "InferType,FoldC"), ["InferType,FoldConstant"])
        self.assertEqual(self.completed("tutti", "opt", "--passes", "=", "repeat(Simplif"), ["repeat(SimplifyExpr", "repeat(SimplifyInference"])
        self.assertEqual(self.completed("tutti", "opt", "prog"), ["program.relay"])
        self.assertEqual(self.completed("tutti", "run", "--inputs", "=", "prog"), ["program.relay"])

    def test_other_shells_accept_their_scripts(self):
        for shell in ("fish", "zsh"):
            script = self.written("completion", shell)
            for command in self.commands():
                for word in command:
                    self.assertIn(word, script)
            if shutil.which(shell):
                path = Path(self.folder, shell)
                path.write_text(script, encoding="utf-8")
                subprocess.run([shell, "-n", str(path)], check=True)

    def test_an_unknown_shell_is_refused(self):
        self.assertEqual(self.refused("completion", "csh", code=WRONG_USAGE),
                         "tutti completion: error: csh: no such shell; expected bash, fish or zsh\n")


main()

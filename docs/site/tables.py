"""Tables of the reference pages, made by running the command line."""

import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import headers

PROGRAM = re.compile(r"^=== (\w+)(?:: ([^\n]*))?\n(.*?)(?=^===|\Z)", re.MULTILINE | re.DOTALL)
#: A program and a pipeline for samples of what instruments print, and the text of each instrument that prints.
SAMPLE = """def @main(%x: Tensor[(2, 3), float32], %b: Tensor[(3), float32]) {
  nn.relu(nn.bias_add(%x, %b))
}
"""
SAMPLE_PASSES = "InferType,CanonicalizeOps,FuseOps"
SAMPLES = ("timing", "timing{form=list}", "statistics", "remarks", "op_diff", "print_ir{after=[FuseOps]}", "bisect_limit{limit=2}", "rewrite_limit{limit=1}", "memory",
           "print_changed{context=0}", "print_changed{form=quiet}", "measured(op_diff)", "filter{passes=[FuseOps]}(print_changed{context=0})")
#: Operators of ONNX Runtime that are not in its domain.
OF_RUNTIME = {"SimplifiedLayerNormalization"}
SUBCOMMAND = re.compile(r"^  (\w+) {2,}", re.MULTILINE)


class Tutti:
    """Runs the command line."""

    def __init__(self, program):
        self.program = program

    def ran(self, *arguments):
        """Returns the finished process; an error ends the build of the site."""
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"tutti {' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
        return done

    def said(self, *arguments):
        return self.ran(*arguments).stdout

    def listed(self, what):
        return json.loads(self.said("list", what, "--json"))

    def helps(self):
        """Returns the commands, as words, with their help texts, in the order of the help."""
        found, left = [], [()]
        while left:
            command = left.pop(0)
            text = self.said(*command, "--help")
            found.append((command, text))
            left = [(*command, name) for name in SUBCOMMAND.findall(text.partition("Subcommands:\n")[2])] + left
        return found


def cell(text):
    """Returns a text for a cell of a table."""
    return text.replace("|", "\\|")


def options_table(options):
    if not options:
        return ""
    rows = "".join(f"| `{option['name']}` | {cell(option['type'])} | `{cell(option['default'])}` |\n" for option in options)
    return f"| option | value | default |\n|---|---|---|\n{rows}"


def shown(tutti, pipeline, program, folder):
    """Returns a program as it is printed, and after a pipeline."""
    source = Path(folder) / f"{re.sub(r'[^A-Za-z]', '_', pipeline)}.relay"
    source.write_text('#[version = "0.0.5"]\n' + program, encoding="utf-8")
    return tutti.said("opt", source, f"--passes={pipeline}", "--opt-level=4")


def without_types(text):
    """Returns a program's text without comments of types and the line of its version."""
    return re.sub(r' /\* ty=.*?\*/', "", text).removeprefix('#[version = "0.0.5"]\n').strip()


def passes(root, tutti):
    programs = {name: (pipeline or name, program) for name, pipeline, program in PROGRAM.findall((root / "docs/site/passes.txt").read_text(encoding="utf-8"))}
    entries = [entry for entry in tutti.listed("passes") if entry["kind"] == "pass"]
    missing = {entry["name"] for entry in entries} ^ programs.keys()
    if missing:
        sys.exit(f"docs/site/passes.txt has no program for a pass, or one for a pass that is not there: {', '.join(sorted(missing))}")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        after = dict(zip(programs, pool.map(lambda each: shown(tutti, *each, folder), programs.values())))
    text = ""
    for entry in sorted(entries, key=lambda each: each["name"].lower()):
        pipeline, program = programs[entry["name"]]
        result = after[entry["name"]]
        result = result if entry["name"] == "InferType" else without_types(result)
        required = f" Requires {', '.join(f'`{name}`' for name in entry['requires'])}." if entry["requires"] else ""
        text += (f"\n## {entry['name']}\n\n{headers.markdown(entry['about'])}\n\nLevel {entry['opt_level']}.{required}\n\n{options_table(entry['options'])}\n"
                 f"`{pipeline}` turns\n\n```\n{program.strip()}\n```\n\ninto\n\n```\n{result.strip()}\n```\n")
    return text


def operators(tutti):
    entries = tutti.listed("ops")
    families = {}
    for entry in entries:
        families.setdefault(entry["name"].rpartition(".")[0], []).append(entry)
    text = f"{len(entries)} operators.\n"
    for family, found in sorted(families.items()):
        text += f"\n## {family + '.' if family else 'Without a prefix'}\n\n| operator | arguments | attributes and defaults | |\n|---|---|---|---|\n"
        for entry in sorted(found, key=lambda each: each["name"]):
            attributes = ", ".join(f"`{each['name']}`" if each["required"] else f"`{each['name']}={cell(each['default'])}`" for each in entry["attributes"])
            about = cell(headers.markdown(entry["about"].split("\n\n")[0]).replace("\n", " "))
            text += f"| `{entry['name']}` | {', '.join(entry['arguments'])} | {attributes} | {about} |\n"
    return text


def onnx_operators(root, tutti):
    """Returns the table of ONNX's operators by version. An operator that neither is imported nor has a reason ends the build."""
    imported = {entry["name"] for entry in tutti.listed("onnx")}
    rows, own = "", 0
    for line in (root / "docs/site/onnx_operators.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, _, rest = line.partition(" ")
        versions, _, reason = rest.partition(": ")
        known = name in imported
        imported.discard(name)
        if known == bool(reason):
            sys.exit(f"docs/site/onnx_operators.txt: {name} " + ("is imported, and has a reason" if known else "is not imported, and has no reason"))
        own += known
        rows += f"| `{name}` | {versions.replace(',', ', ')} | {'all' if known else 'not imported: ' + reason} |\n"
    others = "".join(f"| `{name}` | 1 | all |\n" for name in sorted(imported))
    missing = [name for name in imported if not name.startswith("com.microsoft.") and name not in OF_RUNTIME]
    if missing:
        sys.exit(f"docs/site/onnx_operators.txt lacks {', '.join(sorted(missing))}")
    head = "| operator | versions | imported |\n|---|---|---|\n"
    return f"{own} of ONNX's operators.\n\n{head}{rows}\n## Of ONNX Runtime\n\n{head}{others}"


def samples(tutti):
    """Returns what instruments print, by their text."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "sample.relay"
        source.write_text('#[version = "0.0.5"]\n' + SAMPLE, encoding="utf-8")
        return {text: tutti.ran("opt", source, f"--passes={SAMPLE_PASSES}", "--opt-level=3", f"--instrument={text}", "-o", Path(folder) / "out.relay").stderr
                for text in SAMPLES}


def instruments(tutti):
    text = f"The samples are made by running `{SAMPLE_PASSES}` over\n\n```\n{SAMPLE}```\n"
    printed = samples(tutti)
    for entry in tutti.listed("instruments"):
        name = entry["name"] + ("(INSTRUMENT,...)" if entry["around_another"] else "")
        text += f"\n### {name}\n\n{headers.escaped(entry['help'])}.\n\n{options_table(entry['options'])}"
        if entry["switches"]:
            text += "\nShort for it: " + ", ".join(f"`{switch}`" for switch in entry["switches"]) + ".\n"
        for sample, said in printed.items():
            if re.match(rf"{entry['name']}\b", sample):
                text += f"\n`{sample}` prints\n\n```\n{said.rstrip()}\n```\n"
    return text


def command_line(tutti):
    text = ""
    for command, said in tutti.helps():
        text += f"\n## {' '.join(('tutti', *command))}\n\n```\n{said.strip()}\n```\n"
    return text


def of(root, program):
    """Returns the functions that make the generated parts of pages, by name."""
    tutti = Tutti(program)
    return {
        "passes": lambda: passes(root, tutti),
        "operators": lambda: operators(tutti),
        "onnx_operators": lambda: onnx_operators(root, tutti),
        "instruments": lambda: instruments(tutti),
        "command_line": lambda: command_line(tutti),
    }

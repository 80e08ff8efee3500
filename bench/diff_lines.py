"""Counts the lines of diffs of single passes: those of `diff`, and those of print_changed, which matches values.

diff_lines.py TUTTI [--write PAGE]

TUTTI is the command line. Prints a table in Markdown. With --write, replaces
the table of a page, between the lines `<!-- diff_lines -->` and `<!-- end -->`.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

TUTTI = sys.argv[1]

#: The network, the passes before the measured one, and that pass.
PAIRS = [
    ("resnet18", "", "SimplifyInference"),
    ("resnet18", "SimplifyInference", "ForwardFoldScaleAxis"),
    ("resnet18", "SimplifyInference", "BackwardFoldScaleAxis"),
    ("resnet18", "SimplifyInference,ForwardFoldScaleAxis", "SimplifyExpr"),
    ("resnet18", "SimplifyInference,FuseOps", "DefuseOps"),
    ("resnet18", "", "CanonicalizeOps"),
    ("resnet18", "", "ConvertLayout{nn.conv2d=[NHWC,default]}"),
    ("resnet18", "", "ToMixedPrecision"),
    ("resnet18", "SimplifyInference", "FuseOps"),
    ("resnet18", "", "ToANormalForm"),
    ("mobilenet", "", "SimplifyInference"),
    ("mobilenet", "SimplifyInference", "BackwardFoldScaleAxis"),
    ("mobilenet", "SimplifyInference,ForwardFoldScaleAxis", "SimplifyExpr"),
    ("squeezenet", "", "CanonicalizeOps"),
    ("squeezenet", "CanonicalizeOps", "FuseOps"),
    ("dcgan", "", "SimplifyInference"),
    ("dqn", "", "CanonicalizeOps"),
    ("lstm", "", "CanonicalizeOps"),
    ("lstm", "FuseOps", "DefuseOps"),
    ("lstm", "", "FuseOps"),
    ("lstm", "", "FastMath"),
    ("mlp", "", "CanonicalizeOps"),
    ("mlp", "", "FuseOps"),
]


def run(*arguments, stdin=None):
    return subprocess.run(arguments, input=stdin, capture_output=True, text=True, check=False)


def measured(network, before, last):
    """Returns the number of lines before the pass, and of removed and added lines: without matching, and with it."""
    name = last.split("{")[0]
    passes = f"--passes=InferType,{before},{last}".replace(",,", ",")
    program = run(TUTTI, "model", network).stdout
    with tempfile.TemporaryDirectory() as folder:
        done = run(TUTTI, "opt", passes, "--opt-level=4", f"--print-dir={folder}", "-o", f"{folder}/out",
                   f"--instrument=print_changed{{passes=[{name}]}}", stdin=program)
        if done.returncode != 0:
            sys.exit(done.stderr)
        texts = sorted(path for path in Path(folder).iterdir() if path.name != "out")
        last_text = [at for at, path in enumerate(texts) if name in path.name][-1]
        was, now = texts[last_text - 1], texts[last_text]
        for path in (was, now):  # without comments on the pass
            path.write_text(re.sub(r"^//.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE), encoding="utf-8")
        plain = sum(line[:1] in "+-" for line in run("diff", "-d", "-U0", str(was), str(now)).stdout.splitlines()[2:])
        lines = len(was.read_text(encoding="utf-8").splitlines())
    said = done.stderr.splitlines()
    return lines, plain, sum(line[:1] in ("+", "-") for line in said), sum(line.startswith("@@ renumbered") for line in said)


def table():
    yield "| network | pass | lines before it | changed lines, plain diff | changed lines | lines that state numbers |"
    yield "|---|---|---|---|---|---|"
    sums = [0, 0, 0, 0]
    for network, before, last in PAIRS:
        found = measured(network, before, last)
        sums = [a + b for a, b in zip(sums, found)]
        name = re.sub(r"\{.*", "", last)
        yield f"| {network} | {name}{' after ' + before.replace(',', ', ') if before else ''} | " + " | ".join(f"{n:,}" for n in found) + " |"
    yield "| all | | " + " | ".join(f"{n:,}" for n in sums) + " |"


rows = "\n".join(table())
print(rows)
if "--write" in sys.argv:
    page = Path(sys.argv[sys.argv.index("--write") + 1])
    begin, end = "<!-- diff_lines -->\n", "<!-- end -->"
    text = page.read_text(encoding="utf-8")
    head, _, rest = text.partition(begin)
    page.write_text(head + begin + "\n" + rows + "\n\n" + end + rest.partition(end)[2], encoding="utf-8")

"""A static pipeline compiles to the instructions of hand-written calls.

run.py INCLUDE_DIR... -- COMPILER...

Compiles pipelines.cpp at -O2 to assembly and compares each function NAME_by_tutti with NAME_by_hand, instruction by
instruction, with normalised labels and names. If the compiler is GCC, Clang is tried as well, if installed.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Tried in addition if the build's compiler is GCC.
OTHERS = ("clang++-19", "clang++-18", "clang++-17", "clang++-16")


def assembly(compiler, includes, source):
    gcc = "clang" not in version(compiler)
    command = [*compiler, "-std=c++20", "-O2", "-S", "-o", "-", *(f"-I{i}" for i in includes), str(source)]
    if gcc:
        command.append("-fno-ipa-icf")  # otherwise GCC merges equal functions
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{source.name} does not compile with {' '.join(compiler)}:\n{done.stderr}")
    return done.stdout


def version(compiler):
    return subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def functions(text):
    """Returns the instructions by function name; split-off parts (NAME.cold) come last."""
    found = {}
    name = None
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        label = re.match(r"^([A-Za-z_]\w*?)(\.cold(\.\d+)?)?:", line)
        if label and "_by_" in label[1]:
            name = label[1]
            found.setdefault(name, [])
            continue
        if re.match(r"^\s*\.size\s", line):
            name = None
        if name is None or not line.strip() or re.match(r"^\s*\.(?!L)", line):
            continue
        found[name].append(" ".join(line.split()))
    return {name: normalised(name, lines) for name, lines in found.items()}


def normalised(name, lines):
    labels = {}

    def number(match):
        return f".L{labels.setdefault(match[0], len(labels))}"

    used = set(re.findall(r"\.L\w+", "\n".join(line for line in lines if not line.endswith(":"))))
    kept = [line for line in lines if not line.endswith(":") or line[:-1] in used]
    stem = name.removesuffix("_by_hand").removesuffix("_by_tutti")
    return [re.sub(r"\.L\w+", number, line).replace(f"{stem}_by_hand", stem).replace(f"{stem}_by_tutti", stem) for line in kept]


def differences(text):
    found = functions(text)
    pairs = sorted(name.removesuffix("_by_hand") for name in found if name.endswith("_by_hand"))
    for stem in pairs:
        hand, tutti = found[f"{stem}_by_hand"], found.get(f"{stem}_by_tutti")
        if not hand:
            yield stem, ["no instructions were found"]
        elif tutti is None:
            yield stem, ["has no _by_tutti"]
        elif hand != tutti:
            yield stem, ["by hand:", *hand, "by tutti:", *tutti]
    if not pairs:
        yield "the file", ["has no pairs"]
    print(f"  {len(pairs)} pairs, {sum(len(found[f'{stem}_by_hand']) for stem in pairs)} instructions")


def main():
    split = sys.argv.index("--")
    includes, compiler = sys.argv[1:split], sys.argv[split + 1:]
    compilers = [compiler]
    other = next(filter(None, map(shutil.which, OTHERS)), None)
    if other and "clang" not in version(compiler):
        compilers.append([other])
    bad = 0
    for each in compilers:
        print(version(each))
        if not list(differences(assembly(each, [], HERE / "different.cpp"))):
            print("  different.cpp: no difference was found")
            bad += 1
        for stem, lines in differences(assembly(each, includes, HERE / "pipelines.cpp")):
            bad += 1
            print(f"  {stem}:", *lines, sep="\n    ")
    return 1 if bad else 0


sys.exit(main())

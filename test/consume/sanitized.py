"""Two sources of a user compile, link and run under a sanitizer without further flags.

sanitized.py address
undefined SOURCE_ROOT -- COMPILER...
"""

import subprocess
import sys
import tempfile
from pathlib import Path

SANITIZER, ROOT = sys.argv[1], Path(sys.argv[2])
COMPILER = sys.argv[sys.argv.index("--") + 1:]
SOURCES = [ROOT / "test/consume/relay" / name for name in ("main.cpp", "operators.cpp")]
FLAGS = ["-std=c++20", "-O2", f"-fsanitize={SANITIZER}", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "include"]
EXPECTED = """#[version = "0.0.5"]
def @main(%x: Tensor[(3), float32] /* ty=Tensor[(3), float32] */) -> Tensor[(3), float32] {
  %1 = fn (%p0: Tensor[(3), float32] /* ty=Tensor[(3), float32] */, Primitive=1) -> Tensor[(3), float32] {
    %0 = add(%p0, 1f /* ty=float32 */) /* ty=Tensor[(3), float32] */;
    exp(%0) /* ty=Tensor[(3), float32] */
  } /* ty=fn (Tensor[(3), float32]) -> Tensor[(3), float32] */;
  %1(%x) /* ty=Tensor[(3), float32] */
}
one exp
"""


def start(*command):
    """Starts a command in parallel to others."""
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        objects = [program.with_name(source.stem + ".o") for source in SOURCES]
        compiling = [start(*COMPILER, *FLAGS, "-c", source, "-o", made) for source, made in zip(SOURCES, objects)]
        said = [each.communicate()[0] for each in compiling]
        for each, source, text in zip(compiling, SOURCES, said):
            if each.returncode:
                return f"{source.name} does not compile under -fsanitize={SANITIZER}:\n{text}"
        for command in ([*COMPILER, f"-fsanitize={SANITIZER}", *objects, "-o", program], [program]):
            step = start(*command)
            said = step.communicate()[0]
            if step.returncode:
                return f"{' '.join(map(str, command))}\n{said}"
    return None if said == EXPECTED else f"the program printed\n{said}and not\n{EXPECTED}"


if __name__ == "__main__":
    sys.exit(main())

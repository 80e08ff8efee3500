"""Writes one source that combines several, so that the compiler reads and instantiates their common headers once.

joined.py OUTPUT [--program NAME
--global
SOURCE]...

The sources' includes come first. Each source follows in its own namespace, so that names do not clash; its includes
have been read, so they add nothing there. Therefore all includes of a source must be above its code and have `#pragma
once`. Sources after `--global` are in no namespace, and come last, so that the others do not see their names. The test
cases after `--program` get a tag with that name (see catch.hpp).
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
import house  # noqa: E402


def included(source):
    """Yields the includes of a source, in order, as written in a source in another folder."""
    for bracketed, quoted in house.INCLUDE.findall(source.read_text(encoding="utf-8")):
        beside = source.parent / quoted
        yield f"<{bracketed}>" if bracketed else f'"{beside if beside.is_file() else quoted}"'


def joined(sources):
    """Yields the lines of the joined source. Each source has its program and whether it is in no namespace."""
    yield from dict.fromkeys(f"#include {target}" for source, *_ in sources for target in included(source))
    tagged = None
    for number, (source, program, is_global) in enumerate(sources):
        if program != tagged:
            yield f'\n#undef TUTTI_TEST_PROGRAM\n#define TUTTI_TEST_PROGRAM "[{program}]"'
            tagged = program
        yield f'\n#include "{source}"' if is_global else f'\nnamespace {source.stem}_{number} {{\n#include "{source}"\n}}'


def parsed(arguments):
    """Yields each source, its program or None, and whether it is in no namespace."""
    program, is_global, words = None, False, iter(arguments)
    for word in words:
        if word == "--program":
            program, is_global = next(words), False
        elif word == "--global":
            is_global = True
        else:
            yield Path(word).resolve(), program, is_global


output, *arguments = sys.argv[1:]
sources = sorted(parsed(arguments), key=lambda entry: entry[2])
for source, *_ in sources:
    if house.includes_below_code(source):
        sys.exit(f"{source} has an include below code, so it cannot be joined with others")
Path(output).write_text("\n".join(joined(sources)) + "\n", encoding="utf-8")

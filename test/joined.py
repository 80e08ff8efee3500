"""Writes one source that holds several, so that the compiler reads and instantiates what they share once.

joined.py OUTPUT [--program NAME | --global | SOURCE]...

What the sources include comes first; then each of them in a namespace of its own, where its names meet nobody else's,
and where its includes, which have been read, bring nothing any more. So a source can be joined if all that it includes
is above its code and says `#pragma once`. Sources behind `--global` are in no namespace, and the last ones, where none
of the others sees their names. The test cases behind `--program` get a tag of that name (see catch.hpp).
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "house"))
import house  # noqa: E402


def included(source):
    """What a source includes, in order, as it is to be written in a source that lies elsewhere."""
    for bracketed, quoted in house.INCLUDE.findall(source.read_text(encoding="utf-8")):
        beside = source.parent / quoted
        yield f"<{bracketed}>" if bracketed else f'"{beside if beside.is_file() else quoted}"'


def joined(sources):
    """The lines of the source that holds these, each with its program and whether it is in no namespace."""
    yield from dict.fromkeys(f"#include {target}" for source, *_ in sources for target in included(source))
    tagged = None
    for number, (source, program, is_global) in enumerate(sources):
        if program != tagged:
            yield f'\n#undef TUTTI_TEST_PROGRAM\n#define TUTTI_TEST_PROGRAM "[{program}]"'
            tagged = program
        yield f'\n#include "{source}"' if is_global else f'\nnamespace {source.stem}_{number} {{\n#include "{source}"\n}}'


def parsed(arguments):
    """Each source, its program or None, and whether it is in no namespace."""
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

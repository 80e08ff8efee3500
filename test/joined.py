"""Writes one source that holds several, so that the compiler reads and instantiates what they share once.

joined.py OUTPUT SOURCE...

What the sources include comes first; then each of them in a namespace of its own, where its names meet nobody else's,
and where its includes, which have been read, bring nothing any more. So a source can be joined if all that it includes
is above its code and says `#pragma once`, and if nothing in it must stand in the global namespace.
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
    """The lines of the source that holds these."""
    yield from dict.fromkeys(f"#include {target}" for source in sources for target in included(source))
    for number, source in enumerate(sources):
        yield f'\nnamespace {source.stem}_{number} {{\n#include "{source}"\n}}'


output, *sources = (Path(argument).resolve() for argument in sys.argv[1:])
for source in sources:
    if house.includes_below_code(source):
        sys.exit(f"{source} has an include below code, so it cannot be joined with others")
output.write_text("\n".join(joined(sources)) + "\n", encoding="utf-8")

"""The texts of errors, notes and compile errors, extracted from the sources.

messages.py SOURCE_ROOT    prints them by file
"""

import re
import sys
from pathlib import Path

#: Calls whose string arguments are parts of a message.
CALLS = re.compile(r"\b(static_assert|raise|refuse\w*|failure|note|missed|applied|fail|failed|complain|must_\w+|require_\w+|(?:\w+_)?error|complaint|"
                   r"wrong_\w+|expected|said\.append|check_that|unsupported|reject)\s*[({]")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
#: A text has a word of two letters.
WORDS = re.compile(r"[A-Za-z]{2}")
COMMENT = re.compile(r"^\s*//[^\n]*|(?<=[;{}),]) //[^\n]*", re.MULTILINE)
CLOSING = {"(": ")", "{": "}"}


def end_of(text, at):
    """Returns the index of the bracket that closes the one at an index, skipping strings."""
    stack = [CLOSING[text[at]]]
    at += 1
    while at < len(text) and stack:
        if found := LITERAL.match(text, at):
            at = found.end()
            continue
        if text[at] in CLOSING:
            stack.append(CLOSING[text[at]])
        elif text[at] == stack[-1]:
            stack.pop()
        at += 1
    return at - 1


def texts_of(code):
    """Returns the messages of a file, in order, each once; `…` is a value."""
    code = COMMENT.sub("", code)
    found, at = [], 0
    while call := CALLS.search(code, at):
        begin = call.end() - 1
        end = end_of(code, begin)
        inside = code[begin + 1:end]
        parts, last = [], 0
        for literal in LITERAL.finditer(inside):
            between = inside[last:literal.start()].strip()
            if parts:
                parts.append("" if not between else "; " if re.fullmatch(r'[\w.:()+ ]*,\s*', between) and "+" not in between else " … ")
            parts.append(literal.group(1))
            last = literal.end()
        text = re.sub(r"\s+", " ", "".join(parts).replace('\\"', '"').replace("\\n", " ")).strip(" …")
        if WORDS.search(text) and len(text) > 5 and text not in found:
            found.append(text)
        at = end + 1 if parts else call.end()
    return found


def messages(root):
    """Yields each file with messages, and these."""
    for folder in ("include", "tools"):
        for path in sorted((Path(root) / folder).rglob("*")):
            if path.suffix in (".hpp", ".ipp", ".cpp") and (texts := texts_of(path.read_text(encoding="utf-8"))):
                yield path.relative_to(root).as_posix(), texts


if __name__ == "__main__":
    count = 0
    for name, texts in messages(sys.argv[1]):
        print(name)
        for text in texts:
            print("    " + text)
            count += 1
    print(f"{count} messages", file=sys.stderr)

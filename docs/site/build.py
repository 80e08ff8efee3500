"""Builds the documentation as a site: pages of docs/, the headers' reference, and tables made by running the library.

build.py SOURCE_ROOT OUT TUTTI [--pages] [--playground=FILE]

Writes the pages to OUT/pages and the site to OUT/html, which needs no server: open OUT/html/index.html. TUTTI is the command
line. --pages leaves out the site, for which MkDocs and its theme Material are needed. --playground adds the playground.
"""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import headers  # noqa: E402
import messages  # noqa: E402
import tables  # noqa: E402

HERE = Path(__file__).resolve().parent
#: Programs that /usr/bin has if the distribution's packages are installed.
MKDOCS = "/usr/bin/mkdocs"
FENCE = re.compile(r"^```cpp [^\n]*$", re.MULTILINE)
GENERATED = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
PLAYGROUND = "<!-- playground -->\n"
CONTINUES = re.compile(r"^<!-- continues: [^\n]* -->\n\n?", re.MULTILINE)
LINK = re.compile(r"(\]\(|src=\")((?:\.\./)*)(include|examples|bench|test)/([^)#\"\s]+)")
#: How the source of a file is shown.
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".sh": "sh", ".ll": "llvm", ".build": "meson"}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def sources_to_pages(text):
    """Changes links to source files into links to their pages."""
    def page(found):
        folder, name = found.group(3), found.group(4).rstrip("/")
        name = name if "." in name.rsplit("/", 1)[-1] else name + "/" + name.rsplit("/", 1)[-1] + ".cpp"
        return f"{found.group(1)}{found.group(2)}{'headers' if folder == 'include' else folder}/{name.rsplit('.', 1)[0]}.md"
    return LINK.sub(page, text)


def linked_sources(texts):
    """Returns the source files that pages link to, other than headers of the library, and all examples."""
    return sorted({f"{folder}/{name}" for text in texts for _, _, folder, name in LINK.findall(text) if folder != "include" and "." in name})


def source_page(root, name):
    """Returns the page of a source file, with the expected output of an example."""
    path = root / name
    shown = f"# {path.stem}\n\n`{name}`\n\n```{LANGUAGES.get(path.suffix, '')}\n{path.read_text(encoding='utf-8').rstrip()}\n```\n"
    expected = path.with_suffix(".expected")
    if expected.is_file():
        lines = expected.read_text(encoding="utf-8").splitlines()
        shown += "\n## Output\n\n```\n" + "\n".join(line[:300] for line in lines[:400]) + "\n```\n"
    return shown


def header_index(names):
    """Returns the list of headers by folder, each with the names that it declares."""
    folders = {}
    for name, declared in names:
        folders.setdefault(name.rsplit("/", 1)[0] + "/", []).append((name, declared))
    text = ""
    for folder, found in sorted(folders.items()):
        text += f"\n## {folder}\n\n| header | names |\n|---|---|\n"
        for name, declared in found:
            shown = ", ".join(f"`{each}`" for each in declared[:12]) + (", …" if len(declared) > 12 else "")
            text += f"| [{name.rsplit('/', 1)[-1]}](../../headers/{name.removesuffix('.hpp')}.md) | {shown} |\n"
    return text


def message_lists(root):
    """Returns the texts of messages by file."""
    text = ""
    for name, texts in messages.messages(root):
        text += f"\n## {name}\n\n```\n" + "".join(f"{each}\n" for each in texts) + "```\n"
    return text


def write_pages(root, out, tutti, playground):
    """Writes all pages, with a link to the playground if it is a file; returns their number."""
    known = list(headers.pages(root / "include"))
    generated = {
        "headers": lambda: header_index([(name, declared) for name, _, declared in known]),
        "hooks": lambda: headers.markdown(headers.comment_of(root / "include/tutti/pass/instrument.hpp", "instrument_of")),
        "messages": lambda: message_lists(root),
        **tables.of(root, tutti),
    }
    texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in sorted((root / "docs").rglob("*.md"))}
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        texts[name] = (root / name).read_text(encoding="utf-8")
    examples = [f"examples/{path.name}" for path in (root / "examples").glob("*.cpp")]
    for name in sorted({*linked_sources(texts.values()), *examples}):
        write(out / f"{name.rsplit('.', 1)[0]}.md", source_page(root, name))
    for name, text, _ in known:
        write(out / f"headers/{name.removesuffix('.hpp')}.md", text)
    for name, text in texts.items():
        text = GENERATED.sub(lambda found: generated[found.group(1)]().strip("\n"), text)
        text = text.replace(PLAYGROUND, "[Open the playground](../../playground.html).\n" if playground else "")
        text = FENCE.sub("```cpp", CONTINUES.sub("", sources_to_pages(text)))
        if name == "README.md":
            name = "index.md"
        write(out / name, text.replace("](../README.md", "](../index.md").replace("](README.md", "](index.md"))
    shutil.copytree(root / "docs/pictures", out / "docs/pictures", dirs_exist_ok=True)
    if playground:
        shutil.copy(playground, out / "playground.html")
    shutil.copy(HERE / "theme/extra.css", out / "extra.css")
    return sum(1 for _ in out.rglob("*.md"))


def write_site(out):
    """Runs MkDocs, and adds a script for the search."""
    write(out / "mkdocs.yml", (HERE / "mkdocs.yml").read_text(encoding="utf-8").replace(
        "  name: material\n", f"  name: material\n  custom_dir: {HERE / 'theme'}\n") + f"\ndocs_dir: {out / 'pages'}\nsite_dir: {out / 'html'}\n")
    done = subprocess.run([MKDOCS, "build", "--quiet", "--clean", "-f", out / "mkdocs.yml"], check=False)
    if done.returncode:
        sys.exit(done.returncode)
    found = out / "html/search/search_index.json"
    index = json.loads(found.read_text(encoding="utf-8"))
    # A header has one entry, with its names: an entry for each name would hide the pages that explain.
    names = {}
    for entry in index["docs"]:
        page, _, section = entry["location"].partition("#")
        if page.startswith("headers/") and section:
            names.setdefault(page, []).append(entry["title"])
    index["docs"] = [entry for entry in index["docs"] if not (entry["location"].startswith("headers/") and "#" in entry["location"])]
    for entry in index["docs"]:
        if entry["location"].startswith("headers/"):
            entry["title"] = entry["title"].rsplit("/", 1)[-1]
            entry["text"] = " ".join([*names.get(entry["location"], []), entry["text"]])
    write(found, json.dumps(index))
    worker = next((out / "html/assets/javascripts/workers").glob("search.*.min.js")).read_text(encoding="utf-8")
    write(out / "html/search/offline.js",
          "// All long words of a query must occur. A page that is opened as a file may neither fetch the index nor start a worker.\n"
          "var __search = {transform: query => query.split(/\\s+/).map(word => word.replace(/^[-+~^:*]+/, '')).filter(word => word)"
          ".map(word => word.length > 3 ? '+' + word : word).join(' ')};\n"
          f"if (location.protocol == 'file:') {{\n  __search.index = Promise.resolve({json.dumps(index)});\n"
          f"  __search.worker = URL.createObjectURL(new Blob([{json.dumps(worker)}], {{type: 'text/javascript'}}));\n}}\n")


def main():
    root, out, tutti = (Path(argument).resolve() for argument in sys.argv[1:4])
    began = time.monotonic()
    for folder in ("pages", "html"):
        shutil.rmtree(out / folder, ignore_errors=True)
    playground = next((Path(argument.partition("=")[2]) for argument in sys.argv if argument.startswith("--playground=")), None)
    count = write_pages(root, out / "pages", tutti, playground)
    words = sum(len(path.read_text(encoding="utf-8").split()) for path in (out / "pages").rglob("*.md"))
    if "--pages" not in sys.argv:
        write_site(out)
    print(f"{count} pages, {words} words, {time.monotonic() - began:.0f} s: {out / 'html/index.html'}")


if __name__ == "__main__":
    main()

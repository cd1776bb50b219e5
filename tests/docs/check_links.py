"""Links of all pages lead somewhere, anchors included; pictures say what they show and are small; the index is complete.

    check_links.py ROOT
"""
import pathlib
import struct
import sys

import page

LARGEST_BYTES, LARGEST_WIDTH = 150_000, 1200
root = pathlib.Path(sys.argv[1]).resolve()
sources = sorted([*root.glob("*.md"), *(root / "docs").glob("*.md")])
pages = {}
problems = []
for source in sources:
    try:
        pages[source] = page.read(source.read_text())[1]
    except ValueError as error:
        problems.append(f"{source.name}: {error}")


def check_picture(name, text, path):
    if len(text.split()) < 5:
        problems.append(f"{name}: {path.name} has no text that says what is seen")
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) > LARGEST_BYTES or struct.unpack(">I", data[16:20])[0] > LARGEST_WIDTH:
        problems.append(f"{name}: {path.name} is no PNG of at most {LARGEST_BYTES} bytes and {LARGEST_WIDTH} pixels across")


checked = 0
for source, prose in pages.items():
    name = source.relative_to(root)
    for text, target, is_picture in page.links(prose):
        if target.startswith(("https:", "http:", "mailto:")):
            continue
        checked += 1
        file, _, anchor = target.partition("#")
        path = (source.parent / file).resolve() if file else source
        if root not in path.parents or not path.exists():
            problems.append(f"{name}: links to {target}, which does not exist")
        elif anchor and anchor not in page.anchors(pages.get(path, [])):
            problems.append(f"{name}: links to {target}, which has no such heading")
        elif is_picture:
            check_picture(name, text, path)
index = {target for _, target, _ in page.links(pages[root / "docs/README.md"])}
for source in sources:
    if source.parent == root / "docs" and source.name != "README.md" and source.name not in index:
        problems.append(f"docs/README.md: does not lead to {source.name}")
print(f"{checked} links checked")
print("\n".join(problems))
sys.exit(1 if problems or checked < 20 else 0)

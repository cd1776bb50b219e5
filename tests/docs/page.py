"""What a Markdown page holds that can be checked: fenced blocks, links, headings."""
import re
from dataclasses import dataclass

FENCE = re.compile(r"^(`{3,})(\S*)\s*$")
OUTPUT = "<!-- output -->"


@dataclass
class Block:
    language: str
    lines: list
    first: int  # the line of the page, counted from 0, that the block's content begins at
    is_output: bool  # marked as what the commands before it print


def read(text):
    """The fenced blocks of a page in order, and its other lines; a fence that is not closed is a ValueError."""
    blocks, prose, inside, marked = [], [], None, False
    for number, line in enumerate(text.splitlines()):
        fence = FENCE.match(line)
        if inside is not None:
            if fence and fence.group(1) == inside and not fence.group(2):
                inside = None
            else:
                blocks[-1].lines.append(line)
        elif fence:
            inside = fence.group(1)
            blocks.append(Block(fence.group(2), [], number + 1, marked))
            marked = False
        else:
            prose.append(line)
            if line.strip():
                marked = line.strip() == OUTPUT
    if inside is not None:
        raise ValueError(f"line {blocks[-1].first}: a fence that is not closed")
    return blocks, prose


def links(prose):
    """(text, target, is a picture) of every inline link."""
    text = re.sub(r"`[^`\n]*`", "code", "\n".join(prose))
    return [(what, target, bool(mark)) for mark, what, target in re.findall(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", text)]


def anchors(prose):
    """What GitHub calls the headings of a page; one that comes again gets a number."""
    seen = {}
    for line in prose:
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
            name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
            seen[name] = seen.get(name, 0) + 1
    return {name if count == 0 else f"{name}-{count}" for name, times in seen.items() for count in range(times)}

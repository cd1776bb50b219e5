"""A page made by the program from hostile names has the elements of one made from plain names, as Python's parser
sees them; and what is typed is on it."""
import html.parser
import pathlib
import shlex
import subprocess
import sys
import tempfile

program = str(pathlib.Path(sys.argv[1]).resolve())
VOID = {"meta", "img"}


class Tree(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.shape, self.text, self.sources = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.shape.append((len(self.open), tag, tuple(name for name, _ in attributes)))
        self.sources += [value for name, value in attributes if name in ("src", "href", "srcset", "action")]
        assert not any(name.startswith("on") for name, _ in attributes), attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.text.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data[:80]}")

    def unknown_decl(self, data):
        raise AssertionError(f"a declaration: {data[:80]}")


def page_of(folder, name, label):
    table = folder / name
    rows = [[label(i + 12), *(f"{(i % 3 == j % 3) * 3 + ((i * 7 + j * 5) % 11) / 20}" for j in range(12))] for i in range(24)]
    quoted = lambda cells: ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
    header = quoted(["id", *(label(j) for j in range(12))])
    table.write_text("\n".join([header, *(quoted(row[:1]) + "," + ",".join(row[1:]) for row in rows)]) + "\n")
    out = folder / (name + ".out")
    words = [program, "fit", "ssvd", str(table), "-o", str(out), "--clusters", "2"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("report: "), done.stdout
    return (out / "report.html").read_text(), words


HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "</span></li></ol>", "<!-- x",
           "&lt;b&gt;", "</style><style>*{}", "</title>", "<![CDATA[", "\u202egnp", "<?php", "<svg/onload=alert(1)>"]
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    plain, _ = page_of(folder, "plain.csv", lambda i: f"item{i}")
    hostile, words = page_of(folder, "<b onclick='x'>\"&.csv", lambda i: HOSTILE[i % 12] + str(i))
    trees = [Tree(plain), Tree(hostile)]
    assert trees[0].shape == trees[1].shape, "labels change the elements"
    for tree, page in zip(trees, (plain, hostile)):
        assert all(source.startswith("data:image/png;base64,") for source in tree.sources), tree.sources
        assert len(page) < 3_000_000 and "<script" not in page
    text = "".join(trees[1].text)
    assert HOSTILE[0] in text and "gnp" in text and "\u202e" not in text, "labels are shown as text"
    typed = [data for data in trees[1].text if " fit ssvd " in data]
    assert len(typed) == 1 and shlex.split(typed[0]) == words, typed
    done = subprocess.run([program, "demo", "-o", str(folder / "demo")], capture_output=True, text=True)
    page = folder / "demo/index.html"
    assert str(page) in done.stdout.splitlines()[-1], done.stdout[-300:]
    links = [link for link in Tree(page.read_text()).sources if link.endswith("report.html")]
    assert len(links) == 3 and all((page.parent / link).exists() for link in links), links
    print(f"{len(trees[0].shape)} elements, {len(plain)} bytes")

"""A page made by the program from hostile names has the elements of one made from plain names, as Python's parser
sees them, and nothing in its data can be taken for markup; what is typed is on it; the terminal gets no control
characters. A thousand payloads as names of rows, columns, files, groups and items of arrays."""
import html.parser
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

program = str(pathlib.Path(sys.argv[1]).resolve())
VOID = {"meta", "img"}


class Tree(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.shape, self.references, self.data = [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.shape.append((len(self.open), tag, tuple(name for name, _ in attributes)))
        self.references += [value for name, value in attributes if name in ("src", "href", "srcset", "action")]
        assert not any(name.startswith("on") or name == "style" for name, _ in attributes), attributes
        if tag not in VOID:
            self.open.append(tag)
        self.is_data = ("id", "data") in attributes

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and self.is_data:
            self.data += data

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data[:80]}")

    def unknown_decl(self, data):
        raise AssertionError(f"a declaration: {data[:80]}")


PIECES = ["<script>alert(1)</script>", "</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "<!--", "-->", "&lt;", "&#60;",
          "</style><style>*{}", "</title>", "<![CDATA[", "]]>", "\u202e", "\u2066", "\u2028", "\u2029", "\u200b", "\ufeff", "<?php", "${7*7}",
          "{{7*7}}", "<svg/onload=alert(1)>", "\\u003c/script>", "\\", "javascript:alert(1)", "%00", "\u0007", "\u001b[31m",
          "url(x)", "@import", "expression(1)", "\U000e0041", "a\u0301", "\u05d0", "<math>", "`", "=cmd()", "<a href=//x>", "&amp;", "\x7f"]
rng = random.Random(8)
PAYLOADS = ["".join(rng.choice(PIECES) for _ in range(rng.randint(1, 4))) + f" n{i}" for i in range(1000)]


def hostile(i):
    return PAYLOADS[i % len(PAYLOADS)].replace("\0", "")


def plain(i):
    return f"item {i}"


def run(words, folder):
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr
    for stream in (done.stdout, done.stderr):
        text = stream.decode()
        bad = [c for c in text if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or 0x202A <= ord(c) <= 0x202E]
        assert not bad, (words, bad[:5])
    return done.stdout.decode()


def check(folder, name):
    page = (folder / name / "report.html").read_text()
    tree = Tree(page)
    assert not tree.references, tree.references
    assert "<" not in tree.data and "default-src 'none'" in page and len(page) < 3_000_000
    return tree.shape, json.loads(tree.data)


quoted = lambda text: '"' + text.replace('"', '""') + '"'
# Names in a table are UTF-8 text without control characters; the readers refuse others.
in_table = lambda text: re.sub(r"[\x00-\x1f\x7f]", "", text)


def table_pages(folder, label, file):
    rows = ["id," + ",".join(quoted(in_table(label(j + 500))) for j in range(12))]
    for i in range(1000):
        rows.append(quoted(in_table(label(i))) + "," + ",".join(f"{(i % 3 == j % 3) * 3 + ((i * 7 + j * 5) % 11) / 20}" for j in range(12)))
    (folder / file).write_text("\n".join(rows) + "\n")
    words = ["fit", "ssvd", file, "-o", "table", "--clusters", "2"]
    out = run(words, folder)
    assert out.splitlines()[-1].startswith("report: "), out
    groups = folder / "groups.txt"
    groups.write_text("\n".join(in_table(label(j)).replace(",", "").replace("/", "").strip() for j in range(12)) + "\n")
    run(["fit", "groupnmf", file, "-o", "groups", "--rank", "3", "--groups", "groups.txt", "--restarts", "2", "--max-iterations", "20"], folder)
    run(["path", "ssvd", file, "-o", "path", "--clusters", "2", "--vary", "row-sparsity=10%,50%"], folder)
    run(["compare", file, "-o", "compare", "--methods", "ssvd:clusters=2,ssvd:clusters=3"], folder)
    return words


def tensor_pages(folder, label):
    run(["simulate", "tensor", "-o", "blocks"], folder)
    for mode, n in enumerate((80, 80, 8)):
        (folder / f"names{mode}.txt").write_text("\n".join(in_table(label(i + 100 * mode)).strip() for i in range(n)) + "\n")
    run(["fit", "tensor", "blocks/data.npy", "-o", "tensor", "--clusters", "3", "--names", "names0.txt,names1.txt,names2.txt"], folder)


def all_pages(folder, label, file):
    words = table_pages(folder, label, file)
    tensor_pages(folder, label)
    run(["report", "table", "tensor", "-o", "several.html"], folder)
    (folder / "several").mkdir()
    (folder / "several.html").rename(folder / "several/report.html")
    return words, {name: check(folder, name) for name in ("table", "groups", "path", "compare", "tensor", "several")}


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    for name in ("plain", "hostile"):
        (folder / name).mkdir()
    _, plain_pages = all_pages(folder / "plain", plain, "table.csv")
    words, hostile_pages = all_pages(folder / "hostile", hostile, "<b onclick='x'>\"&.csv")
    for name, (shape, data) in hostile_pages.items():
        assert shape == plain_pages[name][0], f"labels change the elements of {name}"
    data = hostile_pages["table"][1]
    labels = {text for one in data["labels"] for text in one["text"]}
    assert any("<script>alert(1)</script>" in text for text in labels), "labels are shown as text"
    assert not any("\u202e" in text or "\u001b" in text for text in labels)
    assert shlex.split(data["results"][0]["command"])[1:] == words, data["results"][0]["command"]
    print(f"{len(PAYLOADS)} payloads on {len(hostile_pages)} pages")

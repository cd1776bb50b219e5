"""What a notebook shows: hostile names are text and nothing else, pictures are images, nothing is asked for outside;
and the page of report() is that of the command line."""

import base64
import html.parser
import json
import random
import re
import struct
import zlib

import numpy as np
import pytest

import gingham
from support import NAMES, estimator, extras, gingham_cli, option_words, plain_data, small_options, write_npy

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")
VOID = {"meta", "img", "br"}

PIECES = ["<script>alert(1)</script>", "</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "<!--", "-->",
          "&lt;", "&#60;", "</style><style>*{}", "</title>", "<![CDATA[", "]]>", "\u202e", "\u2028", "\ufeff", "<?php",
          "<svg/onload=alert(1)>", "\\", "javascript:alert(1)", "\u0007", "\u001b[31m", "`", "<a href=//x>", "&amp;",
          "</pre>", "</div></table>", "'><b>", "\x7f"]
RNG = random.Random(8)
PAYLOADS = ["".join(RNG.choice(PIECES) for _ in range(RNG.randint(1, 4))) + f" n{i}" for i in range(300)]


class Tree(html.parser.HTMLParser):
    """Elements and attributes as a browser sees them; anything that could run or fetch is an error."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.shape, self.images, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        assert tag in {"div", "p", "b", "br", "figure", "img", "figcaption", "table", "thead", "tbody", "tr", "th",
                       "td", "code",
                       "pre", "span"}, tag
        self.shape.append((len(self.open), tag, tuple(name for name, _ in attributes)))
        for name, value in attributes:
            assert not name.startswith("on") and name not in ("href", "srcset", "action"), (name, value)
            assert name != "style" or not re.search(r"url|expression|import|javascript", value), value
            if name == "src":
                assert value.startswith("data:image/png;base64,")
                self.images.append(base64.b64decode(value.partition(",")[2], validate=True))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data[:80]}")

    def handle_decl(self, data):
        raise AssertionError(f"a declaration: {data[:80]}")

    unknown_decl = handle_pi = handle_decl


def decoded(image):
    """Pixels of a PNG of 8-bit RGB without interlacing; every chunk's checksum is right."""
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(image):
        size, kind = struct.unpack(">I4s", image[at:at + 8])
        content = image[at + 8:at + 8 + size]
        assert struct.unpack(">I", image[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + content)
        chunks.append((kind, content))
        at += 12 + size
    assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"] and at == len(image)
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, colour, rest) == (8, 2, [0, 0, 0])
    rows = np.frombuffer(zlib.decompress(chunks[1][1]), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any(), "no filters"
    return rows[:, 1:].reshape(height, width, 3)


@pytest.mark.parametrize("name", NAMES)
def test_every_estimator_has_a_picture(name):
    X = plain_data(name)
    one = estimator(name, **extras(name)).fit(X)
    tree = Tree(one._repr_html_())
    assert tree.images and type(one).__name__ in "".join(tree.texts)
    for image in tree.images:
        pixels = decoded(image)
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 3 and max(pixels.shape) <= 2000
    bundle = one._repr_mimebundle_()
    assert bundle["text/html"] == one._repr_html_() and bundle["text/plain"] == repr(one)
    assert Tree(type(one)()._repr_html_()).images == []


def table_of(X, names):
    names = iter(names)
    return pandas.DataFrame(X, index=[next(names) for _ in X], columns=[next(names) for _ in X.T])


def test_hostile_names_are_text():
    for name in ("ssvd", "spectral", "nmf"):
        X = plain_data(name)
        plain = estimator(name).fit(table_of(X, (f"item {i}" for i in range(10**6))))
        hostile = estimator(name).fit(table_of(X, PAYLOADS))
        assert Tree(hostile._repr_html_()).shape == Tree(plain._repr_html_()).shape


def test_hostile_names_of_views():
    X = plain_data("multiview")
    names = [payload for payload in PAYLOADS if "<" in payload or "'" in payload or '"' in payload]
    for first, second in zip(names[:40:2], names[1:40:2]):
        one = estimator("multiview").fit({first: X[0], second: X[1]})
        tree = Tree(one._repr_html_())
        assert len(tree.images) == 2
        plain = Tree(estimator("multiview").fit({"a": X[0], "b": X[1]})._repr_html_())
        assert tree.shape == plain.shape


def test_hostile_parameters():
    for value in PAYLOADS[:60]:
        one = gingham.GroupNMF(free=value, groups=[value] * 3)
        assert Tree(one._repr_html_()).images == []


def test_pictures_of_odd_sizes():
    for shape in ((1, 1), (1, 700), (700, 1), (3, 1500), (481, 480), (2, 2)):
        X = np.random.default_rng(0).random(shape)
        one = gingham.BregmanCoclustering(clusters=1, restarts=1).fit(X)
        pixels = decoded(Tree(one._repr_html_()).images[0])
        assert 1 <= min(pixels.shape[:2]) and max(pixels.shape[:2]) <= 1000
    X = np.random.default_rng(0).random((30, 20))
    X[3:9] = np.nan
    one = gingham.SparseSVD().fit(X)
    grey = (decoded(Tree(one._repr_html_()).images[0]) == 200).all(axis=2)
    assert grey.mean() == pytest.approx(6 / 30, abs=0.1), "what is missing is grey"
    constant = gingham.BregmanCoclustering(clusters=1, restarts=1).fit(np.ones((5, 4)))
    decoded(Tree(constant._repr_html_()).images[0])


def test_a_planted_block_can_be_seen():
    X = np.zeros((40, 40))
    X[5:15, 20:28] = X[25:30, 3:9] = 1
    X = X[np.random.default_rng(0).permutation(40)]
    one = gingham.SparseSVD(clusters=2).fit(X)
    pixels = decoded(Tree(one._repr_html_()).images[0]).astype(int)
    dark = pixels.sum(axis=2) < 250
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    share = dark[rows.min():rows.max() + 1, columns.min():columns.max() + 1].mean()
    assert share > 0.3, "what belongs together lies together"


def test_without_the_data_there_is_no_picture(tmp_path):
    one = estimator("ssvd").fit(plain_data("ssvd"))
    one.save(tmp_path / "out")
    tree = Tree(gingham.load(tmp_path / "out")._repr_html_())
    assert not tree.images and any("SparseSVD" in text for text in tree.texts)


# -- the page

def page_data(page):
    begin = page.index('id="data">') + len('id="data">')
    return json.loads(page[begin:page.index("</script>", begin)])


@pytest.mark.parametrize("name", ["ssvd", "nmf", "tensor", "evolving", "multiview"])
def test_the_page_is_that_of_the_command_line(name, tmp_path):
    X = plain_data(name)
    paths = write_npy(tmp_path, X)
    gingham_cli("fit", name, *paths, "-o", tmp_path / "out", "--quiet", *option_words(small_options(name)))
    one = estimator(name).fit(gingham.read(*paths))
    one.report(tmp_path / "page.html")
    ours, theirs = (path.read_text() for path in (tmp_path / "page.html", tmp_path / "out" / "report.html"))
    assert ours[:ours.index('id="data">')] == theirs[:theirs.index('id="data">')]
    ours, theirs = page_data(ours), page_data(theirs)
    assert ours.keys() == theirs.keys()
    for key in ("picture", "fields", "axes", "components"):
        assert ours.get(key) == theirs.get(key), key
    assert "://" not in json.dumps(ours)


def test_a_page_of_hostile_names(tmp_path):
    one = estimator("ssvd").fit(table_of(plain_data("ssvd"), PAYLOADS))
    page = one.report()
    data = page[page.index('id="data">') + len('id="data">'):]
    assert "<" not in data[:data.index("</script>")] and "default-src 'none'" in page
    one.save(tmp_path / "out")
    assert (tmp_path / "out" / "report.html").read_text().count("<script") == page.count("<script")

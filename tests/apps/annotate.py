"""Annotating images by bags as a user runs it: features, pool, annotate, and what happens without the program for it."""
import csv
import os
import shutil
import struct
import zlib

import scipy.sparse

from support import *

COMMANDS = ("features", "pool", "annotate")


def write_bmp(path, grey):
    height, width = grey.shape
    stride = (width + 3) // 4 * 4
    rows = numpy.zeros((height, stride), numpy.uint8)
    rows[:, :width] = grey[::-1]
    palette = b"".join(bytes([i, i, i, 0]) for i in range(256))
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, rows.size, 0, 0, 256, 0)
    path.write_bytes(b"BM" + struct.pack("<IHHI", 1078 + rows.size, 0, 0, 1078) + header + palette + rows.tobytes())


def write_png(path, grey):
    height, width = grey.shape
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    lines = b"".join(b"\0" + row.tobytes() for row in grey)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def textures(folder, n_bags, seed=0):
    """Bags of one or two pictures with horizontal, vertical or slanted lines in a corner, in noise."""
    random = numpy.random.default_rng(seed)
    lines = ["image\tbag\tterms"]
    y, x = numpy.mgrid[:64, :64]
    waves = {"horizontal": y, "vertical": x, "slanted": (x + y) / 1.4}
    for bag in range(n_bags):
        terms = [term for term in waves if random.random() < 0.4]
        for image in range(random.integers(1, 3)):
            grey = 128 + 25 * random.normal(size=(64, 64))
            for number, term in enumerate(terms):
                top, left = 32 * (number // 2), 32 * (number % 2)
                part = (slice(top, top + 32), slice(left, left + 32))
                grey[part] += 60 * numpy.sin(waves[term] * 0.8 + random.uniform(0, 6))[part]
            write, name = ((write_bmp, f"{bag}_{image}.bmp"), (write_png, f"{bag}_{image}.png"))[bag % 2]
            write(folder / name, grey.clip(0, 255).astype(numpy.uint8))
            lines.append(f"{name}\tbag {bag}\t{'|'.join(terms)}")
    (folder / "bags.tsv").write_text("\n".join(lines) + "\n")


def table(path):
    return list(csv.DictReader(open(path), delimiter="\t"))


def weighted_auc(folder):
    return json.loads((pathlib.Path(folder) / "annotate.json").read_text())["weighted_mean"]["auc"]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    folder = pathlib.Path(folder)

    # Help, hints and completion do not need the other program.
    page = run("--help").stdout
    completion = run("completion", "bash").stdout
    for command in COMMANDS:
        check(f"\n  {command} " in page, f"{command} is in the help")
        check(command in completion, f"{command} is completed")
        check("--output" in run(command, "--help").stdout, f"{command} --help lists options")
    check("--descriptor" in completion, "options are completed")
    expect(2, "features", "a.png", "-o", "out", "--windw", 8, says="did you mean --window?")
    expect(2, "anotate", "p", "-o", "out", says="did you mean annotate?")
    expect(2, "pool", "a", says="is required")
    os.mkdir("alone")
    alone = shutil.copy(GINGHAM, "alone/gingham")
    done = subprocess.run([alone, "features", "a.png", "-o", "out"], capture_output=True, text=True,
                          env={**os.environ, "PATH": "alone:/nowhere"})
    check(done.returncode == 2 and "make annotate" in done.stderr and "gingham-annotate" in done.stderr, f"without: {done}")
    if not os.path.exists(GINGHAM + "-annotate"):
        print("gingham-annotate is not built: the rest is skipped")
        finish()
    # On the path it is found too.
    done = subprocess.run([alone, "features", "a.png", "-o", "out"], capture_output=True, text=True,
                          env={**os.environ, "PATH": os.path.dirname(GINGHAM)})
    check(done.returncode == 2 and "a.png" in done.stderr, f"on the path: {done}")

    # From pictures to scores.
    textures(folder, 60)
    done = expect(0, "features", "--bags", "bags.tsv", "-o", "f", says=["60 bags", "patches of 128"])
    features = numpy.load("f/features.npy")
    check(features.dtype == numpy.float32 and features.flags.c_contiguous, "float32, row by row")
    check(abs(features.mean(axis=1)).max() < 1e-6 and abs((features**2).sum(axis=1) - 1).max() < 1e-5, "standardized")
    patches = table("f/patches.tsv")
    check(len(patches) == len(features) and patches[5]["row"] == "5", "a line per patch")
    check(sum(int(bag["patches"]) for bag in table("f/bags.tsv")) == len(patches), "patches of bags")
    expect(0, "features", "--bags", "bags.tsv", "-o", "f1", "--threads", 1, "--quiet")
    for name in ("features.npy", "patches.tsv", "bags.tsv", "features.json"):
        check((folder / "f" / name).read_bytes() == (folder / "f1" / name).read_bytes(), f"{name}: any number of threads")
    some = [folder / "1_0.png", folder / "0_0.bmp"]
    expect(0, "features", *some, "--bags", "bags.tsv", "-o", "some", "--descriptor", "pixels", "--window", 8)
    check(numpy.load("some/features.npy").shape[1] == 64 and len(table("some/bags.tsv")) == 2, "two pictures, pixels")
    expect(0, "features", *some, "-o", "none", says="2 images in 2 bags")

    # A plain dictionary: random patches, codes by soft thresholding.
    random = numpy.random.default_rng(1)
    atoms = features[random.choice(len(features), 64, replace=False)]
    codes = features @ atoms.T
    codes = scipy.sparse.csr_matrix(numpy.sign(codes) * numpy.maximum(abs(codes) - 0.5, 0)).astype(float)
    os.mkdir("fit")
    scipy.sparse.save_npz("fit/codes.npz", codes)
    expect(0, "pool", "f", "fit", "-o", "p", says="60 bags of 64")
    pooled = scipy.sparse.load_npz("p/pooled.npz").toarray()
    rows = {bag: [i for i, patch in enumerate(patches) if patch["bag"] == bag] for bag in (b["bag"] for b in table("f/bags.tsv"))}
    check((folder / "p/bags.txt").read_text().split("\n")[:-1] == list(rows), "names of bags")
    dense = abs(codes.toarray())
    check(all(numpy.array_equal(pooled[b], dense[own].max(axis=0)) for b, own in enumerate(rows.values())), "largest codes")
    expect(0, "pool", "f", "f/features.npy", "-o", "raw", "--pool", "mean", "--abs", "no")
    raw = numpy.load("raw/pooled.npy")
    check(all(numpy.allclose(raw[b], features[own].astype(float).mean(axis=0)) for b, own in enumerate(rows.values())), "means")

    done = expect(0, "annotate", "p", "-o", "a", says=["horizontal", "vertical", "slanted", "(weighted mean)"])
    check(weighted_auc("a") > 0.9, f"terms are learned: {weighted_auc('a')}")
    scores = table("a/scores.tsv")
    decisions = table("a/decisions.tsv")
    check(len(decisions) == 3 * 60, "each bag is decided once per term")
    truth = {bag["bag"]: bag["terms"].split(",") for bag in table("f/bags.tsv")}
    check(all((row["truth"] == "1") == (row["term"] in truth[row["bag"]]) for row in decisions), "truth")
    weights = [int(row["bags"]) for row in scores[:-1]]
    for measure in ("accuracy", "auc", "sensitivity", "specificity"):
        mean = sum(float(row[measure]) * weight for row, weight in zip(scores, weights)) / sum(weights)
        check(abs(mean - float(scores[-1][measure])) < 1e-12, f"weighted mean of {measure}")
    expect(0, "annotate", "p", "-o", "a1", "--threads", 1, "--quiet")
    expect(0, "annotate", "p", "-o", "a2", "--seed", 1, "--quiet")
    for name in ("annotate.json", "scores.tsv", "decisions.tsv"):
        check((folder / "a" / name).read_bytes() == (folder / "a1" / name).read_bytes(), f"{name}: any number of threads")
    check((folder / "a/decisions.tsv").read_bytes() != (folder / "a2/decisions.tsv").read_bytes(), "another seed")
    expect(0, "annotate", "p", "-o", "a3", "--C", 0.1, "--train-fraction", 0.7, "--folds", 3, "--top-terms", 2)
    stored = json.loads((folder / "a3/annotate.json").read_text())
    check(len(stored["terms"]) == 2 and stored["terms"][0]["folds"][0]["C"] == 0.1, "options are used")
    # Terms that have nothing to do with the pictures are not learned.
    shuffled = (folder / "p/terms.tsv").read_text().split("\n")
    names, terms = zip(*(line.split("\t") for line in shuffled[1:-1]))
    (folder / "p/terms.tsv").write_text("bag\tterms\n" + "".join(f"{n}\t{t}\n" for n, t in zip(names, random.permutation(terms))))
    expect(0, "annotate", "p", "-o", "chance", "--quiet")
    check(0.3 < weighted_auc("chance") < 0.7, f"chance: {weighted_auc('chance')}")

    # What cannot be is said, and leaves nothing behind.
    cut = (folder / "1_0.png").read_bytes()
    (folder / "cut.png").write_bytes(cut[: len(cut) // 2])
    (folder / "text.png").write_text("not a picture")
    (folder / "tab.tsv").write_text("image\tbag\nnone.png\tx\n")
    for words, says in ((["cut.png"], ["cut.png", "cut off"]), (["text.png"], ["text.png", "no picture"]),
                        (["1_0.png", "--bags", "tab.tsv"], ["1_0.png", "not in the table"]), ([], "no images"),
                        (["--bags", "tab.tsv"], "none.png"), (["1_0.png", "--window", 4], "--window"),
                        (["1_0.png", "--window", 65], "window of 65"), (["."], "."),
                        (["1_0.png", "--descriptor", "surf"], "--descriptor")):
        expect(2, "features", *words, "-o", "no", says=says)
    expect(2, "features", "1_0.png", "-o", "f", says="exists already")
    expect(2, "features", "1_0.png", "-o", "p", "--force", says="never replaced")
    expect(2, "pool", "f", "none/pooled.npy", "-o", "no")
    expect(2, "pool", "p", "fit", "-o", "no", says="features made")
    expect(2, "pool", "some", "fit", "-o", "no", says="rows found")
    expect(2, "annotate", "f", "-o", "no", says="pool made")
    expect(2, "annotate", "p", "-o", "no", "--C", "-1", says="--C")
    expect(2, "annotate", "p", "-o", "no", "--folds", 1, says="--folds")
    check(not os.path.exists("no"), "nothing is left behind")

    # The whole way with what belongs to it.
    if "embryos" in run("simulate", "--help").stdout and "dictionary" in run("methods").stdout:
        expect(0, "simulate", "embryos", "-o", "embryos", "--bags", 40, "--terms", 3, "--images-per-bag", 2)
        expect(0, "features", "--bags", "embryos/bags.tsv", "-o", "ef", "--step", 16)
        expect(0, "fit", "dictionary", "ef/features.npy", "-o", "ed", "--atoms", 64, "--epochs", 2)
        expect(0, "pool", "ef", "ed", "-o", "ep")
        expect(0, "annotate", "ep", "-o", "ea")
        check(weighted_auc("ea") > 0.75, f"embryos: {weighted_auc('ea')}")

finish()

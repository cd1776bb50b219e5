"""The experiments run from end to end on a tiny simulated brain, without real data."""
import pathlib

from support import *

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = dict(ages=3, voxels=30, genes=60, regions=3, programme=8)
TABLES = ("table_1", "table_2", "averages", "other_settings", *(f"figure_{k}" for k in range(3, 7)))

with tempfile.TemporaryDirectory() as folder:
    settings = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
    command = [sys.executable, "-B", ROOT / "experiments/evolving/run", "--gingham", GINGHAM, "--seeds", "1",
               "--output", f"{folder}/out", "--data", f"{folder}/none", *settings]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr[-2000:]}")
    out = pathlib.Path(folder) / "out"
    for name in TABLES:
        table = out / f"{name}.tsv"
        rows = table.read_text().splitlines() if table.exists() else []
        check(len(rows) > 1 and len({row.count("\t") for row in rows}) == 1, f"{name}.tsv: {rows[:3]}")
    for figure in range(3, 7):
        check((out / f"figure_{figure}.svg").exists(), f"figure_{figure}.svg")
    page = (out / "results.md").read_text() if (out / "results.md").exists() else ""
    verified = [line.split()[:3] for line in page.splitlines() if "pass `gingham verify`" in line]
    check(len(verified) == 1 and verified[0][0] == verified[0][2] != "0", f"all verified: {verified}")
    check(page.count("left out") == 3, "says which real data are absent")
finish()

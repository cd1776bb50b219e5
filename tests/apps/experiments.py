"""The experiments run from end to end on little data, none of them real."""
import os
import pathlib

from support import *

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = dict(ages=3, voxels=30, genes=60, regions=3, programme=8)
EVOLVING = ("table_1", "table_2", "averages", "other_settings", *(f"figure_{k}" for k in range(3, 7)))
TENSOR = ("table_1", "noise", "balancing", "modes", "plain", "nesting", *(f"figure_{k}" for k in range(8, 11)))
MULTIVIEW = ("table_1_simulated", "table_2_simulated", "starts", "solvers", "incomplete")
GROUPNMF = ("figure_2", "figure_2_path", "figure_3_simulated_5", "figure_3_simulated_5_numbers",
            "languages_simulated", "figure_4", "optimality")
DICTIONARY = ("figure_3", "figure_4", "table_1", "table_2", "planted")
SEES_PICTURES = os.path.exists(GINGHAM + "-annotate")


def experiments(name, tables, pictures, n_absent, *words):
    """Runs all of one folder; its tables are whole, its results verified, and it says what it left out."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-B", ROOT / f"experiments/{name}/run", "--gingham", GINGHAM,
                   "--output", f"{folder}/out", "--data", f"{folder}/none", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        check(done.returncode == 0, f"{name}: exit {done.returncode}: {done.stderr[-2000:]}")
        out = pathlib.Path(folder) / "out"
        for title in tables:
            table = out / f"{title}.tsv"
            rows = table.read_text().splitlines() if table.exists() else []
            check(len(rows) > 1 and len({row.count("\t") for row in rows}) == 1, f"{name}: {title}.tsv: {rows[:3]}")
        for title in pictures:
            check((out / f"{title}.svg").exists(), f"{name}: {title}.svg")
        page = (out / "results.md").read_text() if (out / "results.md").exists() else ""
        verified = [line.split()[:3] for line in page.splitlines() if "pass `gingham verify`" in line]
        check(len(verified) == 1 and verified[0][0] == verified[0][2] != "0", f"{name}: all verified: {verified}")
        check(page.count("left out.") == n_absent, f"{name}: says which real data are absent")


settings = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
experiments("evolving", EVOLVING, [f"figure_{k}" for k in range(3, 7)], 3, "--seeds", "1", *settings)
experiments("tensor", TENSOR, [*(f"figure_{k}" for k in (3, 4, 5, 8)), "plain", "nesting"], 2, "--quick")
experiments("multiview", MULTIVIEW, ["table_1_simulated"], 4, "--quick")
experiments("groupnmf", GROUPNMF, ["figure_2_pictures", "figure_3_simulated_5", "languages_simulated"], 4, "--quick")
experiments("dictionary", [*DICTIONARY, *(["figure_5"] if SEES_PICTURES else [])], ["figure_5"] if SEES_PICTURES else [],
            3 if SEES_PICTURES else 4, "--quick")
finish()

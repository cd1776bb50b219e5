"""The example scripts run, say something, and draw figures that are not blank."""

import pathlib
import runpy
import sys

import pytest

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed; the examples draw with it")
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    import matplotlib.pyplot

    matplotlib.pyplot.close("all")


def check_figure(path):
    pixels = matplotlib.image.imread(path)[..., :3]
    assert pixels.shape[0] >= 200 and pixels.shape[1] >= 300, "a figure one can see something in"
    drawn = (pixels.min(axis=2) < 0.9).mean()
    assert drawn > 0.02, f"{path.name} is blank: {drawn:.2%} of it is not white"
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert edge.min() > 0.9, f"{path.name}: something reaches over its edge"


def test_there_are_examples():
    assert len(EXAMPLES) >= 8


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(example), str(tmp_path / "figures")])
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip(), "it says what it found"
    assert [path.name for path in tmp_path.iterdir()] == ["figures"], "it writes nowhere else"
    figures = sorted((tmp_path / "figures").iterdir())
    assert figures and all(path.suffix == ".png" for path in figures)
    for path in figures:
        check_figure(path)

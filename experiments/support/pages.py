"""A Markdown page with tables, each also written as TSV, and pictures."""
import pathlib


class Page:
    def __init__(self, folder, title):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lines = [f"# {title}", ""]

    def heading(self, text, depth=2):
        self.say("#" * depth + " " + text)

    def say(self, text):
        self.lines += [text, ""]

    def points(self, texts):
        self.lines += [f"- {text}" for text in texts] + [""]

    def table(self, name, header, rows):
        cells = [[as_text(cell) for cell in row] for row in rows]
        (self.folder / f"{name}.tsv").write_text(
            "".join("\t".join(row) + "\n" for row in [header] + cells))
        self.lines += ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
        self.lines += ["| " + " | ".join(row) + " |" for row in cells] + [""]

    def picture(self, name, svg):
        (self.folder / f"{name}.svg").write_text(svg)
        self.lines += [f"![{name}]({name}.svg)", ""]

    def write(self):
        path = self.folder / "results.md"
        path.write_text("\n".join(self.lines))
        return path


def as_text(cell):
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)

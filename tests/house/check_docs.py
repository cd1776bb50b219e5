"""docs/methods.md is what the program prints; pages name no file that does not exist."""
import pathlib
import re
import subprocess
import sys

root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
printed = subprocess.run([program, "methods", "--markdown"], check=True, capture_output=True, text=True).stdout
page = (root / "docs/methods.md").read_text()
if page != printed:
    sys.exit("docs/methods.md is out of date: build/gingham methods --markdown > docs/methods.md")
missing = []
for source in list(root.glob("*.md")) + list((root / "docs").glob("*.md")):
    for target in re.findall(r"\]\(([^)#:]+)[^)]*\)", source.read_text()):
        if not (source.parent / target).exists():
            missing.append(f"{source.name}: links to {target}, which does not exist")
sys.exit("\n".join(missing) or 0)

"""The demonstration: three questions, each answered from its own result, and a page that leads to their reports."""
import csv
import re
import signal
import time

from support import *


def members(folder):
    """component -> mode -> block -> [(index, label, value)], from clusters.tsv alone."""
    found = {}
    for line in csv.DictReader(open(folder / "clusters.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE):
        found.setdefault(int(line["component"]), {}).setdefault(line["mode"], {}).setdefault(line["block"], []).append(
            (int(line["index"]), line["label"], abs(float(line["value"]))))
    return found


def strongest(folder):
    """What all explain, their number, and the members of the component with the largest share."""
    shares = [component["explained"] for component in result(folder)["components"]]
    best = max(range(len(shares)), key=lambda k: shares[k])
    return result(folder)["explained"], len(shares), members(folder)[best]


def percent(share):
    return f"{100 * share:.{1 if share < 0.0995 else 0}f}%"


def group(label):
    return label[label.rindex("(") + 1:-1]


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    began = time.monotonic()
    done = expect(0, "demo", "-o", "tour/")
    seconds = time.monotonic() - began
    print(f"{seconds:.1f} s")
    print(done.stdout)
    check(seconds < 60, f"the demo took {seconds} s")
    check(done.stderr == "" and "\x1b" not in done.stdout and done.stdout.isascii(), "plain text in a pipe")
    lines = done.stdout.splitlines()
    index = pathlib.Path(scratch).resolve() / "tour/index.html"
    check(lines[-1] == f"See it: open {index} in a browser", f"the last line: {lines[-1]}")
    folders = {name: pathlib.Path("tour") / name / "result" for name in ("email", "brain", "study")}
    for name, folder in folders.items():
        stored = result(folder)
        check(stored["status"] == "converged", f"{name}: {stored['status']}")
        check(stored["scores"]["nmi"] > 0.9 and stored["scores"]["s_index"] > 0.9, f"{name}: {stored['scores']}")
        check(f"nmi {stored['scores']['nmi']:.3f}" in done.stdout, f"{name}: its score is said")
        expect(0, "verify", folder)
        check((folder / "report.html").stat().st_size < 3_000_000, f"{name}: the page is small")

    # Every command that is shown can be typed again and gives the same.
    commands = [line[4:] for line in lines if line.startswith("  $ ")]
    check(len(commands) == 6, f"{commands}")
    os.rename("tour", "first")
    for name in folders:
        os.makedirs(f"tour/{name}")
    for command in commands:
        words = command.split()
        again = expect(0, *words[1:])
    for name in folders:
        same, new = contents(f"first/{name}/result"), contents(f"tour/{name}/result")
        check(same == new, f"{name}: typed by hand it is the same")

    # The sentences, counted again from the files.
    explained, n_found, email = strongest(folders["email"])
    people, months = email["mode_0"][""], email["mode_2"][""]
    names = [label for _, label, _ in people]
    counts = {}
    for label in names:
        counts[group(label)] = counts.get(group(label), 0) + 1
    most = max(sorted(counts), key=lambda one: counts[one])
    own = f"all of {most}" if counts[most] == len(names) else f"{counts[most]} of them of {most}"
    who = f"{len(names)} people, {own}" if people == email["mode_1"][""] or [i for i, *_ in people] == [i for i, *_ in email["mode_1"][""]] \
        else f"{len(names)} senders, {own}, and {len(email['mode_1'][''])} receivers"
    check(f"  {n_found} cliques explain {percent(explained)} of the e-mail; the strongest is {who}, from {months[0][1]} to {months[-1][1]}."
          in lines, f"email: {who}, {months[0][1]} to {months[-1][1]}, {percent(explained)}")
    explained, n_found, brain = strongest(folders["brain"])
    ages = len(brain["columns"])
    genes = {}
    for block in brain["columns"].values():
        for index_of, *_ in block:
            genes[index_of] = genes.get(index_of, 0) + 1
    kept = sum(n == ages for n in genes.values())
    check(f"{n_found} groups explain {percent(explained)} of the gene activity" in done.stdout and
          f"from E11 to P28; the strongest has {len(genes)} genes, {'all' if kept == len(genes) else kept} of them at every age, and "
          in done.stdout, "brain: genes")
    sizes = [len(brain["rows"][str(age)]) for age in range(ages)]
    check(f"from {sizes[0]} to {sizes[-1]} voxels" in done.stdout, f"brain: voxels {sizes}")
    explained, n_found, study = strongest(folders["study"])
    subjects = study["rows"][""]
    check(f"{n_found} groups explain {percent(explained)} of both views together; the strongest is {len(subjects)} of 300 subjects, told by {len(study['columns']['0'])} markers" in done.stdout,
          f"study: {len(subjects)}")
    features = sorted(study["columns"]["1"], key=lambda one: -one[2])[:3]
    check(f"and {len(study['columns']['1'])} features (first of all {', '.join(label for _, label, _ in features)})." in done.stdout,
          f"study: {features}")

    # The page that leads to the reports.
    page = page_data("first/index.html")
    links = [entry["link"] for entry in page["index"]]
    check(links == [f"{name}/result/report.html" for name in folders], f"the page leads to {links}")
    check(all(os.path.exists("first/" + link) for link in links), f"{links}")
    check(all(entry["picture"] is not None for entry in page["index"]), "a picture each")
    said = [sentence for entry in page["index"] for sentence in entry["sentences"]]
    for sentence in re.findall(r"^  (\d+ .+ explains? .+\.)$", done.stdout, re.M):
        check(sentence in said, f"the page says: {sentence}")

    # In the way, again, stopped.
    expect(2, "demo", "-o", "first", says="exists already")
    expect(0, "demo", "-o", "first", "--force")
    os.mkdir("other")
    open("other/precious.txt", "w").write("mine")
    os.makedirs("other/email/data")
    open("other/email/data/thesis.txt", "w").write("mine")
    check(run("demo", "-o", "other", "--force").returncode in (2, 5), "what is not a demo is not replaced")
    check(open("other/email/data/thesis.txt").read() == "mine", "and stays")
    child = subprocess.Popen([GINGHAM, "demo", "-o", "stopped"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.15)
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=60)
    check(child.returncode in (3, -signal.SIGINT) and "index.html" not in output, f"Ctrl-C: {child.returncode} {errors}")
    check(child.returncode != 3 or errors.startswith("gingham: stopped"), f"and says so: {errors}")
finish()

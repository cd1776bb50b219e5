"""Table II and Figure 6: who wrote to whom at Enron, and when."""
import collections
import csv
import gzip
import math
import re

import numpy

from support.charts import line_chart
from tensor.arrays import cosines, factors, penalties_used

SHAPE = (184, 184, 44)
PEAKS = {"change of CEO (26-33)": slice(25, 33), "bankruptcy (36-38)": slice(35, 38)}  # months of the paper, from 1
# Positions that tell the department, and by e-mail name people whose position does not.
POSITIONS = (("Legal", r"Legal|Lawyer"), ("Government affairs", r"Government|Regulatory|Chief of Staff"),
             ("Pipeline", r"Pipeline"), ("Executive", r"CEO|(?<!Vice )President|Chief"), ("Trading", r"Trad|Term"))
DEPARTMENTS = {
    "Legal": "tana.jones sara.shackleton mark.taylor e.taylor stephanie.panus marie.heard susan.bailey "
             "debra.bailey elizabeth.sager kay.mann debra.perlingiere dan.hyvl gerald.nemec stacy.dickson "
             "richard.sanders b..sanders michelle.cash jeffrey.hodge t..hodge",
    "Pipeline": "lynn.blair shelley.corman lindy.donoho drew.fossum tracy.geaccone rod.hayslett teb.lokey "
                "michelle.lokay michele.lokay mark.mcconnell danny.mccarty darrell.schoolcraft "
                "kimberly.watson larry.campbell f..campbell susan.scott m..scott bill.rapp",
    "Executive": "sally.beck rick.buy liz.taylor joannie.williamson mike.mcconnell",
    "Trading": "phillip.allen k..allen mike.grigsby keith.holst matthew.lenhart frank.ermis jay.reitmeyer "
               "steven.south tori.kuykendall jane.tholt m..tholt barry.tycholiz kim.ward s..ward randall.gay "
               "l..gay matt.smith m..smith jason.wolfe monique.sanchez patrice.mims l..mims susan.pereira "
               "w..pereira scott.neal john.arnold mike.maggi larry.may dutch.quigley john.griffith "
               "hunter.shively s..shively martin.cuilla brad.mckay andy.zipper kevin.presto m..presto "
               "dana.davis fletcher.sturm j..sturm harry.arora robert.benson mike.carson jeff.king "
               "tom.donohoe robert.badeer matt.motley mike.swerzbin chris.dorland geoff.storey "
               "chris.germany judy.townsend scott.hendrickson sandra.brawner f..brawner peter.keavey "
               "f..keavey thomas.martin a..martin d..martin john.zufferli jonathan.mckay kate.symes "
               "kam.keiser darron.giron c..giron errol.mclaughlin"}


class Enron:
    def __init__(self, folder, work):
        with open(folder / "people.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.names = [row["Name"] if row["Name"] != "NA" else row["Email"] for row in rows]
        self.positions = [row["Note"] for row in rows]
        self.departments = [department(row["Email"], row["Note"]) for row in rows]
        self.months = (folder / "months.txt").read_text().split()
        with gzip.open(folder / "enron_184x184x44.tns.gz", "rt") as file:
            entries = [line.split() for line in file if line.strip() and not line.startswith("#")]
        self.array = numpy.zeros(SHAPE)
        self.path = work / "enron_log.tns"
        with open(self.path, "w", encoding="utf-8") as file:
            for *place, count in entries:
                value = math.log2(float(count)) + 1.0
                self.array[tuple(int(i) - 1 for i in place)] = value
                file.write(" ".join(place) + f" {value!r}\n")


def department(email, position):
    for name, emails in DEPARTMENTS.items():
        if email in emails.split():
            return name
    return next((name for name, pattern in POSITIONS if re.search(pattern, position)), "other")


def run(gingham, page, enron, most=5):
    page.heading("Table II: Enron")
    page.say(f"184 x 184 people and {len(enron.months)} months, nonzero x replaced by log2(x) + 1 (the paper: 168 "
             "people). Departments: by position where it tells, by hand where it does not. The label of a co-cluster: "
             "departments of at least a quarter of its members, weighted by membership; in brackets their number.")
    fits = {value: gingham.each(lambda count, value=value: gingham.fit(
        "tensor", [enron.path], f"enron_{value}_{count}", clusters=count, sparsity=value,
        shape=",".join(map(str, SHAPE))), range(1, most + 1)) for value in (12, "auto")}
    rows, texts = [], []
    for value, path in fits.items():
        for count, fitted in enumerate(path, 1):
            rows.append([value, count] + labels(enron, fitted) + [""] * (most - count))
        nested = [float(cosines(one, other).max(axis=1).min()) for one, other in zip(path, path[1:])]
        used = ", ".join(f"{x:.1f}" for x in penalties_used(path[-1]))
        texts.append(f"lambda {value} ({used}): cosine of each co-cluster of K with its nearest of K + 1, the lowest: "
                     + ", ".join(f"{k + 1} to {k + 2} {x:.3f}" for k, x in enumerate(nested))
                     + f"; {path[-1].json['seconds']['fit']:.1f} s for K = {most}.")
    page.table("table_2", ["lambda", "K"] + [f"co-cluster {k + 1}" for k in range(most)], rows)
    page.points(texts)
    for value, path in fits.items():
        people(page, enron, path[-1], value)
    figure_6(gingham, page, enron)


def in_both(fitted, k):
    """Members of co-cluster k, strongest first: by the larger of what they weigh as sender and as receiver."""
    strength = numpy.maximum(*(numpy.abs(factors(fitted)[mode][:, k]) for mode in (0, 1)))
    return [int(i) for i in numpy.argsort(-strength, kind="stable") if strength[i] > 0], strength


def labels(enron, fitted):
    found = []
    for k in range(factors(fitted)[0].shape[1]):
        members, strength = in_both(fitted, k)
        shares = collections.Counter()
        for i in members:
            shares[enron.departments[i]] += strength[i]
        total = sum(shares.values()) or 1.0
        names = [f"{name} {share / total:.0%}" for name, share in shares.most_common() if share >= 0.25 * total]
        found.append(" + ".join(names) + f" ({len(members)})" if names else "empty")
    return found


def people(page, enron, fitted, value):
    rows = []
    a, b, c = factors(fitted)
    for k, label in enumerate(labels(enron, fitted)):
        members, _ = in_both(fitted, k)
        texts = []
        for i in members[:20]:
            role = "" if a[i, k] and b[i, k] else " (writes)" if a[i, k] else " (receives)"
            position = "" if enron.positions[i] == "NA" else f", {enron.positions[i]}"
            texts.append(f"{enron.names[i]}{position}{role}")
        months = [enron.months[t] for t in numpy.flatnonzero(c[:, k])]
        peak = enron.months[int(c[:, k].argmax())]
        rows.append([k + 1, label, "; ".join(texts) + ("; ..." if len(members) > 20 else ""),
                     f"{months[0]} to {months[-1]}, {len(months)} months, most in {peak}" if months else "none"])
    page.heading(f"Members at lambda {value}, K = {len(rows)}", 3)
    page.table(f"enron_members_{value}", ["co-cluster", "department", "members, strongest first", "months"], rows)


def figure_6(gingham, page, enron):
    page.heading("Figure 6: Enron over time, K = 5, lambda = 30", 3)
    fitted = gingham.fit("tensor", [enron.path], "enron_30_5", clusters=5, sparsity=30, shape=",".join(map(str, SHAPE)))
    c, names = factors(fitted)[2], labels(enron, fitted)
    lines = {f"{k + 1}: {name.split(' (')[0]}"[:26]: [(t + 1, float(v)) for t, v in enumerate(c[:, k])]
             for k, name in enumerate(names)}
    page.picture("figure_6", line_chart("Temporal profiles, lambda 30", "month (1 is 1998-11)", "membership", lines))
    rows = []
    for k, name in enumerate(names):
        total = c[:, k].sum() or 1.0
        rows.append([k + 1, name, enron.months[int(c[:, k].argmax())], int((c[:, k] != 0).sum())]
                    + [f"{c[span, k].sum() / total:.0%}" for span in PEAKS.values()])
    page.table("figure_6", ["co-cluster", "department", "highest in", "months", *(f"within {peak}" for peak in PEAKS)],
               rows)
    even = {peak: (span.stop - span.start) / len(enron.months) for peak, span in PEAKS.items()}
    page.say("Were memberships spread evenly, the shares would be "
             + " and ".join(f"{share:.0%}" for share in even.values()) + ".")

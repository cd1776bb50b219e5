"""Two records side by side (record.py says what must be true of them)."""
import collections
import json
import math
import re
import statistics

WITHIN_A, WITHIN_B, SHARE_A = 1e-6, 1e-8, 0.95
ZERO = 1e-14  # of the data's sum of squares: an objective below is zero up to rounding
TIMED_SECONDS = 5e-3  # runs below tell nothing about time


def print_table(head, rows):
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(str(cell).ljust(width) if i == 0 else str(cell).rjust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def print_left_out(left_out):
    for reason in dict.fromkeys(left_out.values()):
        keys = [key for key, other in left_out.items() if other == reason]
        print(f"left out {len(keys)}, {reason}: {'; '.join(keys)}")


def print_record(records):
    """What one build did: how the runs ended, per method."""
    by_method = collections.defaultdict(list)
    for record in records.values():
        by_method[record["method"]].append(record)
    rows = []
    for method, all_of_it in by_method.items():
        ends = [collections.Counter(one[kind].get("status", one[kind]["state"]) for one in all_of_it) for kind in "ab"]
        seconds = sum(one[kind].get("seconds", 0.0) for one in all_of_it for kind in "ab")
        rows.append([method, len(all_of_it), *(", ".join(f"{n} {end}" for end, n in sorted(e.items())) for e in ends),
                     f"{seconds:.2f}"])
    print_table(["method", "problems", "run a", "run b", "seconds"], rows)
    for key, record in records.items():
        for kind in "ab":
            one = record[kind]
            if one["state"] != "done":
                print(f"{one['state']}: {key} ({kind}): {one['message']}")
            elif one["gap"] is None or one["objective"] is None:
                print(f"not a number: {key} ({kind}): objective {one['objective']}, gap {one['gap']}")


def above(after, before, squares):
    """By how much of it an objective is above the one before; NaN where one of them is not a number."""
    if after is None or before is None:
        return 0.0 if after is before else math.nan
    if max(abs(after), abs(before)) <= ZERO * squares:
        return 0.0
    return (after - before) / max(abs(after), abs(before))


def difference(kind, before, after, squares):
    """What is wrong with a run after, or None."""
    if before["state"] != "done" or after["state"] != "done":
        if before["state"] == after["state"]:
            return None
        words = [f"{one['state']}: {one['message']}" if "message" in one else one["state"] for one in (before, after)]
        return f"before {words[0]}, after {words[1]}"
    change = above(after["objective"], before["objective"], squares)
    found = []
    if not (change <= WITHIN_A if kind == "a" else abs(change) <= WITHIN_B):
        found.append(f"objective {before['objective']!r} -> {after['objective']!r} ({change:+.1e})")
    if kind == "b":
        for name, old in before["supports"].items():
            new = after["supports"].get(name, {"digest": "", "nonzeros": "no such array"})
            if old["digest"] != new["digest"]:
                found.append(f"support of {name} {old['nonzeros']} -> {new['nonzeros']}")
        for name in sorted(before["labels"].keys() | after["labels"].keys()):
            if before["labels"].get(name) != after["labels"].get(name):
                found.append(f"labels {name}")
    if not found:
        return None
    first = above(after["first"], before["first"], squares)
    notes = "" if abs(first) <= WITHIN_A else "; other start or first step"
    return f"{', '.join(found)}; {before['status']}, gap {before['gap']} -> {after['status']}, gap {after['gap']}{notes}"


def compare(before_folder, after_folder, only):
    before, after = (json.loads((folder / "record.json").read_text()) for folder in (before_folder, after_folder))
    keys = [key for key in before["problems"] if key in after["problems"] and re.search(only, key)]
    for name, one, other in (("before", before, after), ("after", after, before)):
        missing = [key for key in one["problems"] if key not in other["problems"] and re.search(only, key)]
        if missing:
            print(f"{len(missing)} problems are only in the record {name}")
    counts = collections.defaultdict(collections.Counter)
    ratios, exceptions, total = collections.defaultdict(list), [], collections.Counter()
    for key in keys:
        old, new = before["problems"][key], after["problems"][key]
        count = counts[old["method"]]
        count["all"] += 1
        if old["data"]["digest"] != new["data"]["digest"] and not after.get("shaken"):
            exceptions.append(("data", key, "make the record after with --like the one before"))
        for kind in "ab":
            trouble = difference(kind, old[kind], new[kind], old["data"]["squares"])
            if trouble:
                exceptions.append((kind, key, trouble))
            else:
                count[kind] += 1
            if old[kind]["state"] == new[kind]["state"] == "done":
                change = above(new[kind]["objective"], old[kind]["objective"], old["data"]["squares"])
                count["lower"] += kind == "a" and change < -WITHIN_A
                if min(old[kind]["seconds"], new[kind]["seconds"]) > TIMED_SECONDS:
                    ratios[old["method"]].append(new[kind]["seconds"] / old[kind]["seconds"])
    median = lambda values: f"{statistics.median(values):.2f}" if values else "-"
    rows = [[method, count["all"], count["b"], count["a"], count["lower"], median(ratios[method])]
            for method, count in counts.items()]
    for count in counts.values():
        total.update(count)
    rows.append(["all", total["all"], total["b"], total["a"], total["lower"], median(sum(ratios.values(), []))])
    print_table(["method", "problems", "b equal", "a as good", "a lower", "time ratio"], rows)
    for kind in ("data", "b", "a"):
        of_kind = [(key, trouble) for one, key, trouble in exceptions if one == kind]
        if of_kind:
            print(f"\nrun {kind} differs in {len(of_kind)}:" if kind != "data" else f"\ndata differ in {len(of_kind)}:")
        for key, trouble in of_kind:
            print(f"  {key}\n    {trouble}")
    is_good = bool(keys) and total["b"] == len(keys) and total["a"] >= SHARE_A * len(keys) and \
        not any(kind == "data" for kind, _, _ in exceptions)
    print(f"\n{'as good as before' if is_good else 'not as before'}: "
          f"{total['b']} of {len(keys)} equal (b), {total['a']} of {len(keys)} as good (a)")
    return 0 if is_good else 1

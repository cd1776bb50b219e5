"""Copies the templates of a method and of a penalty to new names, builds the command line and the contract with them, and
looks."""
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parent.parent / "support"))
from run_command import run

source, build, cmake, compiler, program_objects, contract_objects = sys.argv[1:7]

# Two things that the template does without: an option that names a file of lines, and a transform.
ADDITIONS = [
    ("class Profile final", '''double shrinkage_of(const Options& options) {
  const bool given = options.given("row-names");
  return options.real("shrinkage") + (given ? static_cast<double>(options.lines("row-names").size()) : 0.0);
}

class Profile final'''),
    ('shrinkage_(options.real("shrinkage"))', "shrinkage_(shrinkage_of(options))"),
    ('shrinkage = options.real("shrinkage")', "shrinkage = shrinkage_of(options)"),
    (".options = {", '.options = {lines_option("row-names", "Names of the rows, one per line."),\n'),
    (".recompute = recompute", '''.recompute = recompute,
          .transform = [](const Dataset& fresh, const Options& options, const Model&, Index, Context&) {
            Transformed found;
            const std::vector<Index> labels(static_cast<std::size_t>(fresh.block(0).shape()[0]));
            found.memberships = {membership_of("rows", std::nullopt, labels)};
            found.terms.loss = shrinkage_of(options);
            return found;
          }'''),
]


def extended(text):
    for old, new in ADDITIONS:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "profile_fit"
    shutil.copytree(pathlib.Path(source) / "src/methods/_template", folder)
    for path in folder.iterdir():
        text = extended(path.read_text()).replace("methods::_template", "methods::profile_fit")
        path.write_text(text.replace('"template"', '"profile-fit"').replace("fit template", "fit profile-fit"))
    penalty = pathlib.Path(scratch) / "contrast.hpp"
    text = (pathlib.Path(source) / "src/penalties/members/_template.hpp").read_text()
    penalty.write_text(text.replace("penalties::_template", "penalties::contrast").replace('"rising', '"contrast'))
    # Everything else is taken as it was built, down to the objects: that a method is there takes no more than linking.
    own = pathlib.Path(scratch) / "build"
    run(cmake, "-S", source + "/tests/house/new_method", "-B", str(own), "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DGINGHAM_SOURCE={source}", f"-DGINGHAM_BUILD={build}", f"-DGINGHAM_EXTRA_METHODS={folder}",
        f"-DGINGHAM_EXTRA_PENALTIES={penalty}",
        f"-DPROGRAM_OBJECTS={program_objects}", f"-DCONTRACT_OBJECTS={contract_objects}")
    run(cmake, "--build", str(own), "-j2")
    gingham = str(own / "gingham")
    assert "profile-fit" in run(gingham, "methods"), "not in the list"
    assert "--shrinkage" in run(gingham, "fit", "profile-fit", "--help"), "not in the help"
    assert "profile-fit" in run(gingham, "methods", "--markdown"), "not in the table"
    assert "profile-fit" in run(gingham, "completion", "bash"), "not in the completion"
    table = pathlib.Path(scratch) / "table.csv"
    table.write_text("1,2\n3,4\n5,7\n")
    out = pathlib.Path(scratch) / "out"
    run(gingham, "fit", "profile-fit", str(table), "-o", str(out))
    run(gingham, "verify", str(out))
    attached = pathlib.Path(source) / "tests/apps/attached.py"
    print(run(sys.executable, "-B", str(attached), gingham, "profile-fit", "row-names").splitlines()[-1])
    # A penalty that was copied is taken by name in every method that has --penalty.
    assert "contrast:20%" in run(gingham, "fit", "parafac", "--help"), "the penalty is not in the help"
    array, groups = pathlib.Path(scratch) / "array.tns", pathlib.Path(scratch) / "groups.txt"
    array.write_text("".join(f"{i} {j} {k} {1 + i * j + k % 2}\n" for i in (1, 2, 3) for j in (1, 2) for k in (1, 2)))
    groups.write_text("a\nb\n")
    for words in (("parafac", array, "--rank", "2", "--penalty", "mode_0=nonneg+contrast:10%"),
                  ("tensor", array, "--clusters", "2", "--penalty", "mode_0=contrast:0.1"),
                  ("tensor", array, "--clusters", "2", "--model", "plain", "--penalty", "mode_0=nonneg+contrast:0.1"),
                  ("nmf", table, "--rank", "2", "--penalty", "columns=nonneg+contrast:0.1"),
                  ("groupnmf", table, "--rank", "2", "--groups", groups, "--penalty", "rows=nonneg+contrast:10%"),
                  ("ssvd", table, "--clusters", "1", "--penalty", "rows=contrast:10%"),
                  ("evolving", table, table, "--clusters", "1", "--penalty", "columns=contrast:0.1")):
        run(gingham, "fit", *map(str, words), "-o", str(out), "--force", "--quiet")
        run(gingham, "verify", str(out))
    contract = run(str(own / "contract"), "--gtest_filter=*profile_fit*")
    ran = re.search(r"\[  PASSED  \] (\d+) test", contract)
    assert ran and int(ran.group(1)) >= 10, contract[-2000:]
    print(f"profile-fit: {ran.group(1)} contract tests passed")

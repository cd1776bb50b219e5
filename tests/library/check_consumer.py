"""Installs into a scratch folder, builds a program against it both ways, and runs it."""
import os
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parent.parent / "support"))
from run_command import run

source, build, cmake, compiler = sys.argv[1:5]



with tempfile.TemporaryDirectory() as scratch:
    prefix = pathlib.Path(scratch) / "prefix"
    run(cmake, "--install", build, "--prefix", str(prefix))
    run(cmake, "-S", source, "-B", scratch + "/with_cmake", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}")
    run(cmake, "--build", scratch + "/with_cmake")
    first = run(scratch + "/with_cmake/consumer")
    pc = next(prefix.rglob("gingham.pc")).parent
    flags = run("pkg-config", "--cflags", "--libs", "gingham",
                env={**os.environ, "PKG_CONFIG_PATH": str(pc)}).split()
    run(compiler, "-std=c++20", source + "/main.cpp", "-o", scratch + "/with_pkg_config", *flags)
    second = run(scratch + "/with_pkg_config")
    assert first == second == "converged, 8 rows\n", (first, second)
    for header in prefix.rglob("*.hpp"):
        text = header.read_text()
        assert "#include <fmt/" not in text and "#include <Eigen" not in text, f"{header} drags a dependency along"
    assert not list(prefix.rglob("_template")), "the template is no part of the library"
    assert (prefix / "bin/gingham").exists() and list(prefix.rglob("bash-completion/completions/gingham"))
    print(first, end="")

"""The package as pip builds it, its stubs, and what its extension module shows."""

import ast
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import warnings
import zipfile

import gingham
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(gingham.__file__).resolve().parent
BUILD = PACKAGE.parents[1]
CLASSES = [getattr(gingham, name) for name in gingham.__all__
           if inspect.isclass(getattr(gingham, name)) and issubclass(getattr(gingham, name), gingham.Estimator)
           and getattr(gingham, name) is not gingham.Estimator]


def call(*command, cwd=ROOT, **environment):
    return subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True)


def brings_own_blas():
    cache = BUILD / "CMakeCache.txt"
    return cache.exists() and "GINGHAM_STATIC_BLAS:BOOL=ON" in cache.read_text()


def command_line_version():
    if "GINGHAM_CLI" not in os.environ:
        pytest.skip("no command line: GINGHAM_CLI is not set")
    return call(os.environ["GINGHAM_CLI"], "--version").stdout.split()[-1]


def test_version_is_that_of_the_command_line():
    assert gingham.__version__ == command_line_version()


# -- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if not (BUILD / "CMakeCache.txt").exists():
        pytest.skip("the package does not lie in a build folder of CMake")
    for needed in ("pip", "wheel", "setuptools"):
        pytest.importorskip(needed)
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", folder]
    made = call(sys.executable, "-m", "pip", "wheel", *options, ".", GINGHAM_BUILD_DIR=str(BUILD))
    assert made.returncode == 0, made.stdout + made.stderr
    (file,) = folder.glob("gingham-*.whl")
    return file


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_wheel_works_elsewhere(unpacked):
    program = ("import sys; sys.path.insert(0, '.'); import numpy as np, gingham\n"
               "found = gingham.KMeans(clusters=2).fit([[0.0, 1], [0, 1], [5, 4]])\n"
               "print(gingham.__file__, gingham.__version__, found.labels_.tolist() in ([0, 0, 1], [1, 1, 0]))")
    ran = call(sys.executable, "-I", "-B", "-c", program, cwd=unpacked)
    assert ran.returncode == 0, ran.stderr
    file, version, right = ran.stdout.split()
    assert pathlib.Path(file).resolve() == (unpacked / "gingham/__init__.py").resolve()
    assert (version, right) == (gingham.__version__, "True")


def test_wheel_has_the_whole_package(wheel, unpacked):
    ours = {file.name for file in (ROOT / "python/gingham").iterdir() if file.suffix in (".py", ".typed")}
    packed = {file.name for file in (unpacked / "gingham").iterdir()}
    assert ours | {"__init__.pyi", "metrics.pyi"} <= packed
    assert len([name for name in packed if name.startswith("_core.")]) == 1
    assert "-none-" not in wheel.name and "any" not in wheel.name  # it has machine code for one interpreter


def test_metadata(unpacked):
    (folder,) = unpacked.glob("gingham-*.dist-info")
    text = (folder / "METADATA").read_text(encoding="utf-8").split("\n\n")[0]
    said = [line.split(": ", 1) for line in text.splitlines() if ": " in line]
    assert ["Name", "gingham"] in said and ["Version", gingham.__version__] in said
    assert any(key.startswith("License") and "BSD-3-Clause" in value for key, value in said)
    needed = [value for key, value in said if key == "Requires-Dist"]
    always = {value.split()[0].rstrip("(").split(">")[0] for value in needed if "extra" not in value}
    assert always == {"numpy", "scipy", "scikit-learn"}
    for extra in ("pandas", "tqdm", "matplotlib", "anndata"):
        assert any(value.startswith(extra) and "extra" in value for value in needed)


def test_module_shows_only_its_entry(unpacked):
    if not shutil.which("nm") or not shutil.which("readelf"):
        pytest.skip("no binutils")
    (module,) = (unpacked / "gingham").glob("_core.*")
    shown = [line.split()[-1] for line in call("nm", "-D", "--defined-only", module).stdout.splitlines()]
    assert shown == ["PyInit__core"]
    assert ".symtab" not in call("readelf", "-S", "-W", module).stdout  # stripped
    needs = re.findall(r"\(NEEDED\).*\[(.*)\]", call("readelf", "-d", module).stdout)
    assert any("blas" in name for name in needs) != brings_own_blas()
    ours = {"libzip", "libfmt", "libxxhash", "libz", "libopenblas"}
    assert {name.split(".")[0] for name in needs} <= ours | {"libstdc++", "libm", "libgcc_s", "libc", "ld-linux-x86-64"}


def test_no_thread_of_the_own_blas_remains():
    if not brings_own_blas():
        pytest.skip("the module uses the shared OpenBLAS")
    count = "print(len(os.listdir('/proc/self/task')))"
    program = f"import os, numpy, scipy.linalg, sklearn.cluster; {count}; import gingham; {count}"
    before, after = call(sys.executable, "-B", "-c", program).stdout.split()
    assert before == after


def build_by_hand(folder, **environment):
    program = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    return call(sys.executable, "-B", "-c", program, folder, **environment)


def test_build_folder_without_the_package(tmp_path):
    pytest.importorskip("wheel")
    made = build_by_hand(tmp_path, GINGHAM_BUILD_DIR=str(tmp_path))
    assert made.returncode != 0 and "gingham_python_package" in made.stderr and str(tmp_path) in made.stderr


def test_no_cmake(tmp_path):
    pytest.importorskip("wheel")
    made = build_by_hand(tmp_path, PATH=str(tmp_path))
    assert made.returncode != 0 and "cmake 3.25 or later is needed" in made.stderr


def test_source_archive_has_what_the_build_needs(tmp_path):
    program = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    made = call(sys.executable, "-B", "-c", program, tmp_path)
    assert made.returncode == 0, made.stderr
    (file,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        packed = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    wanted = ["CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "setup.py", "scripts/install-dependencies"]
    for folder, patterns in {"src": ["*.?pp"], "cmake": ["*.cmake", "*.in"],
                             "python": ["*.?pp", "*.py", "*.map", "py.typed", "CMakeLists.txt"],
                             "report": ["*.?pp", "bundle/*", "*.in", "CMakeLists.txt"]}.items():
        found = [one for pattern in patterns for one in (ROOT / folder).rglob(pattern)]
        wanted += [str(one.relative_to(ROOT)) for one in found if not {"node_modules", "page"} & set(one.parts)]
    assert len(wanted) > 300 and sorted(set(wanted) - packed) == []
    assert not any(name.startswith(("tests/", "apps/", "build/python")) for name in packed)


# -- the stubs


@pytest.fixture(scope="module")
def stubs():
    """Classes and functions of the stubs by name."""
    if not (PACKAGE / "__init__.pyi").exists():
        pytest.skip("the package has no stubs: it was not put together by CMake")
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    metrics = ast.parse((PACKAGE / "metrics.pyi").read_text(encoding="utf-8"))
    named = (ast.ClassDef, ast.FunctionDef)
    found = {node.name: node for node in tree.body if isinstance(node, named)}
    found.update({f"metrics.{node.name}": node for node in metrics.body if isinstance(node, named)})
    return found


def members(stubs, name):
    """Names and nodes in the stub of a class and of its bases."""
    node = stubs[name]
    found = {}
    for base in node.bases:
        if getattr(base, "id", None) in stubs:
            found.update(members(stubs, base.id))
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            found[one.name] = one
        elif isinstance(one, ast.AnnAssign):
            found[one.target.id] = one
    return found


def parameter_names(node):
    args = node.args
    listed = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [one.arg for one in listed if one is not None and one.arg not in ("self", "cls")]


def test_stubs_have_every_public_name(stubs):
    missing = [name for name in gingham.__all__ if name not in stubs and name not in ("metrics", "simulate")]
    assert missing == []
    assert [name for name in gingham.metrics.__all__ if f"metrics.{name}" not in stubs] == []


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.__name__)
def test_stub_has_every_parameter(stubs, one):
    node = members(stubs, one.__name__)["__init__"]
    shown = {arg.arg: ast.literal_eval(value) for arg, value in zip(node.args.kwonlyargs, node.args.kw_defaults)}
    real = {name: parameter.default for name, parameter in inspect.signature(one).parameters.items()}
    assert list(shown) == list(real)
    assert {name: repr(value) for name, value in shown.items()} == {name: repr(value) for name, value in real.items()}
    assert all(arg.annotation is not None for arg in node.args.kwonlyargs)


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.__name__)
def test_stub_has_every_method(stubs, one):
    shown = members(stubs, one.__name__)
    public = {name for base in one.__mro__ if base.__module__.startswith("gingham") for name in vars(base)
              if not name.startswith("_")} - ({"apply"} if not hasattr(one, "transform") else set())
    assert sorted(public - set(shown)) == []


def test_stubs_of_functions_have_their_parameters(stubs):
    functions = {name: getattr(gingham, name) for name in ("read", "write", "load", "path", "compare")}
    functions.update({f"metrics.{name}": getattr(gingham.metrics, name) for name in gingham.metrics.__all__})
    for name, function in functions.items():
        assert parameter_names(stubs[name]) == list(inspect.signature(function).parameters), name


def test_stubs_of_simulate_have_every_problem(stubs):
    calls = [one for one in stubs["_Simulate"].body if isinstance(one, ast.FunctionDef)]
    problems = [ast.unparse(one.args.args[1].annotation)[9:-2] for one in calls]
    assert problems == gingham.simulate.problems


def test_stubs_have_what_a_fit_leaves_behind(stubs):
    data = np.abs(np.random.default_rng(1).normal(size=(12, 9)))
    inputs = {"matrix": data, "tensor": np.stack([data, data]), "series": [data, data], "views": [data, data + 1]}
    for one in CLASSES:
        few = {key: value for key, value in {"restarts": 1, "atoms": 4, "rank": 2}.items() if key in one().get_params()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = one(max_iterations=5, **few).fit(inputs[one._method.input])
        left = {name for name in vars(fitted) if name.endswith("_") and not name.startswith("_")}
        assert sorted(left - set(members(stubs, one.__name__))) == [], one.__name__

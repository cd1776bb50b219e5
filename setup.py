"""Builds the Python package with CMake and packs what its install rules give (python/CMakeLists.txt).

GINGHAM_BUILD_DIR names a build folder that has the package already and is taken as it is; CMAKE_ARGS are further
arguments for CMake.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import SetupError

ROOT = pathlib.Path(__file__).resolve().parent
SCRATCH = pathlib.Path("build/pip")
NEEDED = """\
CMake did not get through; above is what it says. Building needs a C++20 compiler, pkg-config and, with their headers,
Eigen 3.4, OpenBLAS, zlib, libzip, xxHash, fmt, nlohmann-json and Python itself. On Debian, these come with
    scripts/install-dependencies python"""


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(Gingham VERSION ([0-9.]+)", text, re.MULTILINE).group(1)


def has_cmake():
    """Whether there is a CMake that is new enough."""
    if not shutil.which("cmake"):
        return False
    said = subprocess.run(["cmake", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    return bool(found) and tuple(map(int, found.groups())) >= (3, 25)


def missing_tools():
    """What an isolated build gets from the package index."""
    return ([] if has_cmake() else ["cmake>=3.25"]) + ([] if shutil.which("ninja") else ["ninja"])


def run(*command, hint):
    print("+", shlex.join(map(str, command)), flush=True)
    try:
        subprocess.run([str(part) for part in command], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"{error}\n{hint}") from None


def built_before(folder):
    module = folder / "python/gingham" / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.exists():
        raise SetupError(f"GINGHAM_BUILD_DIR is {folder}, which has no {module.relative_to(folder)}: build the target "
                         f"gingham_python_package there, for {sys.executable}")
    return folder


def built_here(folder):
    (folder / "CMakeCache.txt").unlink(missing_ok=True)  # the last isolated build's tools are gone
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DGINGHAM_PYTHON=ON", "-DGINGHAM_TESTS=OFF", "-DGINGHAM_APPS=OFF",
               f"-DGINGHAM_PYTHON_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", ROOT, "-B", folder, *generator, *options, hint=NEEDED)
    run("cmake", "--build", folder, "--target", "gingham_python_package", hint="The build failed; above is why.")
    return folder


class BuildPackage(build_ext):
    """The whole package, not only its extension module: the stubs are made from the module."""

    def run(self):
        if self.editable_mode:
            raise SetupError("gingham cannot be installed as editable; use make python and PYTHONPATH=build/python")
        if not has_cmake():
            raise SetupError("cmake 3.25 or later is needed and not there (pip fetches it in an isolated build)")
        given = os.environ.get("GINGHAM_BUILD_DIR")
        own = ROOT / SCRATCH / f"cmake-{sys.implementation.cache_tag}"
        folder = built_before(pathlib.Path(given).resolve()) if given else built_here(own)
        stage = pathlib.Path(self.build_temp).resolve() / "stage"
        shutil.rmtree(stage, ignore_errors=True)
        run("cmake", "--install", folder, "--component", "gingham_python", "--prefix", stage, "--strip",
            hint="The package could not be put together.")
        installed = next(stage.rglob("gingham/__init__.py")).parent
        package = pathlib.Path(self.build_lib) / "gingham"
        shutil.rmtree(package, ignore_errors=True)
        shutil.copytree(installed, package)


(ROOT / SCRATCH).mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    packages=[],
    ext_modules=[Extension("gingham._core", [])],
    cmdclass={"build_ext": BuildPackage},
    setup_requires=missing_tools(),
    # Nothing is left between the sources.
    options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}},
)

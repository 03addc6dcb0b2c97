"""Runs the libraries' own tests on what a portable wheel holds: portable_check.py ARCH [--multiplier N] [LIBRARY...]

tools/portable_libraries and portable_wheel.py have built the libraries; ARCH is the processor of this machine. GMP, MPFR and zlib
bring a suite that make runs. Of FLINT and Arb the wheel has some files: each that has a test of its own is tested, with the
very object of the wheel. --multiplier 0.1 does a tenth of the cases of those two. What SQLite and OpenSSL bring needs more of them
than a wheel holds; scrim's tests of vaults, of digests, ciphers and random bits cover what it calls.

Prints a line for each library, and those tests that failed; ends with status 1 if one did.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import portable_wheel
from portable_wheel import FLAGS, PLACE, symbols

LIMIT = 1800  # seconds of a test


def suite(arch, name, *targets):
    """The suite of a library with automake: how many tests passed, and what failed."""
    folder = PLACE / "work" / arch / name
    environment = {**os.environ, "LD_LIBRARY_PATH": str(PLACE / arch / "lib")}
    with open(PLACE / "work" / arch / f"{name}-check.log", "w+") as log:
        status = subprocess.run(["make", f"-j{os.cpu_count()}", *targets], cwd=folder, env=environment, stdout=log, stderr=log).returncode
        log.seek(0)
        said = log.read()
    passed = sum(map(int, re.findall(r"^# PASS: +(\d+)", said, re.M))) or len(re.findall(r"test OK", said))
    failed = re.findall(r"^FAIL: (.*)", said, re.M) + ([] if status == 0 else [f"make: status {status}"])
    return passed, failed


def tests_of(source, made):
    """The tests of the files that a wheel has: x/t/t-y.c is that of x/y.c."""
    for path in made:
        of_file = path.relative_to(source / "needed").with_suffix("")
        test = source / of_file.parent / "test" / f"t-{of_file.name}.c"
        if test.exists():
            yield test


class Checked:
    """FLINT and Arb, as far as tests of the files in the wheel call them."""

    def __init__(self, arch, wheel):
        self.arch, self.lib = arch, PLACE / arch / "lib"
        self.compiler, include = PLACE / f"bin/{arch}-clang-2.17", PLACE / arch / "include"
        self.roots = [PLACE / "work" / arch / name for name in ("flint", "arb")]
        self.flags = [*FLAGS, f"-I{self.roots[0]}", f"-I{self.roots[1]}", f"-I{include}", f"-I{include}/flint"]
        self.tests = [test for root, made in zip(self.roots, wheel) for test in tests_of(root, made)]
        self.place = PLACE / "work" / arch / "checked"

    def object_of(self, test):
        """Compiles a test; its object."""
        root = next(root for root in self.roots if root in test.parents)
        out = self.place / root.name / test.relative_to(root).with_suffix(".o")
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            portable_wheel.run([self.compiler, *self.flags, "-c", test, "-o", out])
        return out

    def prepare(self):
        """Compiles all tests, and what they call beyond the files of the wheel, into an archive."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            objects = list(pool.map(self.object_of, self.tests))
        wanted = set()
        for path in objects:
            wanted |= symbols(path)[1]
        called = [each for made in portable_wheel.compile_needed(self.arch, wanted) for each in made]
        archive = self.place / "called.a"
        archive.unlink(missing_ok=True)
        portable_wheel.run([PLACE / "bin/zig-ar", "rcs", archive, *called])
        return list(zip(self.tests, objects))

    def run(self, test, path, multiplier):
        """Links a test and runs it; its name and what is wrong with it, or None."""
        program, passed = path.with_suffix(""), path.with_suffix(".passed")
        name = "/".join([path.relative_to(self.place).parts[0], *test.parts[-3::2]])
        if passed.exists():
            return name, None
        link = [self.compiler, "-o", program, path, self.place / "called.a", f"-L{self.lib}", "-lmpfr", "-lgmp", "-lpthread", "-lm"]
        done = subprocess.run([str(word) for word in link], capture_output=True, text=True)
        if done.returncode != 0:
            return name, "does not link: " + (re.findall(r"undefined symbol: \S+", done.stderr) or ["?"])[0]
        variables = {"FLINT_TEST_MULTIPLIER": multiplier, "ARB_TEST_MULTIPLIER": multiplier, "LD_LIBRARY_PATH": str(self.lib)}
        try:
            done = subprocess.run([program], capture_output=True, text=True, timeout=LIMIT, env={**os.environ, **variables})
        except subprocess.TimeoutExpired:
            return name, f"ran for more than {LIMIT} s"
        finally:
            program.unlink()
        if done.returncode != 0 or "PASS" not in done.stdout:
            return name, f"status {done.returncode}: {done.stdout[-200:]}"
        passed.touch()
        return name, None


def check_functions(arch, multiplier):
    """FLINT and Arb: the tests of each, and what failed."""
    build = PLACE / "scrim" / arch
    wanted = set()
    objects = [*(build / "obj").rglob("*.o"), *build.rglob("pyobj/**/*.o")]
    if not objects:
        raise SystemExit("make wheel-portable comes first")
    for path in objects:
        wanted |= symbols(path)[1]
    checked = Checked(arch, portable_wheel.compile_needed(arch, wanted))
    tests = checked.prepare()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = list(pool.map(lambda each: checked.run(*each, multiplier), tests))
    for library in ("flint", "arb"):
        own = [(name, wrong) for name, wrong in found if name.startswith(library + "/")]
        yield library, sum(wrong is None for _, wrong in own), [f"{name}: {wrong}" for name, wrong in own if wrong]


def main():
    parser = argparse.ArgumentParser(description="the tests of the libraries in a portable wheel")
    parser.add_argument("arch")
    parser.add_argument("libraries", nargs="*", help="gmp, mpfr, zlib, functions (of FLINT and Arb); all if left out")
    parser.add_argument("--multiplier", default="1", help="of the cases of FLINT's and Arb's tests")
    given = parser.parse_args()
    if given.arch != os.uname().machine:
        raise SystemExit(f"tests of {given.arch} run on such a processor; this one is {os.uname().machine}")
    wrong = False

    def tell(library, passed, failed):
        nonlocal wrong
        print(f"{library}: {passed} tests passed, {len(failed)} failed", *failed, sep="\n  ", flush=True)
        wrong = wrong or bool(failed) or passed == 0

    for library, target in (("gmp", "check"), ("mpfr", "check"), ("zlib", "teststatic")):
        if not given.libraries or library in given.libraries:
            tell(library, *suite(given.arch, library, target))
    if not given.libraries or "functions" in given.libraries:
        for found in check_functions(given.arch, given.multiplier):
            tell(*found)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())

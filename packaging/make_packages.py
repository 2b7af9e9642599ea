#!/usr/bin/env python3
"""A Debian package and a Python wheel of a built forewarp: packaging/make_packages.py BUILD OUT

Both hold the program, forewarp-measure, the Python module, the GPU files, the corpus, and every shared library but the C and C++
library. Needs ldd, strip, patchelf, dpkg-deb and Python's package `wheel`."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

import userland

ROOT = userland.ROOT
MOST_BYTES = 120_000_000
SUMMARY = "How long a GPU kernel runs, and why, from its source, on a GPU that is not there"
RESOURCES = "usr/lib/llvm-19/lib/clang/19/include"
LIBCLC = "usr/lib/clc/nvptx64--nvidiacl.bc"


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


def version():
    text = (ROOT / "src/cli/version.h").read_text()
    return text.split('version = "')[1].split('"')[0]


def copy_binary(source, target, search):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755)
    run("strip", "--strip-unneeded", target)
    if search:
        run("patchelf", "--set-rpath", search, target)


class Layout:
    """Folders of a package below its root; `search`: from the module to the libraries, home/lib."""

    def __init__(self, root, home, module, search, share, licences):
        self.root, self.home, self.module, self.search = root, root / home, root / module, "$ORIGIN/" + search
        self.share, self.licences = root / share, root / licences


def stage(build, layout):
    """Programs, module, libraries and data."""
    programs = [build / "bin/forewarp", build / "python/forewarp/_native.abi3.so"]
    shared = {name: path for program in programs for name, path in userland.libraries(program).items()}
    copy_binary(programs[0], layout.home / "bin/forewarp", "$ORIGIN/../lib")
    for program in ("forewarp-measure", "forewarp-nvrtc"):
        copy_binary(build / "bin" / program, layout.home / "bin" / program, None)
    for library in ("libforewarp-opencl.so", "libforewarp-cuda.so"):
        copy_binary(build / "bin" / library, layout.home / "bin" / library, None)
    copy_binary(programs[1], layout.module / "_native.abi3.so", layout.search)
    for name, path in shared.items():
        copy_binary(path, layout.home / "lib" / name, "$ORIGIN")
    shutil.copytree(ROOT / "src/python/forewarp", layout.module, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(pathlib.Path("/") / RESOURCES, layout.home / "lib/clang/19/include")
    for folder in ("gpus", "microbenchmarks", "schema"):
        shutil.copytree(ROOT / "data" / folder, layout.share / folder)
    shutil.copytree(ROOT / "corpus", layout.share / "corpus", ignore=shutil.ignore_patterns("*.cpp", "*.md"))
    (layout.share / "clc").mkdir()
    shutil.copy(pathlib.Path("/") / LIBCLC, layout.share / "clc")
    stage_licences(layout)
    return [layout.home / "bin/forewarp", layout.home / "bin/forewarp-measure", layout.home / "bin/forewarp-nvrtc",
            layout.home / "bin/libforewarp-opencl.so", layout.home / "bin/libforewarp-cuda.so", layout.module / "_native.abi3.so",
            *(layout.home / "lib" / name for name in shared)]


def stage_licences(layout):
    layout.licences.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", layout.licences / "LICENSE")
    for row in tomllib.loads((ROOT / "packaging/licences.toml").read_text())["package"]:
        text = pathlib.Path("/usr/share/doc") / row["name"] / "copyright"
        if text.exists():
            shutil.copy(text, layout.licences / f"{row['name']}.txt")


def deb(build, out):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "root"
        layout = Layout(root, "usr/lib/forewarp", "usr/lib/python3/dist-packages/forewarp", "../../../forewarp/lib",
                        "usr/share/forewarp", "usr/share/doc/forewarp/licences")
        check(stage(build, layout))
        (root / "usr/bin").mkdir()
        for name in ("forewarp", "forewarp-measure"):
            (root / "usr/bin" / name).symlink_to(f"../lib/forewarp/bin/{name}")
        shutil.copy(ROOT / "LICENSE", root / "usr/share/doc/forewarp/copyright")
        limits = tomllib.loads((ROOT / "packaging/userland.toml").read_text())
        kib = sum(file.stat().st_size for file in root.rglob("*") if file.is_file()) // 1024
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(
            f"Package: forewarp\nVersion: {version()}\nArchitecture: amd64\nMaintainer: The authors of Forewarp\nSection: devel\n"
            f"Priority: optional\nInstalled-Size: {kib}\nDepends: libc6 (>= {limits['GLIBC']}), libstdc++6 (>= 12), libgcc-s1 (>= 12)\n"
            f"Suggests: python3 (>= 3.10), python3-numpy, libstdc++-12-dev\nDescription: {SUMMARY}\n"
            " Predicts OpenCL, CUDA and HIP kernels for the GPUs of a catalogue; no GPU and no vendor's tools are needed.\n")
        for path in [root, *root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        target = out / f"forewarp_{version()}_amd64.deb"
        run("dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", root, target)
        return target


def wheel(build, out):
    limits = tomllib.loads((ROOT / "packaging/userland.toml").read_text())
    tag = f"cp310-abi3-manylinux_{limits['GLIBC'].replace('.', '_')}_x86_64"
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        info = f"forewarp-{version()}.dist-info"
        check(stage(build, Layout(root, "forewarp", "forewarp", "lib", "forewarp/share/forewarp", f"{info}/licenses")))
        (root / info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: forewarp\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.10\nProvides-Extra: numpy\nRequires-Dist: numpy; extra == \"numpy\"\n")
        (root / info / "WHEEL").write_text(
            f"Wheel-Version: 1.0\nGenerator: packaging/make_packages.py\nRoot-Is-Purelib: false\nTag: {tag}\n")
        (root / info / "entry_points.txt").write_text("[console_scripts]\nforewarp = forewarp.__main__:main\n")
        run(sys.executable, "-m", "wheel", "pack", root, "-d", out)
        return out / f"forewarp-{version()}-{tag}.whl"


def check(files):
    errors, together = userland.check(files)
    if errors:
        sys.exit("\n".join(errors))
    print("needs", ", ".join(f"{family} {most}" for family, most in sorted(together.items())))


def main():
    build, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    for made in (deb(build, out), wheel(build, out)):
        size = made.stat().st_size
        print(f"{made.name}: {size / 1e6:.1f} MB")
        if size > MOST_BYTES:
            sys.exit(f"{made.name} is above {MOST_BYTES / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

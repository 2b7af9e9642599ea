"""The command `forewarp` of an installed wheel, also `python -m forewarp`: hands over to the program."""
import os
import pathlib
import sys

NEEDED = (2, 36)


def userland() -> tuple:
    """The C library's version; (0,) where it is another library."""
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    except (AttributeError, OSError, ValueError):
        return (0,)
    return tuple(int(part) for part in version.split(".")) if name == "glibc" else (0,)


def main() -> None:
    found = userland()
    if found < NEEDED:
        sys.exit("forewarp: error: this build needs the GNU C library %d.%d or newer and finds %s; build it here from source (./run build)"
                 % (*NEEDED, ".".join(map(str, found)) if found != (0,) else "none"))
    program = pathlib.Path(__file__).resolve().parent / "bin" / "forewarp"
    if not program.exists():
        sys.exit(f"forewarp: error: {program} is not there; this is a module without the program")
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Groups the files of a room into few translation units, so that the headers that they share are read once.

cmake/group_sources.py FOLDER NAME ROOT FILES...   writes FOLDER/NAME_0.cpp, NAME_1.cpp, ... and prints their names as a list for
CMake. They name the files below ROOT, a folder that the compiler searches: the same bytes in every checkout.

Two files go together only where nothing that one of them keeps to itself (unnamed namespace, static) is named in the other, and
only those that open the same namespaces (`using namespace`); one compiled for a target of its own stays alone. Groups are remembered in
FOLDER/NAME.groups: a file stays in its group as long as it may, so that an edit does not compile the room anew."""
import pathlib
import re
import sys

MOST_LINES = 1800
MOST_HEAVY_LINES = 2800  # of files that read LLVM's, Clang's, CLI11's or the JSON library's headers: 2 to 6 s a unit
NAME = r"[A-Za-z_]\w*"
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', flags=re.S)
# What a declaration declares: the name before its parameters, its initialiser, its body or its end.
DECLARED = re.compile(rf"({NAME})\s*(?:\[[^\]]*\]\s*)*(\(|=|\{{|;|:(?!:))")
# Names for something else, which two files may share; with initial values, no declarations of their own.
IMPORT = re.compile(rf"\busing\s+(?:{NAME}::)*({NAME})\s*;|\b(?:namespace|using)\s+({NAME})\s*=[^;]*;")
PLAIN = re.compile(IMPORT.pattern + r"|\busing\s+namespace\b[^;]*;|(?<==)[^;]*(?=;)")
BASES = re.compile(rf"(\b(?:class|struct)\s+{NAME}(?:\s+final)?)\s*:(?!:)[^{{;(]*(?=\{{)")
ENUMERATORS = re.compile(rf"\benum\s+(?!class|struct)(?:{NAME})?\s*(?::[^{{;]*)?\{{([^}}]*)\}}")
TEST = re.compile(r"(?:INSTANTIATE_|TYPED_)?TEST(?:_F|_P|_SUITE_P)?")  # GoogleTest's: a test is a class SUITE_NAME_Test
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "alignas", "decltype", "operator", "const", "noexcept", "requires",
            "override", "else", "do", "void", "int", "double", "bool", "float", "char", "unsigned", "auto", "default", "static_assert"}


def unnamed_namespaces(code):
    """Texts of the unnamed namespaces of a file, and of its static declarations."""
    for match in re.finditer(r"\bnamespace\s*\{", code):
        depth, at = 1, match.end()
        while depth and at < len(code):
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        yield code[match.end():at - 1]
    for match in re.finditer(r"^(?:static|constexpr)\b[^;{]*[;{]", code, flags=re.M):
        yield match.group()


def top_level(code):
    """The text outside of all braces and parentheses, with `(`, `{` and `;` kept as marks."""
    out, depth = [], 0
    for char in code:
        if char in "({":
            if depth == 0:
                out.append(char)
            depth += 1
        elif char in ")}":
            depth -= 1
            if depth == 0 and char == "}":
                out.append(";")
        elif depth == 0:
            out.append(char)
    return "".join(out)


class Source:
    def __init__(self, path):
        text = path.read_text()
        self.path, self.lines = path, text.count("\n") + 1
        code = NOISE.sub(" ", text)
        self.words = set(re.findall(rf"(?<![\w.:])(?<!->){NAME}", code))
        self.calls = set(re.findall(rf"(?<![\w.:])(?<!->)({NAME})\s*\(", code))
        self.functions, self.others = set(), set()  # that the file keeps to itself
        for part in unnamed_namespaces(code):
            for name, mark in DECLARED.findall(BASES.sub(r"\1", PLAIN.sub("", top_level(part)))):
                if name not in KEYWORDS and not TEST.fullmatch(name):
                    (self.functions if mark == "(" else self.others).add(name)
            for names in ENUMERATORS.findall(part):
                self.others |= set(re.findall(rf"({NAME})\s*(?:=[^,]*)?(?:,|$)", names))
        self.imports = {match[1] or match[2]: match[0] for match in IMPORT.finditer(code)}
        # A class with parts of an unnamed namespace, defined in no header: as good in a group as alone.
        self.has_parts = re.search(r"^(?:struct|class) [\w:]+::\w+[^;]*\{", code, flags=re.M) is not None
        self.others |= {f"{suite}_{name}_Test" for suite, name in re.findall(rf"\b{TEST.pattern}\(({NAME}),\s*({NAME})\)", code)}
        self.others |= set(re.findall(rf"^\s*#\s*define\s+({NAME})", code, flags=re.M))
        self.opened = sorted(set(re.findall(r"^using\s+namespace\s+([\w:]+)", code, flags=re.M)))
        self.alone = re.search(r"^#pragma\s+GCC\s+(?:target|optimize)\b", code, flags=re.M) is not None
        # Files that read the same heavy headers belong together.
        includes = " ".join(re.findall(r'#include [<"]([^>"]+)', text))
        self.kind = [heavy in includes for heavy in ("clang/", "llvm/", "CLI/", "nlohmann/")]

    def disturbs(self, other):
        imports = any(name in other.words and other.imports.get(name) != text for name, text in self.imports.items())
        return bool(imports or self.others & other.words or self.functions & (other.calls | other.functions | other.others))

    def fits(self, group):
        most = MOST_HEAVY_LINES if any(self.kind) else MOST_LINES
        return not self.alone and sum(other.lines for other in group) + self.lines <= most and not any(
            other.alone or self.opened != other.opened or self.disturbs(other) or other.disturbs(self) for other in group)


def heavy(source):
    """The dearest headers that a file reads: Clang's bring LLVM's along."""
    return "clang" if source.kind[0] else "llvm" if source.kind[1] else ""


def remembered(path):
    try:
        return [line.split("\t") for line in path.read_text().splitlines()]
    except OSError:
        return []


def group(sources, before):
    groups, by_name = [], {str(source.path): source for source in sources}
    for names in before:
        kept = []  # also in place of a file that was alone, and may find company now
        for name in names if len(names) > 1 else []:
            source = by_name.get(name)
            if source and (not kept or source.fits(kept)):
                kept.append(by_name.pop(name))
        groups.append(kept)
    for source in sorted(by_name.values(), key=lambda s: (s.kind, str(s.path)), reverse=True):
        fitting = [g for g in groups if not g or source.fits(g)]
        alike = [g for g in fitting if g and heavy(g[0]) == heavy(source)] or [g for g in fitting if not g]
        if alike:
            alike[0].append(source)
        else:
            groups.append([source])
    return groups


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    folder, name, root, files = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    folder.mkdir(parents=True, exist_ok=True)
    memory = folder / f"{name}.groups"
    groups = group([Source(pathlib.Path(file)) for file in files], remembered(memory))
    write(memory, "".join("\t".join(str(s.path) for s in g) + "\n" for g in groups))
    made = []
    for number, members in enumerate(groups):
        if len(members) == 1:
            made.append(str(members[0].path))
        elif members:
            path = folder / f"{name}_{number}.cpp"
            write(path, "// Made by cmake/group_sources.py. A name is defined twice? Run cmake again: it groups the files anew.\n"
                  + ('#pragma GCC diagnostic ignored "-Wsubobject-linkage"\n' if any(s.has_parts for s in members) else "")
                  + "".join(f'#include "{source.path.relative_to(root)}"\n' for source in members))
            made.append(str(path))
    print(";".join(made), end="")


if __name__ == "__main__":
    main()

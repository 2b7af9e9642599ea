#include "sass/cubin/line_table.h"

#include <algorithm>

namespace forewarp::sass {
namespace {

std::uint64_t uleb(Cursor& cursor) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && cursor.good(); shift += 7) {
    const std::uint8_t byte = cursor.u8();
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80) == 0)
      break;
  }
  return value;
}

std::int64_t sleb(Cursor& cursor) {
  std::uint64_t value = 0;
  unsigned shift = 0;
  std::uint8_t byte = 0x80;
  while ((byte & 0x80) != 0 && shift < 64 && cursor.good()) {
    byte = cursor.u8();
    value |= std::uint64_t{byte & 0x7fU} << shift;
    shift += 7;
  }
  if ((byte & 0x40) != 0 && shift < 64)
    value |= ~std::uint64_t{0} << shift;
  return static_cast<std::int64_t>(value);
}

/// What the header of one unit says.
struct Unit {
  unsigned minimum_bytes = 1;
  int line_base = 0;
  unsigned line_range = 1;
  unsigned first_special = 10;
  std::vector<std::uint8_t> argument_counts;
  std::vector<std::uint32_t> files; ///< by the unit's number less 1: index into Module::files
};

class Reader {
public:
  Reader(const Elf& elf, const Section& section, std::uint32_t section_index, Module& module)
      : elf_(elf), bytes_(section.bytes), section_index_(section_index), module_(module) {}

  /// False: the table is damaged.
  bool read() {
    Cursor cursor(bytes_);
    while (cursor.left() >= 12) {
      const std::uint32_t length = cursor.u32();
      const std::uint64_t begin = cursor.at();
      const auto unit = part_of(bytes_, begin, length);
      if (!unit || !read_unit(*unit, begin))
        return false;
      cursor.skip(length);
    }
    return true;
  }

private:
  bool read_unit(Bytes bytes, std::uint64_t begin) {
    Cursor cursor(bytes);
    const std::uint16_t version = cursor.u16();
    if (version < 2 || version > 4)
      return true;
    const std::uint32_t header_bytes = cursor.u32();
    const std::uint64_t program_at = cursor.at() + header_bytes;
    Unit unit;
    unit.minimum_bytes = cursor.u8();
    if (version >= 4)
      cursor.skip(1);
    cursor.skip(1); // is_stmt
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): DWARF's line_base is signed
    unit.line_base = static_cast<std::int8_t>(cursor.u8());
    unit.line_range = cursor.u8();
    unit.first_special = cursor.u8();
    for (unsigned i = 1; i < unit.first_special; ++i)
      unit.argument_counts.push_back(cursor.u8());
    read_files(cursor, unit);
    if (!cursor.good() || unit.line_range == 0 || unit.first_special == 0)
      return false;
    const auto program =
        part_of(bytes, program_at, bytes.size() - std::min<std::uint64_t>(program_at, bytes.size()));
    return program && run(*program, begin + program_at, unit);
  }

  void read_files(Cursor& cursor, Unit& unit) {
    std::vector<std::string> folders;
    for (std::string folder = cursor.text(); !folder.empty() && cursor.good(); folder = cursor.text())
      folders.push_back(folder);
    for (std::string file = cursor.text(); !file.empty() && cursor.good(); file = cursor.text()) {
      const std::uint64_t folder = uleb(cursor);
      uleb(cursor);
      uleb(cursor);
      if (file.front() != '/' && folder >= 1 && folder <= folders.size())
        file = folders[folder - 1] + "/" + file;
      const auto known = std::find(module_.files.begin(), module_.files.end(), file);
      unit.files.push_back(static_cast<std::uint32_t>(known - module_.files.begin()));
      if (known == module_.files.end())
        module_.files.push_back(file);
    }
  }

  /// The kernel whose section an address field at this place of the section is relocated to.
  Kernel* kernel_at(std::uint64_t place) {
    for (const ElfRelocation& relocation : elf_.relocations) {
      if (relocation.section != section_index_ || relocation.offset != place ||
          relocation.symbol >= elf_.symbols.size())
        continue;
      const std::uint16_t section = elf_.symbols[relocation.symbol].section;
      if (section >= elf_.sections.size())
        return nullptr;
      for (Kernel& kernel : module_.kernels)
        if (elf_.sections[section].name == ".text." + kernel.name)
          return &kernel;
    }
    return nullptr;
  }

  struct State {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::int64_t line = 1;
    std::uint64_t column = 0;
    Kernel* kernel = nullptr;
  };

  void row(const State& state, const Unit& unit) {
    if (!state.kernel || state.file == 0 || state.file > unit.files.size() || state.line < 0)
      return;
    state.kernel->lines.push_back({static_cast<std::uint32_t>(state.address),
                                   {unit.files[state.file - 1], static_cast<std::uint32_t>(state.line),
                                    static_cast<std::uint32_t>(state.column)}});
  }

  bool extended(Cursor& cursor, std::uint64_t program_at, State& state) {
    const std::uint64_t length = uleb(cursor);
    if (length == 0 || length > cursor.left())
      return false;
    const std::uint64_t end = cursor.at() + length;
    const std::uint8_t opcode = cursor.u8();
    if (opcode == 1) {
      state = {};
    } else if (opcode == 2) {
      state.kernel = kernel_at(program_at + cursor.at());
      state.address = cursor.number(static_cast<unsigned>(std::min<std::uint64_t>(length - 1, 8)));
    }
    // Others, among them NVIDIA's of inlined calls, say nothing that is kept.
    cursor.skip(end - cursor.at());
    return cursor.good();
  }

  void standard(std::uint8_t opcode, Cursor& cursor, State& state, const Unit& unit) {
    switch (opcode) {
    case 1:
      row(state, unit);
      break;
    case 2:
      state.address += uleb(cursor) * unit.minimum_bytes;
      break;
    case 3:
      state.line += sleb(cursor);
      break;
    case 4:
      state.file = uleb(cursor);
      break;
    case 5:
      state.column = uleb(cursor);
      break;
    case 8:
      state.address += std::uint64_t{(255 - unit.first_special) / unit.line_range} * unit.minimum_bytes;
      break;
    case 9:
      state.address += cursor.u16();
      break;
    default:
      for (unsigned i = 0; i < unit.argument_counts[opcode - 1U]; ++i)
        uleb(cursor);
      break;
    }
  }

  bool run(Bytes program, std::uint64_t program_at, const Unit& unit) {
    Cursor cursor(program);
    State state;
    while (cursor.left() > 0) {
      const std::uint8_t opcode = cursor.u8();
      if (opcode == 0) {
        if (!extended(cursor, program_at, state))
          return false;
      } else if (opcode < unit.first_special) {
        standard(opcode, cursor, state, unit);
      } else {
        const unsigned adjusted = opcode - unit.first_special;
        state.address += std::uint64_t{adjusted / unit.line_range} * unit.minimum_bytes;
        state.line += unit.line_base + static_cast<int>(adjusted % unit.line_range);
        row(state, unit);
      }
    }
    return cursor.good();
  }

  const Elf& elf_;
  Bytes bytes_;
  std::uint32_t section_index_;
  Module& module_;
};

} // namespace

Result<void> read_line_tables(const Elf& elf, const std::string& name, Module& module) {
  for (std::size_t i = 0; i < elf.sections.size(); ++i) {
    if (elf.sections[i].name != ".debug_line")
      continue;
    if (!Reader(elf, elf.sections[i], static_cast<std::uint32_t>(i), module).read())
      return fail(ErrorCode::bad_input, "the line table is damaged", name, "compile again with -lineinfo");
  }
  for (Kernel& kernel : module.kernels)
    std::stable_sort(kernel.lines.begin(), kernel.lines.end(),
                     [](const LineEntry& a, const LineEntry& b) { return a.offset < b.offset; });
  return {};
}

} // namespace forewarp::sass

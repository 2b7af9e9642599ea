#include "sass/cubin/elf.h"

#include <algorithm>

namespace forewarp::sass {
namespace {

constexpr std::uint32_t symbol_table = 2;
constexpr std::uint32_t relocations_with_addend = 4;
constexpr std::uint32_t no_contents = 8;
constexpr std::uint32_t relocations_plain = 9;
constexpr std::uint64_t header_bytes = 64;
constexpr std::uint16_t section_header_bytes = 64;
constexpr std::uint64_t symbol_bytes = 24;

tl::unexpected<Error> cut_off(const std::string& name, const std::string& what) {
  return fail(ErrorCode::bad_input, what + " lies outside the file", name, "the file is cut off or damaged");
}

std::string string_at(Bytes table, std::uint64_t offset) {
  if (offset >= table.size())
    return {};
  return Cursor(table.subspan(offset)).text();
}

struct Header {
  Elf elf;
  std::uint64_t sections_at = 0;
  std::uint16_t entry_bytes = 0;
  std::uint16_t count = 0;
  std::uint16_t names = 0;
};

Result<Header> read_header(Bytes bytes, const std::string& name) {
  if (bytes.size() < header_bytes)
    return cut_off(name, "the ELF header");
  if (bytes[4] != std::byte{2} || bytes[5] != std::byte{1})
    return fail(ErrorCode::unsupported, "ELF file of 32 bits or with big-endian numbers", name,
                "machine code of GPUs is 64 bits and little-endian");
  Header header;
  header.elf.abi_version = std::to_integer<std::uint8_t>(bytes[8]);
  Cursor cursor(bytes.subspan(16));
  cursor.skip(2);
  header.elf.machine = cursor.u16();
  cursor.skip(4 + 8 + 8);
  header.sections_at = cursor.u64();
  header.elf.flags = cursor.u32();
  cursor.skip(2 + 2 + 2);
  header.entry_bytes = cursor.u16();
  header.count = cursor.u16();
  header.names = cursor.u16();
  if (header.count > 0 && header.entry_bytes != section_header_bytes)
    return fail(ErrorCode::bad_input, "section headers of " + std::to_string(header.entry_bytes) + " bytes",
                name, "the file is damaged");
  return header;
}

Result<std::vector<Section>> read_sections(Bytes bytes, const Header& header, const std::string& name) {
  const auto table = part_of(bytes, header.sections_at, std::uint64_t{header.count} * section_header_bytes);
  if (!table)
    return cut_off(name, "the table of sections");
  std::vector<Section> sections(header.count);
  std::vector<std::uint32_t> names(header.count);
  Cursor cursor(*table);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    names[i] = cursor.u32();
    sections[i].type = cursor.u32();
    cursor.skip(8 + 8);
    const std::uint64_t offset = cursor.u64();
    sections[i].size = cursor.u64();
    sections[i].link = cursor.u32();
    sections[i].info = cursor.u32();
    cursor.skip(8 + 8);
    if (sections[i].type == no_contents || sections[i].type == 0)
      continue;
    const auto contents = part_of(bytes, offset, sections[i].size);
    if (!contents)
      return cut_off(name, "section " + std::to_string(i));
    sections[i].bytes = *contents;
  }
  if (header.names < sections.size())
    for (std::size_t i = 0; i < sections.size(); ++i)
      sections[i].name = string_at(sections[header.names].bytes, names[i]);
  return sections;
}

void read_symbols(Elf& elf, const Section& table) {
  const Bytes strings = table.link < elf.sections.size() ? elf.sections[table.link].bytes : Bytes{};
  Cursor cursor(table.bytes);
  while (cursor.left() >= symbol_bytes) {
    Symbol symbol;
    symbol.name = string_at(strings, cursor.u32());
    symbol.type = cursor.u8() & 15;
    symbol.other = cursor.u8();
    symbol.section = cursor.u16();
    symbol.value = cursor.u64();
    symbol.size = cursor.u64();
    elf.symbols.push_back(std::move(symbol));
  }
}

void read_relocations(Elf& elf, const Section& table, bool with_addend) {
  Cursor cursor(table.bytes);
  const std::uint64_t entry = with_addend ? 24 : 16;
  while (cursor.left() >= entry) {
    ElfRelocation relocation;
    relocation.section = table.info;
    relocation.offset = cursor.u64();
    relocation.type = cursor.u32();
    relocation.symbol = cursor.u32();
    if (with_addend)
      relocation.addend = static_cast<std::int64_t>(cursor.u64());
    elf.relocations.push_back(relocation);
  }
}

} // namespace

const Section* Elf::find(const std::string& name) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& section) { return section.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

bool is_elf(Bytes bytes) {
  constexpr std::byte magic[] = {std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
  return bytes.size() >= 4 && std::equal(std::begin(magic), std::end(magic), bytes.begin());
}

Result<Elf> read_elf(Bytes bytes, const std::string& name) {
  if (!is_elf(bytes))
    return fail(ErrorCode::bad_input, "not an ELF file", name, "a cubin or an object file is expected");
  auto header = read_header(bytes, name);
  FOREWARP_TRY(header);
  auto sections = read_sections(bytes, *header, name);
  FOREWARP_TRY(sections);
  Elf elf = std::move(header->elf);
  elf.sections = std::move(*sections);
  for (const Section& section : elf.sections) {
    if (section.type == symbol_table && elf.symbols.empty())
      read_symbols(elf, section);
    if (section.type == relocations_plain || section.type == relocations_with_addend)
      read_relocations(elf, section, section.type == relocations_with_addend);
  }
  return elf;
}

} // namespace forewarp::sass

// ELF files of 64 bits, little-endian: headers, sections, symbols and relocations, with every bound checked.
#pragma once

#include "sass/cubin/bytes.h"
#include "support/result.h"

#include <vector>

namespace forewarp::sass {

inline constexpr std::uint16_t cuda_machine = 190;

struct Section {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  Bytes bytes; ///< empty for a section without contents (NOBITS)
};

struct Symbol {
  std::string name;
  std::uint8_t type = 0; ///< 1 object, 2 function, 3 section
  std::uint8_t other = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};

struct ElfRelocation {
  std::uint32_t section = 0; ///< index of the section that is changed
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
};

struct Elf {
  std::uint16_t machine = 0;
  std::uint8_t abi_version = 0;
  std::uint32_t flags = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::vector<ElfRelocation> relocations;

  const Section* find(const std::string& name) const;
};

bool is_elf(Bytes bytes);

/// Refused: cut off, 32 bits, big-endian, a table outside the file. The parts point into `bytes`.
Result<Elf> read_elf(Bytes bytes, const std::string& name);

} // namespace forewarp::sass

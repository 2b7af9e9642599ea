#include "frontend/store/build_identity.h"

#include <llvm/Config/llvm-config.h>

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

namespace forewarp::frontend {
namespace {

/// The notes of one loaded object; `found` is filled from the one whose segments hold `code`.
struct Search {
  std::uintptr_t code = 0;
  std::string found = {};
};

std::string build_id_in(const char* at, std::size_t size) {
  constexpr std::size_t alignment = 4;
  const auto padded = [](std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  for (const char* end = at + size; at + sizeof(ElfW(Nhdr)) <= end;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const char* name = at + sizeof note;
    const char* content = name + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string text;
      for (std::size_t i = 0; i < note.n_descsz; ++i)
        text += fmt::format("{:02x}", static_cast<unsigned char>(content[i]));
      return text;
    }
    at = content + padded(note.n_descsz);
  }
  return "";
}

int look(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool holds = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    holds =
        holds || (segment.p_type == PT_LOAD && search.code >= begin && search.code - begin < segment.p_memsz);
  }
  for (int i = 0; holds && i < object->dlpi_phnum && search.found.empty(); ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      search.found =
          build_id_in(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return holds ? 1 : 0;
}

} // namespace

const std::string& build_identity() {
  static const std::string identity = [] {
    Search search{reinterpret_cast<std::uintptr_t>(&look)};
    dl_iterate_phdr(look, &search);
    return search.found.empty() ? "" : search.found + " LLVM " LLVM_VERSION_STRING;
  }();
  return identity;
}

} // namespace forewarp::frontend

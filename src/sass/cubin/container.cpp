#include "sass/container.h"

#include "sass/cubin/elf.h"

#include <algorithm>
#include <optional>

namespace forewarp::sass {
namespace {

constexpr std::uint32_t magic = 0xba55ed50;
constexpr std::uint16_t ptx_kind = 1, machine_code_kind = 2;
constexpr std::uint64_t packed_flags = 0xa000; // LZ4 0x2000, zstd 0x8000
constexpr std::uint64_t least_entry_header = 48;

bool is_fat_binary(Bytes bytes) {
  return Cursor(bytes).u32() == magic;
}

tl::unexpected<Error> cut_off(const std::string& name) {
  return fail(ErrorCode::bad_input, "a fat binary that is cut off or damaged", name);
}

/// One fat binary at the begin of `bytes`; gives its size.
Result<std::uint64_t> read_fat_binary(Bytes bytes, const std::string& name, std::vector<EmbeddedCode>& into) {
  Cursor header(bytes);
  header.skip(6);
  const std::uint16_t header_bytes = header.u16();
  const std::uint64_t body_bytes = header.u64();
  const auto body = part_of(bytes, header_bytes, body_bytes);
  if (!header.good() || !body || header_bytes < 16)
    return cut_off(name);
  for (std::uint64_t at = 0; at + least_entry_header <= body->size();) {
    Cursor entry(body->subspan(at));
    const std::uint16_t kind = entry.u16();
    entry.skip(2);
    const std::uint32_t entry_header = entry.u32();
    const std::uint64_t size = entry.u64();
    entry.skip(12);
    const std::uint32_t sm = entry.u32();
    entry.skip(8);
    const std::uint64_t flags = entry.u64();
    const auto payload = part_of(*body, at + entry_header, size);
    if (!payload || entry_header < least_entry_header)
      return cut_off(name);
    if (kind == ptx_kind || kind == machine_code_kind)
      into.push_back({kind == ptx_kind ? EmbeddedCode::Kind::ptx : EmbeddedCode::Kind::machine_code, sm,
                      (flags & packed_flags) != 0, *payload});
    at += entry_header + size;
  }
  return header_bytes + body_bytes;
}

/// Fat binaries stand one behind the other, at multiples of eight.
Result<void> read_section(Bytes bytes, const std::string& name, std::vector<EmbeddedCode>& into) {
  constexpr std::uint64_t alignment = 8;
  for (std::uint64_t at = 0; at < bytes.size();) {
    if (!is_fat_binary(bytes.subspan(at))) {
      at += alignment;
      continue;
    }
    const auto size = read_fat_binary(bytes.subspan(at), name, into);
    FOREWARP_TRY(size);
    at += (*size + alignment - 1) / alignment * alignment;
  }
  return {};
}

std::string target_list(const std::vector<EmbeddedCode>& parts) {
  std::string text;
  for (const EmbeddedCode& part : parts)
    text += (text.empty() ? "" : ", ") +
            std::string(part.kind == EmbeddedCode::Kind::ptx ? "PTX for compute_" : "sm_") +
            std::to_string(part.sm);
  return text;
}

} // namespace

Result<std::vector<EmbeddedCode>> embedded_code(std::span<const std::byte> bytes, const std::string& name) {
  std::vector<EmbeddedCode> parts;
  if (is_fat_binary(bytes)) {
    FOREWARP_TRY(read_section(bytes, name, parts));
  } else if (is_elf(bytes)) {
    const auto elf = read_elf(bytes, name);
    FOREWARP_TRY(elf);
    if (elf->machine == cuda_machine) {
      const unsigned sm = elf->abi_version >= 8 ? elf->flags >> 8 & 0xff : elf->flags & 0xff;
      return std::vector<EmbeddedCode>{{EmbeddedCode::Kind::machine_code, sm, false, bytes}};
    }
    for (const Section& section : elf->sections)
      if (section.name == ".nv_fatbin" || section.name == "__nv_relfatbin")
        FOREWARP_TRY(read_section(section.bytes, name, parts));
  } else {
    return fail(ErrorCode::bad_input, "neither a cubin nor a fat binary nor an ELF file", name,
                "compile with `nvcc -cubin -arch=sm_86 -lineinfo FILE.cu`");
  }
  if (parts.empty())
    return fail(ErrorCode::not_found, "no machine code of NVIDIA GPUs in the file", name,
                "an object file or program that nvcc made has some");
  return parts;
}

namespace {

tl::unexpected<Error> none_fits(const std::vector<EmbeddedCode>& parts, unsigned wanted_sm,
                                const std::string& name) {
  return fail(ErrorCode::not_found,
              (wanted_sm == 0 ? "no machine code"
                              : "no machine code that sm_" + std::to_string(wanted_sm) + " runs") +
                  std::string("; there is ") + target_list(parts),
              name, "compile for that target, or name one that is there");
}

bool has_kernel(const Module& module, const std::string& wanted) {
  const auto is_wanted = [&](const Kernel& kernel) { return wanted.empty() || kernel.name == wanted; };
  return std::any_of(module.kernels.begin(), module.kernels.end(), is_wanted);
}

} // namespace

Result<std::span<const std::byte>> cubin_in(std::span<const std::byte> bytes, const std::string& name,
                                            unsigned wanted_sm, const std::string& kernel) {
  const auto parts = embedded_code(bytes, name);
  FOREWARP_TRY(parts);
  unsigned newest = 0;
  for (const EmbeddedCode& part : *parts)
    if (part.kind == EmbeddedCode::Kind::machine_code &&
        (wanted_sm == 0 || (part.sm / 10 == wanted_sm / 10 && part.sm <= wanted_sm)))
      newest = std::max(newest, part.sm);
  if (newest == 0)
    return none_fits(*parts, wanted_sm, name);
  bool packed = false;
  std::optional<Error> why;
  std::optional<std::span<const std::byte>> any;
  for (const EmbeddedCode& part : *parts) {
    if (part.kind != EmbeddedCode::Kind::machine_code || part.sm != newest)
      continue;
    packed |= part.packed;
    if (part.packed)
      continue;
    const auto module = read_cubin(part.bytes, name);
    if (module && has_kernel(*module, kernel))
      return part.bytes;
    if (module && !any && !module->kernels.empty())
      any = part.bytes;
    if (!module && !why)
      why = module.error();
  }
  if (any)
    return *any;
  if (why)
    return tl::unexpected<Error>(*why);
  if (packed)
    return fail(ErrorCode::unsupported,
                "the machine code for sm_" + std::to_string(newest) + " is compressed", name,
                "unpack it with `cuobjdump -xelf all FILE`, or compile with -Xfatbin -compress-mode=none");
  return fail(ErrorCode::not_found, "no kernel in the file", name,
              "compile a file with a __global__ function");
}

Result<Module> read_machine_code(std::span<const std::byte> bytes, const std::string& name,
                                 unsigned wanted_sm, const std::string& kernel) {
  const auto cubin = cubin_in(bytes, name, wanted_sm, kernel);
  FOREWARP_TRY(cubin);
  return read_cubin(*cubin, name);
}

} // namespace forewarp::sass

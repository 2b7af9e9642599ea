#include "sass/container.h"

#include "sass/cubin/elf.h"
#include "sass/cubin/unpack.h"

#include <algorithm>
#include <optional>

namespace forewarp::sass {
namespace {

constexpr std::uint32_t magic = 0xba55ed50;
constexpr std::uint16_t ptx_kind = 1, machine_code_kind = 2;
constexpr std::uint64_t lz4_flag = 0x2000, zstd_flag = 0x8000;
constexpr std::uint64_t least_entry_header = 48, least_packed_header = 64;

bool is_fat_binary(Bytes bytes) {
  return Cursor(bytes).u32() == magic;
}

tl::unexpected<Error> cut_off(const std::string& name) {
  return fail(ErrorCode::bad_input, "a fat binary that is cut off or damaged", name,
              "copy or compile it again");
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
    const std::uint32_t packed_bytes = entry.u32(); // `size` is a multiple of eight
    entry.skip(8);
    const std::uint32_t sm = entry.u32();
    entry.skip(8);
    const std::uint64_t flags = entry.u64();
    const Packing packing = (flags & lz4_flag) != 0    ? Packing::lz4
                            : (flags & zstd_flag) != 0 ? Packing::zstd
                                                       : Packing::none;
    std::uint64_t unpacked_bytes = 0;
    if (packing != Packing::none && entry_header >= least_packed_header) {
      entry.skip(8);
      unpacked_bytes = entry.u64();
    }
    auto payload = part_of(*body, at + entry_header, size);
    if (!payload || entry_header < least_entry_header)
      return cut_off(name);
    if (packing != Packing::none && packed_bytes > 0 && packed_bytes < payload->size())
      payload = payload->first(packed_bytes);
    if (kind == ptx_kind || kind == machine_code_kind)
      into.push_back({kind == ptx_kind ? EmbeddedCode::Kind::ptx : EmbeddedCode::Kind::machine_code, sm,
                      packing, unpacked_bytes, *payload});
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
      return std::vector<EmbeddedCode>{{EmbeddedCode::Kind::machine_code, sm, Packing::none, 0, bytes}};
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
  const std::string wanted = "sm_" + std::to_string(wanted_sm);
  return fail(ErrorCode::not_found,
              (wanted_sm == 0 ? "no machine code" : "no machine code that " + wanted + " runs") +
                  "; there is " + target_list(parts),
              name,
              wanted_sm == 0 ? "name a GPU (--gpu) that the code is for"
                             : "compile with `-arch=" + wanted + "`, or name a GPU that runs what is there");
}

/// 0: none.
unsigned newest_cubin(const std::vector<EmbeddedCode>& parts, unsigned wanted_sm) {
  unsigned newest = 0;
  for (const EmbeddedCode& part : parts)
    if (part.kind == EmbeddedCode::Kind::machine_code &&
        (wanted_sm == 0 || (part.sm / 10 == wanted_sm / 10 && part.sm <= wanted_sm)))
      newest = std::max(newest, part.sm);
  return newest;
}

unsigned newest_ptx(const std::vector<EmbeddedCode>& parts, unsigned wanted_sm) {
  unsigned newest = 0;
  for (const EmbeddedCode& part : parts)
    if (part.kind == EmbeddedCode::Kind::ptx && part.sm <= wanted_sm)
      newest = std::max(newest, part.sm);
  return newest;
}

bool has_kernel(const Module& module, const std::string& wanted) {
  const auto is_wanted = [&](const Kernel& kernel) { return wanted.empty() || kernel.name == wanted; };
  return std::any_of(module.kernels.begin(), module.kernels.end(), is_wanted);
}

} // namespace

Result<std::vector<std::byte>> cubin_in(std::span<const std::byte> bytes, const std::string& name,
                                        unsigned wanted_sm, const std::string& kernel) {
  const auto parts = embedded_code(bytes, name);
  FOREWARP_TRY(parts);
  const unsigned newest = newest_cubin(*parts, wanted_sm);
  if (newest == 0)
    return none_fits(*parts, wanted_sm, name);
  std::optional<Error> why;
  std::vector<std::byte> any;
  for (const EmbeddedCode& part : *parts) {
    if (part.kind != EmbeddedCode::Kind::machine_code || part.sm != newest)
      continue;
    auto cubin = unpacked(part, name);
    const auto module = cubin ? read_cubin(*cubin, name) : tl::unexpected<Error>(cubin.error());
    if (module && has_kernel(*module, kernel))
      return cubin;
    if (module && any.empty() && !module->kernels.empty())
      any = std::move(*cubin);
    if (!module && !why)
      why = module.error();
  }
  if (!any.empty())
    return any;
  if (why)
    return tl::unexpected<Error>(*why);
  return fail(ErrorCode::not_found, "no kernel in the file", name,
              "compile a file with a __global__ function");
}

Result<std::string> ptx_in(std::span<const std::byte> bytes, const std::string& name, unsigned wanted_sm,
                           const std::string& kernel) {
  const auto parts = embedded_code(bytes, name);
  FOREWARP_TRY(parts);
  const unsigned newest = newest_ptx(*parts, wanted_sm);
  if (newest == 0)
    return none_fits(*parts, wanted_sm, name);
  std::string first;
  for (const EmbeddedCode& part : *parts) {
    if (part.kind != EmbeddedCode::Kind::ptx || part.sm != newest)
      continue;
    const auto text = unpacked(part, name);
    FOREWARP_TRY(text);
    std::string ptx(reinterpret_cast<const char*>(text->data()), text->size());
    ptx.resize(std::min(ptx.size(), ptx.find('\0'))); // padding
    if (ptx.find(".entry " + kernel) != std::string::npos)
      return ptx;
    if (first.empty())
      first = std::move(ptx);
  }
  return first;
}

bool only_ptx_fits(std::span<const std::byte> bytes, unsigned wanted_sm) {
  const auto parts = embedded_code(bytes, "");
  return parts && newest_cubin(*parts, wanted_sm) == 0 && newest_ptx(*parts, wanted_sm) > 0;
}

Result<Module> read_machine_code(std::span<const std::byte> bytes, const std::string& name,
                                 unsigned wanted_sm, const std::string& kernel) {
  const auto cubin = cubin_in(bytes, name, wanted_sm, kernel);
  FOREWARP_TRY(cubin);
  return read_cubin(*cubin, name);
}

} // namespace forewarp::sass

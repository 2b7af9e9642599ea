// Machine code inside other files: fat binaries, object files, programs and shared libraries with embedded
// code. Layout of a fat binary: as nvcc 13 writes it (a header of magic 0xba55ed50, then entries with kind,
// size, target).
#pragma once

#include "sass/program.h"

#include <string>
#include <vector>

namespace forewarp::sass {

enum class Packing : std::uint8_t { none, lz4, zstd };

/// One part of a file, for one target.
struct EmbeddedCode {
  enum class Kind : std::uint8_t { machine_code, ptx } kind = Kind::machine_code;
  unsigned sm = 0;
  Packing packing = Packing::none;
  std::uint64_t unpacked_bytes = 0; ///< of a packed part
  std::span<const std::byte> bytes; ///< as they lie in the file
};

/// All parts of a cubin, fat binary or ELF file. Errors: bad_input (none of these, cut off), not_found (no
/// code).
Result<std::vector<EmbeddedCode>> embedded_code(std::span<const std::byte> bytes, const std::string& name);

/// The cubin whose code a GPU of `wanted_sm` runs, unpacked: of its own major version up to its own minor
/// one, the newest; with 0 the newest of all. A program has one for each of its sources: the one with
/// `kernel`, else the first with a kernel. Errors: not_found with the targets that are there, those of
/// unpacking.
Result<std::vector<std::byte>> cubin_in(std::span<const std::byte> bytes, const std::string& name,
                                        unsigned wanted_sm = 0, const std::string& kernel = "");

/// The PTX that is assembled where no cubin fits: the newest that is not newer than `wanted_sm`, with
/// `kernel` where some has it. Errors: as cubin_in.
Result<std::string> ptx_in(std::span<const std::byte> bytes, const std::string& name, unsigned wanted_sm,
                           const std::string& kernel = "");

/// Whether cubin_in would find none although the bytes are sound, and ptx_in would: the vendor's assembler is
/// asked.
bool only_ptx_fits(std::span<const std::byte> bytes, unsigned wanted_sm);

/// cubin_in, read.
Result<Module> read_machine_code(std::span<const std::byte> bytes, const std::string& name,
                                 unsigned wanted_sm = 0, const std::string& kernel = "");

} // namespace forewarp::sass

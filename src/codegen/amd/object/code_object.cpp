// Layout: "User Guide for AMDGPU Backend" (LLVM), code object V3 and later; offload bundles: Clang's
// "Clang Offload Bundler".
#include "codegen/amd/object/code_object.h"

#include "codegen/amd/object/disassembler.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>
#include <fmt/format.h>

namespace forewarp::codegen {
namespace {

using File = llvm::object::ELF64LEObjectFile;

constexpr std::string_view bundle_mark = "__CLANG_OFFLOAD_BUNDLE__", compressed_mark = "CCOB";

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_amd_elf(std::string_view bytes) {
  constexpr std::size_t machine_at = 18, class_at = 4;
  return bytes.size() > 64 && bytes.starts_with("\177ELF") && bytes[class_at] == 2 &&
         static_cast<unsigned char>(bytes[machine_at]) == llvm::ELF::EM_AMDGPU && bytes[machine_at + 1] == 0;
}

std::optional<std::uint64_t> number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t number = 0;
  if (at > bytes.size() || bytes.size() - at < sizeof number)
    return std::nullopt;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// A count, then offset, size and name of each part.
Result<std::string_view> first_of_bundle(std::string_view bytes, const std::string& path) {
  std::size_t at = bundle_mark.size();
  const auto count = number_at(bytes, at);
  at += sizeof(std::uint64_t);
  for (std::uint64_t i = 0; count && i < *count; ++i) {
    const auto offset = number_at(bytes, at), size = number_at(bytes, at + 8),
               letters = number_at(bytes, at + 16);
    at += 24;
    if (!letters || *letters > bytes.size() || at > bytes.size() - *letters || *offset > bytes.size() ||
        *size > bytes.size() - *offset)
      return fail(ErrorCode::bad_input, "the bundle is cut off", path);
    at += *letters;
    const std::string_view part = bytes.substr(*offset, *size);
    if (is_amd_elf(part))
      return part;
  }
  return fail(ErrorCode::bad_input, "no code object of an AMD GPU is in this bundle", path);
}

std::string message_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// The metadata note's map; empty: there is none.
std::string metadata_of(const File& file) {
  const auto& elf = file.getELFFile();
  auto sections = elf.sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return {};
  }
  std::string found;
  for (const auto& section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto& note : elf.notes(section, error))
      if (note.getName() == "AMDGPU" && note.getType() == llvm::ELF::NT_AMDGPU_METADATA) {
        const auto bytes = note.getDesc(section.sh_addralign);
        found.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      }
    llvm::consumeError(std::move(error));
  }
  return found;
}

std::uint64_t number_of(llvm::msgpack::MapDocNode& map, const char* key) {
  const auto found = map.find(key);
  if (found == map.end() || (found->second.getKind() != llvm::msgpack::Type::UInt &&
                             found->second.getKind() != llvm::msgpack::Type::Int))
    return 0;
  return found->second.getKind() == llvm::msgpack::Type::UInt
             ? found->second.getUInt()
             : static_cast<std::uint64_t>(found->second.getInt());
}

std::string word_of(llvm::msgpack::MapDocNode& map, const char* key) {
  const auto found = map.find(key);
  return found == map.end() || !found->second.isString() ? "" : found->second.getString().str();
}

CodeObjectKernel kernel_of(llvm::msgpack::MapDocNode& map) {
  const auto count = [&](const char* key) { return static_cast<unsigned>(number_of(map, key)); };
  CodeObjectKernel kernel;
  kernel.name = word_of(map, ".name");
  kernel.symbol = word_of(map, ".symbol");
  kernel.vgprs = count(".vgpr_count");
  kernel.agprs = count(".agpr_count");
  kernel.sgprs = count(".sgpr_count");
  kernel.spilled_vgprs = count(".vgpr_spill_count");
  kernel.spilled_sgprs = count(".sgpr_spill_count");
  kernel.lds_bytes = number_of(map, ".group_segment_fixed_size");
  kernel.scratch_bytes = number_of(map, ".private_segment_fixed_size");
  kernel.argument_bytes = number_of(map, ".kernarg_segment_size");
  kernel.wave_size = count(".wavefront_size");
  kernel.largest_group = count(".max_flat_workgroup_size");
  return kernel;
}

Result<std::vector<CodeObjectKernel>> kernels_of(const std::string& metadata, const std::string& path) {
  llvm::msgpack::Document document;
  if (metadata.empty() || !document.readFromBlob(metadata, false) || !document.getRoot().isMap())
    return fail(ErrorCode::bad_input, "the code object has no readable metadata note", path);
  auto& root = document.getRoot().getMap();
  const auto list = root.find("amdhsa.kernels");
  std::vector<CodeObjectKernel> kernels;
  if (list == root.end() || !list->second.isArray())
    return kernels;
  for (auto& each : list->second.getArray())
    if (each.isMap())
      kernels.push_back(kernel_of(each.getMap()));
  return kernels;
}

/// Bytes of the function of that name.
std::span<const std::uint8_t> code_of(const File& file, const std::string& name) {
  for (const llvm::object::ELFSymbolRef symbol : file.symbols()) {
    auto called = symbol.getName();
    auto section = symbol.getSection();
    auto address = symbol.getAddress();
    if (!called || !section || !address) {
      llvm::consumeError(called.takeError());
      llvm::consumeError(section.takeError());
      llvm::consumeError(address.takeError());
      continue;
    }
    if (*called != name || *section == file.section_end() || symbol.getSize() == 0)
      continue;
    auto contents = (*section)->getContents();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      continue;
    }
    const std::uint64_t from = *address - (*section)->getAddress();
    if (from > contents->size() || symbol.getSize() > contents->size() - from)
      continue;
    return {contents->bytes_begin() + from, symbol.getSize()};
  }
  return {};
}

} // namespace

bool is_code_object(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  return is_amd_elf(text) || text.starts_with(bundle_mark) || text.starts_with(compressed_mark);
}

Result<CodeObject> read_code_object(std::span<const std::byte> bytes, const std::string& path) {
  std::string_view text = text_of(bytes);
  if (text.starts_with(compressed_mark))
    return fail(ErrorCode::unsupported, "a compressed bundle", path,
                "`clang-offload-bundler --unbundle` gives the code object");
  if (text.starts_with(bundle_mark)) {
    const auto part = first_of_bundle(text, path);
    FOREWARP_TRY(part);
    text = *part;
  }
  if (!is_amd_elf(text))
    return fail(ErrorCode::bad_input, "no code object of an AMD GPU", path,
                "name a file that clang or hipcc made for an AMD GPU (.hsaco)");
  const auto aligned = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), path);
  auto made = llvm::object::ObjectFile::createELFObjectFile(aligned->getMemBufferRef());
  if (!made)
    return fail(ErrorCode::bad_input, message_of(made.takeError()), path);
  const auto* file = llvm::dyn_cast<File>(made->get());
  if (file == nullptr)
    return fail(ErrorCode::bad_input, "no 64-bit ELF file", path);
  CodeObject object;
  object.target = file->tryGetCPUName().value_or("").str();
  auto kernels = kernels_of(metadata_of(*file), path);
  FOREWARP_TRY(kernels);
  object.kernels = std::move(*kernels);
  for (CodeObjectKernel& kernel : object.kernels)
    if (const auto code = code_of(*file, kernel.name); !code.empty()) {
      auto lines = disassemble_amd(code, object.target);
      FOREWARP_TRY(lines);
      kernel.lines = std::move(*lines);
    }
  return object;
}

} // namespace forewarp::codegen

#include "amdgcn/metadata.h"

#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <llvm/BinaryFormat/MsgPackReader.h>

namespace forewarp::amdgcn {
namespace {

using llvm::msgpack::Type;

/// One object with all that is in it.
bool skip(llvm::msgpack::Reader& reader, unsigned depth, bool is_key) {
  constexpr unsigned deepest = 16;
  llvm::msgpack::Object object;
  auto read = reader.read(object);
  if (!read || depth > deepest) {
    llvm::consumeError(read.takeError());
    return false;
  }
  if (!*read || (is_key && object.Kind != Type::String))
    return false;
  if (object.Kind == Type::Extension)
    return false;
  if (object.Kind != Type::Array && object.Kind != Type::Map)
    return true;
  const bool pairs = object.Kind == Type::Map;
  for (std::size_t k = 0; k < object.Length; ++k)
    if ((pairs && !skip(reader, depth + 1, true)) || !skip(reader, depth + 1, false))
      return false;
  return true;
}

/// LLVM's document ends the program on keys that are no words.
bool is_well_formed(const std::string& metadata) {
  llvm::msgpack::Reader reader{llvm::StringRef(metadata)};
  return !metadata.empty() && skip(reader, 0, false);
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

facts::CodeObjectKernel kernel_of(llvm::msgpack::MapDocNode& map) {
  const auto count = [&](const char* key) { return static_cast<unsigned>(number_of(map, key)); };
  facts::CodeObjectKernel kernel;
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

std::vector<Argument> arguments_of(llvm::msgpack::MapDocNode& map) {
  std::vector<Argument> arguments;
  const auto list = map.find(".args");
  if (list == map.end() || !list->second.isArray())
    return arguments;
  for (auto& each : list->second.getArray()) {
    if (!each.isMap())
      continue;
    auto& fields = each.getMap();
    Argument argument;
    argument.offset = static_cast<std::uint32_t>(number_of(fields, ".offset"));
    argument.bytes = static_cast<std::uint32_t>(number_of(fields, ".size"));
    argument.kind = word_of(fields, ".value_kind");
    argument.name = word_of(fields, ".name");
    argument.type_name = word_of(fields, ".type_name");
    argument.is_const = word_of(fields, ".actual_access") == "read_only" ||
                        argument.type_name.find("const") != std::string::npos;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

} // namespace

Result<std::vector<Kernel>> kernels_of(const std::string& metadata, const std::string& path) {
  llvm::msgpack::Document document;
  if (!is_well_formed(metadata) || !document.readFromBlob(metadata, false) || !document.getRoot().isMap())
    return fail(ErrorCode::bad_input, "the code object has no readable metadata note", path,
                "name a file that clang or hipcc made, whole (.hsaco)");
  auto& root = document.getRoot().getMap();
  const auto list = root.find("amdhsa.kernels");
  std::vector<Kernel> kernels;
  if (list == root.end() || !list->second.isArray())
    return kernels;
  for (auto& each : list->second.getArray())
    if (each.isMap()) {
      Kernel& kernel = kernels.emplace_back();
      kernel.resources = kernel_of(each.getMap());
      kernel.arguments = arguments_of(each.getMap());
    }
  return kernels;
}

} // namespace forewarp::amdgcn

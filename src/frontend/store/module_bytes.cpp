#include "frontend/store/module_bytes.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <nlohmann/json.hpp>

namespace forewarp::frontend {
namespace {

using nlohmann::json;

json json_of(const facts::SourceLocation& l) {
  return {l.file, l.line, l.column};
}
facts::SourceLocation location_of(const json& j) {
  return {j.at(0), j.at(1), j.at(2)};
}

json json_of(const ir::Parameter& p) {
  json fields = json::array();
  for (const ir::Parameter& field : p.fields)
    fields.push_back(json_of(field));
  return {p.name,         p.type_name,
          p.is_pointer,   p.is_image,
          p.is_sampler,   static_cast<int>(p.space),
          p.size_bytes,   p.scalar ? static_cast<int>(*p.scalar) : -1,
          p.components,   p.pointee_bytes,
          p.is_const,     p.is_restrict,
          p.offset_bytes, std::move(fields)};
}
ir::Parameter parameter_of(const json& j) {
  ir::Parameter p{j.at(0), j.at(1), j.at(2), j.at(3), j.at(4)};
  p.space = static_cast<ir::AddressSpace>(j.at(5).get<int>());
  p.size_bytes = j.at(6);
  if (const int scalar = j.at(7); scalar >= 0)
    p.scalar = static_cast<facts::ScalarType>(scalar);
  p.components = j.at(8);
  p.pointee_bytes = j.at(9);
  p.is_const = j.at(10);
  p.is_restrict = j.at(11);
  p.offset_bytes = j.at(12);
  for (const json& field : j.at(13))
    p.fields.push_back(parameter_of(field));
  return p;
}

template <class Value> json json_of(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}
template <class Value> std::optional<Value> optional_of(const json& j) {
  return j.is_null() ? std::nullopt : std::optional<Value>(j.get<Value>());
}

json json_of(const std::optional<facts::Dim3>& size) {
  return size ? json{size->x, size->y, size->z} : json();
}
std::optional<facts::Dim3> dimensions_of(const json& j) {
  return j.is_null() ? std::nullopt : std::optional(facts::Dim3{j.at(0), j.at(1), j.at(2)});
}

json json_of(const ir::KernelSignature& k) {
  json parameters = json::array();
  for (const ir::Parameter& parameter : k.parameters)
    parameters.push_back(json_of(parameter));
  return {k.name,
          k.symbol,
          std::move(parameters),
          json_of(k.required_group_size),
          json_of(k.max_group_threads),
          json_of(k.min_groups_per_sm),
          k.static_shared_bytes,
          k.uses_dynamic_shared,
          json_of(k.location),
          json_of(k.required_cluster)};
}
ir::KernelSignature signature_of(const json& j) {
  ir::KernelSignature k{j.at(0), j.at(1)};
  for (const json& parameter : j.at(2))
    k.parameters.push_back(parameter_of(parameter));
  k.required_group_size = dimensions_of(j.at(3));
  k.max_group_threads = optional_of<unsigned>(j.at(4));
  k.min_groups_per_sm = optional_of<unsigned>(j.at(5));
  k.static_shared_bytes = j.at(6);
  k.uses_dynamic_shared = j.at(7);
  k.location = location_of(j.at(8));
  k.required_cluster = dimensions_of(j.at(9));
  return k;
}

json json_of(const Error& e) {
  return {static_cast<int>(e.code), e.message, e.where, e.hint, e.possible_kernels};
}
Error error_of(const json& j) {
  return {static_cast<ErrorCode>(j.at(0).get<int>()), j.at(1), j.at(2), j.at(3),
          j.at(4).get<std::vector<std::string>>()};
}

json json_of(const facts::Note& n) {
  return {static_cast<int>(n.severity), n.text, json_of(n.location), n.remedy};
}
facts::Note note_of(const json& j) {
  return {static_cast<facts::Note::Severity>(j.at(0).get<int>()), j.at(1), location_of(j.at(2)), j.at(3)};
}

json json_of(const ir::KernelModule& m) {
  json kernels = json::array(), refused = json::array(), notes = json::array();
  for (const ir::KernelSignature& kernel : m.kernels)
    kernels.push_back(json_of(kernel));
  for (const ir::KernelModule::Refusal& refusal : m.refused)
    refused.push_back({refusal.symbol, json_of(refusal.error)});
  for (const facts::Note& note : m.notes)
    notes.push_back(json_of(note));
  return {static_cast<int>(m.language),
          static_cast<int>(m.family),
          m.target,
          m.warp_width,
          m.non_uniform_groups_allowed,
          std::move(kernels),
          std::move(refused),
          m.files,
          m.diagnostics,
          std::move(notes)};
}

void fill(ir::KernelModule& m, const json& j) {
  m.language = static_cast<ir::SourceLanguage>(j.at(0).get<int>());
  m.family = static_cast<ir::TargetFamily>(j.at(1).get<int>());
  m.target = j.at(2);
  m.warp_width = j.at(3);
  m.non_uniform_groups_allowed = j.at(4);
  for (const json& kernel : j.at(5))
    m.kernels.push_back(signature_of(kernel));
  for (const json& refusal : j.at(6))
    m.refused.push_back({refusal.at(0), error_of(refusal.at(1))});
  m.files = j.at(7).get<facts::SourceFiles>();
  m.diagnostics = j.at(8);
  for (const json& note : j.at(9))
    m.notes.push_back(note_of(note));
}

tl::unexpected<Error> broken(const std::string& why) {
  return fail(ErrorCode::bad_input, "a kept module is broken: " + why);
}

} // namespace

std::string module_bytes(const ir::KernelModule& module) {
  std::string bitcode;
  llvm::raw_string_ostream out(bitcode);
  llvm::WriteBitcodeToFile(module.module(), out, /*ShouldPreserveUseListOrder=*/true);
  out.flush();
  std::string bytes;
  json::to_msgpack(json::array({json_of(module), json::binary({bitcode.begin(), bitcode.end()}),
                                module.module().getModuleIdentifier()}),
                   bytes);
  return bytes;
}

Result<ir::KernelModule> module_of_bytes(std::string_view bytes) {
  try {
    const json all = json::from_msgpack(bytes);
    const auto& bitcode = all.at(1).get_binary();
    const std::string identifier = all.at(2);
    auto context = std::make_unique<llvm::LLVMContext>();
    const llvm::StringRef text(reinterpret_cast<const char*>(bitcode.data()), bitcode.size());
    auto parsed = llvm::parseBitcodeFile({text, identifier}, *context);
    if (!parsed)
      return broken(llvm::toString(parsed.takeError()));
    ir::KernelModule module(std::move(context), std::move(*parsed));
    fill(module, all.at(0));
    return module;
  } catch (const json::exception& error) {
    return broken(error.what());
  }
}

ContentHash content_of(const ir::KernelModule& module) {
  return hash_of(module_bytes(module));
}

std::string error_bytes(const Error& error) {
  std::string bytes;
  json::to_msgpack(json_of(error), bytes);
  return bytes;
}

Result<Error> error_of_bytes(std::string_view bytes) {
  try {
    return error_of(json::from_msgpack(bytes));
  } catch (const json::exception& error) {
    return broken(error.what());
  }
}

} // namespace forewarp::frontend

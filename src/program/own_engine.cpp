#include "program/own_engine.h"

#include "frontend/compile.h"
#include "program/launch_words.h"
#include "simt/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace forewarp::program {
namespace {

constexpr double most_seconds = 3600; // of processor time, for one launch

/// A type of that size, for what is passed by value.
std::string type_of_size(std::uint32_t bytes) {
  switch (bytes) {
  case 1:
    return "char";
  case 2:
    return "short";
  case 4:
    return "int";
  case 8:
    return "long";
  default:
    return fmt::format("struct of_{}_bytes", bytes);
  }
}

bool is_plain(std::uint32_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

std::string parameter_text(const ir::Parameter& parameter, std::size_t place) {
  const std::string name = parameter.name.empty() ? fmt::format("p{}", place) : parameter.name;
  if (parameter.is_image)
    return fmt::format("{} {}", parameter.type_name, name);
  if (parameter.is_sampler)
    return "sampler_t " + name;
  if (!parameter.is_pointer)
    return fmt::format("{} {}", type_of_size(parameter.size_bytes), name);
  const char* space = parameter.space == ir::AddressSpace::shared     ? "__local"
                      : parameter.space == ir::AddressSpace::constant ? "__constant"
                                                                      : "__global";
  return fmt::format("{} char* {}", space, name);
}

std::string kernel_text(const ir::KernelSignature& kernel) {
  std::string parameters, attribute;
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k)
    parameters += (k > 0 ? ", " : "") + parameter_text(kernel.parameters[k], k);
  if (const auto& size = kernel.required_group_size)
    attribute = fmt::format("__attribute__((reqd_work_group_size({}, {}, {}))) ", size->x, size->y, size->z);
  return fmt::format("__kernel {}void {}({}) {{}}\n", attribute, kernel.name, parameters);
}

const ir::KernelSignature* signature_of(const ir::KernelModule& module, const std::string& symbol) {
  const auto found = std::ranges::find(module.kernels, symbol, &ir::KernelSignature::symbol);
  return found == module.kernels.end() ? nullptr : &*found;
}

Result<void> check(const ir::KernelSignature& kernel) {
  for (const ir::Parameter& parameter : kernel.parameters)
    if (parameter.is_image || parameter.is_sampler)
      return fail(ErrorCode::unsupported, "images are not there for forewarp's own engine", kernel.name,
                  "leave out --engine own");
  return {};
}

/// Instructions that no value is computed for leave results unknown, and the way of a branch.
Result<void> check_known(const simt::RunResult& done, const ir::KernelSignature& kernel) {
  constexpr const char* remedy = "forewarp predict shows what of it is not modelled";
  for (const facts::Note& note : done.trace.notes)
    if (note.severity != facts::Note::Severity::info && note.text.find("unknown") != std::string::npos)
      return fail(ErrorCode::unsupported,
                  "the interpreter has no value for all that it computes: " + note.text, kernel.name, remedy);
  for (const simt::BufferResult& buffer : done.buffers)
    if (buffer.unknown_bytes > 0)
      return fail(ErrorCode::unsupported,
                  fmt::format("the interpreter has no value for {} bytes of '{}', which the kernel writes",
                              buffer.unknown_bytes, buffer.name),
                  kernel.name, remedy);
  return {};
}

/// The place of the parameter that a result is named after.
std::string key_of(const ir::KernelSignature& kernel, const std::string& name) {
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k)
    if (kernel.parameters[k].name == name)
      return std::to_string(k);
  return name;
}

} // namespace

Result<ir::KernelModule> compile_for_own_engine(const engine::SourceRequest& source,
                                                const std::string& target) {
  frontend::CompileRequest compile;
  compile.path = source.path;
  if (!target.empty())
    compile.target = target;
  compile.standard = source.standard;
  compile.defines = source.defines;
  compile.include_directories = source.include_directories;
  compile.extra_options = source.extra_options;
  return frontend::compile(compile);
}

std::string stand_in_text(const ir::KernelModule& module) {
  std::map<std::uint32_t, std::string> structs;
  std::string kernels;
  for (const ir::KernelSignature& kernel : module.kernels) {
    for (const ir::Parameter& parameter : kernel.parameters)
      if (!parameter.is_pointer && !is_plain(parameter.size_bytes))
        structs[parameter.size_bytes] =
            fmt::format("struct of_{0}_bytes {{ char bytes[{0}]; }};\n", parameter.size_bytes);
    kernels += kernel_text(kernel);
  }
  std::string text;
  for (const auto& [bytes, declaration] : structs)
    text += declaration;
  return text + kernels;
}

Result<Message> execute_launch(const ir::KernelModule& module, const engine::KernelDescription& description,
                               const Message& question) {
  const ir::KernelSignature* kernel = signature_of(module, description.symbol);
  if (!kernel)
    return fail(ErrorCode::not_found, "the program has no such kernel", description.name);
  FOREWARP_TRY(check(*kernel));
  facts::Launch launch = launch_of(description, question.text);
  add_contents(launch, question);
  simt::RunOptions options;
  options.whole_grid = true;
  options.max_instructions = std::numeric_limits<std::uint64_t>::max();
  options.max_seconds = most_seconds;
  auto done = simt::run(module, *kernel, launch, options);
  Message answer{{{"contents", nlohmann::json::array()}}};
  if (!done && done.error().code == ErrorCode::kernel_fault) {
    // Cards map memory in large pages: most accesses outside of a buffer pass there.
    options.outside_reads_zero = true;
    if (auto again = simt::run(module, *kernel, launch, options)) {
      answer.text["fault"] = done.error().where + ": " + done.error().message +
                             "; what is read there is zero, what is written is lost";
      done = std::move(again);
    }
  }
  FOREWARP_TRY(done);
  FOREWARP_TRY(check_known(*done, *kernel));
  for (const simt::BufferResult& buffer : done->buffers) {
    answer.text["contents"].push_back(
        {{"key", key_of(*kernel, buffer.name)}, {"at", answer.bytes.size()}, {"bytes", buffer.bytes.size()}});
    answer.bytes.insert(answer.bytes.end(), buffer.bytes.begin(), buffer.bytes.end());
  }
  return answer;
}

} // namespace forewarp::program

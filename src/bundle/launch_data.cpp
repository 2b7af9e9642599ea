#include "bundle/launch_data.h"

#include "simt/arguments.h"
#include "simt/run.h"

#include <fmt/format.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace forewarp::bundle {
namespace {

using measure::BundleArgument;

Result<BundleArgument> argument_of(const ir::Parameter& parameter, const facts::ArgumentValue& value) {
  BundleArgument argument;
  argument.name = parameter.name;
  argument.read_only = parameter.is_pointer && parameter.is_const;
  const auto* buffer = std::get_if<facts::BufferValue>(&value);
  if (parameter.is_image || parameter.is_sampler)
    return fail(ErrorCode::unsupported, "images and samplers are not in bundles");
  if (!parameter.is_pointer) {
    if (buffer)
      return fail(ErrorCode::launch, "is a scalar, but a buffer is given");
    auto bytes = simt::scalar_bytes(parameter, std::get<facts::ScalarValue>(value));
    FOREWARP_TRY(bytes);
    bytes->resize(parameter.size_bytes);
    argument.value = measure::ScalarBytes{std::move(*bytes)};
    return argument;
  }
  if (!buffer)
    return fail(ErrorCode::launch, "is a pointer, but no buffer is given");
  if (parameter.space == ir::AddressSpace::shared)
    argument.value = measure::LocalBytes{buffer->size_in_bytes(), buffer->type};
  else if (buffer->contents.kind == facts::BufferContents::Kind::unknown)
    return fail(ErrorCode::unsupported, "has unknown contents", "", "give it contents, e.g. ':zeros'");
  else
    argument.value = *buffer;
  return argument;
}

} // namespace

Result<measure::BundleLaunch> launch_data(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                          const facts::Launch& launch) {
  const auto shape = simt::resolve_shape(module, kernel, launch);
  FOREWARP_TRY(shape);
  const facts::Dim3 &items = shape->global_items, &size = shape->group_size, &groups = shape->groups;
  if (items.x != groups.x * size.x || items.y != groups.y * size.y || items.z != groups.z * size.z)
    return fail(ErrorCode::unsupported, "the grid leaves a partial group, which CUDA cannot launch",
                kernel.name, "make the global size a multiple of the group size");
  measure::BundleLaunch result;
  result.groups = groups;
  result.group_size = size;
  result.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  const llvm::Function* function = module.module().getFunction(kernel.symbol);
  for (unsigned p = 0; p < kernel.parameters.size(); ++p) {
    const ir::Parameter& parameter = kernel.parameters[p];
    auto found = launch.arguments.find(parameter.name);
    if (found == launch.arguments.end())
      found = launch.arguments.find(std::to_string(p));
    if (found == launch.arguments.end() && parameter.name.empty() &&
        function->getArg(p)->use_empty()) { // a tag for overloads
      BundleArgument& made = result.arguments.emplace_back();
      made.value = measure::ScalarBytes{std::vector<std::uint8_t>(parameter.size_bytes)};
      continue;
    }
    if (found == launch.arguments.end())
      return fail(ErrorCode::launch, fmt::format("no value for '{}'", parameter.name), kernel.name);
    auto argument = argument_of(parameter, found->second);
    if (!argument)
      return fail(argument.error().code, fmt::format("'{}' {}", parameter.name, argument.error().message),
                  kernel.name, argument.error().hint);
    result.arguments.push_back(std::move(*argument));
  }
  return result;
}

} // namespace forewarp::bundle

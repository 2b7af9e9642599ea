// CUDA's driver API and HIP's modules: kernels by name, started with an array of pointers to their arguments.
#include "frontend/host/interpreter.h"

namespace forewarp::frontend::host {

namespace {
constexpr std::int64_t pointer_bytes = 8;
constexpr std::int64_t most_arguments = 256;
} // namespace

std::optional<Value> Interpreter::call_driver(std::string_view name, const Arguments& arguments,
                                              const clang::Expr& call) {
  if ((name == "cuModuleGetFunction" || name == "hipModuleGetFunction") && arguments.size() == 3) {
    const Value where = evaluate(arguments[0]);
    const ObjectId object = new_object("kernel", pointer_bytes, call.getExprLoc());
    memory_[object].text = text_at(evaluate(arguments[2]));
    if (where.kind == Value::Kind::pointer)
      memory_.store(where.place, pointer({object, 0}));
    return whole(0);
  }
  if ((name == "cuLaunchKernel" || name == "hipModuleLaunchKernel" || name == "cuLaunchCooperativeKernel") &&
      arguments.size() >= 10)
    return launch_of_module(arguments, call);
  return std::nullopt;
}

/// cuLaunchKernel(kernel, grid x, y, z, block x, y, z, shared, stream, arguments, ...)
Value Interpreter::launch_of_module(const Arguments& arguments, const clang::Expr& call) {
  FoundLaunch found;
  const Value kernel = evaluate(arguments[0]);
  if (kernel.kind == Value::Kind::pointer && kernel.place.valid())
    found.kernel = memory_[kernel.place.object].text;
  if (found.kernel.empty())
    found.kernel = text_of(arguments[0]);
  std::uint64_t* const sizes[] = {&found.groups.x,     &found.groups.y,     &found.groups.z,
                                  &found.group_size.x, &found.group_size.y, &found.group_size.z};
  for (unsigned k = 0; k < 6; ++k)
    *sizes[k] = size_of_launch(evaluate(arguments[1 + k]), found.rests_on, *arguments[1 + k]);
  found.groups_text = definition_of(arguments[1]);
  found.group_size_text = definition_of(arguments[4]);
  found.dynamic_shared_bytes = size_of_launch(evaluate(arguments[7]), found.rests_on, *arguments[7]);
  const Value list = evaluate(arguments[9]);
  const std::int64_t count =
      list.kind == Value::Kind::pointer && list.place.valid()
          ? std::min(static_cast<std::int64_t>(memory_[list.place.object].bytes) / pointer_bytes,
                     most_arguments)
          : 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const Value at = memory_.load({list.place.object, list.place.offset + pointer_bytes * k});
    const Value value = at.kind == Value::Kind::pointer ? memory_.load(at.place) : Value{};
    found.arguments.push_back(argument_of(value, {}, nullptr));
  }
  record(std::move(found), call);
  return whole(0);
}

} // namespace forewarp::frontend::host

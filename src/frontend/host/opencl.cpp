// OpenCL's host API: kernels by name, their arguments one by one, and the range that starts them.
#include "frontend/host/interpreter.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::frontend::host {

std::optional<Value> Interpreter::call_opencl(std::string_view name, const Arguments& arguments,
                                              const clang::Expr& call) {
  const std::size_t count = arguments.size();
  const auto made = [&](const std::string& of, std::uint64_t bytes) {
    return new_object(of, bytes, call.getExprLoc());
  };
  if (name == "clCreateBuffer" && count >= 3) {
    Value bytes = evaluate(arguments[2]);
    if (bytes.is_unknown())
      bytes = open_number(bytes, true, "bytes of a buffer", &call);
    const ObjectId object =
        made("buffer", static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes.as_integer())));
    memory_[object].on_device = memory_[object].is_array = true;
    memory_[object].bytes_rest_on = bytes.rests_on;
    return pointer({object, 0});
  }
  if (auto value = call_opencl_images(name, arguments, call))
    return *value;
  if (name == "clCreateKernel" && count >= 2) {
    const ObjectId object = made("kernel", 8);
    memory_[object].text = text_at(evaluate(arguments[1]));
    return pointer({object, 0});
  }
  if (name == "clSetKernelArg" && count == 4)
    return set_opencl_argument(arguments);
  if (name == "clEnqueueNDRangeKernel" && count >= 6)
    return enqueue(arguments, call);
  call_unknown(arguments, std::string(name), call);
  if (name.starts_with("clCreate") || name.starts_with("clGetExtension"))
    return pointer({made(std::string(name), 8), 0});
  return whole(0);
}

/// clSetKernelArg(kernel, index, bytes, pointer)
Value Interpreter::set_opencl_argument(const Arguments& arguments) {
  const Value kernel = evaluate(arguments[0]), index = evaluate(arguments[1]), bytes = evaluate(arguments[2]),
              from = evaluate(arguments[3]);
  if (kernel.kind != Value::Kind::pointer || !index.is_number())
    return whole(0);
  HostArgument argument;
  argument.name = text_of(arguments[3]);
  argument.line = line_of(arguments[3]->getExprLoc());
  if (from.kind == Value::Kind::pointer) {
    const Value value = memory_.load(from.place);
    if (auto image = image_argument(value)) {
      argument = *std::move(image);
      argument.name = text_of(arguments[3]);
    } else if (value.kind == Value::Kind::pointer && value.place.valid() &&
               memory_[value.place.object].on_device) {
      argument = buffer_argument(value);
      argument.name = text_of(arguments[3]);
    } else {
      clang::QualType type = arguments[3]->IgnoreParenCasts()->getType();
      type = type->isPointerType() ? type->getPointeeType() : clang::QualType();
      const Value number =
          type.isNull() || !type->isArithmeticType() ? value : load(from.place, type, nullptr);
      argument = argument_of(number, number.is_number() ? type : clang::QualType(), arguments[3]);
    }
  } else if (bytes.is_number() && bytes.as_integer() > 0) {
    argument.kind = HostArgument::Kind::local_memory;
    argument.bytes = static_cast<std::uint64_t>(bytes.as_integer());
    argument.rests_on = bytes.rests_on;
  }
  memory_[kernel.place.object].kernel_arguments[static_cast<unsigned>(index.as_integer())] = argument;
  return whole(0);
}

/// clEnqueueNDRangeKernel(queue, kernel, axes, offset, global, local, ...)
Value Interpreter::enqueue(const Arguments& arguments, const clang::Expr& call) {
  const Value kernel = evaluate(arguments[1]), axes = evaluate(arguments[2]), global = evaluate(arguments[4]),
              local = evaluate(arguments[5]);
  FoundLaunch found;
  found.in_items = true;
  if (!is_own_header(file_of(call.getExprLoc()))) {
    found.groups_text = definition_of(arguments[4]);
    found.group_size_text = definition_of(arguments[5]);
  }
  const auto dims = [&](const Value& from, const clang::Expr& written) {
    facts::Dim3 size;
    std::uint64_t* const parts[] = {&size.x, &size.y, &size.z};
    const std::int64_t most = axes.is_number() ? std::clamp<std::int64_t>(axes.as_integer(), 1, 3) : 1;
    for (std::int64_t k = 0; k < most; ++k)
      *parts[k] = size_of_launch(memory_.load({from.place.object, from.place.offset + 8 * k}), found.rests_on,
                                 written);
    return size;
  };
  found.groups = dims(global, *arguments[4]);
  found.group_size = local.kind == Value::Kind::pointer ? dims(local, *arguments[5]) : facts::Dim3{0, 0, 0};
  if (kernel.kind == Value::Kind::pointer && kernel.place.valid()) {
    const Object& object = memory_[kernel.place.object];
    found.kernel = object.text;
    for (const auto& [index, argument] : object.kernel_arguments) {
      if (index >= found.arguments.size())
        found.arguments.resize(std::min(index, 255U) + 1);
      if (index < found.arguments.size())
        found.arguments[index] = argument;
    }
  }
  if (found.kernel.empty())
    found.kernel = text_of(arguments[1]);
  record(std::move(found), call);
  return whole(0);
}

} // namespace forewarp::frontend::host

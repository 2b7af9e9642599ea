// CUDA's and HIP's runtime as far as allocations, copies and launches go (HIP's names are CUDA's in own
// headers).
#include "frontend/host/interpreter.h"

#include "frontend/languages/signatures.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace forewarp::frontend::host {
namespace {

struct Allocation {
  std::string_view name;
  unsigned where, bytes; ///< positions of the arguments
};
constexpr Allocation allocations[] = {{"cudaMalloc", 0, 1},
                                      {"cudaMallocManaged", 0, 1},
                                      {"cudaMallocAsync", 0, 1},
                                      {"cudaMallocHost", 0, 1},
                                      {"cudaHostAlloc", 0, 1},
                                      {"cuMemAlloc", 0, 1},
                                      {"cuMemAlloc_v2", 0, 1},
                                      {"cuMemAllocManaged", 0, 1},
                                      {"hipMalloc", 0, 1},
                                      {"hipMallocManaged", 0, 1},
                                      {"hipHostMalloc", 0, 1},
                                      {"hipMallocAsync", 0, 1},
                                      {"cudaMallocFromPoolAsync", 0, 1}};

std::string instance_name(const clang::FunctionDecl& function, const clang::ASTContext& context) {
  std::string name;
  llvm::raw_string_ostream out(name);
  function.getNameForDiagnostic(out, context.getPrintingPolicy(), /*Qualified=*/true);
  return name;
}

} // namespace

Value Interpreter::allocate_device(const clang::Expr& where, const Value& bytes, const clang::Expr& call) {
  const Value target = evaluate(&where);
  std::string name = text_of(where.IgnoreParenCasts());
  if (name.starts_with("&"))
    name.erase(0, 1);
  Value size = bytes;
  if (size.is_unknown())
    size = open_number(size, true, "bytes of '" + name + "'", &call);
  const ObjectId object = new_object(
      name, static_cast<std::uint64_t>(std::max<std::int64_t>(0, size.as_integer())), call.getExprLoc());
  Object& made = memory_[object];
  made.bytes_rest_on = size.rests_on;
  made.on_device = made.is_array = true;
  if (target.kind == Value::Kind::pointer)
    memory_.store(target.place, pointer({object, 0}));
  return whole(0);
}

std::optional<Value> Interpreter::call_runtime(std::string_view name, const Arguments& arguments,
                                               const clang::Expr& call) {
  const std::size_t count = arguments.size();
  if (const auto* plain = llvm::dyn_cast<clang::CallExpr>(&call))
    if (auto value = call_images(name, arguments, *plain))
      return value;
  for (const Allocation& allocation : allocations)
    if (name == allocation.name && count > std::max(allocation.where, allocation.bytes))
      return allocate_device(*arguments[allocation.where], evaluate(arguments[allocation.bytes]), call);
  if (name == "cudaMallocPitch" && count == 4) {
    constexpr std::int64_t pitch_bytes = 512;
    Value width = evaluate(arguments[2]);
    const Value height = evaluate(arguments[3]);
    if (width.is_number())
      width = whole((width.as_integer() + pitch_bytes - 1) / pitch_bytes * pitch_bytes, width.rests_on);
    if (const Value pitch = evaluate(arguments[1]); pitch.kind == Value::Kind::pointer)
      memory_.store(pitch.place, width);
    return allocate_device(*arguments[0], arithmetic(clang::BO_Mul, width, height, call), call);
  }
  if ((name == "cudaMemset" || name == "cudaMemsetAsync") && count >= 3) {
    const Value where = evaluate(arguments[0]), with = evaluate(arguments[1]);
    if (where.kind == Value::Kind::pointer && where.place.valid()) {
      memory_.forget(where.place, 0, cause("'cudaMemset'"));
      memory_[where.place.object].zeros =
          with.is_number() && with.as_integer() == 0 && where.place.offset == 0;
    }
    return whole(0);
  }
  if ((name == "cudaMemcpy" || name == "cudaMemcpyAsync") && count >= 3) {
    const Value to = evaluate(arguments[0]), from = evaluate(arguments[1]), bytes = evaluate(arguments[2]);
    if (to.kind == Value::Kind::pointer && to.place.valid()) {
      const bool known = from.kind == Value::Kind::pointer && bytes.is_number() && from.place.valid();
      const bool to_host = !memory_[to.place.object].on_device;
      if (known && !(to_host && memory_[from.place.object].on_device))
        memory_.copy(to.place, from.place, static_cast<std::uint64_t>(bytes.as_integer()));
      else
        memory_.forget(to.place, bytes.is_number() ? static_cast<std::uint64_t>(bytes.as_integer()) : 0,
                       cause("what the GPU wrote"));
    }
    return whole(0);
  }
  if ((name == "cudaMemcpyToSymbol" || name == "cudaMemcpyToSymbolAsync") && count >= 3) {
    const Place symbol = place_of(arguments[0]->IgnoreImpCasts());
    const Value from = evaluate(arguments[1]), bytes = evaluate(arguments[2]);
    const Value offset = count > 3 ? evaluate(arguments[3]) : whole(0);
    if (symbol.valid() && from.kind == Value::Kind::pointer && bytes.is_number() && offset.is_number()) {
      memory_.copy({symbol.object, offset.as_integer()}, from.place,
                   static_cast<std::uint64_t>(bytes.as_integer()));
      if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(arguments[0]->IgnoreParenImpCasts()))
        symbols_[llvm::dyn_cast<clang::VarDecl>(named->getDecl())] = symbol;
    }
    return whole(0);
  }
  if (name == "cudaGetSymbolAddress" && count == 2) {
    const Place symbol = place_of(arguments[1]->IgnoreImpCasts());
    if (const Value where = evaluate(arguments[0]); where.kind == Value::Kind::pointer && symbol.valid()) {
      memory_[symbol.object].on_device = true;
      memory_.store(where.place, pointer(symbol));
    }
    return whole(0);
  }
  if (name == "cudaHostGetDevicePointer" && count >= 2) {
    const Value where = evaluate(arguments[0]), host = evaluate(arguments[1]);
    if (where.kind == Value::Kind::pointer)
      memory_.store(where.place, host);
    return whole(0);
  }
  if ((name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") && count >= 4)
    return launch_by_address(arguments, call);
  if (name == "cudaGetDeviceCount" || name == "cudaGetDevice") {
    if (const Value where = count > 0 ? evaluate(arguments[0]) : Value{}; where.kind == Value::Kind::pointer)
      memory_.store(where.place, whole(name == "cudaGetDeviceCount" ? 1 : 0));
    return whole(0);
  }
  if (name == "cudaDeviceGetAttribute" && count >= 2) {
    const Value where = evaluate(arguments[0]);
    const std::string asked = text_of(arguments[1]);
    const auto known = given_variable(
        asked.find("MultiProcessorCount") != std::string::npos ? "multiProcessorCount" : asked);
    if (where.kind == Value::Kind::pointer && known)
      memory_.store(where.place, whole(static_cast<std::int64_t>(*known)));
    else if (where.kind == Value::Kind::pointer)
      memory_.forget(where.place, 4, cause("'" + asked + "'"));
    return whole(0);
  }
  if (name.starts_with("cudaOccupancy"))
    return occupancy(name, arguments);
  if (name.starts_with("cu") || name.starts_with("hipModule"))
    if (auto value = call_driver(name, arguments, call))
      return value;
  if (name.starts_with("cl"))
    return call_opencl(name, arguments, call);
  if (name.starts_with("cuda") || name.starts_with("hip")) {
    call_unknown(arguments, std::string(name), call);
    return whole(0); // every call succeeds
  }
  return std::nullopt;
}

/// What a kernel's registers allow is not known here: groups as the threads of a multiprocessor allow, and a
/// usual size of a group. A launch that is too large for a barrier of the grid is made smaller later.
Value Interpreter::occupancy(std::string_view name, const Arguments& arguments) {
  constexpr std::int64_t usual_threads = 256, resident_threads = 2048;
  const auto put = [&](unsigned k, std::int64_t number) {
    if (const Value where = k < arguments.size() ? evaluate(arguments[k]) : Value{};
        where.kind == Value::Kind::pointer)
      memory_.store(where.place, whole(number));
  };
  if (name.starts_with("cudaOccupancyMaxActiveBlocksPerMultiprocessor") && arguments.size() > 2) {
    const Value threads = evaluate(arguments[2]);
    const std::int64_t size =
        threads.is_number() ? std::max<std::int64_t>(1, threads.as_integer()) : usual_threads;
    put(0, std::max<std::int64_t>(1, resident_threads / size));
  } else if (name.starts_with("cudaOccupancyMaxPotentialBlockSize")) {
    const double processors = given_variable("multiProcessorCount").value_or(1);
    put(0, static_cast<std::int64_t>(processors) * resident_threads / usual_threads);
    put(1, usual_threads);
  }
  return whole(0);
}

std::uint64_t Interpreter::size_of_launch(const Value& value, RestsOn& rests_on, const clang::Expr& from) {
  Value number = value;
  if (!number.is_number())
    number = open_number(number, true, text_of(&from), &from);
  rests_on |= number.rests_on;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number.as_integer()));
}

facts::Dim3 Interpreter::dims_of(const Value& value, RestsOn& rests_on, const clang::Expr& from) {
  if (value.kind != Value::Kind::record)
    return {size_of_launch(value, rests_on, from), 1, 1};
  facts::Dim3 dims;
  std::uint64_t* const axes[] = {&dims.x, &dims.y, &dims.z};
  for (std::int64_t k = 0; k < 3; ++k) {
    const Value part = memory_.load({value.place.object, value.place.offset + 4 * k});
    *axes[k] = size_of_launch(part, rests_on, from);
  }
  return dims;
}

HostArgument Interpreter::buffer_argument(const Value& value) {
  const Object& object = memory_[value.place.object];
  HostArgument made;
  made.name = object.name;
  made.line = object.line;
  const auto offset = static_cast<std::uint64_t>(std::max<std::int64_t>(0, value.place.offset));
  if (!object.on_device || object.bytes <= offset)
    return made;
  made.kind = HostArgument::Kind::buffer;
  made.bytes = object.bytes - offset;
  made.zeros = object.zeros && object.cells.empty();
  made.rests_on = object.bytes_rest_on | value.rests_on;
  for (const auto& [at, cell] : object.cells)
    if (at >= value.place.offset)
      if (const auto inner = inner_buffer(cell, static_cast<std::uint64_t>(at - value.place.offset)))
        made.inner.push_back(*inner);
  return made;
}

std::optional<InnerBuffer> Interpreter::inner_buffer(const Value& value, std::uint64_t at) {
  if (value.kind != Value::Kind::pointer || !value.place.valid())
    return std::nullopt;
  const Object& object = memory_[value.place.object];
  const auto offset = static_cast<std::uint64_t>(std::max<std::int64_t>(0, value.place.offset));
  if (!object.on_device || object.bytes <= offset)
    return std::nullopt;
  return InnerBuffer{at, object.bytes - offset, object.zeros && object.cells.empty(), object.line};
}

/// What is known of the bytes of what lies at `place`, and the device buffers that it leads to.
void Interpreter::serialise(Place place, clang::QualType type, HostArgument& out, std::uint64_t at) {
  if (type->isRecordType()) {
    const clang::RecordDecl* record = type->getAsRecordDecl();
    if (!record->isCompleteDefinition() || record->isInvalidDecl() || record->isUnion())
      return;
    if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record);
        cxx && (cxx->getNumBases() > 0 || cxx->isPolymorphic()))
      return;
    for (const clang::FieldDecl* field : record->fields()) {
      const Place inner = place_of_field(place, *field);
      if (!field->isBitField())
        serialise(inner, field->getType(), out, at + static_cast<std::uint64_t>(inner.offset - place.offset));
    }
    return;
  }
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    const std::uint64_t size = bytes_of(array->getElementType()), elements = array->getSize().getZExtValue();
    constexpr std::uint64_t most_elements = 16384;
    for (std::uint64_t k = 0; k < elements && elements <= most_elements; ++k)
      serialise({place.object, place.offset + static_cast<std::int64_t>(k * size)}, array->getElementType(),
                out, at + k * size);
    return;
  }
  const Value value = memory_.load(place);
  if (type->isPointerType())
    if (const auto inner = inner_buffer(value, at)) {
      out.rests_on |= memory_[value.place.object].bytes_rest_on;
      return out.inner.push_back(*inner);
    }
  if (!value.is_number() || !(type->isArithmeticType() || type->isEnumeralType()))
    return;
  std::uint64_t bits = static_cast<std::uint64_t>(value.as_integer());
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float))
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(value.as_real()));
  else if (type->isSpecificBuiltinType(clang::BuiltinType::Double))
    bits = std::bit_cast<std::uint64_t>(value.as_real());
  else if (type->isRealFloatingType())
    return;
  const std::uint64_t size = std::min<std::uint64_t>(bytes_of(type), 8);
  if (out.contents.size() < at + size)
    return;
  out.rests_on |= value.rests_on;
  std::memcpy(out.contents.data() + at, &bits, size);
  std::memset(out.known.data() + at, 0xFF, size);
}

HostArgument Interpreter::argument_of(const Value& value, clang::QualType type, const clang::Expr* from) {
  HostArgument made;
  made.name = from ? text_of(from) : "";
  made.rests_on = value.rests_on;
  const bool is_pointer = !type.isNull() && type->isPointerType();
  if (auto image = image_argument(value)) {
    image->name = made.name;
    return *image;
  }
  if (value.kind == Value::Kind::pointer && value.place.valid() &&
      (type.isNull() || is_pointer || type->isDependentType()))
    return buffer_argument(value);
  if (value.is_number() && (type.isNull() || type->isDependentType() || type->isArithmeticType() ||
                            type->isEnumeralType() || is_pointer)) {
    if (is_pointer && value.as_integer() != 0)
      return made;
    made.kind = HostArgument::Kind::number;
    made.text =
        value.kind == Value::Kind::real ? fmt::format("{:.9g}", value.real) : std::to_string(value.integer);
    if (value.kind == Value::Kind::real && !type.isNull() &&
        type->isSpecificBuiltinType(clang::BuiltinType::Double))
      made.text = fmt::format("{:.17g}", value.real);
    return made;
  }
  if (value.kind == Value::Kind::record && !type.isNull() && type->isRecordType() &&
      !type->isDependentType()) {
    made.contents.assign(bytes_of(type), 0);
    made.known.assign(made.contents.size(), 0);
    serialise(value.place, type, made, 0);
    made.kind = HostArgument::Kind::record;
  }
  return made;
}

Value Interpreter::launch(const clang::CUDAKernelCallExpr& call) {
  FoundLaunch found;
  const Value callee = evaluate(call.getCallee());
  const clang::FunctionDecl* kernel = call.getDirectCallee();
  if (!kernel && callee.kind == Value::Kind::function)
    kernel = callee.function;
  name_kernel(found, kernel, call.getCallee());
  const clang::CallExpr* sizes = call.getConfig();
  const auto size = [&](unsigned k) { return sizes && k < sizes->getNumArgs() ? sizes->getArg(k) : nullptr; };
  if (!size(0) || !size(1))
    return {};
  found.groups = dims_of(evaluate(size(0)), found.rests_on, *size(0));
  found.group_size = dims_of(evaluate(size(1)), found.rests_on, *size(1));
  found.groups_text = definition_of(size(0));
  found.group_size_text = definition_of(size(1));
  if (size(2) && !llvm::isa<clang::CXXDefaultArgExpr>(size(2))) {
    const Value shared = evaluate(size(2));
    found.dynamic_shared_bytes = shared.is_number() ? size_of_launch(shared, found.rests_on, *size(2)) : 0;
  }
  for (unsigned k = 0; k < call.getNumArgs(); ++k) {
    const clang::QualType type =
        kernel && k < kernel->getNumParams() ? kernel->getParamDecl(k)->getType() : clang::QualType();
    const Value value = evaluate(call.getArg(k));
    found.arguments.push_back(argument_of(value, type, call.getArg(k)));
    const bool may_write =
        type.isNull() || (type->isPointerType() && !type->getPointeeType().isConstQualified() &&
                          !type->getPointeeType()->isPointerType()); // tables of pointers are read only
    if (may_write && value.kind == Value::Kind::pointer && value.place.valid())
      memory_.forget(value.place, 0, cause("what a kernel wrote"));
  }
  record(std::move(found), call);
  return {};
}

void Interpreter::name_kernel(FoundLaunch& found, const clang::FunctionDecl* kernel,
                              const clang::Expr* written) {
  if (!kernel) {
    found.kernel = written ? text_of(written) : "";
    return;
  }
  found.kernel = instance_name(*kernel, context_);
  const clang::FunctionDecl* const defined = kernel->getDefinition(); // declarations may leave names out
  if (!kernel->isDependentContext())
    for (const clang::ParmVarDecl* parameter : (defined ? defined : kernel)->parameters())
      found.parameters.push_back(describe_parameter(*parameter, context_));
  if (!kernel->isDependentContext() && context_.getLangOpts().CPlusPlus)
    found.symbol = clang::ASTNameGenerator(context_).getName(kernel);
}

/// cudaLaunchKernel(kernel, grid, block, arguments, shared, stream)
Value Interpreter::launch_by_address(const Arguments& arguments, const clang::Expr& call) {
  FoundLaunch found;
  const Value callee = evaluate(arguments[0]);
  const clang::FunctionDecl* kernel = callee.kind == Value::Kind::function ? callee.function : nullptr;
  name_kernel(found, kernel, arguments[0]->IgnoreParenCasts());
  found.groups = dims_of(evaluate(arguments[1]), found.rests_on, *arguments[1]);
  found.group_size = dims_of(evaluate(arguments[2]), found.rests_on, *arguments[2]);
  found.groups_text = definition_of(arguments[1]);
  found.group_size_text = definition_of(arguments[2]);
  if (arguments.size() > 4 && !llvm::isa<clang::CXXDefaultArgExpr>(arguments[4]))
    found.dynamic_shared_bytes = size_of_launch(evaluate(arguments[4]), found.rests_on, *arguments[4]);
  const Value list = evaluate(arguments[3]);
  for (unsigned k = 0; kernel && k < kernel->getNumParams(); ++k) {
    const clang::QualType type = kernel->getParamDecl(k)->getType();
    Value value;
    if (list.kind == Value::Kind::pointer)
      if (const Value at = memory_.load({list.place.object, list.place.offset + 8 * k});
          at.kind == Value::Kind::pointer)
        value = load(at.place, type, nullptr);
    found.arguments.push_back(argument_of(value, type, nullptr));
  }
  record(std::move(found), call);
  return whole(0);
}

void Interpreter::record(FoundLaunch found, const clang::Expr& call) {
  reached_.insert(&call);
  for (const clang::Expr* outer : calls_)
    reached_.insert(outer);
  const clang::SourceLocation started = of_the_program(call.getExprLoc());
  found.file = file_of(started);
  found.line = line_of(started);
  found.column = context_.getSourceManager().getExpansionColumnNumber(started);
  found.in_isolation = isolated_;
  for (const RestsOn loop : loops_)
    found.loop_rests_on |= loop;
  for (const auto& [variable, place] : symbols_) {
    if (!variable)
      continue;
    HostArgument contents;
    contents.contents.assign(bytes_of(variable->getType()), 0);
    contents.known.assign(contents.contents.size(), 0);
    serialise(place, variable->getType(), contents, 0);
    if (std::ranges::find(contents.known, 0) == contents.known.end())
      found.symbols[variable->getNameAsString()] = std::move(contents);
  }
  for (const auto& [name, place] : references_)
    if (auto image = image_argument(pointer(place)))
      found.symbols[name] = *std::move(image);
  for (FoundLaunch& known : out_.launches)
    if (known.file == found.file && known.line == found.line && known.column == found.column &&
        known.kernel == found.kernel && known.groups == found.groups &&
        known.group_size == found.group_size && known.dynamic_shared_bytes == found.dynamic_shared_bytes) {
      ++known.repeated;
      return;
    }
  constexpr std::size_t most_launches = 2000;
  if (out_.launches.size() < most_launches)
    out_.launches.push_back(std::move(found));
}

} // namespace forewarp::frontend::host

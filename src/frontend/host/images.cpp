// Images, textures, surfaces and samplers that the host makes: their sizes, formats and how they are read.
// They are handed on as launch files spell them.
#include "frontend/host/interpreter.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace forewarp::frontend::host {
namespace {

/// Channels of so many bits: "rgba8", "r32f".
std::string format_text(std::int64_t channels, std::int64_t bits, bool is_real) {
  return fmt::format(
      "{}{}{}",
      std::string_view("rgba").substr(0, static_cast<std::size_t>(std::clamp<std::int64_t>(channels, 1, 4))),
      bits, is_real ? "f" : "");
}

std::int64_t integer_or(const Value& value, std::int64_t otherwise) {
  return value.is_number() ? value.as_integer() : otherwise;
}

/// Of an element such as `float` or `uchar4`.
std::string format_of(clang::QualType type, const clang::ASTContext& context) {
  std::int64_t channels = 1;
  clang::QualType element = type.getCanonicalType();
  if (const auto* vector = element->getAs<clang::VectorType>()) {
    channels = vector->getNumElements();
    element = vector->getElementType();
  } else if (const auto* record = element->getAsRecordDecl(); record && !record->field_empty()) {
    channels = std::distance(record->field_begin(), record->field_end());
    element = record->field_begin()->getType();
  }
  if (element->isDependentType() || element->isIncompleteType())
    return {};
  return format_text(channels, static_cast<std::int64_t>(context.getTypeSize(element)),
                     element->isRealFloatingType());
}

// cudaTextureAddressMode in its order, cudaTextureFilterMode; CL_ADDRESS_NONE and what follows.
constexpr std::array<std::string_view, 4> cuda_edges = {"wrap", "clamp", "mirror", "border"};
constexpr std::array<std::string_view, 5> opencl_edges = {"clamp", "clamp", "border", "wrap", "mirror"};
constexpr std::int64_t first_opencl_edge = 0x1130, opencl_linear = 0x1141;

/// `wrap` and `mirror` are of normalised coordinates; others are kept inside.
template <std::size_t count>
std::string sampler_words(bool is_linear, bool is_normalised, std::int64_t edge,
                          const std::array<std::string_view, count>& edges) {
  const bool is_known = edge >= 0 && edge < static_cast<std::int64_t>(count);
  std::string_view word = is_known ? edges[static_cast<std::size_t>(edge)] : "clamp";
  if (!is_normalised && word != "border")
    word = "clamp";
  return fmt::format("{}{}:{}", is_linear ? "linear" : "nearest", is_normalised ? ":normalised" : "", word);
}

/// Khronos' numbers: channels of an order from CL_R on, and bits of a type from CL_SNORM_INT8 on.
std::string opencl_format(std::int64_t order, std::int64_t type) {
  constexpr std::array<int, 10> channels = {1, 1, 2, 2, 3, 4, 4, 4, 1, 1};
  constexpr std::array<int, 15> bits = {8, 16, 8, 16, 16, 16, 32, 8, 16, 32, 8, 16, 32, 16, 32};
  constexpr std::int64_t first_order = 0x10B0, first_type = 0x10D0, first_real = 0x10DD;
  const std::int64_t k = order - first_order, t = type - first_type;
  if (k < 0 || k >= std::ssize(channels) || t < 0 || t >= std::ssize(bits))
    return {};
  return format_text(channels[static_cast<std::size_t>(k)], bits[static_cast<std::size_t>(t)],
                     type >= first_real);
}

} // namespace

Value Interpreter::field_value(Place record, clang::QualType type,
                               std::initializer_list<std::string_view> path) {
  for (const std::string_view name : path) {
    const clang::RecordDecl* of = type.isNull() ? nullptr : type->getAsRecordDecl();
    if (!of || !of->isCompleteDefinition())
      return {};
    const auto found = std::find_if(of->field_begin(), of->field_end(), [&](const clang::FieldDecl* field) {
      return std::string_view(field->getName()) == name;
    });
    if (found == of->field_end())
      return {};
    record = place_of_field(record, **found);
    type = (*found)->getType();
  }
  return record.valid() ? memory_.load(record) : Value{};
}

std::string Interpreter::channel_format(Place description) {
  constexpr std::int64_t int_bytes = 4, kind_at = 16,
                         real_kind = 2; // int x, y, z, w; cudaChannelFormatKind f
  std::int64_t channels = 0, bits = 0;
  for (std::int64_t k = 0; description.valid() && k < 4; ++k)
    if (const auto of = integer_or(memory_.load({description.object, description.offset + int_bytes * k}), 0);
        of > 0) {
      ++channels;
      bits = of;
    }
  if (channels == 0)
    return {};
  const Value kind = memory_.load({description.object, description.offset + kind_at});
  return format_text(channels, bits, integer_or(kind, 0) == real_kind);
}

Value Interpreter::make_image(const clang::Expr* to, const std::string& format,
                              const std::vector<Value>& sizes, bool by_rows, const clang::Expr& call) {
  std::string text;
  RestsOn rests_on = 0;
  for (Value size : sizes) {
    if (size.is_unknown())
      size = open_number(size, true, "size of an image", &call);
    rests_on |= size.rests_on;
    text += fmt::format("{}{}", text.empty() ? "" : "x", std::max<std::int64_t>(1, size.as_integer()));
  }
  const ObjectId object = new_object("image", 8, call.getExprLoc());
  memory_[object].image =
      fmt::format("{}:{}{}", text, format.empty() ? "r32f" : format, by_rows ? ":rows" : "");
  memory_[object].bytes_rest_on = rests_on;
  const Value made = pointer({object, 0});
  if (to)
    if (const Value target = evaluate(to); target.kind == Value::Kind::pointer)
      memory_.store(target.place, made);
  return made;
}

std::optional<HostArgument> Interpreter::image_argument(const Value& value) {
  if (value.kind != Value::Kind::pointer || !value.place.valid())
    return std::nullopt;
  const Object& object = memory_[value.place.object];
  HostArgument made;
  made.line = object.line;
  made.rests_on = object.bytes_rest_on | value.rests_on;
  if (!object.image.empty()) {
    made.kind = HostArgument::Kind::image;
    made.text = fmt::format("image:{}{}{}", object.image, object.sampler.empty() ? "" : ":", object.sampler);
    return made;
  }
  if (object.sampler.empty())
    return std::nullopt;
  made.kind = HostArgument::Kind::sampler;
  made.text = "sampler:" + object.sampler;
  return made;
}

/// cudaCreateChannelDesc(x, y, z, w, kind) and cudaCreateChannelDesc<element>()
Value Interpreter::describe_channels(const clang::CallExpr& call, const Arguments& arguments) {
  constexpr std::int64_t int_bytes = 4, words = 5;
  const ObjectId object = new_object("channels", int_bytes * words, call.getExprLoc());
  const auto put = [&](std::int64_t k, const Value& value) { memory_.store({object, int_bytes * k}, value); };
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const auto* types = callee ? callee->getTemplateSpecializationArgs() : nullptr;
  if (arguments.size() == words) {
    for (std::int64_t k = 0; k < words; ++k)
      put(k, evaluate(arguments[static_cast<std::size_t>(k)]));
  } else if (types && types->size() > 0 && types->get(0).getKind() == clang::TemplateArgument::Type) {
    const std::string format = format_of(types->get(0).getAsType(), context_);
    const std::size_t digits = format.find_first_of("0123456789");
    if (digits != std::string::npos)
      for (std::int64_t k = 0; k < 4; ++k)
        put(k, whole(k < static_cast<std::int64_t>(digits) ? std::stoi(format.substr(digits)) : 0));
    put(4, whole(format.ends_with("f") ? 2 : 0));
  }
  return Value{Value::Kind::record, 0, 0, {object, 0}};
}

/// cudaCreateTextureObject(object, resource, description, view), cudaCreateSurfaceObject(object, resource)
Value Interpreter::make_texture(const Arguments& arguments, const clang::Expr& call) {
  const auto record_of = [&](unsigned k, clang::QualType& type) {
    type = arguments[k]->IgnoreParenImpCasts()->getType();
    type = type->isPointerType() ? type->getPointeeType() : type;
    const Value at = evaluate(arguments[k]);
    return at.kind == Value::Kind::pointer ? at.place : Place{};
  };
  clang::QualType type;
  const Place resource = record_of(1, type);
  const auto of = [&](std::initializer_list<std::string_view> path) {
    return field_value(resource, type, path);
  };
  const auto format = [&](std::string_view kind) {
    std::array<std::int64_t, 5> parts = {};
    std::int64_t channels = 0, bits = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      constexpr std::array<std::string_view, 5> names = {"x", "y", "z", "w", "f"};
      parts[k] = integer_or(of({"res", kind, "desc", names[k]}), 0);
      channels += k < 4 && parts[k] > 0 ? 1 : 0;
      bits = k < 4 && parts[k] > 0 ? parts[k] : bits;
    }
    return channels == 0 ? std::string() : format_text(channels, bits, parts[4] == 2);
  };
  enum Resource : std::int64_t { array, mipmapped, linear, pitched }; // cudaResourceType
  Value image;
  const std::int64_t kind = integer_or(of({"resType"}), array);
  if (kind == linear) {
    const std::string texels = format("linear");
    const auto digits = texels.find_first_of("0123456789");
    const std::int64_t texel_bytes =
        texels.empty() ? 4 : static_cast<std::int64_t>(digits) * std::stoi(texels.substr(digits)) / 8;
    Value bytes = of({"res", "linear", "sizeInBytes"});
    if (bytes.is_number())
      bytes = whole(bytes.as_integer() / std::max<std::int64_t>(1, texel_bytes), bytes.rests_on);
    image = make_image(arguments[0], texels, {bytes}, false, call);
  } else if (kind == pitched) {
    image = make_image(arguments[0], format("pitch2D"),
                       {of({"res", "pitch2D", "width"}), of({"res", "pitch2D", "height"})}, true, call);
  } else {
    const Value from =
        of({"res", kind == mipmapped ? "mipmap" : "array", kind == mipmapped ? "mipmap" : "array"});
    const auto known = image_argument(from);
    const Value target = evaluate(arguments[0]);
    if (!known || target.kind != Value::Kind::pointer) {
      call_unknown(arguments, "cudaCreateTextureObject", call);
      return whole(0);
    }
    const ObjectId object = new_object("image", 8, call.getExprLoc());
    memory_[object].image = memory_[from.place.object].image;
    memory_[object].bytes_rest_on = memory_[from.place.object].bytes_rest_on;
    image = pointer({object, 0});
    memory_.store(target.place, image);
  }
  if (arguments.size() < 3)
    return whole(0);
  const Place how = record_of(2, type);
  const auto setting = [&](std::string_view name) { return integer_or(field_value(how, type, {name}), 0); };
  memory_[image.place.object].sampler = sampler_words(
      setting("filterMode") == 1, setting("normalizedCoords") != 0, setting("addressMode"), cuda_edges);
  return whole(0);
}

/// What the host set in a texture reference, or its constructor (normalised, filter, addressing).
std::string Interpreter::reference_sampler(const clang::VarDecl& texture) {
  std::array<std::int64_t, 3> set = {0, 0, 1};
  if (const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(
          texture.getInit() ? texture.getInit()->IgnoreImplicit() : nullptr);
      made && made->getNumArgs() == set.size())
    for (unsigned k = 0; k < set.size(); ++k)
      set[k] = integer_or(evaluate(made->getArg(k)), set[k]);
  const auto* record = texture.getType()->getAsCXXRecordDecl();
  if (record && record->getNumBases() == 1) {
    constexpr std::array<std::string_view, 3> names = {"normalized", "filterMode", "addressMode"};
    for (std::size_t k = 0; k < set.size(); ++k)
      set[k] = integer_or(
          field_value(place_of_variable(texture), record->bases_begin()->getType(), {names[k]}), set[k]);
  }
  return sampler_words(set[1] == 1, set[0] != 0, set[2], cuda_edges);
}

/// cudaBindTexture(offset, texture, memory[, channels][, bytes]), ...2D(..., width, height, pitch),
/// cudaBindTextureToArray(texture, array[, channels])
Value Interpreter::bind_texture(std::string_view name, const Arguments& arguments,
                                const clang::CallExpr& call) {
  const bool to_array = name == "cudaBindTextureToArray";
  const clang::Expr* written = arguments[to_array ? 0 : 1]->IgnoreParenImpCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(written))
    written = address->getSubExpr()->IgnoreParenImpCasts();
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(written);
  const auto* texture = named ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  if (!texture)
    return call_unknown(arguments, std::string(name), call);
  const Value from = evaluate(arguments[to_array ? 1 : 2]);
  Value image;
  if (to_array) {
    const auto known = image_argument(from);
    if (!known)
      return whole(0);
    const ObjectId object = new_object("image", 8, call.getExprLoc());
    memory_[object].image = memory_[from.place.object].image;
    memory_[object].bytes_rest_on = memory_[from.place.object].bytes_rest_on;
    image = pointer({object, 0});
  } else {
    const auto* type = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        texture->getType()->getAsCXXRecordDecl());
    if (!type || type->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
      return whole(0);
    const clang::QualType element = type->getTemplateArgs()[0].getAsType();
    const bool has_channels = arguments.size() > 3 && !arguments[3]->getType()->isIntegerType();
    const std::size_t first = has_channels ? 4 : 3;
    const auto size = [&](std::size_t k) {
      return first + k < arguments.size() ? evaluate(arguments[first + k]) : Value{};
    };
    if (name == "cudaBindTexture2D") {
      image = make_image(nullptr, format_of(element, context_), {size(0), size(1)}, true, call);
    } else {
      constexpr std::int64_t all = 0xffffffff; // the default: to the end of the memory
      Value bytes = size(0);
      if ((!bytes.is_number() || bytes.as_integer() == all) && from.kind == Value::Kind::pointer &&
          from.place.valid())
        bytes = whole(static_cast<std::int64_t>(memory_[from.place.object].bytes) - from.place.offset,
                      memory_[from.place.object].bytes_rest_on);
      if (bytes.is_number())
        bytes = whole(bytes.as_integer() /
                          static_cast<std::int64_t>(std::max<std::uint64_t>(1, bytes_of(element))),
                      bytes.rests_on);
      image = make_image(nullptr, format_of(element, context_), {bytes}, false, call);
    }
  }
  memory_[image.place.object].sampler = reference_sampler(*texture);
  references_[texture->getNameAsString()] = image.place;
  return whole(0);
}

std::optional<Value> Interpreter::call_images(std::string_view name, const Arguments& arguments,
                                              const clang::CallExpr& call) {
  const std::size_t count = arguments.size();
  const auto description = [&](unsigned k) {
    const Value at = evaluate(arguments[k]);
    return at.kind == Value::Kind::pointer ? channel_format(at.place) : std::string();
  };
  if (name == "cudaCreateChannelDesc")
    return describe_channels(call, arguments);
  if (name == "cudaMallocArray" && count >= 3) {
    const Value height = count > 3 ? evaluate(arguments[3]) : whole(1);
    make_image(arguments[0], description(1), {evaluate(arguments[2]), height}, false, call);
    return whole(0);
  }
  if (name == "make_cudaExtent" && count == 3) {
    const ObjectId object = new_object("extent", 24, call.getExprLoc());
    for (std::int64_t k = 0; k < 3; ++k)
      memory_.store({object, 8 * k}, evaluate(arguments[static_cast<std::size_t>(k)]));
    return Value{Value::Kind::record, 0, 0, {object, 0}};
  }
  if (name == "cudaMalloc3DArray" && count >= 3) {
    const Value extent = evaluate(arguments[2]);
    std::vector<Value> sizes;
    for (std::int64_t k = 0; k < 3 && extent.place.valid(); ++k)
      sizes.push_back(memory_.load({extent.place.object, extent.place.offset + 8 * k}));
    make_image(arguments[0], description(1), sizes.empty() ? std::vector<Value>(3) : sizes, false, call);
    return whole(0);
  }
  if ((name == "cudaCreateTextureObject" && count >= 3) || (name == "cudaCreateSurfaceObject" && count == 2))
    return make_texture(arguments, call);
  if ((name == "cudaBindTexture" || name == "cudaBindTexture2D" || name == "cudaBindTextureToArray") &&
      count >= (name == "cudaBindTextureToArray" ? 2U : 3U))
    return bind_texture(name, arguments, call);
  return std::nullopt;
}

std::optional<Value> Interpreter::call_opencl_images(std::string_view name, const Arguments& arguments,
                                                     const clang::Expr& call) {
  const std::size_t count = arguments.size();
  const auto number = [&](unsigned k) { return integer_or(evaluate(arguments[k]), 0); };
  if (name == "clCreateSampler" && count >= 4) {
    const ObjectId object = new_object("sampler", 8, call.getExprLoc());
    memory_[object].sampler = sampler_words(number(3) == opencl_linear, number(1) != 0,
                                            number(2) - first_opencl_edge, opencl_edges);
    return pointer({object, 0});
  }
  if ((name != "clCreateImage" && name != "clCreateImage2D" && name != "clCreateImage3D") || count < 5)
    return std::nullopt;
  const Value format = evaluate(arguments[2]);
  std::string texels;
  if (format.kind == Value::Kind::pointer && format.place.valid())
    texels = opencl_format(integer_or(memory_.load(format.place), 0),
                           integer_or(memory_.load({format.place.object, format.place.offset + 4}), 0));
  std::vector<Value> sizes;
  if (name != "clCreateImage") {
    for (unsigned k = 3; k < (name == "clCreateImage2D" ? 5U : 6U); ++k)
      sizes.push_back(evaluate(arguments[k]));
    return make_image(nullptr, texels, sizes, false, call);
  }
  clang::QualType type = arguments[3]->IgnoreParenImpCasts()->getType();
  type = type->isPointerType() ? type->getPointeeType() : type;
  const Value how = evaluate(arguments[3]);
  const Place at = how.kind == Value::Kind::pointer ? how.place : Place{};
  constexpr std::int64_t image_3d = 0x10F2, image_2d_array = 0x10F3, image_1d = 0x10F4,
                         image_1d_array = 0x10F5;
  const std::int64_t kind = integer_or(field_value(at, type, {"image_type"}), 0);
  sizes.push_back(field_value(at, type, {"image_width"}));
  sizes.push_back(kind >= image_1d ? whole(1) : field_value(at, type, {"image_height"}));
  if (kind == image_3d)
    sizes.push_back(field_value(at, type, {"image_depth"}));
  if (kind == image_2d_array || kind == image_1d_array)
    sizes.push_back(field_value(at, type, {"image_array_size"}));
  return make_image(nullptr, texels, sizes, false, call);
}

} // namespace forewarp::frontend::host

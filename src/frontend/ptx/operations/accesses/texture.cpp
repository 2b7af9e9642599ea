// Textures and surfaces as markers (ir/builtins.h). Levels of detail cost nothing
// extra; contents are not known.
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace forewarp::frontend::ptx {
namespace {

/// PTX's arrays name their layer before the coordinates. A cube is read as one of its faces.
struct Geometry {
  const char* word; ///< of PTX
  const char* name; ///< of the marker
  unsigned coordinates;
  bool has_layer = false;
};

constexpr Geometry geometries[] = {{"1d", "1d", 1},          {"2d", "2d", 2},         {"3d", "3d", 3},
                                   {"a1d", "1da", 1, true},  {"a2d", "2da", 2, true}, {"cube", "2d", 2},
                                   {"acube", "2da", 2, true}};

const Geometry* geometry_of(const Statement& s) {
  const auto* found = std::find_if(std::begin(geometries), std::end(geometries),
                                   [&](const Geometry& each) { return s.has(each.word); });
  return found == std::end(geometries) ? nullptr : found;
}

/// A handle in a register or parameter, or the name of a texture reference.
llvm::Value* image_of(Expansion& e, const std::string& name) {
  if (llvm::Value* place = e.registers.find_place(name))
    return place->getType() == e.b.getPtrTy() ? place : e.b.CreateAddrSpaceCast(place, e.b.getPtrTy());
  llvm::Value* handle = e.registers.read(name, e.b.getInt64Ty());
  return handle ? e.b.CreateIntToPtr(handle, e.b.getPtrTy()) : nullptr;
}

/// "[image, {x, y}]" or "[image, sampler, {x, y}]"; fewer than two: of another form.
std::vector<std::string> words_of_place(const std::string& place) {
  if (place.size() < 2 || place.front() != '[' || place.back() != ']')
    return {};
  return split_operands(std::string_view(place).substr(1, place.size() - 2));
}

/// Coordinates as the markers have them: the layer last. Null: not of this geometry.
llvm::Value* coordinates_of(Expansion& e, const Geometry& geometry, const std::string& text,
                            llvm::Type* type) {
  const std::vector<std::string> at = pieces_of(text);
  const unsigned count = geometry.coordinates + (geometry.has_layer ? 1 : 0);
  if (at.size() < count)
    return nullptr;
  const unsigned lanes = count == 3 ? 4 : count;
  llvm::Value* made =
      llvm::Constant::getNullValue(lanes == 1 ? type : llvm::FixedVectorType::get(type, lanes));
  for (unsigned i = 0; i < count; ++i) {
    const bool is_layer = geometry.has_layer && i == 0;
    llvm::Value* each = e.registers.read(at[i], is_layer ? e.b.getInt32Ty() : type);
    if (!each)
      return nullptr;
    if (is_layer && type->isFloatingPointTy())
      each = e.b.CreateUIToFP(each, type);
    const unsigned place = is_layer ? count - 1 : geometry.has_layer ? i - 1 : i;
    made = lanes == 1 ? each : e.b.CreateInsertElement(made, each, place);
  }
  return made;
}

/// Four texels' parts of one type; `suffix` behind the marker's name.
llvm::Value* read_texel(Expansion& e, const Geometry& geometry, llvm::Value* image, llvm::Value* coordinates,
                        llvm::Type* of_texel, const char* suffix) {
  llvm::Type* of_coordinate = coordinates->getType()->getScalarType();
  const bool single = !coordinates->getType()->isVectorTy();
  const bool buffer = single && of_coordinate->isIntegerTy() && *suffix == '\0';
  const std::string name = std::string("image.read.") + (buffer ? "1db" : geometry.name) + "." +
                           lowering::type_suffix(of_texel) + "." + lowering::type_suffix(of_coordinate) +
                           (single ? ".s" : "") + suffix;
  return lowering::call_marker(
      e.b, name, llvm::FixedVectorType::get(of_texel, 4),
      {image, e.b.getInt32(~0U), coordinates, llvm::ConstantFP::get(e.b.getFloatTy(), 0)},
      lowering::MarkerEffect::memory_read);
}

/// tex.2d.v4.f32.f32 {r, g, b, a}, [texture, {x, y}]; .v2.f16x2: two halves in a word. tld4: four texels'
/// component.
bool fetch(Expansion& e, const Statement& s) {
  const std::vector<TypeWord> types = s.types();
  const Geometry* geometry = geometry_of(s);
  const bool in_halves = s.has("v2") && !types.empty() && types[0].lanes == 2;
  if (!geometry || types.size() != 2 || types[0].size() != 32 || s.operands.size() < 2 ||
      (!s.has("v4") && !in_halves))
    return false;
  const std::vector<std::string> inner = words_of_place(s.operands[1]);
  llvm::Type* of_coordinate = element_type(e.context(), types[1]);
  llvm::Type* of_texel = in_halves ? e.b.getInt32Ty() : element_type(e.context(), types[0]);
  if (inner.size() < 2 || !of_coordinate || !of_texel || of_coordinate->getPrimitiveSizeInBits() != 32)
    return false;
  llvm::Value* image = image_of(e, inner.front());
  llvm::Value* coordinates = image ? coordinates_of(e, *geometry, inner.back(), of_coordinate) : nullptr;
  if (!coordinates)
    return false;
  llvm::Value* made = read_texel(e, *geometry, image, coordinates, of_texel, "");
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  for (std::size_t i = 0; i < results.size() && i < 4; ++i)
    if (!e.registers.write(results[i], e.b.CreateExtractElement(made, i)))
      return false;
  return results.size() == (in_halves ? 2U : 4U);
}

/// What a surface's bytes are in the registers of a statement: of 8 to 64 bits, one, two or four.
struct SurfaceValues {
  std::vector<std::string> names;
  llvm::Type *one = nullptr, *held = nullptr; ///< 64 bits are two words
};

std::optional<SurfaceValues> surface_values(Expansion& e, const Statement& s, const std::string& operand) {
  SurfaceValues made{pieces_of(operand)};
  const unsigned bits = s.bits();
  const std::size_t wanted = s.has("v4") ? 4 : s.has("v2") ? 2 : 1;
  if (made.names.size() != wanted || bits < 8 || bits > 64 || (bits == 64 && wanted > 2))
    return std::nullopt;
  made.held = e.b.getIntNTy(bits);
  made.one = e.b.getIntNTy(bits == 64 ? 32 : bits);
  return made;
}

/// suld.b.2d.v2.b32.trap {a, b}, [surface, {x, y}]: x counts bytes.
bool load_surface(Expansion& e, const Statement& s) {
  const Geometry* geometry = geometry_of(s);
  const std::vector<std::string> inner =
      s.operands.size() == 2 ? words_of_place(s.operands[1]) : std::vector<std::string>{};
  const auto values = inner.size() == 2 ? surface_values(e, s, s.operands[0]) : std::nullopt;
  if (!geometry || !values || !s.has("b"))
    return false;
  llvm::Value* image = image_of(e, inner.front());
  llvm::Value* coordinates = image ? coordinates_of(e, *geometry, inner.back(), e.b.getInt32Ty()) : nullptr;
  if (!coordinates)
    return false;
  llvm::Value* made = read_texel(e, *geometry, image, coordinates, values->one, ".b");
  const unsigned words = values->held == values->one ? 1 : 2;
  for (std::size_t i = 0; i < values->names.size(); ++i) {
    llvm::Value* value = e.b.CreateExtractElement(made, i * words);
    if (words == 2)
      value = e.b.CreateOr(
          e.b.CreateZExt(value, values->held),
          e.b.CreateShl(e.b.CreateZExt(e.b.CreateExtractElement(made, 2 * i + 1), values->held), 32));
    if (!e.registers.write(values->names[i], value))
      return false;
  }
  return true;
}

/// sust.b (x counts bytes) and sust.p (x counts texels); sured: as a store, of which nobody reads a result.
bool store_surface(Expansion& e, const Statement& s) {
  const Geometry* geometry = geometry_of(s);
  const std::vector<std::string> inner =
      s.operands.size() == 2 ? words_of_place(s.operands[0]) : std::vector<std::string>{};
  const auto values = inner.size() == 2 ? surface_values(e, s, s.operands[1]) : std::nullopt;
  if (!geometry || !values)
    return false;
  llvm::Value* image = image_of(e, inner.front());
  llvm::Value* coordinates = image ? coordinates_of(e, *geometry, inner.back(), e.b.getInt32Ty()) : nullptr;
  if (!coordinates)
    return false;
  llvm::Value* texel = llvm::Constant::getNullValue(llvm::FixedVectorType::get(values->one, 4));
  const unsigned words = values->held == values->one ? 1 : 2;
  for (std::size_t i = 0; i < values->names.size(); ++i) {
    llvm::Value* value = e.registers.read_wide(values->names[i], values->held);
    if (!value)
      return false;
    for (unsigned w = 0; w < words; ++w)
      texel = e.b.CreateInsertElement(
          texel, e.b.CreateTrunc(w == 0 ? value : e.b.CreateLShr(value, 32), values->one), i * words + w);
  }
  const std::string name = std::string("image.write.") + geometry->name + "." +
                           lowering::type_suffix(values->one) +
                           (coordinates->getType()->isVectorTy() ? "" : ".s") + (s.has("p") ? "" : ".b");
  lowering::call_marker(e.b, name, e.b.getVoidTy(), {image, coordinates, texel},
                        lowering::MarkerEffect::memory_write);
  return true;
}

/// txq.width.b32 d, [texture]; what else is asked for is unknown.
bool ask_size(Expansion& e, const Statement& s) {
  static constexpr std::pair<const char*, const char*> known[] = {
      {"width", "width"},           {"height", "height"},
      {"depth", "depth"},           {"channel_data_type", "channel_type"},
      {"array_size", "array_size"}, {"channel_order", "channel_order"}};
  const std::vector<std::string> inner =
      s.operands.size() == 2 ? words_of_place(s.operands[1]) : std::vector<std::string>{};
  llvm::Value* image = inner.size() == 1 ? image_of(e, inner.front()) : nullptr;
  if (!image)
    return false;
  std::string name = "unknown.i32";
  for (const auto& [word, query] : known)
    if (s.has(word))
      name = std::string("image.") + query;
  return e.registers.write(s.operands[0], lowering::call_marker(e.b, name, e.b.getInt32Ty(), {image},
                                                                lowering::MarkerEffect::memory_read));
}

constexpr Operation texture_row_list[] = {
    {"suld", load_surface, ".b of .1d, .2d, .3d, .a1d, .a2d; contents are unknown"},
    {"suq", ask_size, "width, height, depth, array size, channel type and order"},
    {"sured", store_surface, "as sust"},
    {"sust", store_surface, ".b and .p of .1d, .2d, .3d, .a1d, .a2d"},
    {"tex", fetch,
     ".1d, .2d, .3d, .a1d, .a2d, .cube, .acube (one face) of four 32-bit values or halves in two words; "
     "contents are "
     "unknown"},
    {"tld4", fetch, ".2d, .a2d, .cube, .acube; as tex"},
    {"txq", ask_size, "as suq"},
};

} // namespace

std::span<const Operation> texture_rows() {
  return texture_row_list;
}

} // namespace forewarp::frontend::ptx

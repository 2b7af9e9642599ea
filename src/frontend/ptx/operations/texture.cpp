// Textures and surfaces as markers (ir/builtins.h). Levels of detail cost nothing
// extra; contents are not known.
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Constants.h>

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

struct Geometry {
  const char* word; ///< of PTX
  const char* name; ///< of the marker
  unsigned coordinates;
};

constexpr Geometry geometries[] = {{"1d", "1d", 1}, {"2d", "2d", 2}, {"3d", "3d", 3}};

/// A handle in a register or parameter, or the name of a texture reference.
llvm::Value* image_of(Expansion& e, const std::string& name) {
  if (llvm::Value* place = e.registers.find_place(name))
    return place->getType() == e.b.getPtrTy() ? place : e.b.CreateAddrSpaceCast(place, e.b.getPtrTy());
  llvm::Value* handle = e.registers.read(name, e.b.getInt64Ty());
  return handle ? e.b.CreateIntToPtr(handle, e.b.getPtrTy()) : nullptr;
}

/// tex.2d.v4.f32.f32 {r, g, b, a}, [texture, {x, y}]; with a sampler between the two.
bool fetch(Expansion& e, const Statement& s) {
  const std::vector<TypeWord> types = s.types();
  const auto* geometry = std::find_if(std::begin(geometries), std::end(geometries),
                                      [&](const Geometry& each) { return s.has(each.word); });
  if (geometry == std::end(geometries) || types.size() != 2 || types[0].bits != 32 || s.operands.size() < 2 ||
      !s.has("v4"))
    return false;
  const std::string& place = s.operands[1];
  if (place.size() < 2 || place.front() != '[' || place.back() != ']')
    return false;
  const std::vector<std::string> inner = split_operands(std::string_view(place).substr(1, place.size() - 2));
  if (inner.size() < 2)
    return false;
  llvm::Value* image = image_of(e, inner.front());
  const std::vector<std::string> at = pieces_of(inner.back());
  if (!image || at.size() < geometry->coordinates)
    return false;
  llvm::Type* of_coordinate = element_type(e.context(), types[1]);
  llvm::Type* of_texel = element_type(e.context(), types[0]);
  if (!of_coordinate || !of_texel || of_coordinate->getPrimitiveSizeInBits() != 32)
    return false;
  const unsigned lanes = geometry->coordinates == 3 ? 4 : geometry->coordinates;
  llvm::Value* coordinates = llvm::Constant::getNullValue(
      lanes == 1 ? of_coordinate : llvm::FixedVectorType::get(of_coordinate, lanes));
  for (unsigned i = 0; i < geometry->coordinates; ++i) {
    llvm::Value* each = e.registers.read(at[i], of_coordinate);
    if (!each)
      return false;
    coordinates = lanes == 1 ? each : e.b.CreateInsertElement(coordinates, each, i);
  }
  const bool buffer = lanes == 1 && of_coordinate->isIntegerTy();
  const std::string name = std::string("image.read.") + (buffer ? "1db" : geometry->name) + "." +
                           lowering::type_suffix(of_texel) + "." + lowering::type_suffix(of_coordinate) +
                           (lanes == 1 ? ".s" : "");
  llvm::Value* made = lowering::call_marker(
      e.b, name, llvm::FixedVectorType::get(of_texel, 4),
      {image, e.b.getInt32(~0U), coordinates, llvm::ConstantFP::get(e.b.getFloatTy(), 0)},
      lowering::MarkerEffect::memory_read);
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  for (std::size_t i = 0; i < results.size() && i < 4; ++i)
    if (!e.registers.write(results[i], e.b.CreateExtractElement(made, i)))
      return false;
  return results.size() == 4;
}

constexpr Operation texture_row_list[] = {
    {"tex", fetch, ".1d, .2d, .3d of four 32-bit values; contents are unknown"},
};

} // namespace

std::span<const Operation> texture_rows() {
  return texture_row_list;
}

} // namespace forewarp::frontend::ptx

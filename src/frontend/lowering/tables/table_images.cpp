// OpenCL 6.12.14: images as texture markers (ir/builtins.h).
// NOT modelled: mip maps, multi-sampling.
#include "frontend/lowering/tables/tables.h"

namespace forewarp::frontend::lowering {

namespace {

using Effect = BuiltinCall::Effect;

/// "ocl_image2d_array_ro" -> "2da"; "" for what is not modelled.
std::string dimension(BuiltinCall& call) {
  if (call.types.empty())
    return {};
  llvm::StringRef text = call.types[0].text;
  if (text.contains("msaa") || text.contains("depth"))
    return {};
  for (auto [word, name] : {std::pair{"image1d_array", "1da"},
                            {"image1d_buffer", "1db"},
                            {"image1d", "1d"},
                            {"image2d_array", "2da"},
                            {"image2d", "2d"},
                            {"image3d", "3d"}})
    if (text.contains(word))
      return name;
  return {};
}

/// read_image{f,i,ui,h}(image, [sampler,] coordinates).
llvm::Value* emit_read(BuiltinCall& call) {
  std::string dim = dimension(call);
  if (dim.empty() || call.count() < 2 || call.count() > 3 || !call.type()->isVectorTy())
    return nullptr;
  bool sampled = call.count() == 3;
  llvm::Value* coordinates = call.arg(call.count() - 1);
  llvm::Value* sampler = sampled ? call.arg(1) : call.b.getInt32(-1);
  std::string name =
      "image.read." + dim + "." + type_suffix(call.type()) + "." + type_suffix(coordinates->getType());
  // Opaque sampler pointers and i32 samplers both occur; the name tells them apart so that a type stays
  // unique.
  name += sampler->getType()->isPointerTy() ? ".p" : "";
  llvm::Value* zero_lod = llvm::ConstantFP::get(call.b.getFloatTy(), 0);
  name += coordinates->getType()->isVectorTy() ? "" : ".s";
  return call.marker(name, call.type(), {call.arg(0), sampler, coordinates, zero_lod}, Effect::memory_read);
}

llvm::Value* emit_write(BuiltinCall& call) {
  std::string dim = dimension(call);
  if (dim.empty() || call.count() != 3)
    return nullptr;
  std::string name = "image.write." + dim + "." + type_suffix(call.arg(2)->getType());
  return call.marker(name, call.b.getVoidTy(), {call.arg(0), call.arg(1), call.arg(2)}, Effect::memory_write);
}

/// A sampler declared in the program: its bits as a pointer.
llvm::Value* emit_sampler(BuiltinCall& call) {
  return call.type()->isPointerTy() ? call.b.CreateIntToPtr(call.arg(0), call.type()) : nullptr;
}

llvm::Value* query(BuiltinCall& call, const char* what) {
  return call.marker(std::string("image.") + what, call.b.getInt32Ty(), {call.arg(0)});
}

llvm::Value* emit_query(BuiltinCall& call) {
  return call.b.CreateZExtOrTrunc(query(call, call.row.word), call.type());
}

llvm::Value* emit_dimensions(BuiltinCall& call) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.type());
  if (!vector)
    return nullptr;
  static constexpr const char* names[] = {"width", "height", "depth"};
  llvm::Value* result = llvm::Constant::getNullValue(vector);
  for (unsigned i = 0; i < vector->getNumElements() && i < 3; ++i)
    result = call.b.CreateInsertElement(result, query(call, names[i]), i);
  return result;
}

constexpr Row image_row_list[] = {
    {"read_imagef", emit_read},
    {"read_imagei", emit_read},
    {"read_imageui", emit_read},
    {"read_imageh", emit_read},
    {"write_imagef", emit_write},
    {"write_imagei", emit_write},
    {"write_imageui", emit_write},
    {"write_imageh", emit_write},
    {"get_image_width", emit_query, 0, "width"},
    {"get_image_height", emit_query, 0, "height"},
    {"get_image_depth", emit_query, 0, "depth"},
    {"get_image_array_size", emit_query, 0, "array_size"},
    {"get_image_channel_data_type", emit_query, 0, "channel_type"},
    {"get_image_channel_order", emit_query, 0, "channel_order"},
    {"get_image_dim", emit_dimensions},
    {"__translate_sampler_initializer", emit_sampler},
};

} // namespace

std::span<const Row> image_rows() {
  return image_row_list;
}

} // namespace forewarp::frontend::lowering

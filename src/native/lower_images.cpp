#include "native/lower_images.h"

#include "native/abi/abi.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace forewarp::native {
namespace {

/// read.<dim>.<texel>.<coordinate>[.s][.b], write.<dim>.<texel>[.s][.b]
struct Marker {
  bool writes = false, counts_bytes = false;
  unsigned axes = 0;
  std::uint32_t texel = 0;
};

std::optional<Marker> parse(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  if (words.size() < 3 || (words[0] != "read" && words[0] != "write"))
    return std::nullopt;
  Marker marker;
  marker.writes = words[0] == "write";
  marker.axes =
      llvm::StringSwitch<unsigned>(words[1]).Cases("1d", "1db", 1).Case("2d", 2).Case("3d", 3).Default(0);
  marker.texel = llvm::StringSwitch<std::uint32_t>(words[2])
                     .Case("f32", static_cast<std::uint32_t>(Texel::f32))
                     .Case("i32", static_cast<std::uint32_t>(Texel::i32))
                     .Case("i16", static_cast<std::uint32_t>(Texel::i16))
                     .Case("i8", static_cast<std::uint32_t>(Texel::i8))
                     .Default(0);
  marker.counts_bytes = llvm::is_contained(words, "b");
  return marker.axes > 0 && marker.texel > 0 ? std::optional(marker) : std::nullopt;
}

/// Slots of a function stand in its entry.
llvm::AllocaInst* slot(llvm::IRBuilder<>& builder, unsigned bytes) {
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  llvm::AllocaInst* made = at.CreateAlloca(llvm::ArrayType::get(at.getInt8Ty(), bytes));
  made->setAlignment(llvm::Align(16));
  return made;
}

} // namespace

llvm::Value* lower_image_marker(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name) {
  const std::optional<Marker> marker = parse(name);
  if (!marker)
    return nullptr;
  llvm::Value* coordinates = call.getArgOperand(marker->writes ? 1 : 2);
  const bool whole = coordinates->getType()->isIntOrIntVectorTy();
  constexpr unsigned word_bytes = 4, places = 4, texel_bytes = 16;
  llvm::AllocaInst *at = slot(builder, places * word_bytes), *texel = slot(builder, texel_bytes);
  for (unsigned k = 0; k < marker->axes; ++k) {
    llvm::Value* one =
        coordinates->getType()->isVectorTy() ? builder.CreateExtractElement(coordinates, k) : coordinates;
    builder.CreateStore(one, builder.CreateConstInBoundsGEP1_64(builder.getInt32Ty(), at, k));
  }
  if (marker->writes)
    builder.CreateStore(call.getArgOperand(2), texel);
  llvm::Type *pointer = builder.getPtrTy(), *word = builder.getInt32Ty();
  auto* type =
      llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer, word, pointer}, false);
  const std::uint32_t how = marker->axes | marker->texel << 4 | (whole ? image_whole : 0U) |
                            (marker->counts_bytes ? image_bytes : 0U) | (marker->writes ? image_writes : 0U);
  llvm::CallInst* made = builder.CreateCall(
      call.getModule()->getOrInsertFunction("forewarp_image", type),
      {call.getFunction()->getArg(0), call.getArgOperand(0), at, builder.getInt32(how), texel});
  return marker->writes ? static_cast<llvm::Value*>(made) : builder.CreateLoad(call.getType(), texel);
}

} // namespace forewarp::native

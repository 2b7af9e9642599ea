#include "frontend/languages/cuda/architecture_use.h"

#include "frontend/languages/cuda/cuda_headers.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace forewarp::frontend {
namespace {

constexpr llvm::StringRef architecture = "__CUDA_ARCH__", relatives = "__CUDA_ARCH_";

class ArchitectureWatch : public clang::PPCallbacks {
public:
  ArchitectureWatch(const clang::SourceManager& sources, bool& asked) : sources_(sources), asked_(asked) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange range,
                    const clang::MacroArgs*) override {
    if (name.getIdentifierInfo()->getName().starts_with(relatives))
      asked_ |= !in_common_header(range.getBegin());
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange) override {
    see_whether_defined(name);
  }
  void Ifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    see_whether_defined(name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    see_whether_defined(name);
  }

private:
  void see_whether_defined(const clang::Token& name) {
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    asked_ |= text.starts_with(relatives) && text != architecture;
  }
  /// What these declare for some architectures only are atomics and functions that Turing lacks, too.
  bool in_common_header(clang::SourceLocation location) const {
    llvm::StringRef file = sources_.getFilename(sources_.getExpansionLoc(location));
    return file.consume_front(own_include_folder) && file.starts_with("/forewarp_cuda/") &&
           !file.ends_with("/async_copy.h");
  }

  const clang::SourceManager& sources_;
  bool& asked_;
};

/// Of a function that is declared from some architecture on, and whose code is one instruction.
bool calls_newer_instruction(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName().starts_with("forewarp.dot4.");
}

bool is_half(const llvm::Type* type) {
  return type->getScalarType()->isHalfTy() || type->getScalarType()->isBFloatTy();
}

} // namespace

void watch_architecture(clang::CompilerInstance& compiler, bool& asked) {
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<ArchitectureWatch>(compiler.getSourceManager(), asked));
}

bool hangs_on_architecture(const llvm::Function& kernel) {
  return std::ranges::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
           calls_newer_instruction(instruction) || is_half(instruction.getType()) ||
           std::ranges::any_of(instruction.operand_values(),
                               [](const llvm::Value* operand) { return is_half(operand->getType()); });
  });
}

} // namespace forewarp::frontend

// PTX files: any bytes end in a module that LLVM's verifier takes, or in an error with words.
#include "frontend/ptx/syntax.h"
#include "frontend/ptx/translation.h"

#include <cstdint>
#include <cstdlib>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = frontend::ptx::read_file_text(text, "fuzz.ptx");
  if (!file) {
    if (file.error().message.empty())
      std::abort();
    return 0;
  }
  llvm::LLVMContext context;
  frontend::lowering::Report report;
  const auto module = frontend::ptx::translate(*file, "fuzz.ptx", context, report);
  if (!module && module.error().message.empty())
    std::abort();
  if (module && llvm::verifyModule(**module))
    std::abort();
  return 0;
}

// LLVM assembly of newer versions: any bytes end in text or in an error, and text without newer words in
// itself.
#include "frontend/newer_ir/rewrite.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::frontend::newer_ir;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto once = in_older_words(text, "fuzz.ll");
  if (!once) {
    if (once.error().message.empty())
      std::abort();
    return 0;
  }
  if (std::count(once->begin(), once->end(), '\n') > std::count(text.begin(), text.end(), '\n'))
    std::abort(); // lines stay where they are
  (void)word_at(text, 1 + static_cast<unsigned>(size % 7), static_cast<unsigned>(size % 13));
  return 0;
}

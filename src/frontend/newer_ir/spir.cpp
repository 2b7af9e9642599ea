#include "frontend/newer_ir/spir.h"

#include <algorithm>

namespace forewarp::frontend::newer_ir {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

bool starts_a_word_for_the_layout(std::string_view line) {
  return line.starts_with("target datalayout") || line.starts_with("target triple");
}

/// A cast between spaces that are one now: "addrspacecast ptr %a to ptr", also inside of a constant.
void make_casts_plain(std::string& line) {
  constexpr std::string_view word = "addrspacecast";
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const std::size_t from = line.find("ptr", at);
    const std::size_t to = line.find(" to ptr", at);
    if (from == std::string::npos || to == std::string::npos)
      return;
    const bool from_generic = line.compare(from, 13, "ptr addrspace") != 0;
    const bool to_generic = line.compare(to + 4, 13, "ptr addrspace") != 0;
    if (from_generic && to_generic)
      line.replace(at, word.size(), "bitcast");
  }
}

} // namespace

bool is_spir(std::string_view triple) {
  return triple.starts_with("spir64") || triple.starts_with("spirv64");
}

std::string spir_in_nvidia_words(std::string_view assembly) {
  std::string out;
  for (std::size_t at = 0; at < assembly.size();) {
    const std::size_t end = std::min(assembly.find('\n', at), assembly.size());
    std::string line(assembly.substr(at, end - at));
    at = end + 1;
    if (starts_a_word_for_the_layout(line)) {
      out += '\n';
      continue;
    }
    replace_all(line, " addrspace(4)", "");
    replace_all(line, "addrspace(2)", "addrspace(4)");
    replace_all(line, "spir_kernel ", "ptx_kernel ");
    replace_all(line, "spir_func ", "");
    make_casts_plain(line);
    out += line + '\n';
  }
  return out;
}

} // namespace forewarp::frontend::newer_ir

#include "frontend/lowering/mangled_name.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <memory>

namespace forewarp::frontend::lowering {

namespace {

struct Free {
  void operator()(char* text) const { std::free(text); }
};
using Text = std::unique_ptr<char, Free>;

SourceType source_type(std::string text) {
  while (!text.empty() && text.front() == ' ')
    text.erase(text.begin());
  SourceType type{text, text.find("unsigned") != std::string::npos || text.find("bool") != std::string::npos};
  return type;
}

/// "(float vector[4], unsigned int)" -> its parts.
llvm::SmallVector<SourceType, 4> split_parameters(std::string text) {
  llvm::SmallVector<SourceType, 4> types;
  if (text.size() < 2 || text == "()")
    return types;
  text = text.substr(1, text.rfind(')') - 1);
  int depth = 0;
  std::string part;
  for (char c : text) {
    depth += (c == '(' || c == '<') - (c == ')' || c == '>');
    if (c == ',' && depth == 0) {
      types.push_back(source_type(part));
      part.clear();
    } else
      part += c;
  }
  types.push_back(source_type(part));
  return types;
}

/// Clang numbers substitutions behind `volatile _Atomic` unlike the demangler: the name can still be read.
std::string length_prefixed_name(llvm::StringRef symbol) {
  std::size_t length = 0;
  if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length) || length > symbol.size())
    return {};
  return symbol.take_front(length).str();
}

} // namespace

BuiltinName parse_builtin_name(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str()) || !demangler.isFunction()) {
    std::string name = length_prefixed_name(symbol);
    return {name.empty() ? symbol : name, {}};
  }
  Text base(demangler.getFunctionBaseName(nullptr, nullptr));
  Text parameters(demangler.getFunctionParameters(nullptr, nullptr));
  if (!base || !parameters)
    return {symbol, {}};
  return {base.get(), split_parameters(parameters.get())};
}

} // namespace forewarp::frontend::lowering

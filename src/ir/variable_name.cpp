#include "ir/variable_name.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>

namespace forewarp::ir {

std::string variable_name(std::string_view symbol, std::string_view kernel_symbol) {
  if (symbol.starts_with("_Z")) {
    std::string readable = llvm::demangle(symbol);
    if (const std::size_t scope = readable.rfind("::"); scope != std::string::npos)
      readable.erase(0, scope + 2);
    return readable;
  }
  if (!kernel_symbol.empty() && symbol.starts_with(kernel_symbol)) {
    const std::string_view rest = symbol.substr(kernel_symbol.size());
    for (const std::string_view separator : {".", "_$_"})
      if (rest.starts_with(separator))
        return std::string(rest.substr(separator.size()));
  }
  return std::string(symbol);
}

std::string function_name(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str()) || !demangler.isFunction())
    return symbol;
  char* text = demangler.getFunctionName(nullptr, nullptr);
  std::string name = text ? text : symbol;
  std::free(text);
  return name;
}

} // namespace forewarp::ir

#include "lift/signature.h"

#include "ir/variable_name.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <optional>

namespace forewarp::lift {
namespace {

using facts::ScalarType;

/// Types between the outer parentheses, at commas of no bracket.
std::vector<std::string> split_types(const std::string& text) {
  std::vector<std::string> types;
  int depth = 0;
  std::string word;
  for (const char c : text) {
    if (c == '(' || c == '<' || c == '[')
      ++depth;
    if (c == ')' || c == '>' || c == ']')
      --depth;
    if (c == ',' && depth == 0) {
      types.push_back(word);
      word.clear();
    } else if (!(c == ' ' && word.empty())) {
      word += c;
    }
  }
  if (!word.empty())
    types.push_back(word);
  return types;
}

/// Empty where the name is not mangled or carries no parameters.
std::vector<std::string> mangled_types(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str()) || !demangler.isFunction())
    return {};
  char* text = demangler.getFunctionParameters(nullptr, nullptr);
  std::string list = text == nullptr ? "" : text;
  std::free(text);
  if (list.size() < 2 || list == "(void)")
    return {};
  return split_types(list.substr(1, list.size() - 2));
}

std::string without_qualifiers(std::string type) {
  for (const char* word : {" const", " volatile", " restrict", " __restrict__"})
    for (std::size_t at = type.find(word); at != std::string::npos; at = type.find(word))
      type.erase(at, std::string(word).size());
  return type;
}

std::optional<ScalarType> scalar_of(const std::string& type) {
  static constexpr std::pair<const char*, ScalarType> names[] = {
      {"char", ScalarType::i8},          {"signed char", ScalarType::i8},
      {"unsigned char", ScalarType::u8}, {"bool", ScalarType::u8},
      {"short", ScalarType::i16},        {"unsigned short", ScalarType::u16},
      {"int", ScalarType::i32},          {"unsigned int", ScalarType::u32},
      {"long", ScalarType::i64},         {"unsigned long", ScalarType::u64},
      {"long long", ScalarType::i64},    {"unsigned long long", ScalarType::u64},
      {"float", ScalarType::f32},        {"double", ScalarType::f64},
      {"__half", ScalarType::f16}};
  for (const auto& [name, scalar] : names)
    if (type == name)
      return scalar;
  return std::nullopt;
}

/// A vector type's element and width: "float4".
void describe_value(const std::string& type, ir::Parameter& parameter, std::uint32_t& bytes) {
  std::string element = type;
  if (!element.empty() && element.back() >= '2' && element.back() <= '4' &&
      scalar_of(element.substr(0, element.size() - 1))) {
    parameter.components = static_cast<std::uint32_t>(element.back() - '0');
    element.pop_back();
  }
  parameter.scalar = scalar_of(element);
  if (parameter.scalar && bytes == 0)
    bytes = static_cast<std::uint32_t>(facts::size_bytes(*parameter.scalar)) * parameter.components;
}

ir::Parameter of_type(const std::string& spelled, std::uint32_t bytes) {
  ir::Parameter parameter;
  parameter.size_bytes = bytes;
  std::string type = spelled;
  if (bytes == 8 && !type.empty() &&
      (type.ends_with("*") || type.ends_with("* restrict") || type.ends_with("* const") ||
       type.ends_with("&"))) {
    type = type.substr(0, type.find_last_of("*&"));
    parameter.is_pointer = true;
    parameter.space = ir::AddressSpace::global;
    parameter.is_const = type.find("const") != std::string::npos;
    type = without_qualifiers(type);
    parameter.type_name = type;
    describe_value(type, parameter, parameter.pointee_bytes);
    return parameter;
  }
  type = without_qualifiers(type);
  parameter.type_name = type;
  std::uint32_t known = bytes;
  describe_value(type, parameter, known);
  return parameter;
}

/// Without a name that tells: what has eight bytes is taken for a pointer.
ir::Parameter of_size(std::uint32_t bytes) {
  ir::Parameter parameter;
  parameter.size_bytes = bytes;
  if (bytes == 8) {
    parameter.is_pointer = true;
    parameter.space = ir::AddressSpace::global;
  } else if (bytes == 4) {
    parameter.scalar = ScalarType::i32;
  }
  return parameter;
}

bool fits(const ir::KernelSignature& known, const std::vector<DeclaredParameter>& declared) {
  if (known.parameters.size() != declared.size())
    return false;
  for (std::size_t p = 0; p < declared.size(); ++p)
    if (!known.parameters[p].is_pointer && known.parameters[p].size_bytes != 0 &&
        known.parameters[p].size_bytes != declared[p].bytes)
      return false;
  return true;
}

/// By its type's name, of the file or of the mangled symbol, else by its size and what the file says it is.
ir::Parameter parameter_of(const DeclaredParameter& declared, const std::string& mangled_type) {
  const std::string& type = declared.type.empty() ? mangled_type : declared.type;
  ir::Parameter parameter = type.empty() ? of_size(declared.bytes) : of_type(type, declared.bytes);
  if (declared.is_value && parameter.is_pointer) {
    parameter = {};
    parameter.size_bytes = declared.bytes;
    parameter.scalar = ScalarType::i64;
  }
  if (declared.is_pointer && !parameter.is_pointer)
    parameter = of_size(declared.bytes);
  if (declared.is_shared) {
    parameter.is_pointer = true;
    parameter.size_bytes = declared.bytes;
    parameter.space = ir::AddressSpace::shared;
  }
  parameter.name = declared.name;
  return parameter;
}

} // namespace

ir::KernelSignature signature_of(const std::string& symbol, const std::vector<DeclaredParameter>& declared,
                                 const std::vector<ir::KernelSignature>& source) {
  ir::KernelSignature signature;
  for (const ir::KernelSignature& known : source)
    if ((known.symbol == symbol || known.name == symbol) && fits(known, declared))
      signature = known;
  signature.symbol = symbol;
  if (signature.name.empty()) {
    signature.name = ir::function_name(symbol);
    const std::vector<std::string> types = mangled_types(symbol);
    for (std::size_t p = 0; p < declared.size(); ++p)
      signature.parameters.push_back(
          parameter_of(declared[p], types.size() == declared.size() ? types[p] : std::string()));
  }
  return signature;
}

ir::KernelSignature signature_of(const sass::Kernel& kernel, const std::vector<ir::KernelSignature>& source) {
  std::vector<DeclaredParameter> declared;
  for (const sass::Parameter& parameter : kernel.parameters)
    declared.push_back({parameter.bytes, {}, {}});
  ir::KernelSignature signature = signature_of(kernel.name, declared, source);
  if (kernel.required_threads[0] != 0)
    signature.required_group_size =
        facts::Dim3{kernel.required_threads[0], kernel.required_threads[1], kernel.required_threads[2]};
  signature.static_shared_bytes = kernel.shared_bytes;
  return signature;
}

} // namespace forewarp::lift

#include "frontend/lowering/ptx/ptx_statement.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace forewarp::frontend::lowering {
namespace {

std::string trimmed(llvm::StringRef text) {
  return text.trim(" \t\n\r").str();
}

/// Without comments; "$$" is LLVM's way to write a dollar.
std::string plain_text(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n')
        ++i;
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
      continue;
    }
    if (i < text.size())
      result += text[i];
  }
  return result;
}

/// At commas outside of braces and brackets.
std::vector<std::string> split_operands(llvm::StringRef text) {
  std::vector<std::string> operands;
  int depth = 0;
  std::string current;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      operands.push_back(trimmed(current));
      current.clear();
    } else {
      current += c;
    }
  }
  if (!trimmed(current).empty())
    operands.push_back(trimmed(current));
  return operands;
}

PtxStatement statement_of(llvm::StringRef text) {
  PtxStatement statement;
  statement.text = text.str();
  if (text.consume_front("@")) {
    statement.unless = text.consume_front("!");
    const std::size_t name_end = std::min(text.find_first_of(" \t\n\r"), text.size());
    statement.predicate = text.take_front(name_end).str();
    text = text.drop_front(name_end).ltrim(" \t\n\r");
  }
  const std::size_t end = std::min(text.find_first_of(" \t\n\r"), text.size());
  llvm::SmallVector<llvm::StringRef, 6> parts;
  text.take_front(end).split(parts, '.');
  statement.operation = text.starts_with(".") ? "." + parts[1].str() : parts.front().str();
  for (std::size_t i = text.starts_with(".") ? 2 : 1; i < parts.size(); ++i)
    statement.modifiers.push_back(parts[i].str());
  statement.operands = split_operands(text.drop_front(end));
  return statement;
}

bool is_type(const std::string& modifier) {
  return modifier == "pred" || (modifier.size() >= 2 && std::strchr("usbf", modifier[0]) &&
                                std::isdigit(static_cast<unsigned char>(modifier[1])));
}

} // namespace

bool PtxStatement::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

unsigned PtxStatement::bits() const {
  const auto type = std::find_if(modifiers.rbegin(), modifiers.rend(), is_type);
  if (type == modifiers.rend())
    return 0;
  return *type == "pred" ? 1 : static_cast<unsigned>(std::strtoul(type->c_str() + 1, nullptr, 10));
}

char PtxStatement::kind() const {
  const auto type = std::find_if(modifiers.rbegin(), modifiers.rend(), is_type);
  return type == modifiers.rend() ? '\0' : type->front();
}

std::vector<PtxStatement> ptx_statements(std::string text) {
  std::vector<PtxStatement> statements;
  const std::string plain = plain_text(text);
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef(plain).split(parts, ';');
  for (const llvm::StringRef part : parts) {
    llvm::StringRef statement = part.trim(" \t\n\r");
    while (statement.starts_with("{") || statement.starts_with("}")) // a scope: no statement begins so
      statement = statement.drop_front().trim(" \t\n\r");
    if (!statement.empty())
      statements.push_back(statement_of(statement));
  }
  return statements;
}

std::vector<std::string> ptx_pieces(const std::string& operand) {
  if (operand.size() < 2 || operand.front() != '{' || operand.back() != '}')
    return {operand};
  return split_operands(llvm::StringRef(operand).drop_front().drop_back());
}

llvm::Value* as_bits(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
  if (!value || value->getType() == type)
    return value;
  if (value->getType()->isPointerTy())
    value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  else if (!value->getType()->isIntegerTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  if (type->isPointerTy())
    return builder.CreateIntToPtr(builder.CreateZExtOrTrunc(value, builder.getInt64Ty()), type);
  llvm::Type* integer = builder.getIntNTy(type->getPrimitiveSizeInBits());
  return builder.CreateBitCast(builder.CreateZExtOrTrunc(value, integer), type);
}

llvm::Value* PtxRegisters::value(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : found->second;
}

bool PtxRegisters::write(const std::string& name, llvm::Value* value) {
  if (!value || !knows(name))
    return false;
  set(name, value);
  return true;
}

llvm::Value* PtxRegisters::number(const std::string& text, llvm::Type* type) {
  const bool single = text.starts_with("0f") || text.starts_with("0F");
  const bool wide = text.starts_with("0d") || text.starts_with("0D");
  std::uint64_t bits = 0;
  if (single || wide) {
    if (llvm::StringRef(text).drop_front(2).getAsInteger(16, bits))
      return nullptr;
    return as_bits(b_, single ? b_.getInt32(static_cast<std::uint32_t>(bits)) : b_.getInt64(bits), type);
  }
  llvm::StringRef digits = llvm::StringRef(text).rtrim("U");
  const bool negative = digits.consume_front("-");
  if (!type->isIntegerTy() || digits.empty() || digits.getAsInteger(0, bits))
    return nullptr;
  return llvm::ConstantInt::get(type, negative ? 0 - bits : bits);
}

llvm::Value* PtxRegisters::special(const std::string& name) {
  namespace intrinsics = llvm::Intrinsic;
  static const std::pair<const char*, llvm::Intrinsic::ID> names[] = {
      {"%laneid", intrinsics::nvvm_read_ptx_sreg_laneid},
      {"%warpid", intrinsics::nvvm_read_ptx_sreg_warpid},
      {"%lanemask_eq", intrinsics::nvvm_read_ptx_sreg_lanemask_eq},
      {"%lanemask_lt", intrinsics::nvvm_read_ptx_sreg_lanemask_lt},
      {"%lanemask_le", intrinsics::nvvm_read_ptx_sreg_lanemask_le},
      {"%lanemask_gt", intrinsics::nvvm_read_ptx_sreg_lanemask_gt},
      {"%lanemask_ge", intrinsics::nvvm_read_ptx_sreg_lanemask_ge},
      {"%tid.x", intrinsics::nvvm_read_ptx_sreg_tid_x},
      {"%ntid.x", intrinsics::nvvm_read_ptx_sreg_ntid_x},
      {"%ctaid.x", intrinsics::nvvm_read_ptx_sreg_ctaid_x},
      {"%nctaid.x", intrinsics::nvvm_read_ptx_sreg_nctaid_x},
      {"%clock", intrinsics::nvvm_read_ptx_sreg_clock},
      {"%clock64", intrinsics::nvvm_read_ptx_sreg_clock64}};
  for (const auto& [known, id] : names)
    if (name == known)
      return b_.CreateIntrinsic(id, {}, {});
  return nullptr;
}

llvm::Value* PtxRegisters::read(const std::string& operand, llvm::Type* type) {
  if (knows(operand))
    return as_bits(b_, value(operand), type);
  if (operand.starts_with("%"))
    return as_bits(b_, special(operand), type);
  return number(operand, type);
}

llvm::Value* PtxRegisters::address(const std::string& operand, unsigned space) {
  if (operand.size() < 3 || operand.front() != '[' || operand.back() != ']')
    return nullptr;
  const auto [name, offset] = llvm::StringRef(operand).drop_front().drop_back().split('+');
  llvm::Value* base = value(trimmed(name));
  std::int64_t bytes = 0;
  if (!base || (!offset.empty() && offset.trim().getAsInteger(0, bytes)))
    return nullptr;
  // Shared memory's addresses are numbers, those of generic pointers are others.
  const llvm::Type* type = base->getType();
  const bool typed = type->isPointerTy() && (type->getPointerAddressSpace() == 3) == (space == 3);
  if (!typed && !type->isIntegerTy(64) && !(space == 3 && type->isIntegerTy(32)))
    return nullptr;
  if (!typed)
    base = as_bits(b_, base, llvm::PointerType::get(b_.getContext(), space));
  return bytes == 0 ? base : b_.CreateConstGEP1_64(b_.getInt8Ty(), base, static_cast<std::uint64_t>(bytes));
}

} // namespace forewarp::frontend::lowering

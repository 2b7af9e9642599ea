// Constant banks: kernel parameters and what the loader puts before them (bank 0), literals and jump tables
// (bank 2), `__constant__` variables (bank 3), addresses of variables (bank 4).
#include "lift/lifter.h"

#include "ir/address_spaces.h"
#include "lift/calls.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace forewarp::lift {
namespace {

/// Before sm_100: where local memory begins among generic addresses, 64 bits.
constexpr std::uint32_t local_window = 0x20;
constexpr unsigned last_with_local_window = 90;
/// Where the parameters lie among generic addresses, 64 bits, and whether the launch has clusters.
struct LaterPlaces {
  std::uint32_t parameter_window = 0, is_in_cluster = 0; ///< 0: there is none
};
constexpr LaterPlaces later_places(unsigned sm) {
  return sm >= 100 ? LaterPlaces{0x348, 0x36c} : sm >= 90 ? LaterPlaces{0x198, 0x140} : LaterPlaces{};
}
/// What we say of the parameters' place: there is no buffer's.
constexpr std::uint64_t parameter_address = 0x7F01'0000'0000;

const std::vector<std::byte>* bytes_of(const sass::Module& module, const sass::Kernel& kernel,
                                       unsigned bank) {
  for (const sass::ConstantBanks* banks : {&kernel.banks, &module.banks})
    if (const auto found = banks->find(bank); found != banks->end())
      return &found->second;
  return nullptr;
}

/// `__constant__` variables of the file, which stand in bank 3.
std::vector<const sass::Variable*> variables_of(const sass::Module& module, unsigned bank) {
  constexpr unsigned user_bank = 3;
  std::vector<const sass::Variable*> variables;
  for (const sass::Variable& variable : module.variables)
    if (bank == user_bank && variable.section == ".nv.constant3" && variable.bytes > 0)
      variables.push_back(&variable);
  return variables;
}

} // namespace

/// Read off the constants that compiled kernels name; sm_75 to sm_89, sm_90, and from sm_100 on.
LoaderPlaces loader_places(unsigned sm) {
  if (sm >= 100)
    return {0x360, 0x370, 0x37c, 0x358, 0x400};
  if (sm >= 90)
    return {0x0, 0xc, 0x28, 0x208, 0x400};
  return {0x0, 0xc, 0x28, 0x118, 0};
}

Value* Lifter::constant(unsigned bank, std::uint32_t offset) {
  if (bank == 0) {
    Value*& known = facts_[offset];
    if (known == nullptr) {
      const llvm::IRBuilder<>::InsertPointGuard back(b);
      b.SetInsertPoint(entry_->getTerminator());
      known = bank0(offset);
    }
    return known;
  }
  const bool writable = bank == 3;
  const std::vector<std::byte>* bytes = bytes_of(machine_code, kernel, bank);
  if (bytes != nullptr && !writable && bank != 4 && offset + 4 <= bytes->size()) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes->data() + offset, sizeof value);
    return word(value);
  }
  if (bank == 4)
    return address_word(offset);
  if (bytes == nullptr) {
    refuse(fmt::format("c[0x{:x}] is not filled in the file", bank));
    return word(0);
  }
  const auto [variable, begin] = constants(bank, offset);
  Value* from = b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), &variable, offset - begin);
  llvm::LoadInst* load = b.CreateAlignedLoad(b.getInt32Ty(), from, llvm::Align(4), true);
  mark(load);
  return load;
}

std::string Lifter::symbol_at(unsigned bank, std::uint32_t offset) const {
  const std::string section = fmt::format(".nv.constant{}", bank);
  for (const sass::Relocation& relocation : machine_code.relocations)
    if (relocation.section == section && (relocation.offset | 4) == (offset | 4))
      return relocation.symbol;
  return {};
}

/// Half of an address: of a variable, or of a function, whose calls are not by their addresses (flow.cpp).
Value* Lifter::address_word(std::uint32_t offset) {
  const std::string symbol = symbol_at(4, offset);
  llvm::GlobalVariable* variable = global_variable(symbol);
  if (variable == nullptr) {
    if (!is_left_out(symbol))
      refuse(symbol.empty() ? std::string("c[0x4] is not filled in the file")
                            : fmt::format("the address of '{}'", symbol));
    return word(0);
  }
  std::int64_t addend = 0;
  for (const sass::Relocation& relocation : machine_code.relocations)
    if (relocation.symbol == symbol && relocation.section == ".nv.constant4" &&
        (relocation.offset | 4) == (offset | 4))
      addend = relocation.addend;
  Value* address =
      b.CreateAdd(b.CreatePtrToInt(variable, b.getInt64Ty()), b.getInt64(static_cast<std::uint64_t>(addend)));
  return (offset & 4) == 0 ? low(address) : high(address);
}

/// A `__device__` variable or a text of the file; null: it is neither. What the host may have written into it
/// is not known; the tables that the compiler's own functions bring along keep their contents.
llvm::GlobalVariable* Lifter::global_variable(const std::string& name) {
  for (const sass::Variable& variable : machine_code.variables) {
    if (variable.name != name || !variable.section.starts_with(".nv.global"))
      continue;
    if (llvm::GlobalVariable* known = module().getNamedGlobal(name))
      return known;
    llvm::Type* type = llvm::ArrayType::get(b.getInt8Ty(), std::max<std::uint32_t>(variable.bytes, 1));
    llvm::Constant* contents = llvm::UndefValue::get(type);
    const std::vector<std::byte>& data = machine_code.global_data;
    const bool own = name.starts_with("__cudart_") && variable.section == ".nv.global.init" &&
                     variable.bytes > 0 && std::uint64_t{variable.offset} + variable.bytes <= data.size();
    if (own)
      contents = llvm::ConstantDataArray::getRaw(
          llvm::StringRef(reinterpret_cast<const char*>(data.data()) + variable.offset, variable.bytes),
          variable.bytes, b.getInt8Ty());
    auto* made =
        new llvm::GlobalVariable(module(), type, own, llvm::GlobalValue::InternalLinkage, contents, name,
                                 nullptr, llvm::GlobalValue::NotThreadLocal, ir::global_space, !own);
    made->setAlignment(llvm::Align(256));
    return made;
  }
  return nullptr;
}

bool Lifter::has_bank(unsigned number) const {
  const std::vector<std::byte>* bytes = bytes_of(machine_code, kernel, number);
  return bytes != nullptr && !bytes->empty();
}

llvm::GlobalVariable& Lifter::new_constants(const std::string& name, llvm::Constant& contents, bool written) {
  auto* variable = new llvm::GlobalVariable(module(), contents.getType(), !written,
                                            llvm::GlobalValue::InternalLinkage, &contents, name, nullptr,
                                            llvm::GlobalValue::NotThreadLocal, ir::constant_space, written);
  variable->setAlignment(llvm::Align(16));
  return *variable;
}

llvm::GlobalVariable& Lifter::bank(unsigned number) {
  const std::string name = fmt::format("c[0x{:x}]{}", number, number == 3 ? "" : "." + kernel.name);
  if (llvm::GlobalVariable* known = module().getNamedGlobal(name))
    return *known;
  const std::vector<std::byte>* bytes = bytes_of(machine_code, kernel, number);
  const std::size_t size = bytes == nullptr ? 0 : bytes->size();
  llvm::Type* type = llvm::ArrayType::get(b.getInt8Ty(), size);
  const bool written_by_host = number == 3;
  llvm::Constant* contents = llvm::UndefValue::get(type);
  if (!written_by_host && bytes != nullptr)
    contents = llvm::ConstantDataArray::getRaw(
        llvm::StringRef(reinterpret_cast<const char*>(bytes->data()), size), size, b.getInt8Ty());
  return new_constants(name, *contents, written_by_host);
}

Lifter::Constants Lifter::constants(unsigned number, std::int64_t offset) {
  for (const sass::Variable* variable : variables_of(machine_code, number))
    if (offset >= variable->offset && offset < std::int64_t{variable->offset} + variable->bytes)
      return {constant_variable(*variable), variable->offset};
  const std::vector<const sass::Variable*> variables = variables_of(machine_code, number);
  if (!variables.empty()) // an index less one begins before its variable
    return {constant_variable(*variables.front()), variables.front()->offset};
  return {bank(number), 0};
}

llvm::GlobalVariable& Lifter::constant_variable(const sass::Variable& variable) {
  if (llvm::GlobalVariable* known = module().getNamedGlobal(variable.name))
    return *known;
  llvm::Type* type = llvm::ArrayType::get(b.getInt8Ty(), variable.bytes);
  return new_constants(variable.name, *llvm::UndefValue::get(type), true);
}

Value* Lifter::indexed_constant(unsigned number, std::int64_t offset, Value* place) {
  const auto at = [&](llvm::GlobalVariable& variable, std::uint32_t begin) {
    return b.CreateGEP(b.getInt8Ty(), &variable, begin == 0 ? place : b.CreateSub(place, word(begin)));
  };
  const auto [nearest, begin] = constants(number, offset);
  Value* found = at(nearest, begin);
  for (const sass::Variable* variable : variables_of(machine_code, number)) {
    if (variable->name == nearest.getName())
      continue;
    Value* inside = b.CreateICmpULT(b.CreateSub(place, word(variable->offset)), word(variable->bytes));
    found = b.CreateSelect(inside, at(constant_variable(*variable), variable->offset), found);
  }
  return found;
}

/// At the entry.
Value* Lifter::bank0(std::uint32_t offset) {
  static constexpr char axes[] = {'x', 'y', 'z'};
  const auto sreg = [&](const char* name, std::uint32_t axis) {
    return call(fmt::format("llvm.nvvm.read.ptx.sreg.{}.{}", name, axes[axis]), b.getInt32Ty(), {});
  };
  if (offset >= kernel.parameter_base && offset < kernel.parameter_base + kernel.parameter_bytes)
    return parameter_word(offset - kernel.parameter_base);
  if (offset >= places.group_size && offset < places.group_size + 12)
    return sreg("ntid", (offset - places.group_size) / 4);
  if (offset >= places.groups && offset < places.groups + 12)
    return sreg("nctaid", (offset - places.groups) / 4);
  if (offset == places.stack)
    return word(kernel.local_bytes);
  if (machine_code.sm <= last_with_local_window && (offset == local_window || offset == local_window + 4)) {
    Value* generic = llvm::cast<llvm::AddrSpaceCastInst>(frame())->getPointerOperand();
    Value* address = b.CreatePtrToInt(generic, b.getInt64Ty());
    return offset == local_window ? low(address) : high(address);
  }
  if (offset == places.descriptor || offset == places.descriptor + 4)
    return word(0);
  if (const std::uint32_t window = later_places(machine_code.sm).parameter_window;
      window != 0 && (offset == window || offset == window + 4))
    return word(offset == window ? parameter_address : parameter_address >> 32);
  if (in_cluster)
    if (Value* found = of_cluster(offset))
      return found;
  refuse(fmt::format("what the loader puts at c[0x0][0x{:x}]", offset));
  return word(0);
}

/// Whether the launch has clusters; on sm_90 their sizes and number, too. Null: something else.
Value* Lifter::of_cluster(std::uint32_t offset) {
  constexpr std::uint32_t sizes = 0x144, groups_in_all = 0x15c, clusters = 0x188;
  static constexpr char axes[] = {'x', 'y', 'z'};
  const auto sreg = [&](const std::string& name) {
    return call("llvm.nvvm.read.ptx.sreg." + name, b.getInt32Ty(), {});
  };
  if (offset == later_places(machine_code.sm).is_in_cluster)
    return b.CreateZExt(b.CreateICmpUGT(sreg("cluster.nctarank"), word(1)), b.getInt32Ty());
  if (machine_code.sm >= 100)
    return nullptr;
  if (offset >= sizes && offset < sizes + 12)
    return sreg(std::string("cluster.nctaid.") + axes[(offset - sizes) / 4]);
  if (offset == groups_in_all)
    return sreg("cluster.nctarank");
  return offset == clusters ? sreg("nclusterid.x") : nullptr;
}

Value* Lifter::parameter_word(std::uint32_t offset) {
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    const sass::Parameter& parameter = kernel.parameters[p];
    const std::uint32_t end = std::uint32_t{parameter.offset} + parameter.bytes;
    if (offset + 4 <= parameter.offset || offset >= end)
      continue;
    // Several small parameters may share a word.
    if (parameter.offset > offset || parameter.bytes < 4) {
      Value* whole = word(0);
      for (std::size_t q = p; q < kernel.parameters.size(); ++q) {
        const sass::Parameter& part = kernel.parameters[q];
        if (part.offset >= offset && part.offset < offset + 4)
          whole = b.CreateOr(
              whole, b.CreateShl(argument_word(static_cast<unsigned>(q), 0), 8 * (part.offset - offset)));
      }
      return whole;
    }
    return argument_word(static_cast<unsigned>(p), offset - parameter.offset);
  }
  return word(0); // between two parameters
}

Value* Lifter::argument_word(unsigned argument, std::uint32_t offset) {
  llvm::Argument* value = function_.getArg(argument);
  if (value->hasByValAttr()) {
    Value* from = b.CreateAddrSpaceCast(value, b.getPtrTy(ir::nvptx_parameter_space));
    from = b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), from, offset);
    return b.CreateAlignedLoad(b.getInt32Ty(), from, llvm::Align(4));
  }
  Value*& bits = arguments_[argument];
  if (bits == nullptr) {
    llvm::Type* type = value->getType();
    if (type->isPointerTy() && type->getPointerAddressSpace() == ir::shared_space)
      bits = b.CreateAdd(
          b.CreateSub(b.CreatePtrToInt(value, b.getInt64Ty()), b.CreatePtrToInt(&shared(), b.getInt64Ty())),
          b.getInt64(places.shared_base));
    else if (type->isPointerTy())
      bits = b.CreatePtrToInt(value, b.getInt64Ty());
    else
      bits = b.CreateZExt(value, type->getIntegerBitWidth() <= 32 ? b.getInt32Ty() : b.getInt64Ty());
  }
  if (bits->getType()->isIntegerTy(32))
    return offset == 0 ? bits : word(0);
  return offset == 0 ? low(bits) : high(bits);
}

Value* Lifter::with_parameters(Value* address) {
  Value* found = address;
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    llvm::Argument* argument = function_.getArg(static_cast<unsigned>(p));
    if (!argument->hasByValAttr())
      continue;
    Value* distance = b.CreateSub(address, b.getInt64(parameter_address + kernel.parameters[p].offset));
    Value* inside = b.CreateICmpULT(distance, b.getInt64(kernel.parameters[p].bytes));
    Value* there = b.CreateAdd(b.CreatePtrToInt(argument, b.getInt64Ty()), distance);
    found = b.CreateSelect(inside, there, found);
  }
  return found;
}

/// All accesses go by their distance from this variable; what the launch adds lies behind it.
llvm::GlobalVariable& Lifter::shared() {
  if (shared_ == nullptr) {
    llvm::Type* type = llvm::ArrayType::get(b.getInt8Ty(), std::max<std::uint32_t>(kernel.shared_bytes, 1));
    shared_ = new llvm::GlobalVariable(module(), type, false, llvm::GlobalValue::InternalLinkage,
                                       llvm::UndefValue::get(type), "shared", nullptr,
                                       llvm::GlobalValue::NotThreadLocal, ir::shared_space);
    shared_->setAlignment(llvm::Align(16));
  }
  return *shared_;
}

llvm::Value* Lifter::frame() {
  if (frame_ == nullptr) {
    const llvm::IRBuilder<>::InsertPointGuard back(b);
    b.SetInsertPoint(entry_, entry_->begin());
    auto* place =
        b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), std::max<std::uint32_t>(kernel.local_bytes, 1)));
    place->setAlignment(llvm::Align(16));
    frame_ = b.CreateAddrSpaceCast(place, b.getPtrTy(ir::local_space));
  }
  return frame_;
}

} // namespace forewarp::lift

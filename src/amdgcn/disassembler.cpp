#include "amdgcn/disassembler.h"

#include "amdgcn/classify.h"
#include "amdgcn/wording.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrDesc.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <mutex>

namespace forewarp::amdgcn {
namespace {

constexpr const char* triple = "amdgcn-amd-amdhsa";

const llvm::Target* amd_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

/// What LLVM needs to read and print instructions of one processor.
struct Tables {
  Tables(const llvm::Target& target, const std::string& cpu, const char* features)
      : registers(target.createMCRegInfo(triple)),
        assembly(target.createMCAsmInfo(*registers, triple, llvm::MCTargetOptions())),
        instructions(target.createMCInstrInfo()),
        processor(target.createMCSubtargetInfo(triple, cpu, features)),
        context(llvm::Triple(triple), assembly.get(), registers.get(), processor.get()),
        reader(target.createMCDisassembler(*processor, context)),
        printer(target.createMCInstPrinter(llvm::Triple(triple), 0, *assembly, *instructions, *registers)) {}
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> processor;
  llvm::MCContext context;
  std::unique_ptr<llvm::MCDisassembler> reader;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

std::string text_of(Tables& tables, const llvm::MCInst& instruction, std::uint64_t address) {
  std::string text;
  llvm::raw_string_ostream out(text);
  tables.printer->printInst(&instruction, address, "", *tables.processor, out);
  for (char& letter : text)
    if (letter == '\t')
      letter = ' ';
  return text.substr(text.find_first_not_of(' '));
}

/// Masks and modes are set long before they count; a carry or a condition is waited for.
bool is_followed(llvm::StringRef name) {
  return !name.starts_with("EXEC") && name != "MODE" && !name.starts_with("FLAT_SCR") && name != "M0";
}

void add_units(const Tables& tables, llvm::MCRegister number, std::vector<std::uint32_t>& units) {
  if (!number.isValid() || !is_followed(tables.registers->getName(number)))
    return;
  for (const auto unit : tables.registers->regunits(number))
    units.push_back(unit);
}

void read_registers(const Tables& tables, const llvm::MCInst& from, Instruction& instruction) {
  const llvm::MCInstrDesc& description = tables.instructions->get(from.getOpcode());
  for (unsigned k = 0; k < from.getNumOperands(); ++k) {
    const llvm::MCOperand& operand = from.getOperand(k);
    if (operand.isImm())
      instruction.immediates.push_back(operand.getImm());
    if (!operand.isReg())
      continue;
    add_units(tables, operand.getReg(),
              k < description.getNumDefs() ? instruction.writes : instruction.reads);
  }
  // A sum that is also written (v_fmac) is read, too, whether or not it is named twice.
  for (unsigned k = description.getNumDefs(); k < description.getNumOperands(); ++k)
    if (const int tied = description.getOperandConstraint(k, llvm::MCOI::TIED_TO);
        tied >= 0 && from.getOperand(static_cast<unsigned>(tied)).isReg())
      add_units(tables, from.getOperand(static_cast<unsigned>(tied)).getReg(), instruction.reads);
  for (const llvm::MCPhysReg each : description.implicit_uses())
    add_units(tables, each, instruction.reads);
  for (const llvm::MCPhysReg each : description.implicit_defs())
    add_units(tables, each, instruction.writes);
}

/// Later assemblers fill the third source of a comparison, which has two, with a constant, that LLVM 19 does
/// not expect there (VOP3, bits 50 to 58).
std::array<std::uint8_t, 8> without_third_source(llvm::ArrayRef<std::uint8_t> from) {
  std::array<std::uint8_t, 8> bytes{};
  std::copy_n(from.begin(), bytes.size(), bytes.begin());
  bytes[6] &= 0x03;
  bytes[7] &= 0xF8;
  return bytes;
}

bool read_one(const Tables& tables, llvm::ArrayRef<std::uint8_t> from, std::uint64_t at, llvm::MCInst& read,
              std::uint64_t& size) {
  const auto is_read = [&](llvm::ArrayRef<std::uint8_t> bytes) {
    return tables.reader->getInstruction(read, size, bytes, at, llvm::nulls()) ==
               llvm::MCDisassembler::Success &&
           size > 0;
  };
  if (is_read(from))
    return true;
  constexpr std::uint8_t vop3_mask = 0xFC, vop3 = 0xD4;
  if (from.size() < 8 || (from[3] & vop3_mask) != vop3)
    return false;
  read.clear();
  return is_read(without_third_source(from));
}

} // namespace

Result<std::vector<Instruction>> disassemble(std::span<const std::uint8_t> code, const std::string& target,
                                             unsigned wave_size) {
  const llvm::Target* amd = amd_target();
  if (amd == nullptr)
    return fail(ErrorCode::unsupported, "this program's LLVM has no AMDGPU back end");
  if (!target.starts_with("gfx") || target.starts_with("gfx6") || target.starts_with("gfx7"))
    return fail(ErrorCode::unsupported,
                fmt::format("LLVM's disassembler does not read machine code of '{}'", target), {},
                "code of gfx8 and later is read");
  // RDNA runs waves of both sizes, GCN and CDNA of 64 lanes only.
  const char* features = !target.starts_with("gfx1") ? ""
                         : wave_size == 64           ? "+wavefrontsize64"
                                                     : "+wavefrontsize32";
  Tables tables(*amd, target, features);
  if (!tables.processor || !tables.processor->isCPUStringValid(target))
    return fail(ErrorCode::unsupported, fmt::format("LLVM does not know the target '{}'", target));
  std::vector<Instruction> instructions;
  constexpr std::uint32_t word_bytes = 4;
  for (std::uint32_t at = 0; at < code.size();) {
    llvm::MCInst read;
    std::uint64_t size = 0;
    Instruction& made = instructions.emplace_back();
    made.offset = at;
    const auto rest = llvm::ArrayRef<std::uint8_t>(code.data() + at, code.size() - at);
    if (!read_one(tables, rest, at, read, size)) {
      made.text = made.mnemonic = ".long";
      at += word_bytes;
      continue;
    }
    made.bytes = static_cast<std::uint32_t>(size);
    made.name = tables.instructions->getName(read.getOpcode()).str();
    made.text = text_of(tables, read, at);
    made.op = classify_amd(made.name, false);
    read_registers(tables, read, made);
    read_wording(made);
    at += made.bytes;
  }
  return instructions;
}

} // namespace forewarp::amdgcn

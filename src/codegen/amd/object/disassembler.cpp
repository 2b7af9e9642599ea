#include "codegen/amd/object/disassembler.h"

#include "codegen/amd/amd_classify.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <fmt/format.h>
#include <memory>
#include <mutex>

namespace forewarp::codegen {
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
  Tables(const llvm::Target& target, const std::string& cpu)
      : registers(target.createMCRegInfo(triple)),
        assembly(target.createMCAsmInfo(*registers, triple, llvm::MCTargetOptions())),
        instructions(target.createMCInstrInfo()), processor(target.createMCSubtargetInfo(triple, cpu, "")),
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

} // namespace

Result<std::vector<CodeObjectLine>> disassemble_amd(std::span<const std::uint8_t> code,
                                                    const std::string& target) {
  const llvm::Target* amd = amd_target();
  if (amd == nullptr)
    return fail(ErrorCode::unsupported, "this program's LLVM has no AMDGPU back end");
  Tables tables(*amd, target);
  if (!tables.processor || !tables.processor->isCPUStringValid(target))
    return fail(ErrorCode::unsupported, fmt::format("LLVM does not know the target '{}'", target));
  std::vector<CodeObjectLine> lines;
  constexpr std::uint64_t word_bytes = 4;
  for (std::uint64_t at = 0; at < code.size();) {
    llvm::MCInst instruction;
    std::uint64_t size = 0;
    const auto rest = llvm::ArrayRef<std::uint8_t>(code.data() + at, code.size() - at);
    if (tables.reader->getInstruction(instruction, size, rest, at, llvm::nulls()) !=
        llvm::MCDisassembler::Success) {
      lines.push_back({at, ".long", std::nullopt});
      at += word_bytes;
      continue;
    }
    const llvm::StringRef name = tables.instructions->getName(instruction.getOpcode());
    lines.push_back({at, text_of(tables, instruction, at), classify_amd(name, false)});
    at += size;
  }
  return lines;
}

} // namespace forewarp::codegen

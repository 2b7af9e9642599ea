#include "amdgcn/lines.h"

#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>

namespace forewarp::amdgcn {
namespace {

using Rows = llvm::DILineInfoTable; ///< by address

std::uint32_t number_of_file(const std::string& name, facts::SourceFiles& files) {
  const auto found = std::ranges::find(files, name);
  if (found != files.end())
    return static_cast<std::uint32_t>(found - files.begin());
  files.push_back(name);
  return static_cast<std::uint32_t>(files.size() - 1);
}

void set_lines(const Rows& rows, Kernel& kernel, facts::SourceFiles& files) {
  std::size_t row = 0;
  for (Instruction& instruction : kernel.instructions) {
    const std::uint64_t address = kernel.address + instruction.offset;
    while (row < rows.size() && rows[row].first <= address)
      ++row;
    if (row == 0)
      continue;
    const llvm::DILineInfo& at = rows[row - 1].second;
    if (at.Line == 0 || at.FileName == llvm::DILineInfo::BadString)
      continue;
    instruction.location.file = number_of_file(at.FileName, files);
    instruction.location.line = at.Line;
    instruction.location.column = at.Column;
  }
}

} // namespace

void read_lines(const llvm::object::ObjectFile& file, Module& module) {
  const auto quiet = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  const auto context = llvm::DWARFContext::create(file, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr,
                                                  "", quiet, quiet);
  if (context == nullptr)
    return;
  const llvm::DILineInfoSpecifier asked(llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                        llvm::DILineInfoSpecifier::FunctionNameKind::None);
  for (Kernel& kernel : module.kernels) {
    if (kernel.instructions.empty())
      continue;
    const Instruction& last = kernel.instructions.back();
    const llvm::object::SectionedAddress first{kernel.address, llvm::object::SectionedAddress::UndefSection};
    set_lines(context->getLineInfoForAddressRange(first, last.offset + last.bytes, asked), kernel, module.files);
  }
}

} // namespace forewarp::amdgcn

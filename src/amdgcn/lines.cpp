#include "amdgcn/lines.h"

#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <iterator>

namespace forewarp::amdgcn {
namespace {

/// From an address on, until the next one's.
struct Row {
  std::uint64_t address = 0;
  facts::SourceLocation location;
};

std::uint32_t number_of_file(const std::string& name, facts::SourceFiles& files) {
  const auto found = std::ranges::find(files, name);
  if (found != files.end())
    return static_cast<std::uint32_t>(found - files.begin());
  files.push_back(name);
  return static_cast<std::uint32_t>(files.size() - 1);
}

/// LLVM's own search for an address trusts the table's order, which a damaged one does not have.
std::vector<Row> rows_of(llvm::DWARFContext& context, facts::SourceFiles& files) {
  std::vector<Row> rows;
  for (const auto& unit : context.compile_units()) {
    const llvm::DWARFDebugLine::LineTable* table = context.getLineTableForUnit(unit.get());
    if (table == nullptr)
      continue;
    const char* folder = unit->getCompilationDir();
    for (const llvm::DWARFDebugLine::Row& from : table->Rows) {
      Row row{from.Address.Address, {}};
      std::string name;
      if (from.EndSequence == 0 && from.Line != 0 &&
          table->getFileNameByIndex(from.File, folder == nullptr ? "" : folder,
                                    llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, name)) {
        row.location.file = number_of_file(name, files);
        row.location.line = from.Line;
        row.location.column = from.Column;
      }
      rows.push_back(row);
    }
  }
  std::ranges::stable_sort(rows, {}, &Row::address);
  return rows;
}

void set_lines(const std::vector<Row>& rows, Kernel& kernel) {
  for (Instruction& instruction : kernel.instructions) {
    const auto behind =
        std::ranges::upper_bound(rows, kernel.address + instruction.offset, {}, &Row::address);
    if (behind != rows.begin())
      instruction.location = std::prev(behind)->location;
  }
}

} // namespace

void read_lines(const llvm::object::ObjectFile& file, Module& module) {
  // What a packed section claims to hold is believed by LLVM, whatever it is.
  for (const llvm::object::SectionRef& section : file.sections())
    if (section.isCompressed())
      return;
  const auto quiet = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  const auto context = llvm::DWARFContext::create(file, llvm::DWARFContext::ProcessDebugRelocations::Ignore,
                                                  nullptr, "", quiet, quiet);
  if (context == nullptr)
    return;
  const std::vector<Row> rows = rows_of(*context, module.files);
  for (Kernel& kernel : module.kernels)
    set_lines(rows, kernel);
}

} // namespace forewarp::amdgcn

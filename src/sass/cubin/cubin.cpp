#include "sass/cubin/attributes.h"
#include "sass/cubin/line_table.h"
#include "sass/program.h"

#include <algorithm>

namespace forewarp::sass {
namespace {

constexpr unsigned oldest_sm = 75;
constexpr unsigned newest_sm = 121;
constexpr std::uint8_t function_symbol = 2;
constexpr std::uint8_t object_symbol = 1;
constexpr const char* text_prefix = ".text.";

/// Bits 8 to 15 of the flags from ABI version 8 on (CUDA 13), bits 0 to 7 before.
unsigned target_of(const Elf& elf) {
  return elf.abi_version >= 8 ? elf.flags >> 8 & 0xff : elf.flags & 0xff;
}

Result<void> check_target(unsigned sm, const std::string& name) {
  if (sm >= oldest_sm && sm <= newest_sm)
    return {};
  return fail(ErrorCode::unsupported, "machine code for sm_" + std::to_string(sm), name,
              sm < oldest_sm ? "targets before sm_75 have another encoding; compile for sm_75 or later"
                             : "sm_75 to sm_121 are known");
}

std::vector<std::byte> copy_of(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

/// "N" of ".nv.constantN" or ".nv.constantN.NAME"; `kernel` is the name behind, empty for the module's.
struct BankName {
  unsigned bank = 0;
  std::string kernel;
};

std::optional<BankName> bank_of(const std::string& section) {
  const std::string prefix = ".nv.constant";
  if (!section.starts_with(prefix))
    return std::nullopt;
  std::size_t at = prefix.size();
  BankName name;
  while (at < section.size() && section[at] >= '0' && section[at] <= '9' && name.bank < 100)
    name.bank = name.bank * 10 + static_cast<unsigned>(section[at++] - '0');
  if (at == prefix.size() || (at < section.size() && section[at] != '.'))
    return std::nullopt;
  if (at < section.size())
    name.kernel = section.substr(at + 1);
  return name;
}

Result<std::vector<Instruction>> decode_all(Bytes bytes, unsigned sm, const std::string& where) {
  std::vector<std::array<std::uint64_t, 2>> words;
  Cursor cursor(bytes);
  while (cursor.left() >= instruction_bytes) {
    const std::uint64_t low = cursor.u64();
    words.push_back({low, cursor.u64()});
  }
  constexpr std::uint64_t nop_number = 0x118;
  while (!words.empty() && (words.back()[0] & 0x1ff) == nop_number)
    words.pop_back();
  std::vector<Instruction> instructions;
  instructions.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto instruction = decode(words[i], static_cast<std::uint32_t>(i * instruction_bytes), sm);
    if (!instruction) {
      instruction.error().where = where;
      return tl::unexpected(instruction.error());
    }
    instructions.push_back(std::move(*instruction));
  }
  return instructions;
}

class Builder {
public:
  Builder(const Elf& elf, const std::string& name) : elf_(elf), name_(name) {}

  Result<Module> build() {
    module_.sm = target_of(elf_);
    FOREWARP_TRY(check_target(module_.sm, name_));
    if (const Section* info = elf_.find(".nv.info")) {
      auto attributes = read_module_attributes(info->bytes, name_);
      FOREWARP_TRY(attributes);
      attributes_ = std::move(*attributes);
    }
    for (std::size_t i = 0; i < elf_.sections.size(); ++i)
      if (elf_.sections[i].name.starts_with(text_prefix))
        FOREWARP_TRY(add_kernel(i));
    if (module_.kernels.empty())
      return fail(ErrorCode::bad_input, "no kernel in the file", name_,
                  "compile a file with a __global__ function");
    add_banks();
    add_variables();
    add_relocations();
    add_tools();
    FOREWARP_TRY(read_line_tables(elf_, name_, module_));
    return std::move(module_);
  }

private:
  Result<void> add_kernel(std::size_t index) {
    const Section& section = elf_.sections[index];
    Kernel kernel;
    kernel.name = section.name.substr(std::string(text_prefix).size());
    const std::string where = name_ + ":" + kernel.name;
    auto instructions = decode_all(section.bytes, module_.sm, where);
    if (instructions)
      kernel.instructions = std::move(*instructions);
    else
      kernel.refused = instructions.error();
    kernel.registers = section.info >> 24;
    for (std::size_t i = 0; i < elf_.symbols.size(); ++i) {
      const Symbol& symbol = elf_.symbols[i];
      if (symbol.section != index || symbol.type != function_symbol)
        continue;
      kernel.symbols.push_back(
          {symbol.name, static_cast<std::uint32_t>(symbol.value), static_cast<std::uint32_t>(symbol.size)});
      if (symbol.name != kernel.name)
        continue;
      const auto number = static_cast<std::uint32_t>(i);
      if (const auto found = attributes_.registers.find(number); found != attributes_.registers.end())
        kernel.registers = found->second;
      if (const auto found = attributes_.stack_bytes.find(number); found != attributes_.stack_bytes.end())
        kernel.local_bytes = found->second;
    }
    std::sort(kernel.symbols.begin(), kernel.symbols.end(),
              [](const CodeSymbol& a, const CodeSymbol& b) { return a.offset < b.offset; });
    if (const Section* shared = elf_.find(".nv.shared." + kernel.name))
      kernel.shared_bytes = static_cast<std::uint32_t>(shared->size);
    if (const Section* info = elf_.find(".nv.info." + kernel.name))
      FOREWARP_TRY(read_kernel_attributes(info->bytes, where, kernel));
    module_.kernels.push_back(std::move(kernel));
    return {};
  }

  void add_banks() {
    for (const Section& section : elf_.sections) {
      const auto bank = bank_of(section.name);
      if (!bank)
        continue;
      if (bank->kernel.empty())
        module_.banks[bank->bank] = copy_of(section.bytes);
      for (Kernel& kernel : module_.kernels)
        if (kernel.name == bank->kernel)
          kernel.banks[bank->bank] = copy_of(section.bytes);
    }
  }

  void add_variables() {
    for (const Symbol& symbol : elf_.symbols)
      if (symbol.type == object_symbol && symbol.section < elf_.sections.size())
        module_.variables.push_back({symbol.name, elf_.sections[symbol.section].name,
                                     static_cast<std::uint32_t>(symbol.value),
                                     static_cast<std::uint32_t>(symbol.size)});
    if (const Section* data = elf_.find(".nv.global.init"))
      module_.global_data = copy_of(data->bytes);
  }

  void add_relocations() {
    for (const ElfRelocation& relocation : elf_.relocations) {
      if (relocation.section >= elf_.sections.size() || relocation.symbol >= elf_.symbols.size())
        continue;
      const std::string& section = elf_.sections[relocation.section].name;
      if (section.find("debug") != std::string::npos)
        continue;
      module_.relocations.push_back({section, static_cast<std::uint32_t>(relocation.offset), relocation.type,
                                     elf_.symbols[relocation.symbol].name, relocation.addend});
    }
  }

  /// The texts of the note: versions and options of the tools.
  void add_tools() {
    const Section* note = elf_.find(".note.nv.tkinfo");
    if (!note)
      return;
    std::string text;
    for (const std::byte byte : note->bytes) {
      const char letter = static_cast<char>(byte);
      if (letter >= ' ' && letter <= '~') {
        text += letter;
        continue;
      }
      constexpr std::size_t shortest = 5; // what is shorter is a number that looks like letters
      if (text.size() >= shortest)
        module_.tools.push_back(text);
      text.clear();
    }
  }

  const Elf& elf_;
  const std::string& name_;
  Module module_;
  ModuleAttributes attributes_;
};

} // namespace

Result<Module> read_cubin(std::span<const std::byte> bytes, const std::string& name) {
  auto elf = read_elf(bytes, name);
  FOREWARP_TRY(elf);
  if (elf->machine != cuda_machine)
    return fail(ErrorCode::bad_input, "an ELF file for another machine than an NVIDIA GPU", name,
                "a cubin is expected; `forewarp sass` finds those inside an object file or program");
  return Builder(*elf, name).build();
}

} // namespace forewarp::sass

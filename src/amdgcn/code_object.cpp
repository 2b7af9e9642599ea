// Layout: "User Guide for AMDGPU Backend" (LLVM), code object V3 and later.
#include "amdgcn/code_object.h"

#include "amdgcn/disassembler.h"
#include "amdgcn/lines.h"
#include "amdgcn/metadata.h"
#include "amdgcn/program.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/AMDHSAKernelDescriptor.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace forewarp::amdgcn {
namespace {

using File = llvm::object::ELF64LEObjectFile;

std::string message_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// Said so that it does not overflow, as LLVM's own check of a note's section does.
bool lies_inside(const File& file, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t file_bytes = file.getELFFile().getBufSize();
  return offset <= file_bytes && bytes <= file_bytes - offset;
}

/// The metadata note's map; empty: there is none.
std::string metadata_of(const File& file) {
  const auto& elf = file.getELFFile();
  auto sections = elf.sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return {};
  }
  std::string found;
  for (const auto& section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE || !lies_inside(file, section.sh_offset, section.sh_size))
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto& note : elf.notes(section, error))
      if (note.getName() == "AMDGPU" && note.getType() == llvm::ELF::NT_AMDGPU_METADATA) {
        const auto bytes = note.getDesc(section.sh_addralign);
        found.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      }
    llvm::consumeError(std::move(error));
  }
  return found;
}

/// Those that LLVM's disassembler reads: gfx8 and later. LLVM's own table ends the program on other numbers.
constexpr std::pair<unsigned, const char*> processors[] = {
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX801, "gfx801"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX802, "gfx802"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX803, "gfx803"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX810, "gfx810"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX900, "gfx900"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX902, "gfx902"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX904, "gfx904"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX906, "gfx906"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX908, "gfx908"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX909, "gfx909"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX90C, "gfx90c"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1010, "gfx1010"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1011, "gfx1011"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1012, "gfx1012"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1030, "gfx1030"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1031, "gfx1031"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1032, "gfx1032"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1033, "gfx1033"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX805, "gfx805"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1035, "gfx1035"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1034, "gfx1034"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A, "gfx90a"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX940, "gfx940"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1100, "gfx1100"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1013, "gfx1013"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1150, "gfx1150"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1103, "gfx1103"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1036, "gfx1036"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1101, "gfx1101"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1102, "gfx1102"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1200, "gfx1200"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1151, "gfx1151"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX941, "gfx941"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX942, "gfx942"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1201, "gfx1201"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX9_GENERIC, "gfx9-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX10_1_GENERIC, "gfx10-1-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX10_3_GENERIC, "gfx10-3-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX11_GENERIC, "gfx11-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1152, "gfx1152"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX12_GENERIC, "gfx12-generic"}};

Result<std::string> processor_of(const File& file, const std::string& path) {
  const unsigned number = file.getPlatformFlags() & llvm::ELF::EF_AMDGPU_MACH;
  for (const auto& [known, name] : processors)
    if (known == number)
      return std::string(name);
  return fail(ErrorCode::unsupported, fmt::format("machine code of processor number 0x{:x}", number), path,
              "code of gfx8 to gfx12 is read");
}

struct Code {
  std::span<const std::uint8_t> bytes;
  std::uint64_t address = 0;
};

/// Bytes of the function or variable of that name.
Code symbol_of(const File& file, const std::string& name) {
  for (const llvm::object::ELFSymbolRef symbol : file.symbols()) {
    auto called = symbol.getName();
    auto section = symbol.getSection();
    auto address = symbol.getAddress();
    if (!called || !section || !address) {
      llvm::consumeError(called.takeError());
      llvm::consumeError(section.takeError());
      llvm::consumeError(address.takeError());
      return {}; // a damaged table may claim billions of entries
    }
    if (*called != name || *section == file.section_end() || symbol.getSize() == 0)
      continue;
    auto contents = (*section)->getContents();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      continue;
    }
    const std::uint64_t from = *address - (*section)->getAddress();
    if (from > contents->size() || symbol.getSize() > contents->size() - from)
      continue;
    return {{contents->bytes_begin() + from, symbol.getSize()}, *address};
  }
  return {};
}

/// What the loader is asked for, of the 64 bytes of a kernel descriptor.
Result<Setup> setup_of(std::span<const std::uint8_t> bytes) {
  namespace hsa = llvm::amdhsa;
  hsa::kernel_descriptor_t descriptor;
  if (bytes.size() < sizeof descriptor)
    return fail(ErrorCode::bad_input, "its kernel descriptor is not in the file");
  std::memcpy(&descriptor, bytes.data(), sizeof descriptor);
  const auto asks = [&](int mask) { return (descriptor.kernel_code_properties & mask) != 0; };
  const std::uint32_t modes = descriptor.compute_pgm_rsrc1, wants = descriptor.compute_pgm_rsrc2;
  Setup setup;
  setup.private_buffer = asks(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER);
  setup.dispatch_pointer = asks(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR);
  setup.queue_pointer = asks(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR);
  setup.argument_pointer = asks(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR);
  setup.dispatch_id = asks(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID);
  setup.flat_scratch = asks(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT);
  setup.private_size = asks(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE);
  setup.private_segment = AMDHSA_BITS_GET(wants, hsa::COMPUTE_PGM_RSRC2_ENABLE_PRIVATE_SEGMENT) != 0;
  setup.user_registers = AMDHSA_BITS_GET(wants, hsa::COMPUTE_PGM_RSRC2_USER_SGPR_COUNT);
  setup.group_x = AMDHSA_BITS_GET(wants, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X) != 0;
  setup.group_y = AMDHSA_BITS_GET(wants, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y) != 0;
  setup.group_z = AMDHSA_BITS_GET(wants, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Z) != 0;
  setup.group_info = AMDHSA_BITS_GET(wants, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_INFO) != 0;
  setup.item_axes = AMDHSA_BITS_GET(wants, hsa::COMPUTE_PGM_RSRC2_ENABLE_VGPR_WORKITEM_ID);
  setup.preloaded_words = AMDHSA_BITS_GET(descriptor.kernarg_preload, hsa::KERNARG_PRELOAD_SPEC_LENGTH);
  setup.preload_offset_words = AMDHSA_BITS_GET(descriptor.kernarg_preload, hsa::KERNARG_PRELOAD_SPEC_OFFSET);
  setup.keeps_fp32_denormals = AMDHSA_BITS_GET(modes, hsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_32) ==
                               hsa::FLOAT_DENORM_MODE_FLUSH_NONE;
  setup.keeps_other_denormals = AMDHSA_BITS_GET(modes, hsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_16_64) ==
                                hsa::FLOAT_DENORM_MODE_FLUSH_NONE;
  return setup;
}

/// Constants that code finds by its own address. Segments without code, by address.
std::vector<std::uint8_t> image_of(const File& file) {
  constexpr std::uint64_t most_bytes = 4U << 20;
  std::vector<std::uint8_t> image;
  auto headers = file.getELFFile().program_headers();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return image;
  }
  for (const auto& header : *headers) {
    if (header.p_type != llvm::ELF::PT_LOAD || (header.p_flags & llvm::ELF::PF_X) != 0 ||
        header.p_vaddr > most_bytes || header.p_filesz > most_bytes ||
        !lies_inside(file, header.p_offset, header.p_filesz))
      continue;
    image.resize(std::max<std::size_t>(image.size(), header.p_vaddr + header.p_filesz));
    // Not memcpy: a segment without bytes may be the first one, of an image that has no memory yet.
    std::copy_n(file.getELFFile().base() + header.p_offset, header.p_filesz, image.data() + header.p_vaddr);
  }
  return image;
}

/// What no kernel of these GPUs has: the note is damaged.
const char* implausible(const Kernel& kernel) {
  constexpr std::uint64_t most_registers = 512, most_lds = 1U << 20, most_scratch = 1U << 24,
                          most_arguments = 1U << 16;
  const facts::CodeObjectKernel& says = kernel.resources;
  if (says.wave_size != 32 && says.wave_size != 64)
    return "its waves have neither 32 nor 64 lanes";
  if (says.vgprs > most_registers || says.agprs > most_registers || says.sgprs > most_registers)
    return "its number of registers";
  if (says.lds_bytes > most_lds || says.scratch_bytes > most_scratch)
    return "its LDS or scratch";
  const bool fit = std::ranges::all_of(kernel.arguments, [](const Argument& argument) {
    return argument.bytes > 0 && argument.bytes <= most_arguments && argument.offset <= most_arguments;
  });
  return fit ? nullptr : "its arguments";
}

Result<void> read_kernel(const File& file, const std::string& target, Kernel& kernel) {
  const Code code = symbol_of(file, kernel.resources.name);
  if (code.bytes.empty()) {
    kernel.refused =
        Error{ErrorCode::bad_input, "the code of '" + kernel.resources.name + "' is not in the file", "", ""};
    return {};
  }
  if (const char* what = implausible(kernel)) {
    kernel.refused =
        Error{ErrorCode::bad_input, fmt::format("the metadata note says nonsense: {}", what), "", ""};
    return {};
  }
  auto instructions = disassemble(code.bytes, target, kernel.resources.wave_size);
  FOREWARP_TRY(instructions);
  kernel.instructions = std::move(*instructions);
  kernel.address = code.address;
  const auto setup = setup_of(symbol_of(file, kernel.resources.symbol).bytes);
  if (setup)
    kernel.setup = *setup;
  else
    kernel.refused = setup.error();
  return {};
}

} // namespace

Result<Module> read_module(std::span<const std::byte> bytes, const std::string& path) {
  const auto part = code_object_in(bytes, "", "", path);
  FOREWARP_TRY(part);
  auto made = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(*part, path));
  if (!made)
    return fail(ErrorCode::bad_input, message_of(made.takeError()), path,
                "the file is cut off or damaged: copy or compile it again");
  const auto* file = llvm::dyn_cast<File>(made->get());
  if (file == nullptr)
    return fail(ErrorCode::bad_input, "no 64-bit ELF file", path);
  Module module;
  auto processor = processor_of(*file, path);
  FOREWARP_TRY(processor);
  module.target = std::move(*processor);
  auto kernels = kernels_of(metadata_of(*file), path);
  FOREWARP_TRY(kernels);
  module.kernels = std::move(*kernels);
  module.image = image_of(*file);
  for (Kernel& kernel : module.kernels)
    FOREWARP_TRY(read_kernel(*file, module.target, kernel));
  read_lines(*file, module);
  return module;
}

Result<CodeObject> read_code_object(std::span<const std::byte> bytes, const std::string& path) {
  auto module = read_module(bytes, path);
  FOREWARP_TRY(module);
  CodeObject object;
  object.target = std::move(module->target);
  for (Kernel& kernel : module->kernels) {
    for (Instruction& instruction : kernel.instructions)
      kernel.resources.lines.push_back({instruction.offset, std::move(instruction.text), instruction.op});
    object.kernels.push_back(std::move(kernel.resources));
  }
  return object;
}

} // namespace forewarp::amdgcn

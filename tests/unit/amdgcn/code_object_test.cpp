// Code objects that LLVM's own back end makes here.
#include "amdgcn/code_object.h"
#include "amdgcn/program.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <cstring>

namespace forewarp::amdgcn {
namespace {

constexpr const char* source = R"(
target triple = "amdgcn-amd-amdhsa"
@part = internal addrspace(3) global [64 x i32] undef
define amdgpu_kernel void @twice(ptr addrspace(1) %a) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr float, ptr addrspace(1) %a, i32 %lane
  %x = load float, ptr addrspace(1) %at
  %word = getelementptr i32, ptr addrspace(3) @part, i32 %lane
  store volatile i32 %lane, ptr addrspace(3) %word
  %y = fadd float %x, %x
  store float %y, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
)";

std::string compiled() {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(source, diagnostic, context);
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget("amdgcn-amd-amdhsa", error);
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine("amdgcn-amd-amdhsa", "gfx90a", "", {}, llvm::Reloc::PIC_));
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile));
  passes.run(*module);
  return bytes.str().str();
}

Result<CodeObject> read(const std::string& bytes) {
  return read_code_object(std::as_bytes(std::span(bytes)), "test.hsaco");
}

TEST(CodeObject, KernelsResourcesAndInstructionsAreRead) {
  const auto object = read(compiled());
  ASSERT_TRUE(object.has_value()) << to_string(object.error());
  EXPECT_EQ(object->target, "gfx90a");
  ASSERT_EQ(object->kernels.size(), 1U);
  const CodeObjectKernel& kernel = object->kernels.front();
  EXPECT_EQ(kernel.name, "twice");
  EXPECT_EQ(kernel.symbol, "twice.kd");
  EXPECT_EQ(kernel.lds_bytes, 256U);
  EXPECT_EQ(kernel.wave_size, 64U);
  EXPECT_EQ(kernel.largest_group, 256U);
  EXPECT_GT(kernel.vgprs, 0U);
  const auto counts = kernel.counts();
  EXPECT_EQ(counts.at(facts::OpClass::load_global), 1U);
  EXPECT_EQ(counts.at(facts::OpClass::store_global), 1U);
  EXPECT_EQ(counts.at(facts::OpClass::store_shared), 1U);
  EXPECT_EQ(counts.at(facts::OpClass::fp32_add), 1U);
  EXPECT_EQ(kernel.resources().static_shared_bytes, 256U);
}

template <typename Number> std::string number(Number value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string bundle_of(const std::string& part) {
  const std::string name = "hipv4-amdgcn-amd-amdhsa--gfx90a";
  const std::uint64_t header = 24 + 8 + 24 + name.size();
  return "__CLANG_OFFLOAD_BUNDLE__" + number<std::uint64_t>(1) + number(header) +
         number<std::uint64_t>(part.size()) + number<std::uint64_t>(name.size()) + name + part;
}

TEST(CodeObject, BundleHoldsOne) {
  const std::string bundle = bundle_of(compiled());
  const auto object = read(bundle);
  ASSERT_TRUE(object.has_value()) << to_string(object.error());
  EXPECT_EQ(object->kernels.size(), 1U);
  EXPECT_FALSE(read(bundle.substr(0, bundle.size() / 2)).has_value());
}

// Headers as clang/Driver/OffloadBundler.h has them: mark, version, method, sizes, hash.
TEST(CodeObject, CompressedBundleIsUnpacked) {
  const std::string bundle = bundle_of(compiled());
  const llvm::ArrayRef plain(reinterpret_cast<const std::uint8_t*>(bundle.data()), bundle.size());
  for (const std::uint16_t method : {0, 1}) {
    const bool is_zstd = method == 1;
    if (!(is_zstd ? llvm::compression::zstd::isAvailable() : llvm::compression::zlib::isAvailable()))
      continue;
    llvm::SmallVector<std::uint8_t, 0> packed;
    if (is_zstd)
      llvm::compression::zstd::compress(plain, packed);
    else
      llvm::compression::zlib::compress(plain, packed);
    const std::string body(packed.begin(), packed.end()), hash(8, '\x5a');
    const auto words = [&](std::uint16_t version) { return "CCOB" + number(version) + number(method); };
    const auto size = static_cast<std::uint32_t>(bundle.size());
    const auto rest = static_cast<std::uint32_t>(body.size());
    const std::string versions[] = {words(1) + number(size) + hash + body,
                                    words(2) + number(24 + rest) + number(size) + hash + body + "behind",
                                    words(3) + number(std::uint64_t{32} + rest) +
                                        number(std::uint64_t{size}) + hash + body};
    for (const std::string& file : versions) {
      const auto object = read(file);
      ASSERT_TRUE(object.has_value()) << to_string(object.error());
      EXPECT_EQ(object->kernels.size(), 1U);
      for (std::size_t cut = 0; cut < 60; ++cut)
        EXPECT_FALSE(read(file.substr(0, cut)).has_value());
    }
    EXPECT_FALSE(read(words(2) + number(24 + rest) + number(UINT32_MAX) + hash + body).has_value());
    EXPECT_FALSE(read(words(4) + number(24 + rest) + number(size) + hash + body).has_value());
  }
  const auto unknown =
      read("CCOB" + number(std::uint16_t{2}) + number(std::uint16_t{7}) + std::string(40, 'x'));
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message, "a bundle compressed by method 7");
}

// Every prefix ends in an answer or an error.
TEST(CodeObject, CutOffFilesAreErrorsAndNoCrash) {
  const std::string whole = compiled();
  for (std::size_t size = 0; size < whole.size(); size += 37)
    static_cast<void>(read(whole.substr(0, size)));
  const auto cut = read(whole.substr(0, 100));
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error().where, "test.hsaco");
  EXPECT_FALSE(cut.error().hint.empty());
  EXPECT_FALSE(read("no code object at all").has_value());
}

// Damaged bytes end in kernels, refusals or errors; among them keys of the note that are no words.
TEST(CodeObject, DamagedFilesAreErrorsAndNoCrash) {
  const std::string whole = compiled();
  for (std::size_t at = 0; at < whole.size(); at += 5)
    for (const char byte : {'\0', '\x81', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = byte;
      static_cast<void>(read(damaged));
    }
}

// Offset and size that together leave 64 bits: LLVM's own check lets them pass, and reads before the file.
TEST(CodeObject, ANoteThatEndsBeforeTheFileBeginsIsNone) {
  std::string bytes = compiled();
  llvm::ELF::Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  bool damaged = false;
  for (unsigned number = 0; number < header.e_shnum; ++number) {
    char* const at = bytes.data() + header.e_shoff + number * sizeof(llvm::ELF::Elf64_Shdr);
    llvm::ELF::Elf64_Shdr section;
    std::memcpy(&section, at, sizeof section);
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    damaged = true;
    section.sh_offset = -std::uint64_t{512};
    section.sh_size = 512;
    std::memcpy(at, &section, sizeof section);
  }
  ASSERT_TRUE(damaged);
  EXPECT_FALSE(read(bytes).has_value());
}

// Its copy has neither a source nor a place: found by fuzzing, seen by the sanitizers.
TEST(CodeObject, ASegmentWithoutBytesIsNoImage) {
  std::string bytes = compiled();
  llvm::ELF::Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  llvm::ELF::Elf64_Phdr segment = {};
  segment.p_type = llvm::ELF::PT_LOAD;
  segment.p_flags = llvm::ELF::PF_R;
  header.e_phoff = bytes.size();
  header.e_phnum = 1;
  header.e_phentsize = sizeof segment;
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.append(reinterpret_cast<const char*>(&segment), sizeof segment);
  const auto module = read_module(std::as_bytes(std::span(bytes)), "test.hsaco");
  ASSERT_TRUE(module.has_value()) << to_string(module.error());
  EXPECT_TRUE(module->image.empty());
}

TEST(CodeObject, DescriptorAndArguments) {
  const std::string bytes = compiled();
  const auto module = read_module(std::as_bytes(std::span(bytes)), "test.hsaco");
  ASSERT_TRUE(module.has_value()) << to_string(module.error());
  const Kernel& kernel = module->kernels.front();
  EXPECT_FALSE(kernel.refused.has_value());
  EXPECT_TRUE(kernel.setup.argument_pointer);
  EXPECT_GE(kernel.setup.user_registers, 2U);
  ASSERT_FALSE(kernel.arguments.empty());
  EXPECT_EQ(kernel.arguments[0].kind, "global_buffer");
  EXPECT_EQ(kernel.arguments[0].bytes, 8U);
  EXPECT_EQ(kernel.instructions.back().mnemonic, "s_endpgm");
}

} // namespace
} // namespace forewarp::amdgcn

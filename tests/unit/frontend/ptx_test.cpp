// PTX files: what is read, and how what cannot be read is told.
#include "frontend/ptx/expansion.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

using namespace forewarp;

std::string with_head(const std::string& body,
                      const std::string& parameters = ".param .u64 out, .param .u32 n") {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(" + parameters + ")\n{\n" + body +
         "\nret;\n}\n";
}

Result<ir::KernelModule> compile_ptx(const std::string& text, const std::string& target = "sm_80") {
  test::TemporaryFile file(text, ".ptx");
  frontend::CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
  request.path = file.path();
  request.target = target;
  return frontend::compile(request);
}

std::string ir_of(const std::string& text) {
  const auto module = compile_ptx(text);
  return module ? test::ir_text(*module) : to_string(module.error());
}

std::string error_of(const std::string& text, const std::string& target = "sm_80") {
  const auto module = compile_ptx(text, target);
  if (!module)
    return module.error().message + " | " + module.error().where + " | " + module.error().hint;
  const auto kernel = frontend::select_kernel(*module, "");
  return kernel ? "" : kernel.error().message + " | " + kernel.error().where;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* saxpy = R"(
  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4+16];
  fma.rn.f32 %f2, %f1, 0f40000000, %f1;
  st.global.f32 [%rd4], %f2;
DONE:
)";

TEST(Ptx, AddressesBecomeIndicesOfPointers) {
  const std::string ir = ir_of(with_head(saxpy));
  EXPECT_TRUE(holds(ir, "define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n)")) << ir;
  EXPECT_TRUE(holds(ir, "getelementptr [4 x i8], ptr addrspace(1) %out")) << ir;
  EXPECT_FALSE(holds(ir, "inttoptr")) << ir;
  EXPECT_FALSE(holds(ir, "alloca")) << ir;
}

TEST(Ptx, ParametersKeepTheirNamesAndGroupSizes) {
  std::string text = with_head(saxpy);
  text.insert(text.find("{\n"), ".reqntid 64, 2, 1\n.minnctapersm 3\n");
  const auto module = compile_ptx(text);
  ASSERT_TRUE(module) << to_string(module.error());
  const ir::KernelSignature& kernel = module->kernels.front();
  ASSERT_EQ(kernel.parameters.size(), 2U);
  EXPECT_EQ(kernel.parameters[0].name, "out");
  EXPECT_TRUE(kernel.parameters[0].is_pointer);
  EXPECT_EQ(kernel.parameters[1].name, "n");
  ASSERT_TRUE(kernel.required_group_size);
  EXPECT_EQ(kernel.required_group_size->y, 2U);
  EXPECT_EQ(kernel.min_groups_per_sm, 3U);
}

// The low half of one word above the high half of another: the assembler permutes bytes once, no shift and no
// mask.
TEST(Ptx, HalvesOfAWordAreAVector) {
  const std::string ir = ir_of(with_head(R"(
  .reg .b16 %rs<5>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.b32 %r1, [%rd2];
  ld.global.b32 %r2, [%rd2+4];
  mov.b32 {%rs1, %rs2}, %r1;
  mov.b32 {%rs3, %rs4}, %r2;
  mov.b32 %r3, {%rs4, %rs1};
  st.global.b32 [%rd2+8], %r3;)"));
  EXPECT_TRUE(holds(ir, "insertelement <2 x i16>") || holds(ir, "shufflevector <2 x i16>")) << ir;
  EXPECT_FALSE(holds(ir, "shl ") || holds(ir, "or ")) << ir;
}

TEST(Ptx, LoopsCountWithPhis) {
  const std::string ir = ir_of(with_head(R"(
  .reg .pred p; .reg .b32 i, s, m; .reg .b64 a, g;
  ld.param.u64 a, [out]; ld.param.u32 m, [n]; cvta.to.global.u64 g, a;
  mov.u32 i, 0; mov.u32 s, 0;
LOOP: .pragma "nounroll";
  add.u32 s, s, i; add.u32 i, i, 1;
  setp.lt.u32 p, i, m; @p bra LOOP;
  st.global.u32 [g], s;)"));
  EXPECT_TRUE(holds(ir, "phi i32")) << ir;
  EXPECT_TRUE(holds(ir, "llvm.loop.unroll.disable")) << ir;
}

TEST(Ptx, SharedVariablesAndBarriers) {
  const std::string ir = ir_of(with_head(R"(
  .shared .align 4 .b8 tile[256];
  .reg .b32 t, a, s, v; .reg .b64 o, g;
  mov.u32 t, %tid.x; shl.b32 a, t, 2; mov.u32 s, tile; add.s32 s, s, a;
  st.shared.u32 [s], t;
  bar.sync 0;
  ld.shared.u32 v, [s+4];
  ld.param.u64 o, [out]; cvta.to.global.u64 g, o; st.global.u32 [g], v;)"));
  EXPECT_TRUE(holds(ir, "getelementptr [4 x i8], ptr addrspace(3) @tile")) << ir;
  EXPECT_TRUE(holds(ir, "llvm.nvvm.barrier0")) << ir;
}

// ptxas 13.0 (nvdisasm): FMUL of the second product, FFMA of the first with its complement; a product that is
// stored, too, stays, and so does a sum with a rounding of its own.
TEST(Ptx, ProductsOfOneUseAreJoinedAsTheAssemblerDoes) {
  const std::string head = ".reg .f32 f<8>; .reg .b64 o, g; ld.param.u64 o, [out]; cvta.to.global.u64 g, o;"
                           "ld.global.f32 f1, [g]; ld.global.f32 f2, [g+4];"
                           "mul.f32 f3, f1, f2; mul.f32 f4, f1, f1;";
  const std::string joined = ir_of(with_head(head + "sub.f32 f5, f3, f4; st.global.f32 [g], f5;"));
  EXPECT_TRUE(holds(joined, "llvm.fma.f32")) << joined;
  EXPECT_FALSE(holds(joined, "fsub")) << joined;
  for (const char* kept : {"sub.f32 f5, f3, f1; st.global.f32 [g], f5; st.global.f32 [g+4], f3;",
                           "sub.rn.f32 f5, f3, f1; st.global.f32 [g], f5;"}) {
    const std::string ir = ir_of(with_head(head + kept));
    EXPECT_TRUE(holds(ir, "fsub")) << ir;
    EXPECT_FALSE(holds(ir, "llvm.fma")) << ir;
  }
}

// A loop that starts at a sum, and a load of the same place behind it: the load has its own offset.
TEST(Ptx, AccessesKeepTheirOffsets) {
  const std::string ir = ir_of(with_head(R"(
  .reg .pred p; .reg .b32 v, w; .reg .b64 a, g, i;
  ld.param.u64 a, [out]; cvta.to.global.u64 g, a; add.s64 i, g, 8;
LOOP: .pragma "nounroll";
  ld.global.u32 v, [i]; add.s64 i, i, -4; setp.ne.u32 p, v, 0; @p bra LOOP;
  ld.global.u32 w, [g+8]; st.global.u32 [g], w;)"));
  const auto first = ir.find("i64 8");
  ASSERT_NE(first, std::string::npos) << ir;
  EXPECT_NE(ir.find("i64 8", first + 1), std::string::npos) << ir;
}

TEST(Ptx, DeviceFunctionsAreInlined) {
  const std::string text = R"(.version 7.0
.target sm_80
.address_size 64
.func (.param .b32 r) twice(.param .b32 x)
{
  .reg .f32 f<3>;
  ld.param.f32 f1, [x];
  add.f32 f2, f1, f1;
  st.param.f32 [r+0], f2;
  ret;
}
.entry k(.param .u64 out)
{
  .reg .f32 f<3>; .reg .b64 o, g;
  ld.param.u64 o, [out]; cvta.to.global.u64 g, o;
  ld.global.f32 f1, [g];
  { // callseq 0, 0
  .param .b32 p0; st.param.f32 [p0+0], f1;
  .param .b32 r0;
  call.uni (r0), twice, (p0);
  ld.param.f32 f2, [r0+0];
  }
  st.global.f32 [g], f2;
  ret;
})";
  const std::string ir = ir_of(text);
  EXPECT_TRUE(holds(ir, "fadd contract float")) << ir;
  EXPECT_FALSE(holds(ir, "alloca")) << ir;
  EXPECT_FALSE(holds(ir, "call void @twice")) << ir;
}

TEST(Ptx, TheGridsBarrierOfTheDeviceLibraryHasABody) {
  const std::string text =
      R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 s) cudaCGSynchronize (.param .b64 g, .param .b32 f);
.visible .entry k(.param .u64 a)
{
  .reg .b64 %rd<3>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [a];
  mov.u64 %rd2, 1;
  mov.u32 %r1, 0;
  { .param .b64 p0; .param .b32 p1; .param .b32 q0; st.param.b64 [p0], %rd2; st.param.b32 [p1], %r1;
    call.uni (q0), cudaCGSynchronize, (p0, p1); ld.param.b32 %r2, [q0]; }
  st.global.u32 [%rd1], %r2;
  ret;
})";
  const std::string ir = ir_of(text);
  EXPECT_TRUE(holds(ir, "forewarp.grid.barrier")) << ir;
  EXPECT_TRUE(holds(ir, "atomicrmw add")) << ir; // the block is counted in
  EXPECT_FALSE(holds(ir, "@cudaCGSynchronize")) << ir;
}

TEST(Ptx, ScopesOfTheSameLabelAreApart) {
  const std::string wait =
      "{ .reg .pred q; mov.u32 i, 0; WAIT: add.u32 i, i, 1; setp.lt.u32 q, i, m; @q bra WAIT; }\n";
  const std::string ir =
      ir_of(with_head(".reg .b32 i, m; .reg .b64 a, g; ld.param.u32 m, [n]; ld.param.u64 a, [out]; "
                      "cvta.to.global.u64 g, a;\n" +
                      wait + "st.global.u32 [g], i;\n" + wait + "st.global.u32 [g+4], i;"));
  EXPECT_TRUE(holds(ir, "define ptx_kernel void @k(ptr addrspace(1)")) << ir;
}

TEST(Ptx, LinesAreThoseOfLocAndElseItsOwn) {
  const auto module = compile_ptx(".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n"
                                  ".entry k(.param .u64 out)\n{\n.reg .b64 a, g; .reg .b32 t;\n.loc 1 77 3\n"
                                  "ld.param.u64 a, [out]; cvta.to.global.u64 g, a; mov.u32 t, %tid.x;\n"
                                  "st.global.u32 [g], t;\nret;\n}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->files.size(), 2U);
  EXPECT_EQ(module->files[1], "a.cu");
}

TEST(Ptx, WhatIsNotModelledIsRefusedByNameAndLine) {
  const std::string error =
      error_of(with_head("  .reg .b64 a; .reg .pred p;\n  istypep.texref p, a;"));
  EXPECT_TRUE(holds(error, "istypep.texref p, a")) << error;
  EXPECT_TRUE(holds(error, ".ptx:7")) << error;
  EXPECT_TRUE(holds(error, "docs/reference/ptx.md lists")) << error;
}

TEST(Ptx, WrongTypesAreTold) {
  std::string error = error_of(with_head("  .reg .b32 a; .reg .b64 w;\n  add.u64 w, a, 1;"));
  EXPECT_TRUE(holds(error, "'a' holds 32 bits, the statement reads 64 bits")) << error;
  error = error_of(with_head("  .reg .f32 a, b;\n  add.u32 b, a, 1;"));
  EXPECT_TRUE(holds(error, "'a' is declared for another type")) << error;
  error = error_of(with_head("  .reg .b32 a;\n  add.u32 a, a, c;"));
  EXPECT_TRUE(holds(error, "'c' is neither declared nor a number")) << error;
  error = error_of(with_head("  .reg .b32 a;\n  ld.param.u32 a, , [n];"));
  EXPECT_TRUE(holds(error, "an operand is missing")) << error;
  error = error_of(with_head("  bra NOWHERE;"));
  EXPECT_TRUE(holds(error, "there is no label 'NOWHERE'")) << error;
}

TEST(Ptx, FilesThatAreCutOffSayWhere) {
  const std::string whole = with_head(saxpy);
  for (std::size_t length = 1; length < whole.size() - 3; length += 7) {
    const std::string error = error_of(whole.substr(0, length));
    EXPECT_FALSE(error.empty()) << length;
  }
  EXPECT_TRUE(holds(error_of(whole.substr(0, whole.find("mad.lo") + 9)), "is the file cut off?"));
}

TEST(Ptx, OtherVersionsTargetsAndFilesAreRefused) {
  std::string text = with_head(saxpy);
  EXPECT_TRUE(holds(error_of("\x7f"
                             "ELF" +
                             text),
                    "machine code, not text"));
  EXPECT_TRUE(holds(error_of(std::string("\x7f"
                                         "ELF\0\0",
                                         6) +
                             text),
                    "binary"));
  EXPECT_TRUE(holds(error_of(text, "sm_70"), "this PTX is for sm_80")) << error_of(text, "sm_70");
  text.replace(text.find("8.0"), 3, "10.2");
  EXPECT_TRUE(holds(error_of(text), "PTX ISA 10.2 is not among those that are read"));
  text.replace(text.find("10.2"), 4, "8.0");
  text.replace(text.find("_size 64"), 8, "_size 32");
  EXPECT_TRUE(holds(error_of(text), "addresses of 32 bits"));
  EXPECT_TRUE(holds(error_of(with_head(".unheard of;")), "unknown directive '.unheard'"));
  EXPECT_TRUE(holds(error_of(with_head(".unheard of;")), "docs/reference/ptx.md lists"));
}

/// Every row of the table stands in the page with its forms, and the page has no other rows.
TEST(Ptx, ThePageListsTheTable) {
  std::ifstream stream(FOREWARP_SOURCE_DIR "/docs/reference/ptx.md");
  std::stringstream page;
  page << stream.rdbuf();
  std::size_t rows = 0;
  for (const frontend::ptx::Operation& row : frontend::ptx::all_operations()) {
    const std::string line = std::string("\n| `") + row.name + "` | " + row.forms + " |\n";
    EXPECT_TRUE(holds(page.str(), line)) << line;
    ++rows;
  }
  std::size_t found = 0;
  for (std::size_t at = page.str().find("\n| `"); at != std::string::npos;
       at = page.str().find("\n| `", at + 1))
    ++found;
  EXPECT_EQ(found, rows);
}

/// tests/ptx/instruction_forms.txt, which tools/check_ptx_forms gives to the vendor's assembler, too.
TEST(Ptx, EveryListedFormIsRead) {
  std::ifstream head_file(FOREWARP_SOURCE_DIR "/tests/ptx/form_head.txt"),
      forms(FOREWARP_SOURCE_DIR "/tests/ptx/instruction_forms.txt");
  std::stringstream head;
  head << head_file.rdbuf();
  std::string line, target;
  std::size_t count = 0;
  while (std::getline(forms, line)) {
    if (line.starts_with("= ")) {
      target = line.substr(2);
    } else if (!line.empty() && line[0] != '#') {
      std::string text = head.str();
      const std::string known = target.size() > 6 ? "sm_90a" : target; // the newest that LLVM 19 knows
      text.replace(text.find("TARGET"), 6, known);
      text.replace(text.find("STATEMENT"), 9, line);
      EXPECT_EQ(error_of(text, known), "") << target << " " << line;
      ++count;
    }
  }
  EXPECT_GT(count, 400U);
}

/// A descriptor that is put together of constants and of bits that only the run knows names its shape all the
/// same.
TEST(Ptx, ShapesOfTensorProductsAreReadFromKnownBits) {
  const auto file = [](const std::string& made) {
    return ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n.reg .pred "
           "%p;\n"
           ".reg .b32 %n, %x, %i, %d;\n.reg .b64 %a, %b;\nld.param.u32 %n, [n];\n" +
           made +
           "\ntcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%d], %a, %b, %i, [%d], [%d], "
           "%p;\nret;\n}\n";
  };
  EXPECT_EQ(error_of(file("and.b32 %x, %n, 0x60000030;\nor.b32 %i, %x, 0x08840480;"), "sm_90a"), "");
  EXPECT_TRUE(holds(error_of(file("or.b32 %i, %n, 0x08840480;"), "sm_90a"), "bits 17 to 28"));
}

} // namespace

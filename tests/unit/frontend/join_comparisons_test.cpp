#include "frontend/passes/join_comparisons.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace forewarp::frontend {
namespace {

std::string joined(const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(text, problem, context);
  if (!module)
    return problem.getMessage().str();
  llvm::Function& function = *module->getFunction("k");
  take_extensions_back(function);
  join_comparisons(function);
  std::string out;
  llvm::raw_string_ostream stream(out);
  function.print(stream);
  return out;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

// The number's own comparison, a copy by its extension, and the opposite that a branch asks for are one.
TEST(JoinComparisons, CopiesAndOppositesOfBranches) {
  const std::string ir = joined(R"(define i32 @k(i32 %x, i32 %n) {
entry:
  %first = icmp slt i32 %x, %n
  br i1 %first, label %a, label %b
a:
  %wide = sext i32 %x to i64
  %back = trunc i64 %wide to i32
  %copy = icmp slt i32 %back, %n
  br i1 %copy, label %b, label %c
b:
  %opposite = icmp sge i32 %x, %n
  br i1 %opposite, label %c, label %d
c:
  ret i32 1
d:
  ret i32 2
})");
  EXPECT_EQ(count(ir, "icmp"), 1U) << ir;
  EXPECT_EQ(count(ir, "trunc"), 0U) << ir;
  EXPECT_NE(ir.find("br i1 %first, label %d, label %c"), std::string::npos) << ir;
}

// One that does not come before on every way stays, and so does an opposite that is a value.
TEST(JoinComparisons, OthersStay) {
  const std::string ir = joined(R"(define i1 @k(i32 %x, i32 %n, i1 %way) {
entry:
  br i1 %way, label %a, label %b
a:
  %one = icmp ult i32 %x, %n
  br i1 %one, label %b, label %c
b:
  %two = icmp ult i32 %x, %n
  ret i1 %two
c:
  %three = icmp uge i32 %x, %n
  ret i1 %three
})");
  EXPECT_EQ(count(ir, "icmp"), 3U) << ir;
}

} // namespace
} // namespace forewarp::frontend

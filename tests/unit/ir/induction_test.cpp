// The paper's three forms of an exit's induction variable (Wang et al., DATE 2019, section III-A2).
#include "ir/loops/induction.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <string>

namespace forewarp::ir {
namespace {

struct Parsed {
  explicit Parsed(const std::string& body) {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString("define void @f(i32 %n, ptr %p) {\n" + body + "\n}\n", error, context);
    EXPECT_NE(module, nullptr) << error.getMessage().str();
    function = module->getFunction("f");
    dominators = std::make_unique<llvm::DominatorTree>(*function);
    loops = std::make_unique<llvm::LoopInfo>(*dominators);
  }
  const llvm::Loop& loop() const { return **loops->begin(); }
  std::optional<ExitTest> test() const { return exit_test(*loop().getExitingBlock(), loop()); }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::Function* function = nullptr;
  std::unique_ptr<llvm::DominatorTree> dominators;
  std::unique_ptr<llvm::LoopInfo> loops;
};

TEST(InductionSearch, BinaryOperation) {
  const Parsed parsed(R"(entry:
  br label %loop
loop:
  %i = phi i32 [ 3, %entry ], [ %next, %loop ]
  %next = add i32 %i, 2
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void)");
  const auto test = parsed.test();
  ASSERT_TRUE(test);
  EXPECT_EQ(test->variable.found, Induction::Found::binary);
  EXPECT_EQ(test->updates_before, 1U);
  EXPECT_EQ(test->variable.update->getName(), "next");
  EXPECT_EQ(test->end->getName(), "n");
  EXPECT_TRUE(test->stays_where_true);
}

TEST(InductionSearch, Phi) {
  const Parsed parsed(R"(entry:
  br label %head
head:
  %i = phi i32 [ 1, %entry ], [ %next, %body ]
  %done = icmp sgt i32 %i, %n
  br i1 %done, label %out, label %body
body:
  %next = shl i32 %i, 1
  br label %head
out:
  ret void)");
  const auto test = parsed.test();
  ASSERT_TRUE(test);
  EXPECT_EQ(test->variable.found, Induction::Found::phi);
  EXPECT_EQ(test->updates_before, 0U);
  EXPECT_FALSE(test->stays_where_true);
}

TEST(InductionSearch, Load) {
  const Parsed parsed(R"(entry:
  %i = alloca i32
  store i32 5, ptr %i
  br label %head
head:
  %now = load i32, ptr %i
  %more = icmp ne i32 %now, %n
  br i1 %more, label %body, label %out
body:
  %old = load i32, ptr %i
  %next = sub i32 %old, 1
  store i32 %next, ptr %i
  br label %head
out:
  ret void)");
  const auto test = parsed.test();
  ASSERT_TRUE(test);
  EXPECT_EQ(test->variable.found, Induction::Found::load);
  EXPECT_EQ(test->updates_before, 0U);
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(test->variable.start)->getSExtValue(), 5);
}

// The step is loaded anew in each iteration: it is not fixed.
TEST(InductionSearch, NoVariable) {
  const Parsed parsed(R"(entry:
  br label %loop
loop:
  %i = phi i32 [ 3, %entry ], [ %next, %loop ]
  %read = load i32, ptr %p
  %next = add i32 %i, %read
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void)");
  EXPECT_FALSE(parsed.test());
}

} // namespace
} // namespace forewarp::ir

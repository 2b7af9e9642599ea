// Rows of a tile whose numbers have another use, too.
#include "frontend/passes/share_row_bases.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace forewarp::frontend {
namespace {

/// What becomes of a loop's rows; "" if the result is broken.
std::string shared(const std::string& entry, const std::string& loop, const std::string& exit) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(
      "define void @k(i32 %lane, i32 %n, ptr %p, i1 %c) {\nentry:\n" + entry + "\nbr label %loop\nloop:\n" +
          loop + "\nbr i1 %c, label %loop, label %exit\nexit:\n" + exit + "\nret void\n}\n",
      problem, context);
  if (!module)
    return problem.getMessage().str();
  share_row_bases(*module->getFunction("k"));
  std::string out;
  llvm::raw_string_ostream stream(out);
  if (!llvm::verifyModule(*module, &stream))
    module->getFunction("k")->print(stream);
  return out;
}

const std::string lane_row = "%high = and i32 %lane, 120\n%known = and i32 %lane, 127\n";
const std::string first_row = "%product = shl nuw nsw i32 %row, 3\n%index = zext nneg i32 %product to i64\n"
                              "%at = getelementptr float, ptr %p, i64 %index\nstore float 0.0, ptr %at";
const std::string last_use = "%line = mul i32 %row, %n\nstore i32 %line, ptr %p";

// The row itself is multiplied in the loop; row + 1 is made where it is used again.
TEST(ShareRowBases, RowsWithAnotherUse) {
  const std::string ir = shared(lane_row + "%row = or disjoint i32 %high, 1", first_row, last_use);
  EXPECT_NE(ir.find("shl nuw nsw i32 %high, 3"), std::string::npos) << ir;
  EXPECT_NE(ir.find(", 8\n"), std::string::npos) << ir;
  EXPECT_GT(ir.find("or disjoint i32 %high, 1"), ir.find("exit:")) << ir;
}

// `x | 7` is the row `x & 120` and 7, where x has no more bits.
TEST(ShareRowBases, TheLastRowThatTookTheMasksPlace) {
  const std::string ir = shared("%few = and i32 %lane, 127\n%high = and i32 %few, 120\n%row = or i32 %few, 7",
                                first_row, last_use);
  EXPECT_NE(ir.find("shl nuw nsw i32 %high, 3"), std::string::npos) << ir;
  const std::string more = shared("%high = and i32 %lane, 120\n%row = or i32 %lane, 7", first_row, last_use);
  EXPECT_NE(more.find("shl nuw nsw i32 %row, 3"), std::string::npos) << more;
}

// One other use in the loop keeps the row's number there.
TEST(ShareRowBases, ARowThatTheLoopNeeds) {
  const std::string ir =
      shared(lane_row, "%row = add nuw nsw i32 %high, 3\n" + first_row + "\n" + last_use, "");
  EXPECT_NE(ir.find("shl nuw nsw i32 %high, 3"), std::string::npos) << ir;
  EXPECT_LT(ir.find("add nuw nsw i32 %high, 3"), ir.find("exit:")) << ir;
}

// A row that adds a column of its own shares no base; one that adds the column of another does.
TEST(ShareRowBases, RowsWithColumns) {
  const std::string at = "%product = shl nuw nsw i32 %row, 3\n%sum = add nuw nsw i32 %product, %n\n"
                         "%index = zext nneg i32 %sum to i64\n%at = getelementptr float, ptr %p, i64 %index\n"
                         "store float 0.0, ptr %at";
  const std::string row = lane_row + "%row = or disjoint i32 %high, 1";
  EXPECT_EQ(shared(row, at, last_use).find("i32 %high, 3"), std::string::npos);
  const std::string other = "\n%first = shl nuw nsw i32 %high, 3\n%beside = add nuw nsw i32 %first, %n";
  EXPECT_NE(shared(row, at + other, last_use).find(", 8\n"), std::string::npos);
}

// What may wrap, and what is no index, stays.
TEST(ShareRowBases, OthersStay) {
  const std::string wraps = "%product = shl i32 %row, 3\n%index = zext i32 %product to i64\n"
                            "%at = getelementptr float, ptr %p, i64 %index\nstore float 0.0, ptr %at";
  const std::string number = "%product = shl nuw nsw i32 %row, 3\nstore i32 %product, ptr %p";
  for (const std::string& loop : {wraps, number}) {
    const std::string ir = shared(lane_row + "%row = or disjoint i32 %high, 1", loop, last_use);
    EXPECT_EQ(ir.find("i32 %high, 3"), std::string::npos) << ir;
  }
}

} // namespace
} // namespace forewarp::frontend

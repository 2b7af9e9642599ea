// What a group's code rests on: which values all of its work-items have in common, and between which bounds
// an address lies.
#include "native/group/intervals.h"
#include "native/group/uniform.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace forewarp::native {
namespace {

/// A work-item's function: (group, arguments, x, y, z).
class Item {
public:
  explicit Item(const std::string& body) {
    llvm::SMDiagnostic wrong;
    module_ = llvm::parseAssemblyString(
        "declare void @wait()\n@memory = global i32 0\n"
        "define void @item(ptr %group, ptr %arguments, i32 %x, i32 %y, i32 %z) {\n" +
            body + "}\n",
        wrong, context_);
    if (!module_)
      throw std::runtime_error(wrong.getMessage().str());
    function_ = module_->getFunction("item");
  }

  llvm::Value& value(const std::string& name) {
    for (llvm::Argument& each : function_->args())
      if (each.getName() == name)
        return each;
    for (llvm::Instruction& at : llvm::instructions(*function_))
      if (at.getName() == name)
        return at;
    throw std::runtime_error("no value " + name);
  }

  /// `barriers`: names of blocks that end where items wait.
  Uniformity uniformity(const std::vector<std::string>& barriers) {
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& block : *function_)
      if (std::find(barriers.begin(), barriers.end(), block.getName()) != barriers.end())
        blocks.push_back(&block);
    return uniformity_of(*function_, blocks);
  }

  struct Bounds {
    bool found = false, sound = false;
    std::int64_t least = 0, most = 0;
  };
  /// Of a group of 64 x 4 x 1 items; %n is 10 in all of them.
  Bounds bounds(const std::string& name) {
    llvm::Function* code =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context_), false),
                               llvm::GlobalValue::InternalLinkage, "code", *module_);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "", code));
    llvm::DenseMap<const llvm::Value*, llvm::Value*> same;
    for (llvm::Instruction& at : llvm::instructions(*function_))
      if (at.getName() == "n")
        same[&at] = builder.getInt32(10);
    Intervals intervals(builder, *function_, same,
                        {builder.getInt32(64), builder.getInt32(4), builder.getInt32(1)});
    const auto interval = intervals.of(value(name));
    Bounds out;
    out.found = interval.has_value();
    if (interval) {
      out.least = number(interval->least);
      out.most = number(interval->most);
      out.sound = number(intervals.sound()) != 0;
    }
    return out;
  }

private:
  /// What code on constants gives.
  std::int64_t number(llvm::Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(folded(value));
    if (!constant)
      throw std::runtime_error("no constant");
    return constant->getSExtValue();
  }
  llvm::Constant* folded(llvm::Value* value) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value))
      return constant;
    auto& at = llvm::cast<llvm::Instruction>(*value);
    std::vector<llvm::Constant*> operands;
    for (llvm::Value* operand : at.operands())
      operands.push_back(folded(operand));
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&at))
      return llvm::ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1],
                                                   module_->getDataLayout());
    return llvm::ConstantFoldInstOperands(&at, operands, module_->getDataLayout());
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::Function* function_ = nullptr;
};

constexpr const char* argument = "%n = load i32, ptr %arguments, !invariant.load !0\n";

Item straight(const std::string& lines) {
  return Item(argument + lines + "ret void\n}\n!0 = !{}\ndefine void @end() {\nret void\n");
}

void expect(const Item::Bounds& bounds, std::int64_t least, std::int64_t most) {
  EXPECT_TRUE(bounds.found);
  EXPECT_TRUE(bounds.sound);
  EXPECT_EQ(bounds.least, least);
  EXPECT_EQ(bounds.most, most);
}

TEST(Intervals, IdsGoFromZeroToTheGroupsSize) {
  Item item = straight("%both = add i32 %x, %y\n");
  expect(item.bounds("x"), 0, 63);
  expect(item.bounds("z"), 0, 0);
  expect(item.bounds("both"), 0, 66);
}

TEST(Intervals, ProductsDifferencesAndShiftsOfIds) {
  Item item = straight("%row = mul i32 %y, %n\n%at = add i32 %row, %x\n%back = sub i32 %n, %x\n"
                       "%turned = mul i32 %x, -3\n%four = shl i32 %x, 2\n%half = lshr i32 %x, 1\n"
                       "%low = and i32 %back, 7\n");
  expect(item.bounds("at"), 0, 3 * 10 + 63);
  expect(item.bounds("back"), 10 - 63, 10);
  expect(item.bounds("turned"), -189, 0);
  expect(item.bounds("four"), 0, 252);
  expect(item.bounds("half"), 0, 31);
  expect(item.bounds("low"), 0, 7);
}

TEST(Intervals, WhatLeavesItsTypeIsNotSound) {
  Item item =
      straight("%far = mul i32 %x, 100000000\n"
               "%back = sub i32 %n, %x\n%wide = zext i32 %back to i64\n%shifted = lshr i32 %back, 1\n");
  EXPECT_FALSE(item.bounds("far").sound) << "63 * 10^8 is no i32";
  EXPECT_FALSE(item.bounds("wide").sound) << "a negative number becomes a large one";
  EXPECT_FALSE(item.bounds("shifted").sound);
}

TEST(Intervals, NumbersBeyondANarrowTypeAreNotSound) {
  Item item =
      straight("%four = shl i32 %x, 2\n%narrow = trunc i32 %four to i8\n%fits = trunc i32 %x to i8\n");
  EXPECT_FALSE(item.bounds("narrow").sound);
  expect(item.bounds("fits"), 0, 63);
}

TEST(Intervals, WhatMemoryHoldsHasNone) {
  Item item =
      straight("%held = load i32, ptr @memory\n%at = add i32 %held, %x\n%float = sitofp i32 %x to float\n"
               "%joined = or i32 %x, %y\n%apart = or disjoint i32 %x, %y\n");
  EXPECT_FALSE(item.bounds("at").found);
  EXPECT_FALSE(item.bounds("float").found);
  EXPECT_FALSE(item.bounds("joined").found) << "bits that both have do not add up";
  expect(item.bounds("apart"), 0, 66);
}

TEST(Uniformity, IdsAndMemoryDifferArgumentsDoNot) {
  Item item(
      "entry:\n" + std::string(argument) +
      "%twice = mul i32 %n, 2\n%at = add i32 %x, %n\n%held = load i32, ptr @memory\n%sum = add i32 %held, 1\n"
      "call void @wait()\nbr label %after\nafter:\nret void\n}\n!0 = !{}\ndefine void @end() {\nret void\n");
  const Uniformity found = item.uniformity({"entry"});
  for (const char* name : {"x", "y", "z", "at", "held", "sum"})
    EXPECT_TRUE(found.divergent.contains(&item.value(name))) << name;
  for (const char* name : {"n", "twice"})
    EXPECT_FALSE(found.divergent.contains(&item.value(name))) << name;
  EXPECT_TRUE(found.together);
  EXPECT_FALSE(found.some_leave);
}

/// A barrier behind `if (condition)`, and in one of its arms.
constexpr const char* branches = "br i1 %condition, label %left, label %right\n"
                                 "left:\nbr label %meet\nright:\nbr label %meet\n"
                                 "meet:\n%chosen = phi i32 [ 1, %left ], [ 2, %right ]\n"
                                 "call void @wait()\nbr label %after\nafter:\nret void\n}\n"
                                 "!0 = !{}\ndefine void @end() {\nret void\n";

TEST(Uniformity, WaysThatMeetBeforeTheBarrierKeepItemsTogether) {
  Item item("entry:\n%condition = icmp ult i32 %x, 7\n" + std::string(branches));
  const Uniformity found = item.uniformity({"meet"});
  EXPECT_TRUE(found.together);
  EXPECT_TRUE(found.divergent.contains(&item.value("chosen"))) << "items come by different ways";
}

TEST(Uniformity, ACommonConditionLeavesValuesCommon) {
  Item item("entry:\n" + std::string(argument) + "%condition = icmp ult i32 %n, 7\n" + branches);
  const Uniformity found = item.uniformity({"meet"});
  EXPECT_TRUE(found.together);
  EXPECT_FALSE(found.divergent.contains(&item.value("chosen")));
}

TEST(Uniformity, ABarrierThatOnlySomeComeToPartsThem) {
  Item item("entry:\n%condition = icmp ult i32 %x, 7\n" + std::string(branches));
  EXPECT_FALSE(item.uniformity({"left", "meet"}).together);
}

TEST(Uniformity, SomeEndWhileOthersWait) {
  Item item("entry:\n%condition = icmp ult i32 %x, 7\nbr i1 %condition, label %stay, label %leave\n"
            "stay:\ncall void @wait()\nbr label %leave\nleave:\nret void\n");
  const Uniformity found = item.uniformity({"stay"});
  EXPECT_TRUE(found.together);
  EXPECT_TRUE(found.some_leave);
}

TEST(Uniformity, LoopsOfUnlikeLengthsGiveUnlikeValues) {
  Item item(
      "entry:\nbr label %loop\nloop:\n%k = phi i32 [ 0, %entry ], [ %next, %loop ]\n%next = add i32 %k, 1\n"
      "%again = icmp ult i32 %next, %x\nbr i1 %again, label %loop, label %meet\n"
      "meet:\n%last = add i32 %next, 0\ncall void @wait()\nbr label %after\nafter:\nret void\n");
  const Uniformity found = item.uniformity({"meet"});
  EXPECT_TRUE(found.together);
  EXPECT_TRUE(found.divergent.contains(&item.value("last"))) << "each item leaves after its own rounds";
}

} // namespace
} // namespace forewarp::native

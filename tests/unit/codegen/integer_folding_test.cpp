// Integer operations of three inputs, as ptxas 13.0 makes them for sm_75 to sm_90 (hashes, counted in their
// machine code).
#include "ir_fixture.h"

namespace forewarp::codegen::testing {
namespace {

using Mix = std::map<std::string, int>;

constexpr const char* folded_parameters = "ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c, i32 %d";
constexpr const char* funnel = "declare i32 @llvm.fshl.i32(i32, i32, i32)\n";

gpu::Machine kepler_like() {
  gpu::Machine machine = volta_like();
  machine.compiler.three_input_alu = false;
  return machine;
}

Mix mix_of(const std::string& body, const gpu::Machine& machine = volta_like(),
           const char* with = folded_parameters) {
  return mix(lower_text(with, body + "\n  ret void", funnel, machine).blocks[0]);
}

TEST(IntegerFolding, any_function_of_three_values_is_one_operation) {
  const std::string majority = R"(
  %x = xor i32 %a, %b
  %y = and i32 %x, %c
  %z = and i32 %a, %b
  %m = or i32 %y, %z
  store i32 %m, ptr addrspace(1) %p)";
  EXPECT_EQ(mix_of(majority)["int_logic"], 1);
  EXPECT_EQ(mix_of(majority, kepler_like())["int_logic"], 4);
}

TEST(IntegerFolding, a_fourth_value_takes_a_second_operation) {
  EXPECT_EQ(mix_of(R"(
  %x = xor i32 %a, %b
  %y = and i32 %x, %c
  %z = or i32 %y, %d
  store i32 %z, ptr addrspace(1) %p)")["int_logic"],
            2);
}

TEST(IntegerFolding, what_two_users_can_take_in_is_made_in_each) {
  EXPECT_EQ(mix_of(R"(
  %n = xor i32 %a, -1
  %x = and i32 %n, %b
  %y = or i32 %n, %c
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 %x, ptr addrspace(1) %p
  store i32 %y, ptr addrspace(1) %q)")["int_logic"],
            2);
}

TEST(IntegerFolding, what_is_stored_as_well_is_made_once) {
  EXPECT_EQ(mix_of(R"(
  %x = and i32 %a, %b
  %y = or i32 %x, %c
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 %x, ptr addrspace(1) %p
  store i32 %y, ptr addrspace(1) %q)")["int_logic"],
            2);
}

TEST(IntegerFolding, a_factor_with_one_more_is_the_addend) {
  Mix product = mix_of(R"(
  %n = add i32 %a, 1
  %m = mul i32 %b, %n
  store i32 %m, ptr addrspace(1) %p)");
  EXPECT_EQ(product["int_mul"], 1);
  EXPECT_EQ(product["int_add"], 0);
  Mix with_more = mix_of(R"(
  %n = add i32 %a, 1
  %m = mul i32 %b, %n
  %s = add i32 %m, %c
  store i32 %s, ptr addrspace(1) %p)");
  EXPECT_EQ(with_more["int_mul"] + with_more["int_add"], 2);
  Mix shared_with_a_sum = mix_of(R"(
  %n = add i32 %a, 1
  %m = mul i32 %b, %n
  %s = add i32 %m, %n
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 %s, ptr addrspace(1) %p
  store i32 %m, ptr addrspace(1) %q)");
  EXPECT_EQ(shared_with_a_sum["int_mul"] + shared_with_a_sum["int_add"], 2);
  Mix two_more = mix_of(R"(
  %n = add i32 %a, 2
  %m = mul i32 %b, %n
  store i32 %m, ptr addrspace(1) %p)");
  EXPECT_EQ(two_more["int_mul"] + two_more["int_add"], 2);
}

TEST(IntegerFolding, a_rotation_goes_into_the_addition_after_it) {
  const std::string turned = R"(
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 7)
  %s = add i32 %r, %b
  store i32 %s, ptr addrspace(1) %p)";
  EXPECT_EQ(mix_of(turned)["int_shift"], 0);
  EXPECT_EQ(mix_of(turned)["int_add"], 1);
  EXPECT_EQ(mix_of(turned, kepler_like())["int_shift"], 1);
  const std::string by_a_value = R"(
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %c)
  %s = add i32 %r, %b
  store i32 %s, ptr addrspace(1) %p)";
  EXPECT_EQ(mix_of(by_a_value)["int_shift"], 1);
}

TEST(IntegerFolding, three_long_values_are_added_in_two_operations) {
  const char* longs = "ptr addrspace(1) %p, i64 %a, i64 %b, i64 %c";
  const std::string sum = R"(
  %x = add i64 %a, %b
  %y = add i64 %x, %c
  store i64 %y, ptr addrspace(1) %p)";
  EXPECT_EQ(mix_of(sum, volta_like(), longs)["int_add"], 2);
  EXPECT_EQ(mix_of(sum, kepler_like(), longs)["int_add"], 4);
  EXPECT_EQ(mix_of(R"(
  %x = xor i64 %a, %b
  %y = and i64 %x, %c
  store i64 %y, ptr addrspace(1) %p)",
                   volta_like(), longs)["int_logic"],
            2);
}

TEST(IntegerFolding, three_adds_are_three_where_none_takes_three_inputs) {
  const std::string sum = R"(
  %x = add i32 %a, %b
  %y = add i32 %x, %c
  %z = add i32 %y, %d
  store i32 %z, ptr addrspace(1) %p)";
  EXPECT_EQ(mix_of(sum)["int_add"], 2);
  EXPECT_EQ(mix_of(sum, kepler_like())["int_add"], 3);
}

// The stack pointer's move and the xor keep the integer pipe for two cycles: two additions go to the other
// one.
TEST(IntegerFolding, plain_additions_go_to_the_pipe_that_has_less_to_do) {
  gpu::Machine machine = volta_like();
  machine.units.resize(2);
  machine.compiler.adds_on_lighter_pipe = true;
  for (const facts::OpClass op : {facts::OpClass::int_mul, facts::OpClass::fp32_fma})
    machine.ops[static_cast<std::size_t>(op)].unit = 1;
  const std::string sums = R"(
  %x = xor i32 %a, %b
  %u = add i32 %a, %b
  %v = add i32 %c, %d
  %w = add i32 %x, %d
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  %r = getelementptr i32, ptr addrspace(1) %p, i64 2
  store i32 %u, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(1) %q
  store i32 %w, ptr addrspace(1) %r)";
  EXPECT_EQ(mix_of(sums, machine)["int_mul"], 2);
  EXPECT_EQ(mix_of(sums, machine)["int_add"], 1);
  EXPECT_EQ(mix_of(sums)["int_add"], 3);
}

} // namespace
} // namespace forewarp::codegen::testing

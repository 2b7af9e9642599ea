// What had been issued when the first group ended.
#include "kernels.h"

namespace forewarp::pipeline::testing {
namespace {

TEST(FirstFinish, CountsTheInstructionsOfAllGroupsUntilThen) {
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 2;
  // The oldest warp goes first: group 0 issues at 0, 1, 2 and ends at 3; group 1 has not issued by then.
  const Outcome oldest_first = run(configuration, {program({op(0, 1, 1), op(0, 1, 1), op(0, 1, 1)})}, 2);
  EXPECT_DOUBLE_EQ(oldest_first.instructions, 6);
  EXPECT_GE(oldest_first.instructions_at_first_finish, 3);
  EXPECT_LE(oldest_first.instructions_at_first_finish, 4);
  // A group alone: all of it.
  EXPECT_DOUBLE_EQ(run(one_pipe(1), {program({op(0, 1, 1), op(0, 1, 1)})}).instructions_at_first_finish, 2);
}

} // namespace
} // namespace forewarp::pipeline::testing

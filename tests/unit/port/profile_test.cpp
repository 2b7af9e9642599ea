#include "port/methods/profile.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

TEST(Profile, OfPerfScriptWithCallers) {
  const auto profile = parse_profile("app 4242 1234.567890:    1000 cycles:u: \n"
                                     "\t    55d0c0de1139 solve(int)+0x19 (/usr/bin/app)\n"
                                     "\t    55d0c0de1200 main+0x20 (/usr/bin/app)\n"
                                     "\n"
                                     "app 4242 1234.567990:    3000 cycles:u: \n"
                                     "\t    55d0c0de1300 grid::fill+0x2 (/usr/bin/app)\n"
                                     "\t    55d0c0de1200 main+0x20 (/usr/bin/app)\n",
                                     "perf.txt");
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->size(), 2U);
  EXPECT_EQ((*profile)[0].function, "grid::fill");
  EXPECT_DOUBLE_EQ(share_of(*profile, "fill"), 0.75);
  EXPECT_DOUBLE_EQ(share_of(*profile, "solve"), 0.25);
  EXPECT_EQ(share_of(*profile, "main"), -1);
}

TEST(Profile, OfPerfScriptWithoutCallers) {
  const auto profile =
      parse_profile("app  4242  1.5:     250 cycles:u:      55d0c0de1139 solve+0x19 (/usr/bin/app)\n"
                    "app  4242  1.6:     750 cycles:u:      55d0c0de1139 main+0x19 (/usr/bin/app)\n",
                    "perf.txt");
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(share_of(*profile, "solve"), 0.25);
}

/// As perf 6.1 prints samples of a program whose name is short: moved to the right, the event with modifiers.
TEST(Profile, OfPerfScriptWithAShortName) {
  const auto profile = parse_profile("              cs 10150 15318.181554:     200000 cpu-clock:pppH:      "
                                     "55d0c0de1139 decompose+0x11c (/tmp/cs)\n"
                                     "              cs 10150 15318.181719:     600000 cpu-clock:pppH:      "
                                     "7fb448f8ef02 read.constprop.0+0x1 "
                                     "(/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)\n",
                                     "perf.txt");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_DOUBLE_EQ(share_of(*profile, "decompose"), 0.25);
}

TEST(Profile, OfGprof) {
  const auto profile =
      parse_profile("Flat profile:\n\nEach sample counts as 0.01 seconds.\n"
                    "  %   cumulative   self              self     total           \n"
                    " time   seconds   seconds    calls  ms/call  ms/call  name    \n"
                    " 75.00      0.30     0.30       10    30.00    30.00  grid::solve(int, float)\n"
                    " 25.00      0.40     0.10                             main\n"
                    "\n %         the percentage of the total running time\n",
                    "gprof.txt");
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->size(), 2U);
  EXPECT_DOUBLE_EQ(share_of(*profile, "solve"), 0.75);
  EXPECT_DOUBLE_EQ(share_of(*profile, "main"), 0.25);
}

TEST(Profile, OfCallgrind) {
  // main: 20 of its own and a call that costs 80 inside; solve: 60 and, in its recursion, 20.
  const auto profile =
      parse_profile("# callgrind format\nversion: 1\npositions: line\nevents: Ir\n\n"
                    "fl=(1) app.c\nfn=(1) main\n3 10\n+1 10\ncfn=(2) solve\ncalls=1 9\n* 80\n\n"
                    "fn=(2)\n9 60\n\nfn=(3) solve'2\n9 20\n\ntotals: 100\n",
                    "callgrind.out");
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(share_of(*profile, "main"), 0.2);
  EXPECT_DOUBLE_EQ(share_of(*profile, "solve"), 0.8);
}

TEST(Profile, NothingInItIsAnError) {
  EXPECT_FALSE(parse_profile("hello\n", "x.txt"));
  EXPECT_FALSE(parse_profile("", "x.txt"));
}

} // namespace
} // namespace forewarp::port

// The C programs of examples/port through the whole command at C's trace and work sizes. Of Table 4's
// fifteen, ten are within 1 % of what follows from C's text and, with the two that a stated choice decides,
// within 5 % of its printed estimates; three follow from the text, but not to C's figures.
#include "gpu/gpu_file.h"
#include "port/answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace forewarp::port {
namespace {

struct Program {
  const char* file;
  int traced, wanted;
  std::vector<std::string> regions;
  double follows_ms; ///< from the text; 0: a stated choice decides
  double printed_ms; ///< C's estimate
  bool tiled = false, warm = false;
};

void PrintTo(const Program& what, std::ostream* out) {
  *out << what.file;
}

PortAnswer answer_of(const Program& what, bool advice = false) {
  PortRequest request;
  const std::string root = FOREWARP_SOURCE_DIR;
  request.program.files = {root + "/examples/port/" + what.file};
  request.program.defines = {"N=" + std::to_string(what.traced), "STEPS=33", "IN_MEMORY"};
  if (what.tiled)
    request.program.defines.push_back("TILED");
  request.program.repetitions = 1;
  request.sizes = {"N=" + std::to_string(what.wanted)};
  auto catalogue = gpu::Catalogue::open(root + "/data/gpus");
  EXPECT_TRUE(catalogue.has_value());
  request.gpus = {*catalogue->find("Jetson TK1")};
  request.model = "cgpredict";
  request.table2 = true;
  request.written_loads = true;
  request.warm_cache = what.warm;
  request.advice = advice;
  request.cpu_seconds = 0;
  auto answer = port_program(request);
  EXPECT_TRUE(answer.has_value()) << answer.error().message;
  return *answer;
}

double time_ms(const PortAnswer& answer, const std::vector<std::string>& names) {
  double sum = 0;
  for (const RegionAnswer& region : answer.regions)
    if (std::find(names.begin(), names.end(), region.name) != names.end())
      sum += region.time_ms;
  return sum;
}

class Table4Programs : public ::testing::TestWithParam<Program> {};

TEST_P(Table4Programs, MeetTheTextAndThePrint) {
  const Program& what = GetParam();
  const double ours = time_ms(answer_of(what), what.regions);
  if (what.follows_ms > 0) {
    EXPECT_NEAR(ours, what.follows_ms, 0.01 * what.follows_ms);
  }
  EXPECT_NEAR(ours, what.printed_ms, 0.05 * what.printed_ms);
}

std::string name_of(const ::testing::TestParamInfo<Program>& test) {
  const std::string file = test.param.file;
  return file.substr(0, file.find('.'));
}

INSTANTIATE_TEST_SUITE_P(
    C, Table4Programs,
    ::testing::Values(
        Program{"2dconv.c", 512, 4096, {"2dconv"}, 27.86, 28.01},
        Program{"2mm.c", 128, 4096, {"2mm_first"}, 15518.13, 15518.11},
        Program{"3mm.c", 128, 2048, {"3mm"}, 5819.74, 5819.73},
        Program{"3dconv.c", 64, 256, {"3dconv"}, 0, 68.30},
        Program{"atax.c", 1024, 4096, {"atax_rows"}, 198.34, 193.04},
        Program{"bicg.c", 1024, 4096, {"bicg_rows"}, 198.34, 199.22},
        Program{"corr.c", 128, 1024, {"corr"}, 2678.05, 2678.05},
        Program{"fdtd2d.c", 64, 4096, {"fdtd2d_ey", "fdtd2d_ex", "fdtd2d_hz"}, 0, 1243.21, false, true},
        Program{"gemm.c", 128, 1024, {"gemm"}, 242.53, 242.53},
        Program{"mvt.c", 1024, 4096, {"mvt_rows"}, 198.34, 193.04},
        Program{"syr2k.c", 128, 1024, {"syr2k"}, 5204.74, 5204.73},
        Program{"syrk.c", 128, 1024, {"syrk"}, 2605.45, 2605.45}),
    name_of);

class Table4Explained : public ::testing::TestWithParam<Program> {};

/// Notes on C, section 2: GESUMMV's print is twice what the printed size gives, COVAR's loop is CORR's,
/// GRAMSCHM's (one launch) would need hits where the trace has misses.
TEST_P(Table4Explained, FollowTheTextAndNotThePrint) {
  const Program& what = GetParam();
  const PortAnswer answer = answer_of(what);
  double ours = time_ms(answer, what.regions);
  if (what.regions.front() == "gramschm")
    for (const RegionAnswer& region : answer.regions)
      if (region.name == "gramschm")
        ours = region.time_ms / region.estimate.size.launches;
  EXPECT_NEAR(ours, what.follows_ms, 0.01 * what.follows_ms);
  EXPECT_GT(std::abs(ours / what.printed_ms - 1), 0.05);
}

INSTANTIATE_TEST_SUITE_P(C, Table4Explained,
                         ::testing::Values(Program{"covar.c", 128, 1024, {"covar"}, 2678, 3465.71},
                                           Program{"gesummv.c", 1024, 4096, {"gesummv"}, 395.25, 769.69},
                                           Program{"gramschm.c", 512, 8192, {"gramschm"}, 111.4, 45.58}),
                         name_of);

TEST(TiledPrograms, MeetTable5) {
  EXPECT_NEAR(time_ms(answer_of({"gemm.c", 128, 1024, {}, 0, 0, true}), {"gemm"}), 105.75, 0.02 * 105.75);
  EXPECT_NEAR(time_ms(answer_of({"syr2k.c", 128, 1024, {}, 0, 0, true}), {"syr2k"}), 1445.48, 0.02 * 1445.48);
}

TEST(FirstAdvice, MeetsTable6) {
  const PortAnswer syrk = answer_of({"syrk.c", 128, 1024, {}, 0, 0}, true);
  ASSERT_FALSE(syrk.regions.empty() || syrk.regions[0].estimate.advice.empty());
  EXPECT_EQ(syrk.regions[0].estimate.advice[0].kind, "transpose");
  EXPECT_NEAR(syrk.regions[0].estimate.advice[0].gain_ms, 2605.45 - 237.53, 0.1 * (2605.45 - 237.53));
}

} // namespace
} // namespace forewarp::port

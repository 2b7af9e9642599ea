// Images: where texels lie, borders, sizes.
#include "unit/simt/kernel_runner.h"

#include "launch/parse.h"

namespace forewarp::simt::test {
namespace {

using Pattern = facts::MemoryEvent::Pattern;

facts::ArgumentValue image(const std::string& text) {
  auto argument = launch::parse_argument("x=" + text);
  if (!argument)
    throw std::runtime_error(to_string(argument.error()));
  return argument->second;
}

std::vector<facts::MemoryEvent> events_of(const RunResult& run) {
  return run.trace.groups.front().warps.front().events;
}

TEST(Texture, ACopyReadsAndWritesEachTexelOnce) {
  const auto module = compile_cl("kernel void copy(read_only image2d_t a, write_only image2d_t b) {\n"
                                 "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;\n"
                                 "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                                 "  write_imagef(b, at, read_imagef(a, s, at));\n"
                                 "}");
  const RunResult run = must(run_whole(
      module, launch_of({16, 2}, {16, 2}, {{"a", image("image:16x8:rgba8")}, {"b", image("16x8:rgba8")}})));
  const auto events = events_of(run);
  ASSERT_EQ(events.size(), 2U);
  for (const facts::MemoryEvent& event : events) {
    EXPECT_EQ(event.active, 0xFFFFFFFFULL);
    EXPECT_EQ(event.space, facts::MemorySpace::texture);
    EXPECT_EQ(event.width_bytes, 4);
    EXPECT_NE(event.pattern, Pattern::unknown);
  }
  EXPECT_NE(events[0].base, events[1].base);
}

TEST(Texture, WritesOutsideGoNowhereAndReadsTakeTheNearest) {
  const auto module = compile_cl("kernel void copy(read_only image2d_t a, write_only image2d_t b) {\n"
                                 "  const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
                                 "  int2 at = (int2)(get_global_id(0) + 100, 0);\n"
                                 "  write_imagef(b, at, read_imagef(a, s, at));\n"
                                 "}");
  const RunResult run = must(run_whole(
      module, launch_of({32}, {32}, {{"a", image("image:16x8:rgba8")}, {"b", image("image:116x8:rgba8")}})));
  const auto events = events_of(run);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].active, 0xFFFFFFFFULL);
  EXPECT_EQ(events[0].stride, 0); // all at the last texel of the row
  EXPECT_EQ(events[1].active, 0xFFFFULL);
}

TEST(Texture, AnAccessThatNoLaneMakesLeavesAnEvent) {
  const auto module = compile_cl("kernel void fill(write_only image2d_t b) {\n"
                                 "  write_imagef(b, (int2)(get_global_id(0) + 100, 0), (float4)(1));\n"
                                 "}");
  const RunResult run = must(run_whole(module, launch_of({32}, {32}, {{"b", image("image:16x8:rgba8")}})));
  ASSERT_EQ(events_of(run).size(), 1U);
  EXPECT_EQ(events_of(run)[0].active, 0U);
}

/// Bytes from the first place that lane `lane` reads to each of its others.
std::vector<std::int64_t> places_of(const RunResult& run, unsigned lane) {
  const facts::WarpTrace& warp = run.trace.groups.front().warps.front();
  const facts::MemoryEvent& event = warp.events.front();
  std::vector<std::int64_t> places;
  for (unsigned place = 0; place < event.places; ++place)
    places.push_back(warp.offsets[event.first_offset + place * 32 + lane] -
                     warp.offsets[event.first_offset + lane]);
  return places;
}

// A texel's middle is at a half: between the middles of texels 1 and 2 along x, 0 and 1 along y, lie four. By
// hand in tiles: a texel is 4 bytes on, the next row of a sector 16.
TEST(Texture, LinearReadsTakeTheTexelsAround) {
  const auto module = compile_cl("kernel void k(read_only image2d_t a, global float* out) {\n"
                                 "  const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
                                 "  int i = get_global_id(0);\n"
                                 "  float2 at = i == 0 ? (float2)(2.0f, 1.0f) : (float2)(0.0f, 0.0f);\n"
                                 "  out[i] = read_imagef(a, s, at).x;\n"
                                 "}");
  const RunResult run = must(run_whole(
      module,
      launch_of({32}, {32}, {{"a", image("image:32x32:r32f")}, {"out", floats(std::vector<float>(32))}})));
  EXPECT_EQ(events_of(run)[0].places, 4);
  EXPECT_EQ(events_of(run)[0].active, 0xFFFFFFFFULL);
  EXPECT_EQ(places_of(run, 0), (std::vector<std::int64_t>{0, 4, 16, 20}));
  EXPECT_EQ(places_of(run, 1), (std::vector<std::int64_t>{0, 0, 0, 0})); // texel -1 is texel 0
}

// Whose edge wraps, lane 0's lower neighbour along x is the row's last texel; a border is not read at all.
TEST(Texture, EdgesAreTheSamplers) {
  const auto module = compile_cl("kernel void k(read_only image2d_t a, sampler_t s, global float* out) {\n"
                                 "  int i = get_global_id(0);\n"
                                 "  out[i] = read_imagef(a, s, (float2)((i - 1 + 0.5f) / 16.0f, 0.5f)).x;\n"
                                 "}");
  const auto event_with = [&](const std::string& sampler) {
    const RunResult run = must(run_whole(module, launch_of({16}, {16},
                                                           {{"a", image("image:16x1:r32f")},
                                                            {"s", image(sampler)},
                                                            {"out", floats(std::vector<float>(16))}})));
    return std::pair(events_of(run)[0], run.trace.groups.front().warps.front().offsets);
  };
  const auto [wrapped, offsets] = event_with("sampler:normalised:wrap");
  EXPECT_EQ(wrapped.active, 0xFFFFULL);
  ASSERT_EQ(wrapped.pattern, Pattern::explicit_offsets);
  EXPECT_EQ(offsets[wrapped.first_offset] - offsets[wrapped.first_offset + 1], 15 * 4);
  const auto [border, unused] = event_with("sampler:normalised:border");
  EXPECT_EQ(border.active, 0xFFFEULL);
  EXPECT_EQ(border.pattern, Pattern::affine);
}

// A sampler has no size: it stands for no texture.
TEST(Texture, OfCudaIsNoSampler) {
  const auto module = compile_cu("__global__ void k(cudaTextureObject_t t, float* out) {\n"
                                 "  out[threadIdx.x] = tex2D<float>(t, 0.5f, 0.5f);\n"
                                 "}");
  const auto run =
      run_whole(module, launch_of({32}, {32},
                                  {{"t", image("sampler:linear")}, {"out", floats(std::vector<float>(32))}}));
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("'t' is a 'cudaTextureObject_t' and got a sampler: t=image:"),
            std::string::npos)
      << run.error().message;
}

// A texture's own state is the launch's.
TEST(Texture, CudaTexturesAreReadAsTheyWereMade) {
  const auto module = compile_cu("__global__ void k(cudaTextureObject_t t, float* out) {\n"
                                 "  int i = threadIdx.x;\n"
                                 "  out[i] = tex2D<float>(t, (i + 0.5f) / 32, 0.5f);\n"
                                 "}");
  const auto first = [&](const std::string& text) {
    return events_of(must(run_whole(
        module, launch_of({32}, {32}, {{"t", image(text)}, {"out", floats(std::vector<float>(32))}}))))[0];
  };
  EXPECT_EQ(first("image:32x1:r32f").stride, 0); // all between 0 and 1
  EXPECT_EQ(first("image:32x1:r32f:normalised").stride, 4);
  EXPECT_EQ(first("image:32x1:r32f:normalised:linear").places, 4);
}

TEST(Texture, NormalisedCoordinatesGoOverTheImage) {
  const auto module = compile_cl("kernel void k(read_only image2d_t a, global float* out) {\n"
                                 "  const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_NEAREST;\n"
                                 "  int i = get_global_id(0);\n"
                                 "  out[i] = read_imagef(a, s, (float2)((i + 0.5f) / 32.0f, 0.0f)).x;\n"
                                 "}");
  const RunResult run = must(run_whole(
      module,
      launch_of({32}, {32}, {{"a", image("image:32x1:r32f")}, {"out", floats(std::vector<float>(32))}})));
  EXPECT_EQ(events_of(run)[0].pattern, Pattern::affine);
  EXPECT_EQ(events_of(run)[0].stride, 4);
}

TEST(Texture, SizesAreTheLaunchs) {
  const auto module =
      compile_cl("kernel void k(read_only image2d_t a, read_only image3d_t b, global int* out) {\n"
                 "  out[0] = get_image_width(a);\n"
                 "  out[1] = get_image_height(a);\n"
                 "  out[2] = get_image_dim(b).z;\n"
                 "}");
  const RunResult run = must(run_whole(module, launch_of({1}, {1},
                                                         {{"a", image("image:640x480:rgba8")},
                                                          {"b", image("image:4x5x6:r32f")},
                                                          {"out", ints({0, 0, 0})}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), (std::vector<std::int32_t>{640, 480, 6}));
}

TEST(Texture, CudaTexturesAndSurfacesByTheirNumbers) {
  const auto module =
      compile_cu("__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float* out) {\n"
                 "  int i = threadIdx.x;\n"
                 "  uchar4 texel = surf2Dread<uchar4>(s, i * 4, 0);\n"
                 "  surf2Dwrite(texel, s, i * 4, 1);\n"
                 "  out[i] = tex2D<float>(t, i + 0.5f, 0.5f);\n"
                 "}");
  const RunResult run = must(run_whole(module, launch_of({4}, {4},
                                                         {{"t", image("image:64x64:r32f")},
                                                          {"s", image("image:64x64:rgba8")},
                                                          {"out", floats(std::vector<float>(4))}})));
  const auto events = events_of(run);
  ASSERT_EQ(events.size(), 4U);
  std::size_t of_four_bytes = 0;
  for (const facts::MemoryEvent& event : events)
    of_four_bytes += event.width_bytes == 4 && event.stride == 4 && event.pattern == Pattern::affine;
  EXPECT_EQ(of_four_bytes, 3U);
}

} // namespace
} // namespace forewarp::simt::test

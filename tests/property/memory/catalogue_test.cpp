// Laws that every GPU of the catalogue must obey, for a streaming, a strided and a shared-table kernel.
#include "gpu/gpu_file.h"
#include "unit/memory/trace_builder.h"

#include <gtest/gtest.h>

namespace forewarp::memory::test {
namespace {

Kernel kernel(unsigned warp_width, std::uint64_t stride) {
  Kernel k;
  k.warp_width = warp_width;
  k.grid = {777, 1, 1};
  k.block = {128, 1, 1};
  k.iterations = 2;
  const std::uint64_t out = 1ULL << 32;
  k.regions = {{"in", facts::MemorySpace::global, 0, 777 * 128 * stride + 4},
               {"out", facts::MemorySpace::global, out, 777 * 128 * 4}};
  k.accesses = {
      {load(4, "in"), [=](const Thread& t, unsigned) { return (t.group.x * 128 + t.local.x) * stride; }},
      {site(facts::AccessKind::load, facts::MemorySpace::shared, 4),
       [](const Thread& t, unsigned) { return t.local.x * 8; }},
      {store(4, "out"), [=](const Thread& t, unsigned) { return out + (t.group.x * 128 + t.local.x) * 4; }}};
  return k;
}

TEST(MemoryCatalogue, LawsHoldOnEveryGpu) {
  const auto catalogue = gpu::Catalogue::load(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  ASSERT_TRUE(catalogue) << to_string(catalogue.error());
  int tried = 0;
  for (const gpu::GpuFile& file : catalogue->files()) {
    const auto machine = gpu::resolve(file);
    if (!machine)
      continue; // families are not GPUs; that files resolve is the gpu room's test
    ++tried;
    for (const std::uint64_t stride : {4U, 8U, 128U}) {
      const Kernel k = kernel(machine->warp_width, stride);
      const auto p =
          profile(trace_of(k, {0, 1, 2, 500, 776}), sites_of(k), *machine, {.active_groups_per_sm = 4});
      ASSERT_TRUE(p) << file.name << ": " << p.error().message;
      for (const auto& group : p->outcomes)
        for (const auto& warp : group)
          for (const facts::AccessOutcome& o : warp) {
            EXPECT_GE(o.transactions, 1) << file.name;
            EXPECT_LE(o.l2_sectors, o.sectors + 1e-3) << file.name;
            EXPECT_GE(o.dram_sectors, 0) << file.name;
          }
      for (const facts::SiteProfile& s : p->sites) {
        EXPECT_GE(s.l1_hit_rate, 0);
        EXPECT_LE(s.l1_hit_rate, 1);
        EXPECT_GE(s.l2_hit_rate, 0);
        EXPECT_LE(s.l2_hit_rate, 1);
        EXPECT_LE(s.bytes_asked, s.requests * machine->warp_width * 4 + 1e-6);
      }
      // A cold input must be fetched: at least one sector for each 32 bytes asked, within the extrapolation's
      // slack.
      const double least = 777.0 * 128 * std::min<double>(static_cast<double>(stride), 32);
      EXPECT_GE(p->dram_bytes_read, 0.97 * least) << file.name << " stride " << stride;
      EXPECT_GE(p->dram_bytes_written + p->dirty_at_end_bytes, 0.97 * 777 * 512) << file.name;
    }
  }
  EXPECT_GT(tried, 20);
}

} // namespace
} // namespace forewarp::memory::test

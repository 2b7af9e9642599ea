// Does the shipped catalogue load, and does every file resolve to a usable machine?
#include "gpu/describe.h"
#include "gpu/machine.h"
#include "test_folders.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

namespace forewarp::gpu {
namespace {

const Catalogue& catalogue() {
  static const Result<Catalogue> loaded = Catalogue::load(test_folders::gpus);
  if (!loaded)
    throw std::runtime_error(to_string(loaded.error()));
  return *loaded;
}

TEST(Catalogue, EveryFileOfTheFolderIsABaseOrAGpu) {
  std::size_t files = 0, bases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_folders::gpus)) {
    const auto file = read_gpu_file(entry.path(), test_folders::gpus);
    ASSERT_TRUE(file) << to_string(file.error());
    ++files;
    bases += file->abstract;
  }
  EXPECT_EQ(catalogue().files().size(), files - bases);
  EXPECT_GE(catalogue().files().size(), 53U);
}

/// On the board of the file itself (MI300A reads slower than it copies).
bool both_measured(const GpuFile& file) {
  for (const char* key : {"dram_bw_read_gbps", "dram_bw_copy_gbps"}) {
    const auto found = file.values.find(key);
    if (found == file.values.end() || found->second.source != ValueSource::microbenchmark ||
        !found->second.inherited_from.empty())
      return false;
  }
  return true;
}

TEST(Catalogue, EveryGpuResolvesToPlausibleNumbers) {
  for (const GpuFile& file : catalogue().files()) {
    SCOPED_TRACE(file.path);
    const auto machine = resolve(file);
    ASSERT_TRUE(machine) << to_string(machine.error());
    EXPECT_GT(machine->fp32_peak_gflops, 100);
    EXPECT_GT(machine->memory.dram_read_gbps, 5);
    EXPECT_LE(machine->memory.dram_read_gbps, machine->memory.dram_peak_gbps);
    EXPECT_LE(machine->memory.dram_copy_gbps, machine->memory.dram_peak_gbps);
    // A rate inherited from a base beside one of the file's own would fall out of this band.
    const double copy_to_read = machine->memory.dram_copy_gbps / machine->memory.dram_read_gbps;
    EXPECT_GT(copy_to_read, 0.75);
    EXPECT_LT(copy_to_read, both_measured(file) ? 1.15 : 1.05);
    EXPECT_LE(machine->memory.l1_latency_cycles, machine->memory.dram_latency_cycles);
    EXPECT_GE(machine->memory.l2_bytes_per_cycle * machine->sm_clock_mhz * 1e-3,
              machine->memory.dram_read_gbps)
        << "L2 slower than DRAM";
    EXPECT_EQ(machine->limits.max_threads_per_sm % machine->warp_width, 0U);
    for (const OpTiming& op : machine->ops) {
      ASSERT_GE(op.unit, 0);
      ASSERT_LT(op.unit, static_cast<int>(machine->units.size()));
      ASSERT_LT(op.second_unit, static_cast<int>(machine->units.size()));
      EXPECT_NE(op.unit, op.second_unit);
      EXPECT_TRUE(std::isfinite(op.issue_cycles) && op.issue_cycles > 0);
      EXPECT_TRUE(std::isfinite(op.latency_cycles) && op.latency_cycles >= 0);
    }
    for (const auto& [name, set] : file.value_sets) {
      const auto with_set = resolve(file, name);
      EXPECT_TRUE(with_set) << name << ": " << to_string(with_set.error());
    }
  }
}

TEST(Catalogue, AssumedIsNamedOnce) {
  for (const GpuFile& file : catalogue().files()) {
    const auto machine = resolve(file);
    ASSERT_TRUE(machine) << to_string(machine.error());
    const std::set<std::string> unique(machine->assumed.begin(), machine->assumed.end());
    EXPECT_EQ(unique.size(), machine->assumed.size());
    for (const auto& [key, value] : file.values) {
      if (value.source != ValueSource::assumed) {
        EXPECT_FALSE(unique.contains(key)) << file.name << ": " << key;
      }
    }
  }
}

TEST(Catalogue, ChannelsFollowFromTheBus) {
  const auto rows = [](const char* name) { return resolve(catalogue().find(name)->file)->memory.dram_rows; };
  EXPECT_EQ(rows("GeForce RTX 3060").channels, 12); // 192 bits of GDDR6, 16 a channel
  EXPECT_DOUBLE_EQ(rows("GeForce RTX 3060").activation_ns, 4);
  EXPECT_EQ(rows("GeForce GTX 1660").channels, 6); // 192 bits of GDDR5, 32 a channel
  EXPECT_DOUBLE_EQ(rows("GeForce RTX 3080").activation_ns, 45.0 / 16);
  EXPECT_EQ(rows("Tesla K20").channels, 10);       // given
  EXPECT_EQ(rows("Tesla V100 PCIe").channels, 64); // 4096 bits of HBM2, pseudo channels of 64
  EXPECT_EQ(rows("H100 SXM").channels, 160);       // 5120 bits of HBM3, 32 a pseudo channel
  EXPECT_DOUBLE_EQ(rows("H100 SXM").activation_ns, 15.0 / 4);
  EXPECT_FALSE(rows("Instinct MI210").known);
}

TEST(Catalogue, GpusOfTheFiveSourcesAreThere) {
  for (const char* name :
       {"GeForce 8800 GTX", "Tesla C2050", "Quadro K600", "GTX 645", "GTX 650 Ti", "GTX 660 Ti", "Jetson TK1",
        "K620", "940M", "GTX 750", "GTX 1060", "RTX 2070", "R9 380"})
    EXPECT_TRUE(catalogue().find(name)) << name;
}

TEST(Catalogue, SummariesResolveAndSortByVendorAndAge) {
  const auto rows = list(catalogue());
  ASSERT_EQ(rows.size(), catalogue().files().size());
  EXPECT_EQ(rows.front().name, "GeForce 8800 GTX");
  EXPECT_EQ(rows.back().vendor, "amd");
  for (const GpuSummary& row : rows)
    EXPECT_GT(row.sm_count, 0) << row.name;
}

TEST(Catalogue, CheckFindsNothingOddInShippedFiles) {
  for (const GpuFile& file : catalogue().files()) {
    const auto report = check(file);
    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_TRUE(report->warnings.empty()) << file.name << ": " << report->warnings.front();
  }
}

} // namespace
} // namespace forewarp::gpu

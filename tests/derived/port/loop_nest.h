// Region traces made by hand: a loop nest written as C++ emits what an instrumented run would record.
#pragma once

#include "facts/region_trace.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace forewarp::port::testing {

class LoopNest {
public:
  LoopNest(std::string name, unsigned dimensions) {
    trace.name = std::move(name);
    trace.dimensions = dimensions;
    trace.block =
        dimensions == 1 ? std::array<std::uint64_t, 3>{256, 1, 1} : std::array<std::uint64_t, 3>{32, 32, 1};
    trace.files = {"nest.c"};
    for (unsigned d = 0; d < dimensions; ++d)
      trace.loops.push_back(
          {.parent = d ? d - 1 : facts::no_region_index, .parallel_dimension = static_cast<int>(d)});
  }

  /// A loop that runs inside a thread.
  std::uint32_t loop(std::uint32_t parent) {
    trace.loops.push_back({.parent = parent});
    return static_cast<std::uint32_t>(trace.loops.size() - 1);
  }
  std::uint64_t array(const std::string& name, std::uint64_t bytes) {
    trace.objects.push_back({.kind = facts::RegionObject::Kind::global,
                             .name = name,
                             .base = next_,
                             .size_bytes = bytes,
                             .read_bytes = bytes,
                             .copy_in_bytes = bytes});
    const std::uint64_t base = next_;
    next_ += bytes + 4096;
    return base;
  }
  /// `sites`: objects that are loaded (index) or stored (-1 - index), in order; then `computes` operations.
  std::uint32_t block(std::uint32_t loop, bool header, const std::vector<int>& sites, unsigned computes) {
    const auto index = static_cast<std::uint32_t>(trace.blocks.size());
    facts::RegionBlock block{.first_instruction = static_cast<std::uint32_t>(trace.instructions.size()),
                             .first_site = static_cast<std::uint32_t>(trace.sites.size()),
                             .site_count = static_cast<std::uint32_t>(sites.size()),
                             .loop = loop,
                             .loop_header = header};
    for (const int object : sites) {
      const bool load = object >= 0;
      trace.instructions.push_back({.op = load ? facts::RegionOp::load : facts::RegionOp::store,
                                    .block = index,
                                    .site = static_cast<std::uint32_t>(trace.sites.size()),
                                    .value = load ? trace.value_count++ : facts::no_region_index});
      trace.sites.push_back({.block = index,
                             .kind = load ? facts::AccessKind::load : facts::AccessKind::store,
                             .object = static_cast<std::uint32_t>(load ? object : -1 - object)});
    }
    for (unsigned c = 0; c < computes; ++c) {
      facts::RegionInstruction compute{.op = facts::RegionOp::fp32_fma, .block = index};
      if (trace.value_count > 0)
        compute.operands[0] = trace.value_count - 1;
      compute.value = trace.value_count++;
      trace.instructions.push_back(compute);
    }
    block.instruction_count = static_cast<std::uint32_t>(trace.instructions.size()) - block.first_instruction;
    trace.blocks.push_back(block);
    return index;
  }

  class Thread {
  public:
    Thread(LoopNest& nest, bool recorded) : nest_(nest), recorded_(recorded) {}
    void run(std::uint32_t block, std::initializer_list<std::uint64_t> addresses = {}) {
      facts::RegionTrace& trace = nest_.trace;
      ++trace.blocks[block].runs;
      ++trace.launches.back().block_runs;
      if (trace.launches.size() == 1)
        ++trace.blocks[block].detailed_launch_runs;
      if (!recorded_)
        return;
      trace.steps.push_back(block);
      trace.addresses.insert(trace.addresses.end(), addresses);
      ++trace.threads.back().step_count;
    }

  private:
    LoopNest& nest_;
    bool recorded_;
  };

  /// One launch: `body(thread, i, j)` for every iteration from `first` up to `extents`, outermost first; the
  /// threads of the first two batches of 2048 are recorded in the first launch.
  template <class Body>
  void launch(std::array<std::uint64_t, 2> first, std::array<std::uint64_t, 2> extents, const Body& body) {
    trace.launches.push_back({});
    const bool one = trace.dimensions == 1;
    const std::uint64_t columns = one ? 1 : extents[1];
    for (std::uint64_t i = first[0]; i < extents[0]; ++i)
      for (std::uint64_t j = one ? 0 : first[1]; j < columns; ++j) {
        ++trace.launches.back().threads;
        const std::uint64_t block = one ? i / 256 : i / 32 * ((extents[1] + 31) / 32) + j / 32;
        const bool recorded = trace.launches.size() == 1 && block < (one ? 16U : 4U);
        if (recorded)
          trace.threads.push_back(
              {.coordinate = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), 0},
               .first_step = trace.steps.size(),
               .first_address = trace.addresses.size()});
        Thread thread(*this, recorded);
        body(thread, i, j);
      }
    facts::RegionLaunch& launch = trace.launches.back();
    launch.extents = one ? std::array<std::uint64_t, 3>{extents[0], 1, 1}
                         : std::array<std::uint64_t, 3>{extents[0], extents[1], 1};
    if (trace.launches.size() == 1)
      trace.extents = launch.extents;
  }

  facts::RegionTrace trace;

private:
  std::uint64_t next_ = 1 << 20;
};

} // namespace forewarp::port::testing

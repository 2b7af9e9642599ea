// A small prediction for the tests of writers.
#pragma once

#include "facts/prediction.h"

namespace forewarp::report {

inline facts::Prediction sample(const char* gpu = "Test GPU", double time_ms = 1.5) {
  facts::Prediction p;
  p.kernel = "saxpy";
  p.gpu = gpu;
  p.time_ms = time_ms;
  p.interval_ms = {time_ms * 0.75, time_ms * 1.25};
  p.limiter = facts::Limiter::dram_bandwidth;
  p.causes = {{facts::Limiter::dram_bandwidth, 0.75}, {facts::Limiter::issue, 0.25}};
  p.occupancy.active_groups_per_sm = 8;
  p.occupancy.limiter = "warps";
  p.resources.registers_per_thread = 16;
  p.instructions_per_warp = 20;
  p.units = {{"fp32", 10, 8, 12, 0.25}, {"lsu", 4, 4, 4, 1.0}};
  p.files = {"/home/somebody/saxpy.cl"};
  p.sites = {{0, 0, facts::AccessKind::load, facts::MemorySpace::global, 4, {0, 5, 9}, "x"}};
  facts::SiteProfile row;
  row.access = facts::AccessClass::coalesced;
  row.requests = 1000;
  row.transactions_per_request = 1;
  p.memory = {row};
  p.lines = {{{0, 5, 1}, 0.9}};
  p.notes = {{facts::Note::Severity::assumption, "the loop runs 16 times", {0, 7, 1}, "--trip-count 7=N"}};
  p.assumed_gpu_values = {"l2_latency_cycles"};
  return p;
}

} // namespace forewarp::report

// What can be said of a trace's addresses without a GPU: made once, it serves the profiles of all GPUs that
// the trace is held against.
#pragma once

#include "memory/translate/translate.h"

#include <cstdint>
#include <vector>

namespace forewarp::memory {

class TraceAddresses {
public:
  /// The trace outlives it, sites and places need not.
  TraceAddresses(const facts::KernelTrace& trace, std::vector<facts::MemorySite> sites,
                 GroupPlaces places = {});
  TraceAddresses(const TraceAddresses&) = delete;
  TraceAddresses& operator=(const TraceAddresses&) = delete;

  const Translator& translator() const { return translator_; }
  /// Distances of lanes and of rows of lanes that are longer than a line of 128 bytes.
  const std::vector<std::uint64_t>& pitches_bytes() const { return pitches_bytes_; }

private:
  std::vector<facts::MemorySite> sites_;
  GroupPlaces places_;
  Translator translator_;
  std::vector<std::uint64_t> pitches_bytes_;
};

} // namespace forewarp::memory

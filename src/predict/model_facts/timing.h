// lambda and Lambda of every machine operation of a program at the level of one SM, and the mix that follows.
//
// Context-independent mapper: what the GPU file says of the operation, coalesced accesses that go to DRAM.
// Context-dependent mapper: P section 6.3's rules for R and the bank-conflict degree, with R taken for each
// access. Where the GPU keeps loads in L1, the same rule is applied once more one level up: what P calls L2
// is then L1 and L2 in the proportion of the bytes that pass; with nothing kept in L1 it is P's rule
// unchanged.
#pragma once

#include "facts/model_facts.h"
#include "predict/model_facts/runs.h"
#include "predict/traced/streams/streams.h"

namespace forewarp::predict::model_facts {

enum class Mapper { context_independent, context_dependent };

/// A machine operation as the models see it.
struct OpRow {
  std::uint32_t mix_class = 0;
  double lambda_cycles = 1, latency_cycles = 1;
};

struct OpTable {
  std::vector<std::vector<OpRow>> blocks; ///< [block][operation]
  std::vector<std::string> subsystems;
  std::vector<facts::ModelClass> mix;
  facts::ModelTraffic traffic;
};

OpTable op_table(const TracedFacts& facts, const hybrid::StreamTemplates& templates,
                 const hybrid::BandwidthShares& shares, const BlockRuns& runs, Mapper mapper);

} // namespace forewarp::predict::model_facts

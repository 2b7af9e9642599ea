// Kernels made to measure one thing (Lemeire et al., sections 4.2, 6.1, 6.2; Volkov 2018), as facts for every
// model.
#pragma once

#include "facts/model_facts.h"

namespace forewarp::pipeline {

/// lambda and Lambda of one instruction on one SM.
struct InstructionTiming {
  double lambda_cycles = 1, latency_cycles = 1;
};

struct SyntheticLaunch {
  double warps_per_group = 1, concurrent_groups = 1, groups = 1;
  double issue_limit = 0; ///< instructions per cycle and SM; 0: none
};

/// Instruction mix (P Fig. 11): `repeats` times beta instructions of type 1 and one of type 2, each depending
/// on the one before. On one subsystem, or on two.
facts::ModelFacts instruction_mix(unsigned beta, unsigned repeats, InstructionTiming type1,
                                  InstructionTiming type2, bool one_subsystem, const SyntheticLaunch& launch);
/// Rate of type 1, instructions per cycle: one subsystem (Eq. 43), two (Eq. 44), two with issue limit (Eq.
/// 45). The print of Eq. 44 and 45 lost beta in 1 / lambda_2: beta instructions of type 1 pass for each one
/// of type 2.
double instruction_mix_ipc_one(double beta, double lambda1, double lambda2);
double instruction_mix_ipc_two(double beta, double lambda1, double lambda2);
double instruction_mix_ipc_limited(double beta, double lambda1, double lambda2, double issue_limit);

/// Iterative barrier (P Fig. 15): `repeats` times a computation that depends on the one before, and a barrier
/// after it.
facts::ModelFacts iterative_barrier(unsigned repeats, InstructionTiming computation,
                                    InstructionTiming barrier, const SyntheticLaunch& launch);

/// Memory parallelism (Volkov): each warp keeps `loads_in_flight` independent chains of `repeats` dependent
/// loads.
facts::ModelFacts memory_parallelism(unsigned loads_in_flight, unsigned repeats, InstructionTiming load,
                                     const SyntheticLaunch& launch);

} // namespace forewarp::pipeline

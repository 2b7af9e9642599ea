#include "predict/traced/cost/access.h"

#include <algorithm>

namespace forewarp::predict::hybrid {

using facts::OpClass;

double Access::transactions() const {
  return std::max(1.0F, outcome.transactions * share());
}

double request_cycles(const gpu::Machine& machine, OpClass op) {
  return machine.timing(op).issue_cycles;
}

Cost cost_of(const Access& access, const gpu::Machine& machine, const CachedRules& rules) {
  switch (access.op) {
  case OpClass::load_shared:
  case OpClass::store_shared:
    return shared_cost(access, machine);
  case OpClass::atomic_shared:
    return access.outcome.attempts > 0 ? retried_atomic_cost(access, machine)
                                       : shared_atomic_cost(access, machine);
  case OpClass::load_constant:
    return constant_cost(access, machine);
  default:
    return cached_cost(access, machine, rules);
  }
}

} // namespace forewarp::predict::hybrid

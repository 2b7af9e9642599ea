#include "predict/published/flow_reduction.h"

namespace forewarp::models {

double sum_over_flow(const std::vector<facts::FlowNode>& flow, const FlowWeight& weight) {
  return sum_over(flow, 1.0, weight);
}

double contained_in_flow(const std::vector<facts::FlowNode>& flow, const FlowWeight& weight) {
  return contained_in(flow, 1.0, weight);
}

double reduce_flow(const std::vector<facts::FlowNode>& flow, const FlowWeight& transition,
                   const FlowWeight& exposed) {
  return FlowReducer<facts::FlowNode>(flow, 1.0, transition, exposed).reduce(flow, false, true);
}

} // namespace forewarp::models

#include "formula/model_forms.h"

#include "gpu/dram_rates.h"
#include "predict/published/memory_mapper.h"

#include <algorithm>

namespace forewarp::formula {
namespace {

using facts::ModelClassKind;
using Kind = RealNode::Kind;

class Forms {
public:
  Forms(const CostTable& table, const facts::ControlFlow& flow, const gpu::Machine& machine,
        const GridForm& grid)
      : table_(table), machine_(machine), grid_(grid), one_(grid.groups.number(1)), zero_(one_.number(0)),
        groups_on_sm_(ceiling(grid.groups / machine.sm_count)),
        concurrent_groups_(larger(one_, smaller(one_.number(grid.active_groups), groups_on_sm_))),
        // The default predictor's share of an SM with more groups than the mean (hybrid::spread).
        share_(eight_bits(groups_on_sm_ / (grid.groups / machine.sm_count)) / machine.sm_count),
        instructions_(zero_), alpha_mem_(zero_), alpha_comp_(zero_), alpha_sync_(zero_), lambda_comp_(zero_),
        latency_comp_(zero_), latency_mem_(zero_), ilp_weighted_(zero_), dram_bytes_(zero_),
        subsystem_(table.subsystems.size(), zero_) {
    add_up();
    flow_ = flow_form(table, flow, grid.runs, [this](std::size_t index) { return lambda_of(index); });
  }

  FormParts all() {
    FormParts out{{}, instructions_, dram_bytes_};
    out.models.push_back(roofline());
    out.models.push_back(volkov());
    out.models.push_back(wfg(false));
    out.models.push_back(wfg(true));
    return out;
  }

private:
  // ---- sums over the mix ----
  Real lambda_of(const OperationCost& cost) const {
    if (cost.dram_bytes <= 0)
      return one_.number(cost.pipe_cycles);
    const double rate = cost.store ? table_.write_bytes_per_cycle : table_.read_bytes_per_cycle;
    return larger(one_.number(cost.pipe_cycles), one_.number(cost.dram_bytes / rate) / share_);
  }
  Real lambda_of(std::size_t index) const {
    const auto after = std::upper_bound(table_.graph.first.begin(), table_.graph.first.end(), index);
    const std::size_t block = static_cast<std::size_t>(after - table_.graph.first.begin()) - 1;
    return lambda_of(table_.blocks[block][index - table_.graph.first[block]]);
  }
  double instances(int unit) const {
    return machine_.units[static_cast<std::size_t>(unit)].per_scheduler ? machine_.schedulers_per_sm : 1;
  }

  void add_up() {
    const bool choice = std::any_of(table_.blocks.begin(), table_.blocks.end(), [](const auto& block) {
      return std::any_of(block.begin(), block.end(),
                         [](const OperationCost& c) { return c.second_unit >= 0; });
    });
    std::vector<Real> load(machine_.units.size(), zero_); // cycles so far, as op_table counts them
    for (std::size_t b = 0; b < table_.blocks.size(); ++b) {
      const Real& runs = grid_.runs.per_warp[b];
      ilp_weighted_ = ilp_weighted_ + runs * (static_cast<double>(table_.blocks[b].size()) *
                                              models::ilp_of(table_.graph.graph, table_.graph.first[b],
                                                             table_.graph.first[b + 1]));
      // Operations of a block that are alike are added before they are multiplied by its runs.
      std::map<std::pair<std::uint32_t, double>, double> plain;
      double count = 0, latency = 0, cycles = 0;
      double memory_latency = 0, memory = 0;
      for (const OperationCost& cost : table_.blocks[b]) {
        count += 1;
        if (cost.kind == ModelClassKind::memory) {
          memory += 1;
          memory_latency += cost.latency_cycles;
          const Real lambda = lambda_of(cost);
          subsystem_[cost.subsystem] = subsystem_[cost.subsystem] + runs * lambda;
          dram_bytes_ = dram_bytes_ + runs * cost.dram_bytes;
          load_of(load, cost.unit, runs * (cost.pipe_cycles * instances(cost.unit)), choice);
          continue;
        }
        if (cost.kind == ModelClassKind::barrier)
          alpha_sync_ = alpha_sync_ + runs;
        else
          latency += cost.latency_cycles;
        if (cost.second_unit < 0) {
          plain[{cost.subsystem, cost.pipe_cycles}] += 1;
          if (cost.kind != ModelClassKind::barrier)
            cycles += cost.pipe_cycles;
          load_of(load, cost.unit, runs * (cost.pipe_cycles * instances(cost.unit)), choice);
          continue;
        }
        two_units(cost, runs, load);
      }
      for (const auto& [key, times] : plain)
        subsystem_[key.first] = subsystem_[key.first] + runs * (key.second * times);
      instructions_ = instructions_ + runs * count;
      alpha_mem_ = alpha_mem_ + runs * memory;
      latency_mem_ = latency_mem_ + runs * memory_latency;
      lambda_comp_ = lambda_comp_ + runs * cycles;
      latency_comp_ = latency_comp_ + runs * latency;
    }
    alpha_comp_ = instructions_ - alpha_mem_ - alpha_sync_;
  }
  static void load_of(std::vector<Real>& load, int unit, const Real& cycles, bool choice) {
    if (choice && unit >= 0)
      load[static_cast<std::size_t>(unit)] = load[static_cast<std::size_t>(unit)] + cycles;
  }
  /// The pipe that has less to do so far takes it.
  void two_units(const OperationCost& cost, const Real& runs, std::vector<Real>& load) {
    const auto first = static_cast<std::size_t>(cost.unit),
               second = static_cast<std::size_t>(cost.second_unit);
    const Real other = is_less(load[second], load[first]), own = one_ - other;
    const Real cycles = runs * cost.unit_cycles;
    load[first] = load[first] + own * cycles;
    load[second] = load[second] + other * cycles;
    for (const auto& [unit, taken] : {std::pair{first, own}, std::pair{second, other}}) {
      const Real lambda = taken * (cost.unit_cycles / instances(static_cast<int>(unit)));
      lambda_comp_ = lambda_comp_ + runs * lambda;
      const std::size_t index = subsystem_of(machine_.units[unit].name);
      subsystem_[index] = subsystem_[index] + runs * lambda;
    }
  }
  std::size_t subsystem_of(const std::string& name) {
    const auto found = std::find(table_.subsystems.begin(), table_.subsystems.end(), name);
    if (found != table_.subsystems.end())
      return static_cast<std::size_t>(found - table_.subsystems.begin());
    const auto more = std::find(more_.begin(), more_.end(), name);
    if (more == more_.end()) {
      more_.push_back(name);
      subsystem_.push_back(zero_);
      return subsystem_.size() - 1;
    }
    return table_.subsystems.size() + static_cast<std::size_t>(more - more_.begin());
  }
  std::string subsystem_name(std::size_t i) const {
    return i < table_.subsystems.size() ? table_.subsystems[i] : more_[i - table_.subsystems.size()];
  }

  // ---- models/terms.cpp ----
  Real omega() const { return smaller(concurrent_groups_, groups_on_sm_) * grid_.warps_per_group; }
  /// models::finish
  Real time_ms(const Real& cycles_per_run, const Real& omega) const {
    const Real warps_per_sm = grid_.groups * grid_.warps_per_group / machine_.sm_count;
    return larger(one_, warps_per_sm / omega) * cycles_per_run / (machine_.sm_clock_mhz * 1e3);
  }
  std::vector<BoundForm> throughput_bounds(bool with_issue_limit) const {
    std::vector<BoundForm> bounds; // cycles per warp here
    for (std::size_t i = 0; i < subsystem_.size(); ++i)
      bounds.push_back({subsystem_name(i), subsystem_[i]});
    if (with_issue_limit)
      bounds.push_back(
          {"issue", instructions_ / (machine_.schedulers_per_sm * machine_.issue_per_scheduler)});
    return bounds;
  }
  void add_level(std::vector<BoundForm>& bounds, const char* name, double bytes_per_cycle) const {
    if (bytes_per_cycle > 0)
      bounds.push_back({name, dram_bytes_ * (machine_.sm_count / bytes_per_cycle)});
  }
  static Real largest(const std::vector<BoundForm>& bounds) {
    Real most = bounds.front().time_ms;
    for (const BoundForm& bound : bounds)
      most = larger(most, bound.time_ms);
    return most;
  }
  ModelForm finished(std::string model, const Real& cycles_per_run, std::vector<BoundForm> bounds) const {
    for (BoundForm& bound : bounds)
      bound.time_ms = time_ms(bound.time_ms, omega());
    return {std::move(model), time_ms(cycles_per_run, omega()), std::move(bounds)};
  }

  ModelForm roofline() const {
    std::vector<BoundForm> bounds = throughput_bounds(false);
    const gpu::MemoryTiming& memory = machine_.memory;
    add_level(bounds, "l2_bandwidth", memory.l2_bytes_per_cycle);
    add_level(bounds, "dram_bandwidth", gpu::bytes_per_cycle(machine_, memory.dram_copy_gbps));
    const Real cycles = omega() * largest(bounds);
    for (BoundForm& bound : bounds)
      bound.time_ms = omega() * bound.time_ms;
    return finished("roofline", cycles, std::move(bounds));
  }

  /// P Eq. 2 and 3, without a graph: alpha Lambda / ILP.
  ModelForm volkov() const {
    std::vector<BoundForm> bounds = throughput_bounds(true);
    const Real ilp = ilp_weighted_ / instructions_;
    const Real latency = latency_comp_ / ilp + latency_mem_;
    const Real roof = omega() * largest(bounds);
    for (BoundForm& bound : bounds)
      bound.time_ms = omega() * bound.time_ms;
    bounds.push_back({"latency", latency});
    return finished("volkov", larger(roof, latency), std::move(bounds));
  }

  // ---- models/wfg.cpp ----
  struct Setting {
    bool corrected;
    Real omega, blocks, ilp_average, wlp_average, lambda_mem_instr;
  };
  Real effective(const Real& local, const Real& average, const Real& blocks) const {
    return (local + (blocks - 1) * average) / blocks;
  }
  Real plain(const RealNode& node, const RealPlace& place, const Setting& s) const {
    if (node.kind == Kind::memory)
      return node.count * s.lambda_mem_instr;
    if (node.kind != Kind::compute)
      return node.count * node.lambda_cycles;
    const Real wlp = effective(s.omega * place.warp_share, s.wlp_average, s.blocks);
    const Real ilp = effective(one_.number(node.ilp), s.ilp_average, s.blocks);
    return node.count * larger(node.lambda_cycles, one_.number(node.latency_cycles) / (ilp * wlp));
  }
  Real count_of(Kind kind) const {
    return models::sum_over<RealNode>(flow_, one_, [&](const RealNode& node, const RealPlace&) {
      return node.kind == kind ? node.count : zero_;
    });
  }

  ModelForm wfg(bool corrected) const {
    const Real w = omega();
    Setting s{corrected,   w, larger(one_, w / grid_.warps_per_group),
              local_ilp(), w, corrected ? zero_ : lambda_comp_ / alpha_comp_};
    const WlpWeights weights = wlp_weights();
    s.wlp_average = w * weights.shared / weights.all;
    const RealWeight plain_weight = [&](const RealNode& node, const RealPlace& place) {
      return plain(node, place, s);
    };
    const Real compute = models::sum_over<RealNode>(flow_, one_, plain_weight);
    const Real accesses = count_of(Kind::memory), barriers = count_of(Kind::barrier);
    const Real memory = models::sum_over<RealNode>(flow_, one_, [&](const RealNode& node, const RealPlace&) {
      return node.kind == Kind::memory ? node.count * node.lambda_cycles : zero_;
    });
    const Real transition = s.lambda_mem_instr + larger(zero_, (memory - compute) / accesses);
    const Real between = compute / (accesses + barriers + 1);
    const RealWeight arc = [&](const RealNode& node, const RealPlace& place) {
      return node.kind == Kind::memory ? node.count * transition : plain(node, place, s);
    };
    const RealWeight exposed = [&](const RealNode& node, const RealPlace& place) {
      const Real wlp = effective(s.omega * place.warp_share, s.wlp_average, s.blocks);
      if (!corrected)
        return one_.number(node.latency_cycles) - (wlp - 1) * between;
      return one_.number(node.latency_cycles) / wlp -
             larger(zero_, (wlp - 1) / wlp * between - place.preceding_latency / s.omega);
    };
    const Real whole = models::FlowReducer<RealNode>(flow_, one_, arc, exposed).reduce(flow_, false, true);
    const Real transitions = models::sum_over<RealNode>(flow_, one_, arc);
    // The limiter's order in models/wfg.cpp: latency before memory before compute.
    std::vector<BoundForm> bounds = {{"compute", w * compute},
                                     {"memory", is_less(compute, memory) * (w * transitions)},
                                     {"latency", is_less(transitions * (1 + 1e-12), whole) * (w * whole)}};
    return finished(corrected ? "wfg_corrected" : "wfg", w * whole, std::move(bounds));
  }
  struct WlpWeights {
    Real shared, all;
  };
  /// W Eq. 7: by what regions contain.
  WlpWeights wlp_weights() const {
    return {models::contained_in<RealNode>(
                flow_, one_,
                [](const RealNode& node, const RealPlace& place) { return node.count * place.warp_share; }),
            models::contained_in<RealNode>(
                flow_, one_, [](const RealNode& node, const RealPlace&) { return node.count; })};
  }
  /// W Eq. 8: by what is executed.
  Real local_ilp() const {
    const Real parallel =
        models::sum_over<RealNode>(flow_, one_, [&](const RealNode& node, const RealPlace&) {
          return node.kind == Kind::compute ? node.count * node.ilp : zero_;
        });
    return parallel / count_of(Kind::compute);
  }

  const CostTable& table_;
  const gpu::Machine& machine_;
  const GridForm& grid_;
  Real one_, zero_, groups_on_sm_, concurrent_groups_, share_;
  Real instructions_, alpha_mem_, alpha_comp_, alpha_sync_, lambda_comp_, latency_comp_, latency_mem_,
      ilp_weighted_, dram_bytes_;
  std::vector<Real> subsystem_;
  std::vector<std::string> more_; ///< subsystems that only second pipes have
  std::vector<RealNode> flow_;
};

} // namespace

FormParts model_forms(const CostTable& table, const facts::ControlFlow& flow, const gpu::Machine& machine,
                      const GridForm& grid) {
  return Forms(table, flow, machine, grid).all();
}

} // namespace forewarp::formula

#include "codegen/nvidia/registers/pressure_order.h"

#include "codegen/nvidia/registers/sink_loads.h"

#include <algorithm>
#include <map>
#include <queue>

namespace forewarp::codegen {

namespace {

using facts::MachineOp;

/// Dependences of one stretch, by position.
class Stretch {
public:
  explicit Stretch(const std::vector<MachineOp>& ops) : ops_(ops), users_(ops.size()), missing_(ops.size()) {
    std::map<std::uint32_t, std::size_t> writer;
    std::map<std::uint32_t, std::vector<std::size_t>> readers;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      for (unsigned s = 0; s < ops[i].source_count; ++s) {
        if (const auto found = writer.find(ops[i].sources[s]); found != writer.end())
          depend(found->second, i);
        readers[ops[i].sources[s]].push_back(i);
      }
      const std::uint32_t value = ops[i].destination;
      if (value == facts::no_value)
        continue;
      if (const auto found = writer.find(value); found != writer.end())
        depend(found->second, i);
      for (const std::size_t reader : readers[value]) // an older value of the register is still read
        if (reader != i)
          depend(reader, i);
      readers[value].clear();
      writer[value] = i;
    }
  }

  std::vector<MachineOp> ordered(LoadOrder load_order) {
    std::vector<std::size_t> depth(ops_.size(), 0), deepest_user(ops_.size(), 0);
    for (std::size_t i = 0; i < ops_.size(); ++i)
      for (const std::size_t user : users_[i])
        depth[user] = std::max(depth[user], depth[i] + 1);
    for (std::size_t i = 0; i < ops_.size(); ++i)
      for (const std::size_t user : users_[i])
        deepest_user[i] = std::max(deepest_user[i], depth[user]);
    // Smallest first: operations in program order before any load; loads by their deepest user.
    using Entry = std::pair<std::pair<int, std::int64_t>, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    const auto offer = [&](std::size_t i) {
      if (!is_plain_load(ops_[i]))
        ready.push({{0, static_cast<std::int64_t>(i)}, i});
      else if (load_order == LoadOrder::by_user)
        ready.push({{1, static_cast<std::int64_t>(deepest_user[i])}, i});
      else
        ready.push({{1, ops_[i].offset_bytes}, i});
    };
    for (std::size_t i = 0; i < ops_.size(); ++i)
      if (missing_[i] == 0)
        offer(i);
    std::vector<MachineOp> order;
    while (!ready.empty()) {
      const std::size_t i = ready.top().second;
      ready.pop();
      order.push_back(ops_[i]);
      for (const std::size_t user : users_[i])
        if (--missing_[user] == 0)
          offer(user);
    }
    return order;
  }

private:
  void depend(std::size_t before, std::size_t after) {
    users_[before].push_back(after);
    ++missing_[after];
  }

  const std::vector<MachineOp>& ops_;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<unsigned> missing_;
};

} // namespace

void order_for_pressure(facts::MachineProgram& program, LoadOrder load_order) {
  for (facts::MachineBlock& block : program.blocks) {
    std::vector<MachineOp> order, stretch;
    const auto close = [&] {
      const std::vector<MachineOp> ordered = Stretch(stretch).ordered(load_order);
      order.insert(order.end(), ordered.begin(), ordered.end());
      stretch.clear();
    };
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      if (i % scheduling_window == 0)
        close();
      if (ends_load_stretch(block.ops[i])) {
        close();
        order.push_back(block.ops[i]);
      } else {
        stretch.push_back(block.ops[i]);
      }
    }
    close();
    block.ops = std::move(order);
  }
}

} // namespace forewarp::codegen

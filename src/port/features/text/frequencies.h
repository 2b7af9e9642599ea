// How often each block of a kernel's body runs in one thread (Ardalani 2016, section 4.2.3: expected
// occurrence frequency), from what the text tells and what is assumed for the rest.
#pragma once

#include "port/features/text/band.h"

#include <map>
#include <optional>
#include <vector>

namespace forewarp::port {

/// A loop or a branch of which the text does not tell how often.
struct Unknown {
  const llvm::Loop* loop = nullptr;         ///< iterations of an execution
  const llvm::BasicBlock* branch = nullptr; ///< how often its first successor is taken
};

/// Values of unknowns, in their order.
using Assumed = std::vector<double>;

class Frequencies {
public:
  /// `given`: iterations that pragmas say. `band` empty: a called function, from its entry.
  Frequencies(llvm::Function& function, const Band& band, Knowledge& knowledge,
              std::map<const llvm::Loop*, double> given);

  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<llvm::BasicBlock*>& blocks() const { return blocks_; } ///< those that a thread runs

  /// In the order of blocks(). `values`: first value for each of unknowns().
  std::vector<double> of_blocks(const Assumed& values) const;
  /// Iterations of the band's loops together, where the text or a pragma tells.
  std::optional<double> threads() const;

private:
  struct Edge {
    std::size_t to = 0;
    double share = 1;            ///< of what flows out
    int unknown = -1;            ///< the share is this unknown's value, or 1 less it
    bool rest = false;           ///< 1 less it
    bool of_loop = false;        ///< share of what entered the loop of the block, not of what runs the block
    std::size_t loop_header = 0; ///< of_loop: index of its header
  };
  struct Node {
    std::vector<Edge> edges;
    bool loop_header = false;
    double trips = 1;
    int unknown_trips = -1;
  };
  std::optional<double> trips_of(const llvm::Loop& loop) const;
  void add_edges(std::size_t index);
  void add_exit(const llvm::Loop& loop, llvm::BasicBlock* from, llvm::BasicBlock* to, Node& node);
  bool of_band(const llvm::Loop* loop) const;
  int unknown_branch(const llvm::BasicBlock* block);

  const Band& band_;
  Knowledge& knowledge_;
  std::map<const llvm::Loop*, double> given_;
  std::vector<llvm::BasicBlock*> blocks_; ///< in an order in which control flows
  std::map<const llvm::BasicBlock*, std::size_t> index_;
  std::vector<Node> nodes_;
  std::vector<Unknown> unknowns_;
  std::map<const llvm::Loop*, int> leaves_early_; ///< unknown that tells how often
};

} // namespace forewarp::port

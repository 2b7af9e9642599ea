// A body's statements in order: scopes, labels, branches, calls; all else goes to the table of operations.
#pragma once

#include "frontend/ptx/expansion.h"
#include "frontend/ptx/syntax.h"

#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace forewarp::frontend::ptx {

/// A statement that could not be put in place.
struct Refusal {
  unsigned line = 0;
  std::string text; ///< the statement as written
  std::string why;  ///< ""; it is not modelled
};

/// What a body of a file knows of the rest of the file; inline assembly has none of it.
class Surroundings {
public:
  virtual ~Surroundings() = default;
  /// Puts a variable of the body (shared, local, param, ...) into the scope that is open. False: not
  /// modelled.
  virtual bool declare(Expansion& expansion, const Declaration& variable) = 0;
  /// call (results), name, (arguments). False: not modelled.
  virtual bool call(Expansion& expansion, const Statement& statement) = 0;
  /// Debug location of a statement at `line` of the text.
  virtual llvm::DebugLoc location(unsigned line, const SourcePlace& place) = 0;
};

class Body {
public:
  /// `surroundings`: null for inline assembly. Where the items hold labels, `expansion.at()` is its block's
  /// terminator.
  Body(Expansion& expansion, const std::vector<Item>& items, Surroundings* surroundings);

  std::optional<Refusal> run();
  /// Blocks of labels that have `.pragma "nounroll"`.
  const std::vector<llvm::BasicBlock*>& kept_loops() const { return kept_loops_; }

private:
  using Label = std::pair<unsigned, std::string>; ///< number of the scope, name

  void find_labels();
  void find_descriptors();
  std::optional<Refusal> visit(const Item& item);
  bool declare(const Item& item);
  bool expand_statement(const Statement& statement);
  bool branch(const Statement& statement);
  bool indirect_branch(const Statement& statement);
  bool leave(const Statement& statement);
  bool end_by(const Statement& statement, llvm::BasicBlock* target);
  llvm::Value* condition_of(const Statement& statement);
  llvm::BasicBlock* block_of(const std::string& label);
  llvm::BasicBlock* new_block(const char* name);
  void continue_in(llvm::BasicBlock& block);

  Expansion& e_;
  const std::vector<Item>& items_;
  Surroundings* surroundings_;
  std::map<Label, llvm::BasicBlock*> blocks_;
  std::map<std::string, std::vector<std::string>> targets_;
  std::vector<unsigned> scopes_ = {0};
  unsigned next_scope_ = 1;
  SourcePlace place_;
  std::vector<llvm::BasicBlock*> kept_loops_;
};

} // namespace forewarp::frontend::ptx

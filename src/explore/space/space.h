// A design space: every combination of its parameters' values, addressed by number and never written out.
#pragma once

#include "explore/space/parameter.h"
#include "support/expression.h"

#include <memory>
#include <optional>

namespace forewarp::explore {

/// Configurations listed one by one (a tuner's file); each row has a value for each name.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<Value>> rows;
};

/// What a space is made of; cheap to copy, so that each thread makes its own.
struct SpaceSpec {
  std::vector<std::string> parameters;          ///< "NAME=VALUES" (`--space`)
  std::vector<std::string> where;               ///< expressions that have to be true (`--where`)
  std::shared_ptr<const Table> table;           ///< may be empty
  std::map<std::string, double> constants = {}; ///< numbers that expressions may use
  std::set<std::string> values = {};            ///< names of the launch file's [values]
  std::set<std::string> arguments = {};         ///< names of the kernel's arguments
};

/// One value a parameter, in the order of `Space::parameters`.
using Configuration = std::vector<Value>;

/// Numbers of configurations ("ids") run with the last parameter fastest, where parameters stand in the order
/// table, defines, arguments, launch: configurations of one set of defines are neighbours.
class Space {
public:
  /// Errors: usage, naming parameter and column; also where the space has more than 2^62 points.
  static Result<Space> make(const SpaceSpec& spec);
  Space(Space&&) noexcept;
  Space& operator=(Space&&) noexcept;
  ~Space();

  /// In the order written, the table's first.
  const std::vector<Parameter>& parameters() const;
  /// True where the parameter's value follows from others (one expression).
  bool is_derived(std::size_t parameter) const;
  /// All combinations, allowed by `where` or not.
  std::uint64_t points() const;
  /// Neighbouring ids that share the defines: [k * n, (k + 1) * n).
  std::uint64_t points_per_variant() const;

  /// Values of a point. Errors: bad_input (an expression without a finite value).
  Result<Configuration> at(std::uint64_t id) const;
  /// Whether a point satisfies `where`.
  Result<bool> allows(std::uint64_t id) const;
  /// The first id >= `id` that satisfies `where`; empty: none is left. Whole subtrees that fail are skipped.
  Result<std::optional<std::uint64_t>> next(std::uint64_t id) const;

private:
  struct Parts;
  explicit Space(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// A point of a random order of [0, points) without repetition: a Feistel network, walked until it falls
/// inside.
std::uint64_t shuffled(std::uint64_t index, std::uint64_t points, std::uint64_t seed);

} // namespace forewarp::explore

// Where a sweep's results lie: an SQLite file that can be gone on with, or a temporary one. One transaction a
// chunk.
#pragma once

#include "explore/outcome.h"
#include "support/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace SQLite {
class Database;
}

namespace forewarp::explore {

/// Everything that decides a sweep's results, as (name, value); two sweeps with the same are the same sweep.
using Identity = std::vector<std::pair<std::string, std::string>>;

class Store {
public:
  /// `path` "" is a temporary file that nobody sees. A file that holds another sweep is refused (bad_input,
  /// with what differs); one that holds a part of this sweep is gone on with. Errors: not_found where it
  /// cannot be written.
  static Result<Store> open(const std::string& path, const Identity& identity,
                            const std::vector<std::string>& parameters, const std::vector<std::string>& gpus);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Configurations that were there when it was opened.
  std::uint64_t resumed() const { return resumed_; }
  /// All rows or none; a row that is there already stays. Errors: not_found (disk full, not writable).
  Result<void> add(const std::vector<Row>& rows);
  Result<bool> has(std::uint64_t id);

  /// The ids of a sample, kept so that memory does not grow with it. True: this one is new.
  Result<bool> add_to_sample(std::uint64_t id);
  Result<std::uint64_t> sample_size();
  Result<std::optional<std::uint64_t>> next_in_sample(std::uint64_t id);
  Result<void> begin();
  Result<void> commit();

  const std::vector<std::string>& parameters() const { return parameters_; }
  const std::vector<std::string>& gpus() const { return gpus_; }
  const std::string& path() const { return path_; }

  /// Every row in the order of ids. Stops with the visitor's error.
  Result<void> for_each(const std::function<Result<void>(const Row&)>& visit);

  /// For the queries of the summary.
  SQLite::Database& database() { return *database_; }
  /// Column of a parameter, quoted for SQL.
  std::string column(std::size_t parameter) const;

private:
  struct Statements;
  explicit Store(std::string path);
  Result<void> prepare(const Identity& identity);
  Result<void> make_tables(const Identity& identity);
  Result<void> check_identity(const Identity& identity);
  std::string path_;
  std::vector<std::string> parameters_, gpus_;
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<Statements> statements_;
  std::uint64_t resumed_ = 0;
};

} // namespace forewarp::explore

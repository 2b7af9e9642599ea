#include "explore/share/store.h"

#include "explore/share/store_guard.h"

#include <filesystem>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

constexpr const char* outcome_columns = "valid, reason, time_ms, low_ms, high_ms, registers, shared_bytes, "
                                        "occupancy, dram_bytes, gflops, limiter";

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

} // namespace

struct Store::Statements {
  SQLite::Statement has, add_configuration, add_outcome, add_sample, next_sample;
};

Store::Store(std::string path) : path_(std::move(path)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() {
  statements_.reset(); // before the database that they belong to
}

std::string Store::column(std::size_t parameter) const {
  return quoted("p_" + parameters_[parameter]);
}

Result<void> Store::make_tables(const Identity& identity) {
  SQLite::Transaction transaction(*database_);
  database_->exec("CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT NOT NULL)");
  std::string columns;
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    columns += ", " + column(p) + " TEXT NOT NULL";
  database_->exec("CREATE TABLE configuration (id INTEGER PRIMARY KEY" + columns + ")");
  database_->exec(
      "CREATE TABLE outcome (id INTEGER, gpu INTEGER, valid INTEGER, reason TEXT, time_ms REAL, low_ms REAL, "
      "high_ms REAL, registers REAL, shared_bytes REAL, occupancy REAL, dram_bytes REAL, gflops REAL, "
      "limiter "
      "TEXT, PRIMARY KEY (id, gpu)) WITHOUT ROWID");
  database_->exec("CREATE TABLE sample (id INTEGER PRIMARY KEY)");
  database_->exec("CREATE TABLE gpu (gpu INTEGER PRIMARY KEY, name TEXT NOT NULL)");
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    SQLite::Statement insert(*database_, "INSERT INTO gpu VALUES (?, ?)");
    insert.bind(1, static_cast<std::int64_t>(g));
    insert.bind(2, gpus_[g]);
    insert.exec();
  }
  for (const auto& [name, value] : identity) {
    SQLite::Statement insert(*database_, "INSERT INTO sweep VALUES (?, ?)");
    insert.bind(1, name);
    insert.bind(2, value);
    insert.exec();
  }
  transaction.commit();
  return {};
}

Result<void> Store::check_identity(const Identity& identity) {
  constexpr const char* hint = "give another file, or remove this one to begin anew";
  if (!database_->tableExists("sweep"))
    return fail(ErrorCode::bad_input, "the file is an SQLite database, but holds no sweep", path_, hint);
  for (const auto& [name, value] : identity) {
    SQLite::Statement select(*database_, "SELECT value FROM sweep WHERE name = ?");
    select.bind(1, name);
    const std::string there = select.executeStep() ? select.getColumn(0).getString() : "nothing";
    if (there != value)
      return fail(
          ErrorCode::bad_input,
          fmt::format("the file holds another sweep: {} was '{}' there and is '{}' here", name, there, value),
          path_, hint);
  }
  SQLite::Statement count(*database_, "SELECT count(*) FROM configuration");
  count.executeStep();
  resumed_ = static_cast<std::uint64_t>(count.getColumn(0).getInt64());
  return {};
}

Result<void> Store::prepare(const Identity& identity) {
  database_ = std::make_unique<SQLite::Database>(path_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  if (!path_.empty()) {
    database_->exec("PRAGMA locking_mode = EXCLUSIVE"); // one sweep a file
    database_->exec("PRAGMA journal_mode = WAL");
    database_->exec("PRAGMA synchronous = NORMAL");
  }
  SQLite::Statement tables(*database_, "SELECT count(*) FROM sqlite_master");
  tables.executeStep();
  const bool fresh = tables.getColumn(0).getInt() == 0;
  tables.reset();
  FOREWARP_TRY(fresh ? make_tables(identity) : check_identity(identity));
  std::string marks = "?";
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    marks += ", ?";
  SQLite::Database& db = *database_;
  statements_ = std::make_unique<Statements>(
      Statements{{db, "SELECT 1 FROM configuration WHERE id = ?"},
                 {db, "INSERT OR IGNORE INTO configuration VALUES (" + marks + ")"},
                 {db, "INSERT OR IGNORE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
                 {db, "INSERT OR IGNORE INTO sample VALUES (?)"},
                 {db, "SELECT id FROM sample WHERE id >= ? ORDER BY id LIMIT 1"}});
  return {};
}

Result<Store> Store::open(const std::string& path, const Identity& identity,
                          const std::vector<std::string>& parameters, const std::vector<std::string>& gpus) {
  Store store(path);
  store.parameters_ = parameters;
  store.gpus_ = gpus;
  FOREWARP_TRY(guarded(path, [&]() -> Result<void> { return store.prepare(identity); }));
  return store;
}

Result<void> Store::add(const std::vector<Row>& rows) {
  return guarded(path_, [&]() -> Result<void> {
    SQLite::Transaction transaction(*database_);
    for (const Row& row : rows) {
      const auto id = static_cast<std::int64_t>(row.id);
      SQLite::Statement& configuration = statements_->add_configuration;
      configuration.reset();
      configuration.bind(1, id);
      for (std::size_t p = 0; p < row.values.size(); ++p)
        configuration.bind(static_cast<int>(p) + 2, row.values[p]);
      configuration.exec();
      for (std::size_t g = 0; g < row.outcomes.size(); ++g) {
        const Outcome& o = row.outcomes[g];
        SQLite::Statement& outcome = statements_->add_outcome;
        outcome.reset();
        outcome.bind(1, id);
        outcome.bind(2, static_cast<std::int64_t>(g));
        outcome.bind(3, o.valid ? 1 : 0);
        outcome.bind(4, o.reason);
        int at = 5;
        for (const double number : {o.time_ms, o.low_ms, o.high_ms, o.registers, o.shared_bytes, o.occupancy,
                                    o.dram_bytes, o.gflops})
          outcome.bind(at++, number);
        outcome.bind(at, o.limiter);
        outcome.exec();
      }
    }
    transaction.commit();
    return {};
  });
}

Result<bool> Store::has(std::uint64_t id) {
  return guarded(path_, [&]() -> Result<bool> {
    SQLite::Statement& has = statements_->has;
    has.reset();
    has.bind(1, static_cast<std::int64_t>(id));
    const bool found = has.executeStep();
    has.reset();
    return found;
  });
}

Result<bool> Store::add_to_sample(std::uint64_t id) {
  return guarded(path_, [&]() -> Result<bool> {
    statements_->add_sample.reset();
    statements_->add_sample.bind(1, static_cast<std::int64_t>(id));
    return statements_->add_sample.exec() == 1;
  });
}

Result<std::uint64_t> Store::sample_size() {
  return guarded(path_, [&]() -> Result<std::uint64_t> {
    return static_cast<std::uint64_t>(database_->execAndGet("SELECT count(*) FROM sample").getInt64());
  });
}

Result<std::optional<std::uint64_t>> Store::next_in_sample(std::uint64_t id) {
  return guarded(path_, [&]() -> Result<std::optional<std::uint64_t>> {
    SQLite::Statement& next = statements_->next_sample;
    next.reset();
    next.bind(1, static_cast<std::int64_t>(id));
    std::optional<std::uint64_t> found;
    if (next.executeStep())
      found = static_cast<std::uint64_t>(next.getColumn(0).getInt64());
    next.reset();
    return found;
  });
}

Result<void> Store::begin() {
  return guarded(path_, [&]() -> Result<void> {
    database_->exec("BEGIN");
    return {};
  });
}

Result<void> Store::commit() {
  return guarded(path_, [&]() -> Result<void> {
    database_->exec("COMMIT");
    return {};
  });
}

Result<void> Store::for_each(const std::function<Result<void>(const Row&)>& visit) {
  return guarded(path_, [&]() -> Result<void> {
    SQLite::Statement select(*database_,
                             fmt::format("SELECT configuration.*, {} FROM configuration JOIN outcome USING "
                                         "(id) ORDER BY id, gpu",
                                         outcome_columns));
    Row row;
    while (select.executeStep()) {
      int at = 0;
      const auto id = static_cast<std::uint64_t>(select.getColumn(at++).getInt64());
      if (row.outcomes.empty()) {
        row.id = id;
        row.values.clear();
        for (std::size_t p = 0; p < parameters_.size(); ++p)
          row.values.push_back(select.getColumn(static_cast<int>(p) + 1).getString());
      }
      at = static_cast<int>(parameters_.size()) + 1;
      Outcome o;
      o.valid = select.getColumn(at++).getInt() != 0;
      o.reason = select.getColumn(at++).getString();
      for (double* number : {&o.time_ms, &o.low_ms, &o.high_ms, &o.registers, &o.shared_bytes, &o.occupancy,
                             &o.dram_bytes, &o.gflops})
        *number = select.getColumn(at++).getDouble();
      o.limiter = select.getColumn(at).getString();
      row.outcomes.push_back(std::move(o));
      if (row.outcomes.size() == gpus_.size()) {
        FOREWARP_TRY(visit(row));
        row.outcomes.clear();
      }
    }
    return {};
  });
}

} // namespace forewarp::explore

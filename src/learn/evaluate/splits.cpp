#include "learn/evaluate/splits.h"

#include "support/counter_random.h"

#include <algorithm>
#include <map>
#include <set>

namespace forewarp::learn {
namespace {

/// Judged rows by family, families by name.
std::map<std::string, std::vector<std::size_t>> families_of(const TrainingTable& table) {
  std::map<std::string, std::vector<std::size_t>> families;
  for (const std::size_t row : judged_rows(table))
    families[table.rows[row].family].push_back(row);
  return families;
}

std::vector<std::string> shuffled_names(const std::map<std::string, std::vector<std::size_t>>& families,
                                        std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::string>> keyed;
  for (const auto& [name, rows] : families)
    keyed.emplace_back(counter_random(seed, keyed.size()), name);
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::string> names;
  for (auto& [key, name] : keyed)
    names.push_back(std::move(name));
  return names;
}

std::vector<std::size_t> rows_without(const TrainingTable& table, const std::set<std::string>& families) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (!families.contains(table.rows[i].family))
      rows.push_back(i);
  return rows;
}

} // namespace

std::vector<std::size_t> judged_rows(const TrainingTable& table) {
  std::vector<std::size_t> measured, all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    all.push_back(i);
    if (table.rows[i].provenance == Provenance::measured)
      measured.push_back(i);
  }
  return measured.empty() ? all : measured;
}

bool has_relatives(const TrainingTable& table) {
  std::set<std::string> families;
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const TrainingRow& row) { return !families.insert(row.family).second; });
}

std::vector<Split> leave_one_out(const TrainingTable& table, Relatives relatives) {
  std::vector<Split> splits;
  for (const std::size_t row : judged_rows(table)) {
    Split split{{}, {row}};
    if (relatives == Relatives::left_out)
      split.train = rows_without(table, {table.rows[row].family});
    else
      for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (i != row)
          split.train.push_back(i);
    splits.push_back(std::move(split));
  }
  return splits;
}

std::vector<Split> leave_families_out(const TrainingTable& table, std::size_t most, std::size_t folds,
                                      std::uint64_t seed) {
  const auto families = families_of(table);
  const std::vector<std::string> names = shuffled_names(families, seed);
  const std::size_t groups = names.size() <= most ? names.size() : folds;
  std::vector<Split> splits;
  for (std::size_t group = 0; group < groups; ++group) {
    std::set<std::string> tested;
    Split split;
    for (std::size_t i = group; i < names.size(); i += groups) {
      tested.insert(names[i]);
      const auto& rows = families.at(names[i]);
      split.test.insert(split.test.end(), rows.begin(), rows.end());
    }
    split.train = rows_without(table, tested);
    splits.push_back(std::move(split));
  }
  return splits;
}

std::vector<Split> random_sets(const TrainingTable& table, std::size_t sets, std::size_t size,
                               std::uint64_t seed) {
  const auto families = families_of(table);
  std::vector<Split> splits;
  for (std::size_t set = 0; set < sets; ++set) {
    const std::vector<std::string> names = shuffled_names(families, counter_random(seed, set));
    Split split;
    std::set<std::string> tested;
    for (std::size_t i = 0; i < std::min(size, names.size()); ++i) {
      tested.insert(names[i]);
      const auto& rows = families.at(names[i]);
      split.test.push_back(rows[counter_random(seed + 1, set * size + i) % rows.size()]);
    }
    split.train = rows_without(table, tested);
    splits.push_back(std::move(split));
  }
  return splits;
}

TrainingTable rows_of(const TrainingTable& table, const std::vector<std::size_t>& rows) {
  TrainingTable part;
  part.source = table.source;
  part.extractor = table.extractor;
  part.names = table.names;
  for (const std::size_t row : rows)
    part.rows.push_back(table.rows[row]);
  return part;
}

} // namespace forewarp::learn

// Reads numbers of a GPU file for `resolve` and keeps account of what was assumed.
#pragma once

#include "gpu/gpu_file.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace forewarp::gpu {

/// Values of a file with one value set laid over them. Every key that is read and is `assumed`, and every
/// default that is used, is remembered; `missing` collects required keys that are not there.
class FactReader {
public:
  FactReader(const GpuFile& file, const std::map<std::string, Value>* overlay)
      : file_(file), overlay_(overlay) {}

  bool has(const std::string& key) const { return find(key) != nullptr; }
  /// Not there: the error of `finish` will name it.
  double required(const std::string& key);
  std::optional<double> optional(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::vector<double> list(const std::string& key);
  /// Not there: `fallback`, and the key counts as assumed.
  double or_assume(const std::string& key, double fallback);
  /// Not there: `fallback`, which is a definition rather than a guess ("no such cache").
  double or_none(const std::string& key, double fallback) { return optional(key).value_or(fallback); }
  /// True where the overlay says `key` itself.
  bool overlaid(const std::string& key) const { return overlay_ && overlay_->contains(key); }

  void note_assumed(const std::string& what) { assumed_.insert(what); }
  std::vector<std::string> assumed() const { return {assumed_.begin(), assumed_.end()}; }
  const std::vector<std::string>& missing() const { return missing_; }

private:
  const Value* find(const std::string& key) const;
  const Value* read(const std::string& key);

  const GpuFile& file_;
  const std::map<std::string, Value>* overlay_;
  std::set<std::string> assumed_;
  std::vector<std::string> missing_;
};

} // namespace forewarp::gpu

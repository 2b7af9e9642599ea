#include "explore/sweep.h"
#include "gpu/content_text.h"
#include "support/text_file.h"

#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace forewarp::explore {
namespace {

constexpr std::uint64_t max_source_bytes = 64U << 20U;

/// FNV-1a, 64 bits: tells texts apart, no more.
class Digest {
public:
  void add(std::string_view bytes) {
    for (const char c : bytes)
      step(static_cast<unsigned char>(c));
    step(0xFF); // between two texts
  }
  std::string text() const { return fmt::format("{:016x}", state_); }

private:
  void step(unsigned char byte) {
    constexpr std::uint64_t prime = 0x100000001B3;
    state_ = (state_ ^ byte) * prime;
  }
  std::uint64_t state_ = 0xCBF29CE484222325;
};

/// Names in the file's #include lines, taken or not.
std::vector<std::string> included_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    const std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word == std::string::npos || text.compare(word, 7, "include") != 0)
      continue;
    const std::size_t open = text.find_first_not_of(" \t", word + 7);
    if (open == std::string::npos || (text[open] != '"' && text[open] != '<'))
      continue;
    const std::size_t close = text.find_first_of("\">\n", open + 1);
    names.push_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

/// The source and what it includes from its own folder or the folders given, once each.
void add_sources(const std::filesystem::path& path, const std::vector<std::string>& folders,
                 std::set<std::string>& seen, Digest& digest) {
  if (!seen.insert(path.lexically_normal().string()).second)
    return;
  const auto text = read_file(path.string(), "source", max_source_bytes);
  if (!text)
    return;
  digest.add(*text);
  for (const std::string& name : included_names(*text)) {
    std::vector<std::filesystem::path> places = {path.parent_path()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const std::filesystem::path& place : places)
      if (std::error_code error; std::filesystem::is_regular_file(place / name, error)) {
        add_sources(place / name, folders, seen, digest);
        break;
      }
  }
}

std::string dims_text(const std::optional<facts::Dim3>& size) {
  return size ? fmt::format("{}x{}x{}", size->x, size->y, size->z) : "-";
}

std::string argument_text(const facts::ArgumentValue& value) {
  Digest bytes;
  if (const auto* scalar = std::get_if<facts::ScalarValue>(&value)) {
    bytes.add({reinterpret_cast<const char*>(scalar->bytes.data()), scalar->bytes.size()});
    return scalar->text + ":" + bytes.text();
  }
  const auto& buffer = std::get<facts::BufferValue>(value);
  const facts::BufferContents& c = buffer.contents;
  bytes.add({reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size()});
  if (buffer.map) {
    const auto map = facts::bytes_of(*buffer.map);
    bytes.add({reinterpret_cast<const char*>(map.data()), map.size()});
  }
  return fmt::format("{}[{}]:{}:{}:{}:{}:{}:{}:{}", facts::to_string(buffer.type), buffer.count,
                     static_cast<int>(c.kind), c.seed, c.start, c.step, c.low, c.high, bytes.text());
}

std::string launch_text(const facts::Launch& launch) {
  std::string text =
      fmt::format("groups {} global {} local {} shared {}", dims_text(launch.groups),
                  dims_text(launch.global_items), dims_text(launch.group_size), launch.dynamic_shared_bytes);
  for (const auto& [name, value] : launch.arguments)
    text += fmt::format("; {}={}", name, argument_text(value));
  return text;
}

std::string run_text(const engine::PredictRequest& request) {
  const engine::RunRequest& run = request.run;
  std::string text =
      fmt::format("{} {} {} {} {} {} {}", run.whole_grid, run.sample_groups, run.seed, run.max_instructions,
                  run.max_seconds, run.max_trace_bytes, run.unknown.default_trip_count);
  if (run.shortcuts.left_out() != 0)
    text += fmt::format(" without {:x}", run.shortcuts.left_out());
  if (run.outside_reads_zero)
    text += " outside reads zero";
  if (request.compile.code != engine::Code::imitated)
    text += fmt::format(" code {}{}", static_cast<int>(request.compile.code),
                        request.ignore_control_words ? " by dependences" : "");
  for (const auto& [line, count] : run.unknown.trip_counts)
    text += fmt::format(" {}={}", line, count);
  for (const auto& [line, share] : run.unknown.branch_probabilities)
    text += fmt::format(" {}:{}", line, share);
  if (request.frame_bytes_given >= 0)
    text += fmt::format(" frame {}", request.frame_bytes_given);
  return text + fmt::format(" cache {} registers {} {} clock {} values {} model {}",
                            static_cast<int>(request.cache), request.registers_from_ptxas,
                            request.registers_given, request.sm_clock_mhz_given, request.value_set,
                            request.model);
}

std::string gpu_text(const gpu::GpuFile& file) {
  Digest digest;
  digest.add(gpu::content_text(file));
  return file.name + " " + digest.text();
}

std::string table_text(const Table& table) {
  Digest digest;
  for (const std::string& name : table.names)
    digest.add(name);
  for (const auto& row : table.rows)
    for (const Value& value : row)
      digest.add(value.text);
  return digest.text();
}

/// Its [values] may be parameters: then more of it matters than one launch.
std::string file_digest(const std::string& path) {
  const auto text = path.empty() ? Result<std::string>("") : read_file(path, "launch file", max_source_bytes);
  Digest digest;
  if (text)
    digest.add(*text);
  return path.empty() ? "" : digest.text();
}

template <class List> std::string joined(const List& list) {
  return fmt::format("{}", fmt::join(list, "; "));
}

} // namespace

Result<Identity> identity_of(const Setup& setup, const SweepOptions& options) {
  const engine::SourceRequest& compile = setup.base.compile;
  Digest source;
  std::set<std::string> seen;
  FOREWARP_TRY(read_file(compile.path, "source", max_source_bytes));
  add_sources(compile.path, compile.include_directories, seen, source);
  std::vector<std::string> gpus;
  for (const gpu::GpuChoice& choice : setup.base.gpus)
    gpus.push_back(gpu_text(choice.file));
  return Identity{
      {"version", options.version},
      {"source", std::filesystem::path(compile.path).filename().string() + " " + source.text()},
      {"kernel", setup.base.kernel},
      {"standard", compile.standard},
      {"defines", joined(compile.defines)},
      {"options", joined(compile.extra_options)},
      {"launch", launch_text(setup.base.launch)},
      {"launch file", file_digest(setup.launch_file)},
      {"run", run_text(setup.base)},
      {"space", joined(setup.space.parameters)},
      {"where", joined(setup.space.where)},
      {"table", setup.space.table ? table_text(*setup.space.table) : ""},
      {"sample", options.sample == 0 ? "" : fmt::format("{} of seed {}", options.sample, options.seed)},
      {"gpus", joined(gpus)}};
}

} // namespace forewarp::explore

#include "validate/suite.h"

#include "gpu/read/derived_from.h"
#include "gpu/schema/schema.h"
#include "support/suggest.h"

#include "support/toml.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace forewarp::validate {
namespace {

/// A table with the names that errors need, and the keys that it may have.
class Reader {
public:
  Reader(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}

  std::string where(const std::string& key) const {
    const toml::node* node = table_.get(key);
    const auto line = node != nullptr ? node->source().begin.line : table_.source().begin.line;
    return fmt::format("{}:{}: {}{}", file_, line, path_, key);
  }
  Result<void> known(const std::vector<std::string>& keys) const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(keys.begin(), keys.end(), name) == keys.end()) {
        const auto nearest = nearest_names(name, keys, 1);
        return fail(ErrorCode::bad_input, fmt::format("unknown key '{}'", name), where(name),
                    nearest.empty() ? "docs/develop/validation.md lists the keys"
                                    : "did you mean '" + nearest[0] + "'?");
      }
    }
    return {};
  }
  /// A text, or a number written as one.
  std::optional<std::string> text(const std::string& key) const { return as_text(table_.get(key)); }
  Result<std::string> needed(const std::string& key) const {
    if (auto found = text(key))
      return *found;
    return fail(ErrorCode::bad_input, fmt::format("'{}' is missing", key), where(key),
                "docs/develop/validation.md has an example");
  }
  std::vector<std::string> texts(const std::string& key) const {
    std::vector<std::string> all;
    const toml::node* node = table_.get(key);
    if (const auto one = as_text(node))
      all.push_back(*one);
    else if (node != nullptr && node->is_array())
      for (const toml::node& element : *node->as_array())
        if (const auto each = as_text(&element))
          all.push_back(*each);
    return all;
  }
  /// key -> text of an inner table, in the file's order.
  std::vector<std::pair<std::string, std::string>> pairs(const std::string& key) const {
    std::vector<std::pair<std::string, std::string>> all;
    if (const toml::node* node = table_.get(key); node != nullptr && node->is_table())
      for (const auto& [name, value] : *node->as_table())
        if (const auto text = as_text(&value))
          all.emplace_back(std::string(name.str()), *text);
    return all;
  }
  const toml::node* node(const std::string& key) const { return table_.get(key); }
  const std::string& file() const { return file_; }

private:
  static std::optional<std::string> as_text(const toml::node* node) {
    if (node == nullptr)
      return std::nullopt;
    if (const auto* text = node->as_string())
      return text->get();
    if (const auto* integer = node->as_integer())
      return std::to_string(integer->get());
    if (const auto* real = node->as_floating_point())
      return fmt::format("{}", real->get());
    if (const auto* truth = node->as_boolean())
      return truth->get() ? "1" : "0";
    return std::nullopt;
  }
  const toml::table& table_;
  std::string file_, path_;
};

Result<std::optional<Expression>> optional_expression(const Reader& reader, const std::string& key) {
  const auto text = reader.text(key);
  if (!text)
    return std::optional<Expression>{};
  auto expression = Expression::parse(*text, reader.where(key));
  FOREWARP_TRY(expression);
  return std::optional<Expression>(std::move(*expression));
}

Result<std::vector<Expression>> expressions(const Reader& reader, const std::string& key) {
  std::vector<Expression> all;
  for (const std::string& text : reader.texts(key)) {
    auto expression = Expression::parse(text, reader.where(key));
    FOREWARP_TRY(expression);
    all.push_back(std::move(*expression));
  }
  if (all.empty() || all.size() > 3)
    return fail(ErrorCode::bad_input, fmt::format("'{}' has {} sizes", key, all.size()), reader.where(key),
                "give one to three expressions");
  return all;
}

Result<std::map<std::string, Template>> templates(const Reader& reader, const std::string& key) {
  std::map<std::string, Template> all;
  for (const auto& [name, text] : reader.pairs(key)) {
    auto filled = Template::parse(text, reader.where(key) + "." + name);
    FOREWARP_TRY(filled);
    all.emplace(name, std::move(*filled));
  }
  return all;
}

Result<void> read_stages(const Reader& reader, SuiteKernel& kernel) {
  for (const auto& [name, text] : reader.pairs("stages")) {
    const auto& known = stage_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail(ErrorCode::bad_input, fmt::format("unknown stage '{}'", name), reader.where("stages"),
                  fmt::format("stages are {}", fmt::join(known, ", ")));
    auto expression = Expression::parse(text, reader.where("stages") + "." + name);
    FOREWARP_TRY(expression);
    kernel.stages.emplace(name, std::move(*expression));
  }
  return {};
}

Result<void> read_trip_counts(const Reader& reader, SuiteKernel& kernel) {
  for (const auto& [line_text, count_text] : reader.pairs("trip_counts")) {
    std::uint32_t line = 0;
    std::uint64_t count = 0;
    const auto whole = [](const std::string& text, auto& number) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      return error == std::errc() && end == text.data() + text.size();
    };
    if (!whole(line_text, line) || !whole(count_text, count))
      return fail(ErrorCode::bad_input, fmt::format("'{} = {}' is no trip count", line_text, count_text),
                  reader.where("trip_counts"), "write LINE = N in whole numbers");
    kernel.trip_counts.emplace(line, count);
  }
  return {};
}

Result<SuiteKernel> read_kernel(const Reader& reader) {
  FOREWARP_TRY(reader.known({"name",           "data",       "where",   "if",
                             "source",         "language",   "before",  "after",
                             "without",        "kernel",     "std",     "include_directories",
                             "options",        "defines",    "grid",    "block",
                             "dynamic_shared", "arguments",  "derived", "stages",
                             "trip_counts",    "warm_cache", "time_ms"}));
  SuiteKernel kernel;
  auto name = reader.needed("name");
  FOREWARP_TRY(name);
  kernel.name = *name;
  kernel.sources = reader.texts("source");
  kernel.data = reader.texts("data");
  kernel.language = reader.text("language").value_or("");
  if (!kernel.language.empty() && kernel.language != "cuda" && kernel.language != "opencl")
    return fail(ErrorCode::bad_input, fmt::format("unknown language '{}'", kernel.language),
                reader.where("language"), "languages are cuda and opencl");
  kernel.before = reader.text("before").value_or("");
  if (kernel.sources.empty() && (kernel.before.empty() || kernel.language.empty()))
    return fail(ErrorCode::bad_input, "'source' is missing", reader.where("source"),
                "name one file or a list of files below the suite's directory, or give the kernel's text as "
                "'before' with its 'language'");
  kernel.after = reader.text("after").value_or("");
  kernel.without = reader.texts("without");
  auto symbol = Template::parse(reader.text("kernel").value_or(""), reader.where("kernel"));
  FOREWARP_TRY(symbol);
  kernel.kernel = std::move(*symbol);
  kernel.standard = reader.text("std").value_or("");
  kernel.include_directories = reader.texts("include_directories");
  kernel.options = reader.texts("options");
  kernel.warm_cache = reader.text("warm_cache").value_or("0") == "1";
  for (const auto& [column, text] : reader.pairs("where"))
    kernel.where.emplace(column, text);
  FOREWARP_TRY(read_trip_counts(reader, kernel));
  for (const auto& [derived, text] : reader.pairs("derived")) {
    auto expression = Expression::parse(text, reader.where("derived") + "." + derived);
    FOREWARP_TRY(expression);
    kernel.derived.emplace_back(derived, std::move(*expression));
  }
  auto condition = optional_expression(reader, "if"), shared = optional_expression(reader, "dynamic_shared"),
       time = optional_expression(reader, "time_ms");
  FOREWARP_TRY(condition);
  FOREWARP_TRY(shared);
  FOREWARP_TRY(time);
  kernel.condition = std::move(*condition);
  kernel.dynamic_shared = std::move(*shared);
  kernel.time_ms = std::move(*time);
  auto grid = expressions(reader, "grid"), block = expressions(reader, "block");
  FOREWARP_TRY(grid);
  FOREWARP_TRY(block);
  kernel.grid = std::move(*grid);
  kernel.block = std::move(*block);
  auto defines = templates(reader, "defines"), arguments = templates(reader, "arguments");
  FOREWARP_TRY(defines);
  FOREWARP_TRY(arguments);
  kernel.defines = std::move(*defines);
  kernel.arguments = std::move(*arguments);
  FOREWARP_TRY(read_stages(reader, kernel));
  return kernel;
}

Result<void> read_gpus(const Reader& reader, Suite& suite) {
  const toml::node* node = reader.node("gpus");
  if (node == nullptr || !node->is_table())
    return fail(ErrorCode::bad_input, "'gpus' is missing", reader.where("gpus"),
                "[gpus] \"data's name\" = \"catalogue's name\" or { name = ..., sm_clock_mhz = ... }");
  for (const auto& [name, value] : *node->as_table()) {
    SuiteGpu gpu;
    if (const auto* text = value.as_string()) {
      gpu.name = text->get();
    } else if (const auto* table = value.as_table()) {
      gpu.name = (*table)["name"].value_or(std::string());
      gpu.sm_clock_mhz = (*table)["sm_clock_mhz"].value_or(0.0);
      gpu.host_ms = (*table)["host_ms"].value_or(0.0);
      gpu.cuda_compiler = (*table)["cuda_compiler"].value_or(std::string());
      if (const toml::node* rows = table->get("derived_from")) {
        auto derived = gpu::read_derived_from(*rows, fmt::format("GPU '{}'", name.str()), reader.file());
        FOREWARP_TRY(derived);
        gpu.derived_from = std::move(*derived);
      }
    }
    if (!gpu.cuda_compiler.empty()) {
      constexpr const char* key = "cuda_compiler";
      const gpu::Value word{.value = gpu.cuda_compiler, .unit = "text"};
      if (auto known = gpu::check_value(*gpu::rule_of(key), key, word); !known)
        return fail(ErrorCode::bad_input, known.error().message, reader.where("gpus"), known.error().hint);
    }
    if (!(gpu.host_ms >= 0))
      return fail(ErrorCode::bad_input,
                  fmt::format("host_ms of GPU '{}' is below 0", std::string(name.str())),
                  reader.where("gpus"), "give the milliseconds to take off each measured time");
    if (gpu.name.empty())
      return fail(ErrorCode::bad_input,
                  fmt::format("GPU '{}' has no catalogue name", std::string(name.str())),
                  reader.where("gpus"));
    suite.gpus.emplace(std::string(name.str()), std::move(gpu));
  }
  return {};
}

Result<void> read_data(const Reader& reader, Suite& suite) {
  suite.data_files = reader.texts("data");
  suite.number_columns = reader.texts("number_columns");
  suite.gpu_column = reader.text("gpu_column").value_or("");
  for (const auto& [gpu, file] : reader.pairs("data_of_gpu")) {
    suite.gpu_of_file.emplace(file, gpu);
    suite.data_files.push_back(file);
  }
  if (suite.data_files.empty() || (suite.gpu_column.empty() && suite.gpu_of_file.empty()))
    return fail(ErrorCode::bad_input, "no data", reader.where("data"),
                "give `data` with `gpu_column`, or a table [data_of_gpu] of GPU = file");
  return {};
}

/// A misspelt table would claim no row, and nobody would miss it.
Result<void> check_data_of(const SuiteKernel& kernel, const Suite& suite, const Reader& reader) {
  for (const std::string& data : kernel.data)
    if (!suite.gpus.contains(data))
      return fail(ErrorCode::bad_input, fmt::format("kernel '{}': no GPU '{}'", kernel.name, data),
                  reader.where("data"),
                  fmt::format("[gpus] names {}", fmt::join(std::views::keys(suite.gpus), ", ")));
  return {};
}

} // namespace

const std::vector<std::string>& stage_names() {
  static const std::vector<std::string> names = {"registers_per_thread",
                                                 "instructions_per_warp",
                                                 "shared_load_transactions_per_request",
                                                 "shared_store_transactions_per_request",
                                                 "global_load_transactions_per_request",
                                                 "global_store_transactions_per_request",
                                                 "occupancy",
                                                 "l2_sectors_read",
                                                 "l2_sectors_written",
                                                 "dram_sectors_read",
                                                 "dram_sectors_written",
                                                 "dram_bytes",
                                                 "floating_point_operations",
                                                 "ipc"};
  return names;
}

Result<Suite> read_suite(const std::string& path) {
  const toml::parse_result parsed = toml::parse_file(path);
  if (!parsed && parsed.error().source().begin.line == 0)
    return fail(ErrorCode::not_found, "the suite cannot be opened", path,
                "the project's own lie in validation/suites");
  if (!parsed)
    return fail(ErrorCode::bad_input, std::string(parsed.error().description()),
                fmt::format("{}:{}", path, parsed.error().source().begin.line));
  const Reader reader(parsed.table(), path, "");
  FOREWARP_TRY(reader.known({"name", "title", "repository", "directory", "commit", "data", "gpu_column",
                             "data_of_gpu", "number_columns", "gpus", "packed_column", "time_ms", "kernel"}));
  auto name = reader.needed("name"), time = reader.needed("time_ms"), directory = reader.needed("directory");
  FOREWARP_TRY(name);
  FOREWARP_TRY(time);
  FOREWARP_TRY(directory);
  auto expression = Expression::parse(*time, reader.where("time_ms"));
  FOREWARP_TRY(expression);
  Suite suite{.name = *name,
              .title = reader.text("title").value_or(*name),
              .repository = reader.text("repository").value_or(""),
              .directory = *directory,
              .commit = reader.text("commit").value_or(""),
              .packed_column = reader.text("packed_column").value_or(""),
              .time_ms = std::move(*expression)};
  FOREWARP_TRY(read_data(reader, suite));
  FOREWARP_TRY(read_gpus(reader, suite));
  const toml::node* kernels = reader.node("kernel");
  if (kernels == nullptr || !kernels->is_array_of_tables())
    return fail(ErrorCode::bad_input, "no [[kernel]]", path, "docs/develop/validation.md has an example");
  for (const toml::node& node : *kernels->as_array()) {
    const Reader of_kernel(*node.as_table(), path, fmt::format("kernel {}.", suite.kernels.size() + 1));
    auto kernel = read_kernel(of_kernel);
    FOREWARP_TRY(kernel);
    FOREWARP_TRY(check_data_of(*kernel, suite, of_kernel));
    suite.kernels.push_back(std::move(*kernel));
  }
  return suite;
}

} // namespace forewarp::validate

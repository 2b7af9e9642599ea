#include "bundle/corpus_folder.h"

#include "bundle/toml_texts.h"
#include "launch/parse.h"
#include "support/text_file.h"
#include "support/toml.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace forewarp::bundle {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> launch_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".toml" && entry.path().filename() != "kernel.toml")
      names.push_back(entry.path().string());
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    const bool check_a = a.ends_with("/check.toml"), check_b = b.ends_with("/check.toml");
    return check_a != check_b ? check_a : a < b;
  });
  return names;
}

} // namespace

Result<CorpusFolder> read_corpus_folder(const std::string& path) {
  const fs::path given(path);
  const fs::path file = given.filename() == "kernel.toml" ? given : given / "kernel.toml";
  const auto text = read_text_file(file.string(), "kernel description", 1 << 20);
  FOREWARP_TRY(text);
  const toml::parse_result parsed = toml::parse(*text, file.string());
  if (!parsed)
    return fail(ErrorCode::bad_input,
                fmt::format("is not TOML: {}", std::string(parsed.error().description())),
                fmt::format("{}:{}", file.string(), parsed.error().source().begin.line));
  const toml::table& table = parsed.table();
  CorpusFolder folder;
  std::error_code ignored;
  folder.path = fs::absolute(file, ignored).parent_path().string();
  folder.name = fs::path(folder.path).filename().string();
  folder.reference = folder.path + '/' + table["reference"].value_or(std::string("reference.c"));
  folder.outputs = texts(table, "outputs");
  folder.unordered = texts(table, "unordered");
  const auto tolerance = table["tolerance"].value<double>();
  if (folder.outputs.empty() || !tolerance || !(*tolerance >= 0))
    return fail(ErrorCode::bad_input, "outputs (a list of parameters) or tolerance (0 or more) is missing",
                file.string(), "see corpus/README.md");
  folder.tolerance = *tolerance;
  for (const std::string& launch : launch_files(folder.path)) {
    folder.launches.push_back(launch);
    const auto variants = launch::variant_names(launch);
    FOREWARP_TRY(variants);
    for (const std::string& variant : *variants)
      folder.launches.push_back(launch + ':' + variant);
  }
  if (folder.launches.empty())
    return fail(ErrorCode::not_found, "no launch file lies beside it", file.string(),
                "add check.toml and default.toml (docs/reference/launch_file.md)");
  return folder;
}

Result<std::vector<std::string>> list_corpus(const std::string& corpus) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(corpus, error))
    if (fs::exists(entry.path() / "kernel.toml"))
      folders.push_back(entry.path().string());
  if (error || folders.empty())
    return fail(ErrorCode::not_found, "holds no kernel of the corpus", corpus, "name a kernel.toml instead");
  std::sort(folders.begin(), folders.end());
  return folders;
}

} // namespace forewarp::bundle

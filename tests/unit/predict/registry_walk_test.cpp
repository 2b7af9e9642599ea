// A model cannot be registered without its page, its place in the index and a number worked out by hand.
#include "predict/published/model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace forewarp::models {
namespace {

std::string texts_below(const std::filesystem::path& folder, const std::string& extension) {
  std::ostringstream text;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension)
      text << std::ifstream(entry.path()).rdbuf();
  return text.str();
}

std::string page_of(std::string_view model) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(FOREWARP_SOURCE_DIR) + "/docs/models")) {
    std::ifstream file(entry.path());
    std::string title;
    std::getline(file, title);
    std::istringstream words(title);
    for (std::string word; words >> word;)
      if (entry.path().filename() != "README.md" && (word == model || word == std::string(model) + ","))
        return std::string(std::istreambuf_iterator<char>(file), {});
  }
  return {};
}

TEST(ModelRegistry, EveryModelHasAPageThatSaysNeedsAssumesIgnores) {
  for (const Model& model : registry()) {
    const std::string page = page_of(model.name);
    for (const char* word : {"| Needs |", "| Assumes |", "| Ignores |", "ublished"})
      EXPECT_NE(page.find(word), std::string::npos) << model.name << ": " << word;
  }
}

TEST(ModelRegistry, EveryModelIsInTheIndex) {
  std::ostringstream index;
  index << std::ifstream(std::string(FOREWARP_SOURCE_DIR) + "/docs/models/README.md").rdbuf();
  for (const Model& model : registry())
    EXPECT_NE(index.str().find("`" + std::string(model.name) + "`"), std::string::npos) << model.name;
}

TEST(ModelRegistry, EveryModelHasADerivedTest) {
  const std::string tests = texts_below(std::string(FOREWARP_SOURCE_DIR) + "/tests/derived/predict", ".cpp");
  for (const Model& model : registry())
    EXPECT_NE(tests.find('"' + std::string(model.name) + '"'), std::string::npos) << model.name;
}

} // namespace
} // namespace forewarp::models

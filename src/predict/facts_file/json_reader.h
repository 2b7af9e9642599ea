// A JSON object read key by key: types checked, unknown keys refused, every error with its place. Errors
// collect in one slot (the first stays), so that readers need no check after each value.
#pragma once

#include "support/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>

namespace forewarp::models {

class JsonReader {
public:
  struct Report {
    std::string file;
    std::optional<Error> first;
    void fail(const std::string& pointer, const std::string& message, const std::string& hint = {}) {
      if (!first)
        first = Error{ErrorCode::bad_input, message, file + ": " + (pointer.empty() ? "/" : pointer),
                      hint.empty() ? "`forewarp models --facts-out FILE` writes a file that holds" : hint};
    }
  };

  JsonReader(const nlohmann::json& json, std::string pointer, Report& report);

  /// Leaves `out` as it is where the key is absent and not required.
  void number(const char* key, double& out, bool required = false);
  void count(const char* key, std::uint32_t& out, bool required = false);
  void flag(const char* key, bool& out);
  void text(const char* key, std::string& out, bool required = false);
  void texts(const char* key, std::vector<std::string>& out);
  void counts(const char* key, std::vector<std::uint32_t>& out);
  /// Calls `read(element, its pointer)` for each element.
  template <class Read> void array(const char* key, Read&& read) {
    if (const nlohmann::json* found = find(key, false)) {
      if (!found->is_array())
        return report_.fail(at(key), "an array is expected");
      for (std::size_t i = 0; i < found->size(); ++i)
        read((*found)[i], at(key) + "/" + std::to_string(i));
    }
  }
  template <class Read> void object(const char* key, Read&& read) {
    if (const nlohmann::json* found = find(key, false))
      read(*found, at(key));
  }
  /// Refuses every key that nobody asked for.
  void done();
  std::string at(const std::string& key) const { return pointer_ + "/" + key; }

private:
  const nlohmann::json* find(const char* key, bool required);

  const nlohmann::json& json_;
  std::string pointer_;
  Report& report_;
  std::set<std::string> asked_;
};

} // namespace forewarp::models

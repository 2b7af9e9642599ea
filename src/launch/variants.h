// Several launches in one launch file: [values] that its texts name in braces, [variants] where they differ.
#pragma once

#include "support/result.h"
#include "support/template.h"
#include "support/toml.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::launch {

/// "FILE:VARIANT" -> (FILE, VARIANT); VARIANT is empty where `path` is a file or has no colon.
std::pair<std::string, std::string> split_variant(const std::string& path);

/// Texts with {expressions}, parsed.
using Templates = std::map<std::string, Template>;
/// Of all texts of `table`; what is wrong with one is for fill_values to say.
Templates templates_of(const toml::node& table);

/// Fills the {expressions} in all texts of `table` from [values] and, where `variant` is not empty, from
/// [variants.`variant`]; takes both tables out. A table without [values] stays as it is. `file` names it in
/// errors. Errors: bad_input (no numbers, an unknown variant or value, an expression that is wrong).
/// `instead` goes before both. Texts that are not among `parsed` are parsed.
Result<void> fill_values(toml::table& table, const std::string& variant, const std::string& file,
                         const std::map<std::string, double>& instead = {}, const Templates& parsed = {});

/// Numbers of [values] with those of the variant in their place; none is no error.
Result<std::map<std::string, double>> values_of_file(const toml::table& table, const std::string& variant,
                                                     const std::string& file);

/// Names of [variants], in alphabetical order.
std::vector<std::string> names_of_variants(const toml::table& table);

} // namespace forewarp::launch

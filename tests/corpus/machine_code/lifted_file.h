// A cubin whose kernels are lifted and run one by one.
#pragma once

#include "lift/lift.h"
#include "sass/program.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

namespace forewarp {

/// Prints a line for each of `kernels`: its name (`name_of`) and what `check(kernel, module, folder of the
/// file, with a slash)` answers, or why it is refused. The exit code is 0 where each is "ok".
template <class Kernels, class NameOf, class Check>
int check_each(const std::string& path, bool computes_products, const Kernels& kernels, const NameOf& name_of,
               const Check& check) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto code = sass::read_cubin(std::as_bytes(std::span(bytes)), path);
  lift::LiftOptions options;
  options.path = path;
  options.computes_products = computes_products;
  const auto module = code ? lift::lift(*code, options) : tl::unexpected<Error>(code.error());
  if (!module) {
    std::printf("%s\n", to_string(module.error()).c_str());
    return 1;
  }
  int failures = 0;
  for (const auto& kernel : kernels) {
    const auto answer = check(kernel, *module, path.substr(0, path.find_last_of('/') + 1));
    const std::string text = answer ? *answer : "refused: " + to_string(answer.error());
    failures += text == "ok" ? 0 : 1;
    std::printf("%s\t%s\n", std::string(name_of(kernel)).c_str(), text.c_str());
  }
  return failures == 0 ? 0 : 1;
}

} // namespace forewarp

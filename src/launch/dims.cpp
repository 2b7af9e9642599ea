#include "launch/parse.h"
#include "launch/words.h"

#include <array>
#include <fmt/format.h>

namespace forewarp::launch {

Result<facts::Dim3> parse_dim3(const std::string& text, const std::string& option) {
  const std::string hint = "write X, X,Y or X,Y,Z (or XxYxZ), for example 1024,16";
  const char separator = text.find('x') != std::string::npos ? 'x' : ',';
  const auto parts = split(text, separator);
  if (parts.size() > 3)
    return fail(ErrorCode::usage, fmt::format("'{}' has {} sizes; three is the most", text, parts.size()),
                option, hint);
  std::array<std::uint64_t, 3> sizes = {1, 1, 1};
  std::uint64_t total = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto size = whole_number(parts[i]);
    if (!size)
      return fail(ErrorCode::usage, fmt::format("'{}' is not a size", text), option, hint);
    if (*size == 0)
      return fail(ErrorCode::usage, fmt::format("'{}' has a size of zero", text), option,
                  "every size is at least 1");
    const auto product = bounded_product(total, *size);
    if (!product)
      return fail(ErrorCode::usage, fmt::format("'{}' asks for more than 2^48 in all", text), option,
                  "give the sizes of one launch");
    sizes[i] = *size;
    total = *product;
  }
  return facts::Dim3{sizes[0], sizes[1], sizes[2]};
}

} // namespace forewarp::launch

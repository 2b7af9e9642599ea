// A corpus folder as the test sees it: what kernel.toml says, and the C reference linked into the test.
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace forewarp::corpus {

struct Reference {
  const char* name;
  void (*function)(void** arguments); ///< pointers to buffers, or to the values of scalars, in kernel order
};

std::span<const Reference> references();

struct CorpusKernel {
  std::string folder;       ///< path of the folder
  std::string opencl, cuda; ///< paths; cuda may be empty
  std::vector<std::string> outputs;
  std::vector<std::string> unordered; ///< outputs whose elements may come in any order
  double tolerance = 0; ///< relative to the largest magnitude of the output; 0: equal to the bit
};

Result<CorpusKernel> read_corpus_kernel(const std::string& name);

/// Bytes of a buffer as generate_elements makes them.
std::vector<std::uint8_t> contents_of(const facts::BufferValue& buffer);

/// Bytes of a scalar as C passes it. Errors: a type that no corpus kernel uses.
Result<std::vector<std::uint8_t>> scalar_bytes(const facts::ScalarValue& value, facts::ScalarType type);

/// The elements of an output in ascending order of their bytes: for outputs that come in any order.
std::vector<std::uint8_t> sorted_elements(const std::vector<std::uint8_t>& bytes, std::size_t element_bytes);

/// Largest |difference| / largest |expected|; integers and floats alike. 0 where both are equal to the bit.
double relative_difference(const std::vector<std::uint8_t>& actual, const std::vector<std::uint8_t>& expected,
                           facts::ScalarType type);

} // namespace forewarp::corpus

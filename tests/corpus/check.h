// A run of a corpus kernel beside its C reference.
#pragma once

#include "corpus/corpus_kernel.h"
#include "ir/kernel_module.h"
#include "simt/run.h"

#include <string>
#include <vector>

namespace forewarp::corpus {

/// The kernel's arguments in memory, and what the reference made of them.
struct Arguments {
  std::vector<std::vector<std::uint8_t>> bytes; ///< in kernel order
};

Result<Arguments> make_arguments(const ir::KernelSignature& signature, const facts::Launch& launch);

void call(const Reference& reference, Arguments& arguments);

/// What is not as it should be, one sentence each. Buffers that the reference leaves alone must be left alone
/// by the kernel too.
std::vector<std::string> differences(const CorpusKernel& kernel, const ir::KernelSignature& signature,
                                     const Arguments& before, const Arguments& after,
                                     const std::vector<simt::BufferResult>& buffers);

} // namespace forewarp::corpus

// Every kernel of the corpus on every target against its C reference.
#include "corpus/check.h"
#include "corpus/corpus_kernel.h"

#include "frontend/compile.h"
#include "launch/parse.h"
#include "simt/run.h"

#include <gtest/gtest.h>
#include <ostream>

namespace forewarp::corpus {
namespace {

enum class Target { opencl_nvidia, opencl_amd, cuda };

struct Case {
  Reference reference;
  Target target;
};

/// For the test list: without it GoogleTest prints bytes, addresses among them.
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.reference.name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Reference& reference : references()) {
    cases.push_back({reference, Target::opencl_nvidia});
    cases.push_back({reference, Target::opencl_amd});
    const auto kernel = read_corpus_kernel(reference.name);
    if (kernel && !kernel->cuda.empty())
      cases.push_back({reference, Target::cuda});
  }
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const char* const suffix[] = {"opencl_nvidia", "opencl_amd", "cuda"};
  return std::string(info.param.reference.name) + "__" + suffix[static_cast<int>(info.param.target)];
}

frontend::CompileRequest request_of(const CorpusKernel& kernel, Target target) {
  frontend::CompileRequest request;
  request.path = target == Target::cuda ? kernel.cuda : kernel.opencl;
  if (target == Target::opencl_amd) {
    request.family = ir::TargetFamily::amd;
    request.target = "gfx90a";
    request.warp_width = 64;
  }
  return request;
}

class Kernels : public testing::TestWithParam<Case> {};

TEST_P(Kernels, ComputeWhatTheReferenceComputes) {
  const auto kernel = read_corpus_kernel(GetParam().reference.name);
  ASSERT_TRUE(kernel) << to_string(kernel.error());
  const auto file = launch::read_launch_file(kernel->folder + "/check.toml");
  ASSERT_TRUE(file) << to_string(file.error());
  const auto module = frontend::compile(request_of(*kernel, GetParam().target));
  ASSERT_TRUE(module) << to_string(module.error());
  const auto signature = frontend::select_kernel(*module, file->kernel);
  ASSERT_TRUE(signature) << to_string(signature.error());
  const auto before = make_arguments(**signature, file->launch);
  ASSERT_TRUE(before) << to_string(before.error());
  Arguments after = *before;
  call(GetParam().reference, after);

  simt::RunOptions options;
  options.whole_grid = true;
  const auto run = simt::run(*module, **signature, file->launch, options);
  ASSERT_TRUE(run) << to_string(run.error());
  for (const facts::Note& note : run->trace.notes)
    EXPECT_NE(note.severity, facts::Note::Severity::invalid) << note.text;
  EXPECT_EQ(differences(*kernel, **signature, *before, after, run->buffers), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Corpus, Kernels, testing::ValuesIn(all_cases()), name_of);

} // namespace
} // namespace forewarp::corpus

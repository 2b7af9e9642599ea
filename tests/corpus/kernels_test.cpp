// Every kernel of the corpus on every target against its C reference.
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

/// The kernel's arguments in memory, and what the reference made of them.
struct Arguments {
  std::vector<std::vector<std::uint8_t>> bytes; ///< in kernel order
};

Result<Arguments> make_arguments(const ir::KernelSignature& signature, const facts::Launch& launch) {
  Arguments arguments;
  for (const ir::Parameter& parameter : signature.parameters) {
    const auto found = launch.arguments.find(parameter.name);
    if (found == launch.arguments.end() || !parameter.scalar)
      return fail(ErrorCode::launch, "no value for '" + parameter.name + "'");
    if (const auto* buffer = std::get_if<facts::BufferValue>(&found->second)) {
      arguments.bytes.push_back(contents_of(*buffer));
      continue;
    }
    auto scalar = scalar_bytes(std::get<facts::ScalarValue>(found->second), *parameter.scalar);
    FOREWARP_TRY(scalar);
    arguments.bytes.push_back(std::move(*scalar));
  }
  return arguments;
}

void call(const Reference& reference, Arguments& arguments) {
  std::vector<void*> pointers;
  for (std::vector<std::uint8_t>& bytes : arguments.bytes)
    pointers.push_back(bytes.data());
  reference.function(pointers.data());
}

/// Buffers that the reference leaves alone must be left alone by the kernel too.
void compare(const CorpusKernel& kernel, const ir::KernelSignature& signature, const Arguments& before,
             const Arguments& after, const std::vector<simt::BufferResult>& buffers) {
  std::size_t outputs_seen = 0;
  for (const simt::BufferResult& buffer : buffers) {
    std::size_t p = 0;
    while (p < signature.parameters.size() && signature.parameters[p].name != buffer.name)
      ++p;
    ASSERT_LT(p, signature.parameters.size()) << buffer.name;
    const bool output = std::count(kernel.outputs.begin(), kernel.outputs.end(), buffer.name) > 0;
    if (!output) {
      EXPECT_EQ(buffer.bytes, before.bytes[p]) << buffer.name << " is no output, but was changed";
      continue;
    }
    ++outputs_seen;
    EXPECT_NE(after.bytes[p], before.bytes[p]) << buffer.name << ": the launch changes nothing of it";
    const facts::ScalarType type = *signature.parameters[p].scalar;
    const bool unordered = std::count(kernel.unordered.begin(), kernel.unordered.end(), buffer.name) > 0;
    const auto ordered = [&](const std::vector<std::uint8_t>& bytes) {
      return unordered ? sorted_elements(bytes, facts::size_bytes(type)) : bytes;
    };
    EXPECT_LE(relative_difference(ordered(buffer.bytes), ordered(after.bytes[p]), type), kernel.tolerance)
        << buffer.name;
  }
  EXPECT_EQ(outputs_seen, kernel.outputs.size());
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
  compare(*kernel, **signature, *before, after, run->buffers);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Kernels, testing::ValuesIn(all_cases()), name_of);

} // namespace
} // namespace forewarp::corpus

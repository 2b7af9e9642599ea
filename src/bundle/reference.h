// The C reference of a corpus folder: compiled by the system's C compiler, run in a child process.
#pragma once

#include "bundle/corpus_folder.h"
#include "measure/manifest/manifest.h"
#include "support/result.h"

#include <memory>
#include <string>
#include <vector>

namespace forewarp::bundle {

/// A compiled reference. The shared object lives in the folder for temporary files and goes with its owner.
class Reference {
public:
  /// Compiles `path` ($CC, else cc; -O2, no contraction) whose function is `reference_<name>(void**
  /// arguments)`. Errors: not_found (no C compiler), compile (its words).
  static Result<Reference> compile(const std::string& path, const std::string& name);
  Reference(Reference&&) noexcept;
  Reference& operator=(Reference&&) noexcept;
  ~Reference();

  /// Results for one launch: the outputs of `folder` summarised with its tolerance. Empty where the reference
  /// was still running after `seconds`. Errors: kernel_fault (it crashed), bad_input (it lacks the function,
  /// or changed nothing).
  Result<std::vector<measure::Expected>> run(const measure::BundleLaunch& launch, const CorpusFolder& folder,
                                             double seconds) const;

private:
  explicit Reference(std::string object, std::string function);
  std::string object_, function_;
};

} // namespace forewarp::bundle

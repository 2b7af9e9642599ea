// Programs and launches as the library inside the program tells of them, to predictions.
#pragma once

#include "engine/session.h"
#include "program/keep.h"
#include "program/run_log.h"
#include "program/wire/connection.h"
#include "support/memory_file.h"
#include "support/temporary_file.h"

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace forewarp::ir {
class KernelModule;
}

namespace forewarp::program {

/// What the library is told of a launch (question.cpp of opencl/).
struct BookAnswer {
  int status = 0; ///< OpenCL's: what the first GPU's driver would return
  std::uint64_t number = 0;
  std::int64_t duration_ns = 0;
  bool wants_contents = false; ///< of the buffers; the launch is asked about again with them
  bool data_decide = false;    ///< something that decides the time rests on what a buffer holds
};

/// Launches as launch files (keep.h), with an index of their calls.
struct KeepOptions {
  std::string folder = {}; ///< "": nowhere
  bool data = false;       ///< contents of all buffers, not only where they decide the time
};

class LaunchBook {
public:
  LaunchBook(RunLog& log, KeepOptions keep);
  /// `folder`: where the program runs; its relative include folders begin there.
  void add_program(int pid, const nlohmann::json& words, const std::string& folder);
  /// A source that this process has built: launches of every process name it.
  void add_source(const std::string& key, const engine::SourceRequest& source);
  /// Registers of a kernel, and groups of a size on one multiprocessor: {registers, groups_per_unit}.
  nlohmann::json resources(const nlohmann::json& question);
  BookAnswer launch(int pid, const Message& question);
  /// {text}: the program as the implementation needs it where we execute it (own_engine.h), or {problem}.
  Message stand_in(int pid, const nlohmann::json& words);
  /// Executes a launch by our own interpreter: own_engine.h has the answer; or {problem}.
  Message execute(int pid, const Message& question);
  /// The program has launched the kind of that number: a line of the kept launches' index.
  void called(std::uint64_t number);

private:
  struct Program {
    engine::SourceRequest source;
    std::vector<engine::KernelDescription> kernels;
    std::string problem;                           ///< why it cannot be predicted; "": it can
    std::shared_ptr<ir::KernelModule> module = {}; ///< for own_engine.h; null: not asked for yet
    std::map<std::string, std::shared_ptr<Program>> with_offset = {}; ///< the same, ids beginning elsewhere
  };
  struct Kept {
    std::string file, why; ///< one of the two
  };
  void describe(Program& program);
  Result<ir::KernelModule*> own_module(Program& program);
  Program* program_of(int pid, const nlohmann::json& words);
  /// As `program_of`; ids of its work-items begin where the launch says (OpenCL's global offset).
  Program* program_at_offset(int pid, const nlohmann::json& words);
  const engine::KernelDescription* kernel_of(const Program& program, const std::string& name) const;
  Kept keep(LaunchKind& kind, const KeptLaunch& launch);
  Result<std::vector<facts::Prediction>> predict_as_cards_do(engine::PredictRequest& request,
                                                             LaunchKind& kind);
  void predict(LaunchKind& kind, const Program& program, const std::string& symbol, facts::Launch launch,
               std::uint64_t shared_limit);

  RunLog& log_;
  KeepOptions keep_;
  std::vector<Kept> kept_; ///< by LaunchKind::number - 1, where launches are kept
  std::ofstream index_;    ///< launch/run_index.h
  engine::Session session_;
  std::map<std::pair<int, std::string>, Program> programs_;
  Result<std::string> file_of(const std::string& text);
  std::map<std::string, MemoryFile> texts_; ///< of programs: each text once
  std::vector<TemporaryFile> files_;        ///< where the system gives no more files in memory
};

} // namespace forewarp::program

#include "explore/share/transport.h"

#include "explore/mpi/functions.h"
#include "support/plugin.h"

#include <cstdlib>
#include <mutex>

namespace forewarp::explore {
namespace {

/// Set by the launchers of Open MPI (mpirun) and of Slurm (srun --mpi=pmix or pmi2).
bool under_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name) != nullptr)
      return true;
  return false;
}

Result<const MpiFunctions*> load() {
  // Open MPI's own parts look its symbols up globally.
  const auto symbol = load_plugin("forewarp_mpi.so", mpi_symbol, PluginSymbols::global);
  if (!symbol)
    return fail(ErrorCode::unsupported,
                "started by an MPI launcher, but MPI is not to be had: " + symbol.error().message,
                "forewarp_mpi.so", "install libopenmpi-dev and build again, or run one process with --jobs");
  return reinterpret_cast<MpiSymbol>(*symbol)();
}

} // namespace

bool is_helper_process() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (const char* rank = std::getenv(name))
      return std::string(rank) != "0";
  return false;
}

struct Transport::Lock {
  std::mutex mutex;
};

Result<std::unique_ptr<Transport>> Transport::connect() {
  if (!under_mpi())
    return std::unique_ptr<Transport>();
  const auto functions = load();
  FOREWARP_TRY(functions);
  return std::make_unique<Transport>(*functions);
}

Transport::Transport(const MpiFunctions* functions) : functions_(functions), lock_(std::make_unique<Lock>()) {
  functions_->start();
}

Transport::~Transport() {
  functions_->finish();
}

int Transport::rank() const {
  return functions_->rank();
}

int Transport::size() const {
  return functions_->size();
}

std::string Transport::ask(const std::string& question) {
  const std::lock_guard guard(lock_->mutex);
  functions_->send(0, question);
  return functions_->receive(0);
}

bool Transport::answer_one(const std::function<std::string(int, const std::string&)>& answer) {
  const int from = functions_->waiting();
  if (from < 0)
    return false;
  const std::string question = functions_->receive(from);
  functions_->send(from, answer(from, question));
  return true;
}

} // namespace forewarp::explore

#include "explore/share/transport.h"

#include "explore/mpi/functions.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
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

std::array<std::filesystem::path, 2> places() {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return {folder / "forewarp_mpi.so", folder / "../lib/forewarp/forewarp_mpi.so"};
}

Result<const MpiFunctions*> load() {
  std::string why = "forewarp_mpi.so is not there";
  for (const auto& path : places()) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      continue;
    // Open MPI's own parts look its symbols up globally.
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
      if (void* symbol = dlsym(library, mpi_symbol))
        return reinterpret_cast<MpiSymbol>(symbol)();
    const char* message = dlerror();
    why = message != nullptr ? message : "forewarp_mpi.so has another form";
  }
  return fail(ErrorCode::unsupported, "started by an MPI launcher, but MPI is not to be had: " + why,
              "forewarp_mpi.so", "install libopenmpi-dev and build again, or run one process with --jobs");
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

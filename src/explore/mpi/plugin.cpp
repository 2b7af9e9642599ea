// The MPI side of sweeps: a library of its own, so that a program that is not run under MPI does not load
// MPI.
#include "explore/mpi/functions.h"

#include <chrono>
#include <mpi.h>
#include <thread>

namespace {

constexpr int tag = 1;
constexpr auto nap = std::chrono::microseconds(100);

void start() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
}

void finish() {
  MPI_Finalize();
}

int rank() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}

int size() {
  int value = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

void send(int to, const std::string& bytes) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

std::string receive(int from) {
  MPI_Status status;
  for (int there = 0; there == 0;) {
    MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0)
      std::this_thread::sleep_for(nap);
  }
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  std::string bytes(static_cast<std::size_t>(count), '\0');
  MPI_Recv(bytes.data(), count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

int waiting() {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
  return there != 0 ? status.MPI_SOURCE : -1;
}

} // namespace

extern "C" const forewarp::explore::MpiFunctions* forewarp_mpi_functions() {
  static const forewarp::explore::MpiFunctions functions = {start, finish,  rank,   size,
                                                            send,  receive, waiting};
  return &functions;
}

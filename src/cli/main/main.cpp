#include "cli/run.h"
#include "support/allocator.h"

int main(int argc, char** argv) {
  forewarp::keep_freed_memory();
  return forewarp::cli::run(argc, argv);
}

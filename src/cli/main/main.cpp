#include "cli/run.h"

int main(int argc, char** argv) { return forewarp::cli::run(argc, argv); }

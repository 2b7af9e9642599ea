#include "gpu/provenance.h"

namespace forewarp::gpu {

const std::vector<std::string>& suite_names() {
  static const std::vector<std::string> names = {"accelsim-qv100",
                                                 "babelstream",
                                                 "benchmark-hub",
                                                 "clpeak",
                                                 "debdeep23",
                                                 "gpu-benches-cache",
                                                 "gpu-benches-l2",
                                                 "gpu-benches-latency",
                                                 "gpu-benches-roofline",
                                                 "gpu-benches-stream",
                                                 "gpu-benches-strides",
                                                 "gpuperfpredict-rodinia",
                                                 "gpuperfpredict-simple",
                                                 "hecbench",
                                                 "hecbench-atomics",
                                                 "hecbench-more",
                                                 "kernel-tuner-convolution",
                                                 "kernel-tuner-gemm",
                                                 "ktt",
                                                 "miopen-naive",
                                                 "mixbench",
                                                 "opendwarfs",
                                                 "pmpp",
                                                 "published-gemv",
                                                 "published-histogram",
                                                 "published-jacobi",
                                                 "published-laplacian",
                                                 "published-lattice-boltzmann",
                                                 "published-matrix-product",
                                                 "published-nbody",
                                                 "published-options",
                                                 "published-pbkdf2",
                                                 "published-poisson",
                                                 "published-reduction",
                                                 "published-row-normalise",
                                                 "published-scan",
                                                 "published-sgemm",
                                                 "published-streams",
                                                 "published-transpose",
                                                 "published-transpose-tiles",
                                                 "published-vector-matrix-vector",
                                                 "uci-sgemm"};
  return names;
}

} // namespace forewarp::gpu

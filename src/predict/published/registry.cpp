#include "predict/published/builtin.h"
#include "support/named.h"

namespace forewarp::models {

const std::vector<Model>& registry() {
  static const std::vector<Model> models = {roofline(),
                                            volkov(),
                                            transit(),
                                            mwp_cwp(),
                                            mwp_cwp_corrected(),
                                            wfg(),
                                            wfg_corrected(),
                                            gpumech_rr(),
                                            gpumech_rr_corrected(),
                                            gpumech_gto(),
                                            gpumech_gto_corrected(),
                                            cgpredict()};
  return models;
}

Result<Model> find_model(std::string_view name) {
  const auto model = find_named(registry(), name, {"there is no model", "", ErrorCode::not_found});
  FOREWARP_TRY(model);
  return **model;
}

} // namespace forewarp::models

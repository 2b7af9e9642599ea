#include "models/builtin.h"
#include "support/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  std::vector<std::string> names;
  for (const Model& model : registry()) {
    if (model.name == name)
      return model;
    names.emplace_back(model.name);
  }
  const std::vector<std::string> near = nearest_names(name, names);
  return fail(ErrorCode::not_found, fmt::format("there is no model '{}'", name), "",
              near.empty() ? fmt::format("models: {}", fmt::join(names, ", "))
                           : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

} // namespace forewarp::models

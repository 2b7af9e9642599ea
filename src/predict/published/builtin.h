// Factories of the built-in models, one per file; the registry calls them.
#pragma once

#include "predict/published/model.h"

namespace forewarp::models {

Model roofline();
Model volkov();
Model transit();
Model mwp_cwp();
Model mwp_cwp_corrected();
Model wfg();
Model wfg_corrected();
Model gpumech_rr();
Model gpumech_rr_corrected();
Model gpumech_gto();
Model gpumech_gto_corrected();
Model cgpredict();

} // namespace forewarp::models

// HIP's names of cuComplex.h.
#pragma once
#include "cuComplex.h"

#define hipFloatComplex cuFloatComplex
#define make_hipFloatComplex make_cuFloatComplex
#define hipDoubleComplex cuDoubleComplex
#define make_hipDoubleComplex make_cuDoubleComplex
#define hipComplex cuComplex
#define make_hipComplex make_cuComplex
#define hipCrealf cuCrealf
#define hipCreal cuCreal
#define hipCimagf cuCimagf
#define hipCimag cuCimag
#define hipConjf cuConjf
#define hipConj cuConj
#define hipCaddf cuCaddf
#define hipCadd cuCadd
#define hipCsubf cuCsubf
#define hipCsub cuCsub
#define hipCmulf cuCmulf
#define hipCmul cuCmul
#define hipCfmaf cuCfmaf
#define hipCfma cuCfma
#define hipCdivf cuCdivf
#define hipCdiv cuCdiv
#define hipCabsf cuCabsf
#define hipCabs cuCabs

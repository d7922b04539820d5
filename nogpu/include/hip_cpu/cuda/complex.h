/* CUDA's names for complex numbers.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_COMPLEX_H
#define HIP_CPU_CUDA_COMPLEX_H

#include "hip_cpu/numbers/complex.h"

typedef hipFloatComplex cuFloatComplex;
typedef hipDoubleComplex cuDoubleComplex;
typedef hipComplex cuComplex;

#define make_cuFloatComplex  make_hipFloatComplex
#define make_cuDoubleComplex make_hipDoubleComplex
#define make_cuComplex       make_hipComplex
#define cuCrealf             hipCrealf
#define cuCreal              hipCreal
#define cuCimagf             hipCimagf
#define cuCimag              hipCimag
#define cuCaddf              hipCaddf
#define cuCadd               hipCadd
#define cuCsubf              hipCsubf
#define cuCsub               hipCsub
#define cuCmulf              hipCmulf
#define cuCmul               hipCmul
#define cuCdivf              hipCdivf
#define cuCdiv               hipCdiv
#define cuCabsf              hipCabsf
#define cuCabs               hipCabs
#define cuCfmaf              hipCfmaf
#define cuCfma               hipCfma
#define cuConjf              hipConjf
#define cuConj               hipConj

#endif

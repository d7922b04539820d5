/* hipRAND: cuRAND under its names.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_RANDOM_HIPRAND_H
#define HIP_CPU_RANDOM_HIPRAND_H

#include "hip_cpu/random/generator.h"

// clang-format off
#define hiprandStatus                              curandStatus
#define hiprandStatus_t                            curandStatus_t
#define hiprandGenerator_t                         curandGenerator_t
#define hiprandRngType                             curandRngType
#define hiprandRngType_t                           curandRngType_t
#define hiprandOrdering                            curandOrdering
#define hiprandOrdering_t                          curandOrdering_t
#define hiprandDirectionVectorSet_t                curandDirectionVectorSet_t
#define hiprandDirectionVectors32_t                curandDirectionVectors32_t
#define hiprandDirectionVectors64_t                curandDirectionVectors64_t
#define hiprandCreateGenerator                     curandCreateGenerator
#define hiprandCreateGeneratorHost                 curandCreateGeneratorHost
#define hiprandDestroyGenerator                    curandDestroyGenerator
#define hiprandSetPseudoRandomGeneratorSeed        curandSetPseudoRandomGeneratorSeed
#define hiprandSetGeneratorOffset                  curandSetGeneratorOffset
#define hiprandSetGeneratorOrdering                curandSetGeneratorOrdering
#define hiprandSetQuasiRandomGeneratorDimensions   curandSetQuasiRandomGeneratorDimensions
#define hiprandSetStream                           curandSetStream
#define hiprandGenerateSeeds                       curandGenerateSeeds
#define hiprandGetVersion                          curandGetVersion
#define hiprandGetDirectionVectors32               curandGetDirectionVectors32
#define hiprandGetDirectionVectors64               curandGetDirectionVectors64
#define hiprandGenerate                            curandGenerate
#define hiprandGenerateLongLong                    curandGenerateLongLong
#define hiprandGenerateUniform                     curandGenerateUniform
#define hiprandGenerateUniformDouble               curandGenerateUniformDouble
#define hiprandGenerateNormal                      curandGenerateNormal
#define hiprandGenerateNormalDouble                curandGenerateNormalDouble
#define hiprandGenerateLogNormal                   curandGenerateLogNormal
#define hiprandGenerateLogNormalDouble             curandGenerateLogNormalDouble
#define hiprandGeneratePoisson                     curandGeneratePoisson
#define HIPRAND_STATUS_SUCCESS                     CURAND_STATUS_SUCCESS
#define HIPRAND_STATUS_VERSION_MISMATCH            CURAND_STATUS_VERSION_MISMATCH
#define HIPRAND_STATUS_NOT_INITIALIZED             CURAND_STATUS_NOT_INITIALIZED
#define HIPRAND_STATUS_ALLOCATION_FAILED           CURAND_STATUS_ALLOCATION_FAILED
#define HIPRAND_STATUS_TYPE_ERROR                  CURAND_STATUS_TYPE_ERROR
#define HIPRAND_STATUS_OUT_OF_RANGE                CURAND_STATUS_OUT_OF_RANGE
#define HIPRAND_STATUS_LENGTH_NOT_MULTIPLE         CURAND_STATUS_LENGTH_NOT_MULTIPLE
#define HIPRAND_STATUS_DOUBLE_PRECISION_REQUIRED   CURAND_STATUS_DOUBLE_PRECISION_REQUIRED
#define HIPRAND_STATUS_LAUNCH_FAILURE              CURAND_STATUS_LAUNCH_FAILURE
#define HIPRAND_STATUS_PREEXISTING_FAILURE         CURAND_STATUS_PREEXISTING_FAILURE
#define HIPRAND_STATUS_INITIALIZATION_FAILED       CURAND_STATUS_INITIALIZATION_FAILED
#define HIPRAND_STATUS_ARCH_MISMATCH               CURAND_STATUS_ARCH_MISMATCH
#define HIPRAND_STATUS_INTERNAL_ERROR              CURAND_STATUS_INTERNAL_ERROR
#define HIPRAND_RNG_TEST                           CURAND_RNG_TEST
#define HIPRAND_RNG_PSEUDO_DEFAULT                 CURAND_RNG_PSEUDO_DEFAULT
#define HIPRAND_RNG_PSEUDO_XORWOW                  CURAND_RNG_PSEUDO_XORWOW
#define HIPRAND_RNG_PSEUDO_MRG32K3A                CURAND_RNG_PSEUDO_MRG32K3A
#define HIPRAND_RNG_PSEUDO_MTGP32                  CURAND_RNG_PSEUDO_MTGP32
#define HIPRAND_RNG_PSEUDO_MT19937                 CURAND_RNG_PSEUDO_MT19937
#define HIPRAND_RNG_PSEUDO_PHILOX4_32_10           CURAND_RNG_PSEUDO_PHILOX4_32_10
#define HIPRAND_RNG_QUASI_DEFAULT                  CURAND_RNG_QUASI_DEFAULT
#define HIPRAND_RNG_QUASI_SOBOL32                  CURAND_RNG_QUASI_SOBOL32
#define HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32        CURAND_RNG_QUASI_SCRAMBLED_SOBOL32
#define HIPRAND_RNG_QUASI_SOBOL64                  CURAND_RNG_QUASI_SOBOL64
#define HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64        CURAND_RNG_QUASI_SCRAMBLED_SOBOL64
#define HIPRAND_ORDERING_PSEUDO_BEST               CURAND_ORDERING_PSEUDO_BEST
#define HIPRAND_ORDERING_PSEUDO_DEFAULT            CURAND_ORDERING_PSEUDO_DEFAULT
#define HIPRAND_ORDERING_PSEUDO_SEEDED             CURAND_ORDERING_PSEUDO_SEEDED
#define HIPRAND_ORDERING_PSEUDO_LEGACY             CURAND_ORDERING_PSEUDO_LEGACY
#define HIPRAND_ORDERING_PSEUDO_DYNAMIC            CURAND_ORDERING_PSEUDO_DYNAMIC
#define HIPRAND_ORDERING_QUASI_DEFAULT             CURAND_ORDERING_QUASI_DEFAULT
#define HIPRAND_DIRECTION_VECTORS_32_JOEKUO6       CURAND_DIRECTION_VECTORS_32_JOEKUO6
#define HIPRAND_DIRECTION_VECTORS_64_JOEKUO6       CURAND_DIRECTION_VECTORS_64_JOEKUO6
// clang-format on

#endif

// Marks a hot function to be compiled for the baseline, AVX2 with FMA, and AVX-512, chosen when the
// program starts. The levels are asked for by feature (x86-64-v3, v4): names of single processors
// such as "haswell" match those processors only, not others with the same instructions. Sanitized
// builds take the baseline only: their run time is not ready when the choice is made.
//
// GINGHAM_LEVEL, where it is defined, marks one of several functions of the same name, each written
// for one of these levels.
//
// Code that such a function calls is compiled for its level only if it is inlined there:
// GINGHAM_INLINE. Lambdas do not take over the level, so hot loops are plain functions.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GINGHAM_MULTIARCH \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#define GINGHAM_LEVEL(level) __attribute__((target(level)))
#else
#define GINGHAM_MULTIARCH
#endif

#define GINGHAM_INLINE inline __attribute__((always_inline))

// Before a loop over a small number that is known when compiled: unrolled whole, so that an array
// it runs over stays in registers. Longer loops than eight are written as two.
#if defined(__clang__)
#define GINGHAM_UNROLL _Pragma("unroll")
#else
#define GINGHAM_UNROLL _Pragma("GCC unroll 8")
#endif

// Marks a hot function to be compiled for the baseline, AVX2 and AVX-512, chosen when the program starts.
// Sanitized builds take the baseline only: their run time is not ready when the choice is made.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GINGHAM_MULTIARCH \
  __attribute__((target_clones("default", "arch=haswell", "arch=skylake-avx512")))
#else
#define GINGHAM_MULTIARCH
#endif

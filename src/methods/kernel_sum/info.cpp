#include "gingham/methods/kernel_views/combined.hpp"

namespace gingham::methods::kernel_sum {

MethodInfo info() {
  MethodInfo info = kernel_views::combined_info(kernel_views::Combination::sum);
  info.name = "kernel-sum";
  info.title = "Spectral clustering of rows on the sum of the views' kernels";
  info.formula = "sum_i ||z_i - c||^2, z from the eigenvectors of D^-1/2 (K1 + ... + Km) D^-1/2";
  info.reference =
      "Ng, Jordan, Weiss: On spectral clustering. NIPS 2002, on the sum of kernels as in Kumar, "
      "Rai, Daume: Co-regularized multi-view spectral clustering. NIPS 2011";
  info.python_class = "KernelSumClustering";
  info.example = "gingham fit kernel-sum pixels.npy fourier.npy -o out --clusters 10";
  return info;
}

}  // namespace gingham::methods::kernel_sum

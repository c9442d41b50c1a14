// A kernel and a variable with the same names as those in kernels_test.cu.
#include "same_names.hpp"

namespace {

__device__ int same_name = 11;
__global__ void same_kernel(int* out) {
  out[threadIdx.x] *= same_name;
}

}  // namespace

void multiply_by_eleven(int* pinned) {
  same_kernel<<<1, 1>>>(pinned);
  cudaDeviceSynchronize();
}

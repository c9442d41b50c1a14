// Compares the error names and texts with those of the toolkit's own libcudart, given as the argument.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

using Text = const char* (*)(cudaError_t);

int main(int argc, char** argv) {
  void* lib = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!lib) {
    printf("no libcudart: %s\n", dlerror());
    return 1;
  }
  Text name = (Text)dlsym(lib, "cudaGetErrorName");
  Text text = (Text)dlsym(lib, "cudaGetErrorString");
  int known = 0;
  int wrong = 0;
  for (int i = 0; i < 1000; i++) {
    cudaError_t e = (cudaError_t)i;
    if (!strcmp(cudaGetErrorName(e), "unrecognized error code")) continue;
    known++;
    if (!strcmp(name(e), cudaGetErrorName(e)) && !strcmp(text(e), cudaGetErrorString(e))) continue;
    wrong++;
    printf("%d: %s (%s) instead of %s (%s)\n", i, cudaGetErrorName(e), cudaGetErrorString(e), name(e), text(e));
  }
  printf("%d errors compared, %d wrong\n", known, wrong);
  return wrong != 0;
}

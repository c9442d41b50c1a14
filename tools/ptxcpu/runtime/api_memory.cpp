// Implements the entry points for memory: allocation, copies, sets, symbols.
//
// Models: copies and sets in stream order; staging, at the call, of the pageable source of an asynchronous copy to a
// device; checks of the direction, range and allocation of every copy (cudaErrorInvalidValue).
// Does not model: arrays, textures, memory pools, managed memory, copies of rectangles.
#include "internal.hpp"

namespace ptxcpu {

static bool is_pageable(const void* p) {
  Alloc al;
  return !is_device_memory(p) && !find_alloc(p, &al);
}

static void copy_bytes(int device, void* d, const void* s, size_t n) {
  if (sticky_error(device)) return;
  OpenDeviceMemory open;
  memmove(d, s, n);
}

static void set_bytes(int device, void* d, int value, size_t n) {
  if (sticky_error(device)) return;
  OpenDeviceMemory open;
  memset(d, value, n);
}

static cudaError_t copy_now(void* d, const void* s, size_t n, cudaMemcpyKind kind) {
  cudaError_t e = check_copy(d, s, n, kind);
  return e ? e : submit_and_wait(nullptr, [=](int device) { copy_bytes(device, d, s, n); });
}

static cudaError_t copy_async(void* d, const void* s, size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
  cudaError_t e = check_copy(d, s, n, kind);
  if (e) return e;
  if (is_pageable(s)) {
    auto staged = std::make_shared<std::vector<char>>((const char*)s, (const char*)s + n);
    return submit(stream, [=](int device) { copy_bytes(device, d, staged->data(), n); });
  }
  if (is_pageable(d) && settings().pageable_sync)
    return submit_and_wait(stream, [=](int device) { copy_bytes(device, d, s, n); });
  return submit(stream, [=](int device) { copy_bytes(device, d, s, n); });
}

static cudaError_t set_checked(void* d, int value, size_t n, cudaStream_t stream) {
  if (!n) return cudaSuccess;
  if (!d || is_pageable(d) || check_range(d, n)) return cudaErrorInvalidValue;
  return submit(stream, [=](int device) { set_bytes(device, d, value, n); });
}

static cudaError_t symbol_address(const void* symbol, size_t offset, size_t n, char** p) {
  const Variable* v = find_variable(symbol);
  if (!v) return cudaErrorInvalidSymbol;
  if (offset + n > v->size) return cudaErrorInvalidValue;
  *p = (char*)v->addr + offset;
  return cudaSuccess;
}

// Waits for the device before it releases memory, because work in flight may use it.
static cudaError_t free_after_work(void* p, bool host) {
  if (!p) return cudaSuccess;
  Alloc al;
  if (!find_alloc(p, &al)) return cudaErrorInvalidValue;
  if (al.kind == Kind::kDevice)
    synchronize_device(al.device);
  else
    for (int d = 0; d < settings().devices; d++)
      synchronize_device(d);
  return release(p, host);
}

}  // namespace ptxcpu

using namespace ptxcpu;

// ---- allocation

API cudaMalloc(void** p, size_t n) {
  ENTER(cudaMalloc);
  return fail(device_alloc(p, n, current_device()));
}

API cudaMallocHost(void** p, size_t n) {
  ENTER(cudaMallocHost);
  return fail(host_alloc(p, n));
}

API cudaHostAlloc(void** p, size_t n, unsigned) {
  ENTER(cudaHostAlloc);
  return fail(host_alloc(p, n));
}

API cudaFree(void* p) {
  ENTER(cudaFree);
  return fail(free_after_work(p, false));
}

API cudaFreeHost(void* p) {
  ENTER(cudaFreeHost);
  return fail(free_after_work(p, true));
}

API cudaHostGetDevicePointer(void** d, void* h, unsigned) {
  ENTER(cudaHostGetDevicePointer);
  Alloc al;
  if (!find_alloc(h, &al) || al.kind == Kind::kDevice) return fail(cudaErrorInvalidValue);
  *d = h;
  return cudaSuccess;
}

API cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  ENTER(cudaMemGetInfo);
  memory_info(current_device(), free_bytes, total);
  return cudaSuccess;
}

API cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  ENTER(cudaPointerGetAttributes);
  memset(a, 0, sizeof *a);
  Alloc al;
  a->type = cudaMemoryTypeUnregistered;
  a->hostPointer = (void*)p;
  a->device = current_device();
  if (!find_alloc(p, &al)) return cudaSuccess;
  a->device = al.device;
  a->devicePointer = (void*)p;
  a->hostPointer = al.kind == Kind::kDevice ? nullptr : (void*)p;
  a->type = cudaMemoryTypeHost;
  if (al.kind == Kind::kDevice) a->type = cudaMemoryTypeDevice;
  return cudaSuccess;
}

// ---- copies and sets

API cudaMemcpy(void* d, const void* s, size_t n, cudaMemcpyKind kind) {
  ENTER(cudaMemcpy);
  return fail(copy_now(d, s, n, kind));
}

API cudaMemcpyAsync(void* d, const void* s, size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
  ENTER(cudaMemcpyAsync);
  return fail(copy_async(d, s, n, kind, stream));
}

API cudaMemset(void* d, int value, size_t n) {
  ENTER(cudaMemset);
  return fail(set_checked(d, value, n, nullptr));
}

API cudaMemsetAsync(void* d, int value, size_t n, cudaStream_t stream) {
  ENTER(cudaMemsetAsync);
  return fail(set_checked(d, value, n, stream));
}

// ---- symbols

API cudaGetSymbolAddress(void** p, const void* symbol) {
  ENTER(cudaGetSymbolAddress);
  return fail(symbol_address(symbol, 0, 0, (char**)p));
}

API cudaGetSymbolSize(size_t* n, const void* symbol) {
  ENTER(cudaGetSymbolSize);
  const Variable* v = find_variable(symbol);
  if (!v) return fail(cudaErrorInvalidSymbol);
  *n = v->size;
  return cudaSuccess;
}

API cudaMemcpyToSymbol(const void* symbol, const void* s, size_t n, size_t offset, cudaMemcpyKind kind) {
  ENTER(cudaMemcpyToSymbol);
  char* p;
  cudaError_t e = symbol_address(symbol, offset, n, &p);
  return fail(e ? e : copy_now(p, s, n, kind));
}

API cudaMemcpyFromSymbol(void* d, const void* symbol, size_t n, size_t offset, cudaMemcpyKind kind) {
  ENTER(cudaMemcpyFromSymbol);
  char* p;
  cudaError_t e = symbol_address(symbol, offset, n, &p);
  return fail(e ? e : copy_now(d, p, n, kind));
}

API cudaMemcpyToSymbolAsync(const void* symbol, const void* s, size_t n, size_t offset, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  ENTER(cudaMemcpyToSymbolAsync);
  char* p;
  cudaError_t e = symbol_address(symbol, offset, n, &p);
  return fail(e ? e : copy_async(p, s, n, kind, stream));
}

API cudaMemcpyFromSymbolAsync(void* d, const void* symbol, size_t n, size_t offset, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  ENTER(cudaMemcpyFromSymbolAsync);
  char* p;
  cudaError_t e = symbol_address(symbol, offset, n, &p);
  return fail(e ? e : copy_async(d, p, n, kind, stream));
}

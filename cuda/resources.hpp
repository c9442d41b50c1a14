// Owners of CUDA's streams, events and buffers, which are given back when they go out of scope. Destructors never
// throw: after a fault the device refuses everything, and there is nothing left to give back.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace chainshot::cuda {

class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const char* what_for)
      : std::runtime_error(std::string("could not ") + what_for + " (" + cudaGetErrorString(code) + ")"), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

// `what_for` completes the sentence 'could not ...'.
inline void check(cudaError_t code, const char* what_for) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // an error that is not sticky must not be met again by the next call
  throw CudaError(code, what_for);
}

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventBlockingSync), "make an event"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record(const Stream& stream) { check(cudaEventRecord(event_, stream.get()), "record an event"); }
  // The thread sleeps meanwhile.
  void wait(const char* what_for = "finish playouts") const { check(cudaEventSynchronize(event_), what_for); }
  double seconds_since(const Event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "read the time of an event");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Bytes on the device, or pinned ones of the host.
template <cudaError_t (*Allocate)(void**, std::size_t), cudaError_t (*Free)(void*)>
class Buffer {
 public:
  Buffer(std::size_t bytes, const char* what_for) { check(Allocate(&bytes_, bytes), what_for); }
  Buffer(Buffer&& other) noexcept : bytes_(std::exchange(other.bytes_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Buffer() {
    if (bytes_ != nullptr) Free(bytes_);
  }

  std::byte* get() const { return static_cast<std::byte*>(bytes_); }

 private:
  void* bytes_ = nullptr;
};

inline cudaError_t allocate_device(void** bytes, std::size_t size) {
  return cudaMalloc(bytes, size);
}
inline cudaError_t allocate_pinned(void** bytes, std::size_t size) {
  return cudaHostAlloc(bytes, size, cudaHostAllocDefault);
}
using DeviceBuffer = Buffer<allocate_device, cudaFree>;
using PinnedBuffer = Buffer<allocate_pinned, cudaFreeHost>;

}  // namespace chainshot::cuda

// Implements deferred streams, and events.
//
// Models: the work of a stream waits in a queue and runs, in order, only when something forces it: a synchronisation,
// an event that another forced stream waits for, repeated queries, work on the legacy default stream. Among forced
// streams the newest goes first, or with PTXCPU_ORDER=<seed> they interleave at random, so that a missing dependency
// shows. Work on the default stream first finishes the blocking streams of its device, then runs at once. Does not
// model: streams that really run at the same time, priorities, stream capture and graphs.
#include <algorithm>
#include <atomic>
#include <set>
#include "internal.hpp"

struct CUstream_st {
  int device;
  unsigned flags;
  int priority;
  bool is_default;
  bool blocking;
  bool busy;  // a host thread is running the head of the queue
  int polls;
  uint64_t given, done;
  struct Item;
  std::deque<Item> queue;
};

struct CUevent_st {
  int device;
  unsigned flags;
  int polls;
  uint64_t recorded, completed;  // numbers of the latest record submitted and the latest completed
  uint64_t time;
  std::shared_ptr<CUstream_st> stream;
};

namespace ptxcpu {

typedef std::shared_ptr<CUstream_st> Stream;
typedef std::shared_ptr<CUevent_st> Event;

}  // namespace ptxcpu

struct CUstream_st::Item {
  ptxcpu::Task task;
  // For cudaStreamWaitEvent, the record that must be complete first.
  ptxcpu::Event event;
  uint64_t record;
  ptxcpu::Stream source;
};

namespace ptxcpu {

static const int kPollsNotReady = 2;

typedef std::unique_lock<std::mutex> Lock;
static std::mutex stream_mutex;
static std::condition_variable stream_changed;

struct Registry {
  std::vector<Stream> streams;  // every stream that is alive or still has work, oldest first
  std::set<CUstream_st*> destroyed;
  std::map<cudaEvent_t, Event> events;
  std::map<int, Stream> defaults;
};

static Registry& registry() {
  static auto* r = new Registry;
  return *r;
}

static thread_local int selected_device;

int current_device() {
  return selected_device;
}

cudaError_t set_current_device(int device) {
  if (device < 0 || device >= settings().devices) return cudaErrorInvalidDevice;
  selected_device = device;
  return cudaSuccess;
}

// ---- finding streams and events

static Stream new_stream(int device, unsigned flags, int priority, bool is_default) {
  auto s = std::make_shared<CUstream_st>();
  s->device = device;
  s->flags = flags;
  s->priority = priority;
  s->is_default = is_default;
  s->blocking = !(flags & cudaStreamNonBlocking);
  registry().streams.push_back(s);
  return s;
}

static Stream default_stream(int device) {
  Stream& s = registry().defaults[device];
  if (!s) s = new_stream(device, 0, 0, true);
  return s;
}

static Stream per_thread_stream(int device) {
  static thread_local std::map<int, Stream> own;
  Stream& s = own[device];
  if (!s) s = new_stream(device, 0, 0, false);
  return s;
}

bool is_default_stream(cudaStream_t h) {
  return h == nullptr || h == cudaStreamLegacy;
}

static Stream find_stream(cudaStream_t h) {
  if (is_default_stream(h)) return default_stream(current_device());
  if (h == cudaStreamPerThread) return per_thread_stream(current_device());
  if (registry().destroyed.count(h)) return nullptr;
  for (const Stream& s : registry().streams)
    if (s.get() == h) return s;
  return nullptr;
}

static Event find_event(cudaEvent_t h) {
  auto it = registry().events.find(h);
  return it == registry().events.end() ? nullptr : it->second;
}

static void forget_finished_streams() {
  Registry& r = registry();
  auto finished = [&](const Stream& s) { return s->queue.empty() && !s->busy && r.destroyed.erase(s.get()); };
  r.streams.erase(std::remove_if(r.streams.begin(), r.streams.end(), finished), r.streams.end());
}

// ---- running the work

static void step(Lock& lock, CUstream_st& s);

static void wait_for_record(Lock& lock, const CUstream_st::Item& item) {
  while (item.event->completed < item.record)
    step(lock, *item.source);
}

// Runs the oldest work of a stream, or waits until the thread that is running it has finished.
static void step(Lock& lock, CUstream_st& s) {
  if (s.busy) {
    stream_changed.wait(lock, [&] { return !s.busy; });
    return;
  }
  if (s.queue.empty()) return;
  s.busy = true;
  CUstream_st::Item item = std::move(s.queue.front());
  s.queue.pop_front();
  if (item.event) wait_for_record(lock, item);
  if (item.task) {
    lock.unlock();
    item.task(s.device);
    lock.lock();
  }
  s.done++;
  s.busy = false;
  if (s.queue.empty()) s.polls = 0;
  stream_changed.notify_all();
}

static void finish(Lock& lock, CUstream_st& s) {
  uint64_t target = s.given;
  while (s.done < target)
    step(lock, s);
}

static size_t pick(size_t count) {
  static uint64_t state = settings().order;
  if (!state) return count - 1;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (size_t)((state >> 33) % count);
}

static void finish_streams(Lock& lock, int device, bool only_blocking) {
  for (;;) {
    std::vector<Stream> pending;
    for (const Stream& s : registry().streams) {
      bool wanted = s->device == device && !s->is_default && (s->blocking || !only_blocking);
      if (wanted && (s->busy || !s->queue.empty())) pending.push_back(s);
    }
    if (pending.empty()) break;
    step(lock, *pending[pick(pending.size())]);
  }
  forget_finished_streams();
}

static void give(Lock& lock, CUstream_st& s, CUstream_st::Item item) {
  if (s.is_default) finish_streams(lock, s.device, true);
  s.given++;
  s.queue.push_back(std::move(item));
  if (s.is_default || settings().eager) finish(lock, s);
}

cudaError_t submit(cudaStream_t h, Task task) {
  Lock lock(stream_mutex);
  Stream s = find_stream(h);
  if (!s) return cudaErrorInvalidResourceHandle;
  give(lock, *s, {std::move(task), nullptr, 0, nullptr});
  return cudaSuccess;
}

cudaError_t submit_and_wait(cudaStream_t h, Task task) {
  cudaError_t e = submit(h, std::move(task));
  return e ? e : synchronize_stream(h);
}

cudaError_t synchronize_stream(cudaStream_t h) {
  Lock lock(stream_mutex);
  Stream s = find_stream(h);
  if (!s) return cudaErrorInvalidResourceHandle;
  if (s->is_default) finish_streams(lock, s->device, true);
  finish(lock, *s);
  fflush(stdout);
  return sticky_error(s->device);
}

cudaError_t synchronize_device(int device) {
  Lock lock(stream_mutex);
  finish_streams(lock, device, false);
  finish(lock, *default_stream(device));
  fflush(stdout);
  return sticky_error(device);
}

cudaError_t stream_device(cudaStream_t h, int* device) {
  Lock lock(stream_mutex);
  Stream s = find_stream(h);
  if (!s) return cudaErrorInvalidResourceHandle;
  *device = s->device;
  return cudaSuccess;
}

// Answers "not ready" a few times, then does one piece of work per query.
static bool poll(Lock& lock, CUstream_st& s, int& polls) {
  if (polls++ < kPollsNotReady) return false;
  step(lock, s);
  return true;
}

// ---- events

static void record_completed(Event e, uint64_t record) {
  Lock lock(stream_mutex);
  e->completed = std::max(e->completed, record);
  e->time = clock64_();
}

static cudaError_t record(cudaEvent_t he, cudaStream_t hs) {
  Lock lock(stream_mutex);
  Event e = find_event(he);
  Stream s = find_stream(hs);
  if (!e || !s || e->device != s->device) return cudaErrorInvalidResourceHandle;
  uint64_t number = ++e->recorded;
  e->stream = s;
  e->polls = 0;
  give(lock, *s, {[e, number](int) { record_completed(e, number); }, nullptr, 0, nullptr});
  return cudaSuccess;
}

static cudaError_t wait_event(cudaStream_t hs, cudaEvent_t he) {
  Lock lock(stream_mutex);
  Event e = find_event(he);
  Stream s = find_stream(hs);
  if (!e || !s) return cudaErrorInvalidResourceHandle;
  if (e->completed < e->recorded) give(lock, *s, {nullptr, e, e->recorded, e->stream});
  return cudaSuccess;
}

static cudaError_t synchronize_event(cudaEvent_t he) {
  Lock lock(stream_mutex);
  Event e = find_event(he);
  if (!e) return cudaErrorInvalidResourceHandle;
  uint64_t target = e->recorded;
  Stream s = e->stream;
  while (e->completed < target)
    step(lock, *s);
  fflush(stdout);
  return sticky_error(e->device);
}

static cudaError_t query_event(cudaEvent_t he) {
  Lock lock(stream_mutex);
  Event e = find_event(he);
  if (!e) return cudaErrorInvalidResourceHandle;
  if (e->completed < e->recorded) {
    Stream s = e->stream;
    poll(lock, *s, e->polls);
  }
  return e->completed < e->recorded ? cudaErrorNotReady : sticky_error(e->device);
}

static cudaError_t elapsed(float* ms, cudaEvent_t start, cudaEvent_t end) {
  Lock lock(stream_mutex);
  Event a = find_event(start);
  Event b = find_event(end);
  if (!a || !b || !a->recorded || !b->recorded) return cudaErrorInvalidResourceHandle;
  if ((a->flags | b->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
  if (a->completed < a->recorded || b->completed < b->recorded) return cudaErrorNotReady;
  *ms = (float)((double)(int64_t)(b->time - a->time) * 1e-6);
  return cudaSuccess;
}

static void run_host_function(int device, cudaHostFn_t fn, void* data) {
  if (sticky_error(device)) return;
  in_host_function = true;
  fn(data);
  in_host_function = false;
}

}  // namespace ptxcpu

using namespace ptxcpu;

// ---- stream entry points

API cudaStreamCreateWithPriority(cudaStream_t* h, unsigned flags, int priority) {
  ENTER(cudaStreamCreate);
  if (flags & ~(unsigned)cudaStreamNonBlocking) return fail(cudaErrorInvalidValue);
  Lock lock(stream_mutex);
  *h = new_stream(current_device(), flags, priority, false).get();
  return cudaSuccess;
}

API cudaStreamCreateWithFlags(cudaStream_t* h, unsigned flags) {
  return cudaStreamCreateWithPriority(h, flags, 0);
}

API cudaStreamCreate(cudaStream_t* h) {
  return cudaStreamCreateWithPriority(h, 0, 0);
}

// Work that is still queued runs later, as on a GPU.
API cudaStreamDestroy(cudaStream_t h) {
  ENTER(cudaStreamDestroy);
  Lock lock(stream_mutex);
  Stream s = find_stream(h);
  if (!s || is_default_stream(h) || h == cudaStreamPerThread) return fail(cudaErrorInvalidResourceHandle);
  registry().destroyed.insert(h);
  forget_finished_streams();
  return cudaSuccess;
}

API cudaStreamSynchronize(cudaStream_t h) {
  ENTER(cudaStreamSynchronize);
  return fail(synchronize_stream(h));
}

API cudaStreamQuery(cudaStream_t h) {
  ENTER(cudaStreamQuery);
  Lock lock(stream_mutex);
  Stream s = find_stream(h);
  if (!s) return fail(cudaErrorInvalidResourceHandle);
  if (!s->queue.empty() || s->busy) poll(lock, *s, s->polls);
  bool ready = s->queue.empty() && !s->busy;
  return fail(ready ? sticky_error(s->device) : cudaErrorNotReady);
}

API cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  ENTER(cudaStreamWaitEvent);
  return fail(wait_event(s, e));
}

API cudaStreamGetFlags(cudaStream_t h, unsigned* flags) {
  ENTER(cudaStreamGetFlags);
  Lock lock(stream_mutex);
  Stream s = find_stream(h);
  if (!s) return fail(cudaErrorInvalidResourceHandle);
  *flags = s->flags;
  return cudaSuccess;
}

API cudaStreamGetPriority(cudaStream_t h, int* priority) {
  ENTER(cudaStreamGetPriority);
  Lock lock(stream_mutex);
  Stream s = find_stream(h);
  if (!s) return fail(cudaErrorInvalidResourceHandle);
  *priority = s->priority;
  return cudaSuccess;
}

API cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

API cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  ENTER(cudaDeviceGetStreamPriorityRange);
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

API cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void* data) {
  ENTER(cudaLaunchHostFunc);
  return fail(submit(s, [=](int device) { run_host_function(device, fn, data); }));
}

API cudaDeviceSynchronize() {
  ENTER(cudaDeviceSynchronize);
  return fail(synchronize_device(current_device()));
}

// ---- event entry points

API cudaEventCreateWithFlags(cudaEvent_t* h, unsigned flags) {
  ENTER(cudaEventCreate);
  Lock lock(stream_mutex);
  auto e = std::make_shared<CUevent_st>();
  e->device = current_device();
  e->flags = flags;
  registry().events[e.get()] = e;
  *h = e.get();
  return cudaSuccess;
}

API cudaEventCreate(cudaEvent_t* h) {
  return cudaEventCreateWithFlags(h, 0);
}

API cudaEventDestroy(cudaEvent_t h) {
  ENTER(cudaEventDestroy);
  Lock lock(stream_mutex);
  return fail(registry().events.erase(h) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

API cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  ENTER(cudaEventRecord);
  return fail(record(e, s));
}

API cudaEventSynchronize(cudaEvent_t e) {
  ENTER(cudaEventSynchronize);
  return fail(synchronize_event(e));
}

API cudaEventQuery(cudaEvent_t e) {
  ENTER(cudaEventQuery);
  return fail(query_event(e));
}

API cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  ENTER(cudaEventElapsedTime);
  return fail(elapsed(ms, start, end));
}

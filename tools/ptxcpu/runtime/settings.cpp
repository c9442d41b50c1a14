// Reads the environment variables of the runtime, once.
#include "internal.hpp"

namespace ptxcpu {

static long long number(const char* name, long long otherwise) {
  const char* text = getenv(name);
  return text && *text ? strtoll(text, nullptr, 0) : otherwise;
}

static std::string text(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}

static bool protect_by_default() {
#ifdef PTXCPU_CHECK
  return true;
#else
  return false;
#endif
}

static Settings read_settings() {
  Settings s;
  s.arch = (int)number("PTXCPU_ARCH", 0);
  s.sms = (int)number("PTXCPU_SMS", 4);
  s.devices = (int)number("PTXCPU_DEVICES", 1);
  s.threads = (int)number("PTXCPU_THREADS", 1);
  s.verbose = (int)number("PTXCPU_VERBOSE", 0);
  s.memory = (size_t)number("PTXCPU_MEM", 16ll << 30);
  s.stack = (size_t)number("PTXCPU_STACK", 64 << 10);
  s.eager = number("PTXCPU_EAGER", 0) != 0;
  s.pageable_sync = number("PTXCPU_PAGEABLE_SYNC", 0) != 0;
  s.protect = number("PTXCPU_PROTECT", protect_by_default()) != 0;
  s.order = (uint64_t)number("PTXCPU_ORDER", 0);
  s.fail = text("PTXCPU_FAIL");
  s.stats = text("PTXCPU_STATS");
  return s;
}

const Settings& settings() {
  static const Settings* s = new Settings(read_settings());
  return *s;
}

int device_arch() {
  if (settings().arch) return settings().arch;
  int arch = translated_arch();
  return arch ? arch : 80;
}

}  // namespace ptxcpu

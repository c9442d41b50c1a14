#include "tools/watch/watch_address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "tools/options/input_error.hpp"

namespace chainshot::tools {
namespace {

bool is_ipv4(const std::string& text) {
  in_addr address{};
  return ::inet_pton(AF_INET, text.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& text) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

// Splits ADDRESS:PORT, ADDRESS or [ADDRESS]:PORT; the brackets go.
std::pair<std::string, std::optional<std::string>> split_port(const std::string& text) {
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : std::string::npos;
  if (bracket != std::string::npos) {
    const std::string rest = text.substr(bracket + 1);
    return {text.substr(1, bracket - 1), rest.starts_with(':') ? std::optional(rest.substr(1)) : std::nullopt};
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

WatchAddress parse_watch_address(const std::string& text) {
  const auto fail = [&]() -> WatchAddress {
    throw InputError(
        fmt::format("'{}' is not an address to watch at; expected PORT or ADDRESS:PORT, such as 8080 or 0.0.0.0:8080, "
                    "with a port from 0 to 65535",
                    text));
  };
  if (const auto port = parse_port(text)) return {.port = *port};
  auto [address, port_text] = split_port(text);
  if (!port_text) return fail();
  const auto port = parse_port(*port_text);
  if (address == "localhost") address = "127.0.0.1";
  if (!port || (!is_ipv4(address) && !is_ipv6(address))) return fail();
  return {address, *port};
}

bool is_own_host(const std::string& host_header, const WatchAddress& own) {
  std::string host = split_port(host_header).first;
  std::transform(host.begin(), host.end(), host.begin(), [](unsigned char c) { return std::tolower(c); });
  if (host == "localhost" || host == "127.0.0.1" || host == "::1" || host == own.address) return true;
  const bool is_on_all = own.address == "0.0.0.0" || own.address == "::";
  return is_on_all && (is_ipv4(host) || is_ipv6(host));
}

int listen_at(WatchAddress& own) {
  sockaddr_storage storage{};
  socklen_t size = 0;
  if (is_ipv4(own.address)) {
    auto& address = reinterpret_cast<sockaddr_in&>(storage);
    address.sin_family = AF_INET;
    address.sin_port = htons(own.port);
    ::inet_pton(AF_INET, own.address.c_str(), &address.sin_addr);
    size = sizeof(address);
  } else {
    auto& address = reinterpret_cast<sockaddr_in6&>(storage);
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(own.port);
    ::inet_pton(AF_INET6, own.address.c_str(), &address.sin6_addr);
    size = sizeof(address);
  }
  auto* address = reinterpret_cast<sockaddr*>(&storage);
  const int listener = ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  constexpr int kBacklog = 128;  // these take no file descriptors yet
  // A port that a run before this one used must not stay taken for a minute; another listener still takes it.
  if (listener < 0 || ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
      ::bind(listener, address, size) != 0 || ::listen(listener, kBacklog) != 0 ||
      ::getsockname(listener, address, &size) != 0) {
    const int error = errno;
    if (listener >= 0) ::close(listener);
    if (error == EADDRINUSE)
      throw InputError(fmt::format("port {} of {} is taken by another program; expected a free port, or 0 for any",
                                   own.port, own.address));
    throw InputError(fmt::format("cannot be watched at {}:{}: {}", own.address, own.port, std::strerror(error)));
  }
  own.port = ntohs(storage.ss_family == AF_INET ? reinterpret_cast<sockaddr_in&>(storage).sin_port
                                                : reinterpret_cast<sockaddr_in6&>(storage).sin6_port);
  return listener;
}

}  // namespace chainshot::tools

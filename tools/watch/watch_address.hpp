// The address that a run is watched at: PORT (loopback only) or ADDRESS:PORT, where an IPv6 address stands in brackets.
// Port 0 takes any free port.
#pragma once

#include <cstdint>
#include <string>

namespace chainshot::tools {

struct WatchAddress {
  std::string address = "127.0.0.1";  // an IP address, without brackets
  std::uint16_t port = 0;
};

// Throws InputError.
WatchAddress parse_watch_address(const std::string& text);

// Returns whether a browser that asked for this host (the Host header) means this server. A name could be another
// site's that was made to point at this machine (DNS rebinding), so only localhost and IP addresses are accepted: those
// of loopback and the server's own, or any if the server listens on all addresses.
bool is_own_host(const std::string& host_header, const WatchAddress& own);

// Returns a listening socket that programs started by this one do not inherit, and stores the port that it got. Throws
// InputError if the port is taken or the address is not one of this machine.
int listen_at(WatchAddress& own);

}  // namespace chainshot::tools

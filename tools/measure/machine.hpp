// What a measurement must name to mean anything: the processor, and how the program was built.
#pragma once

#include <string>

namespace chainshot::tools {

std::string processor_name();  // as the system calls it, or `unknown processor`
int logical_processors();
std::string compiler_name();  // `g++ 12.2.0`
std::string build_flags();    // `Release: -O3 -DNDEBUG`

// Seconds of processor time of all threads of the process, and of the calling one.
double process_cpu_seconds();
double thread_cpu_seconds();

}  // namespace chainshot::tools

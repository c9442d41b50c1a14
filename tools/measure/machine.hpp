// Describes what a measurement depends on: the processor and how the program was built. Also reads processor time.
#pragma once

#include <string>

namespace chainshot::tools {

std::string host_name();       // of the machine, or `unknown host`
std::string processor_name();  // the name the system reports, or `unknown processor`
int logical_processors();      // of the machine
// The processor, how many the machine has, and how many this process may use if they are fewer.
std::string processors_text();
std::string compiler_name();    // such as `g++ 12.2.0`
std::string program_version();  // such as `0.1.0 (1a2b3c4)`; without a commit where the sources came without Git
std::string program_commit();   // empty if unknown
std::string build_flags();      // such as `Release: -O3 -DNDEBUG`

// Return the seconds of processor time used by all threads of the process, and by the calling thread.
double process_cpu_seconds();
double thread_cpu_seconds();

}  // namespace chainshot::tools

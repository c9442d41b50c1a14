# Uses fmt as a header-only library: Debian has the compiled library only for the machine's own processor.
add_library(fmt::fmt INTERFACE IMPORTED)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

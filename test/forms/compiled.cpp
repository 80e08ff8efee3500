#include "forms/program.hpp"

#ifndef TUTTI_COMPILED
#error "this source tests the compiled form"
#endif

forms::result forms::compiled(std::string_view text) { return run_program(text); }

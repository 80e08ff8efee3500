#include "forms/program.hpp"

#ifdef TUTTI_COMPILED
#error "this source tests the header-only form"
#endif

forms::result forms::header_only(std::string_view text) { return run_program(text); }

static_assert(tutti::relay::default_operators().find("add") != nullptr, "constant expressions may use the IR");

#pragma once

// Every header of the folder tutti/ includes this one, directly or not, before it declares anything. A program that also
// includes a single header (packaging/single_header.py) thus gets this error first, and not that a name is redefined.

#ifdef TUTTI_SINGLE_HEADER
#error "tutti: headers of the folder tutti/ and the single header tutti.hpp are both included; include either of them"
#endif
#define TUTTI_FOLDER

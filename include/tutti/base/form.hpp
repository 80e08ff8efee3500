#pragma once

#include <tutti/base/folder.hpp>

// The two forms of the library.
//
// Header-only (the default): a header `x.hpp` that only declares its functions ends by including `x.ipp`, which defines
// them. Compiled (with TUTTI_COMPILED defined): `x.hpp` does not include `x.ipp`; the library tutti-relay defines the
// functions. That library's Meson and CMake targets define the macro. In this form the functions are not constexpr, so
// constant expressions cannot build calls of operators, infer types or run passes.
//
// Everything in tutti::relay is in an inline namespace named after the form and the version of the binary interface.
// Two libraries in a program may choose different forms or versions. Passing a type from one library to the other then
// causes a link error; the missing symbol contains the name of the namespace.

#ifdef TUTTI_COMPILED
/// The name of the inline namespace in tutti::relay.
#define TUTTI_FORM compiled_v0_1
/// Precedes the declaration and the definition of a function that `x.ipp` defines. In the header-only form, constant
/// expressions may call the function.
#define TUTTI_CONSTEXPR
/// Precedes the declaration and the definition of any other function that `x.ipp` defines.
#define TUTTI_INLINE
#if defined(__GNUC__)
/// Begins a section of a header. A program and its shared libraries share the types in the section, even with
/// -fvisibility=hidden. Operators and passes are identified by the addresses of their descriptions; some standard
/// libraries identify exceptions by address as well.
#define TUTTI_SHARED_BEGIN _Pragma("GCC visibility push(default)")
/// Ends a section that TUTTI_SHARED_BEGIN begins.
#define TUTTI_SHARED_END _Pragma("GCC visibility pop")
#endif
#else
#define TUTTI_FORM header_only_v0_1
#define TUTTI_CONSTEXPR constexpr
#define TUTTI_INLINE inline
#endif

#ifndef TUTTI_SHARED_BEGIN
#define TUTTI_SHARED_BEGIN
#define TUTTI_SHARED_END
#endif

#pragma once

#include <tutti/base/form.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __SSE__
#include <xmmintrin.h>
#endif

// oneDNN computes maxima and minima with instructions that return the second operand if either operand is NaN. Its
// relu, clip, exp, max_pool and softmax therefore turn NaN into a number. On x86, such an instruction also sets the
// "invalid operation" flag of its thread if an operand is NaN, and so does an instruction that turns numbers into NaN.
// If a thread's flag is clear, the thread has turned no NaN into a number.

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// The "invalid operation" flags of the threads that oneDNN computes on: the calling thread and OpenMP's other threads.
///
/// Reading the flags costs little compared with running a primitive. If a flag is set, other code may have set it, so
/// the primitive must run again with clear flags.
class nan_watch {
public:
    /// True if the flags can reveal NaN: on x86, in code compiled with OpenMP. Other code cannot read the flags of all
    /// threads.
#if defined(__SSE__) && defined(_OPENMP)
    static constexpr bool available = true;
#else
    static constexpr bool available = false;
#endif

    /// True if any thread's flag is set.
    static bool is_set() {
        unsigned flags = 0;
#if defined(__SSE__) && defined(_OPENMP)
        flags = _mm_getcsr();
        if (omp_get_max_threads() > 1) {
#pragma omp parallel reduction(| : flags)
            flags |= _mm_getcsr();
        }
#endif
        return (flags & invalid) != 0;
    }

    /// Clears the flags of all threads.
    static void clear() {
#if defined(__SSE__) && defined(_OPENMP)
        _mm_setcsr(_mm_getcsr() & ~invalid);
        if (omp_get_max_threads() > 1) {
#pragma omp parallel
            _mm_setcsr(_mm_getcsr() & ~invalid);
        }
#endif
    }

    /// Sets the calling thread's flag, for code that reads the flag later.
    static void set() {
#if defined(__SSE__) && defined(_OPENMP)
        _mm_setcsr(_mm_getcsr() | invalid);
#endif
    }

private:
    static constexpr unsigned invalid = 1; // the flag's bit in the register MXCSR
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail

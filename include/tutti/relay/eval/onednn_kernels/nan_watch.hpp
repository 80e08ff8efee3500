#pragma once

#include <tutti/base/form.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __SSE__
#include <xmmintrin.h>
#endif

// oneDNN computes maxima and minima with instructions that select the second operand if either is NaN, so its relu,
// clip, exp, max_pool and softmax turn NaN into a number. On x86 these instructions also set a flag of the thread that
// runs them, "invalid operation", as do instructions that turn numbers into NaN. A thread whose flag is clear has not
// met a NaN.

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// The "invalid operation" flags of the threads that oneDNN computes on: the calling thread and OpenMP's other threads.
///
/// Reading them costs little compared with a primitive. Other code may have set them; then the primitive has to run
/// again.
class nan_watch {
public:
    /// True if the flags show NaN: on x86, in code compiled for OpenMP. Without OpenMP, not all threads can be reached.
#if defined(__SSE__) && defined(_OPENMP)
    static constexpr bool available = true;
#else
    static constexpr bool available = false;
#endif

    /// True if a thread's flag is set.
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
    static constexpr unsigned invalid = 1; // bit of the register MXCSR
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail

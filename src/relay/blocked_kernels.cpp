// The blocked kernels, for the processors of the build.
//
// A build compiles this source again for processors with wider vectors, with their flags and with TUTTI_WIDE defined as the
// name of a function that returns these kernels. packaging/isolate.py then makes all other symbols local. Otherwise the
// linker could choose an inline function from there for code that must run on every processor.

#include <tutti/relay/eval/blocked.ipp>

template struct tutti::relay::kernels::detail::blocked_set<void>;

#ifdef TUTTI_WIDE
namespace tutti::relay::inline TUTTI_FORM::kernels {

const kernel_set& TUTTI_WIDE();
const kernel_set& TUTTI_WIDE() { return detail::blocked_set<void>::value; }

} // namespace tutti::relay::inline TUTTI_FORM::kernels
#endif

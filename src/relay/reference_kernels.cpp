// The reference kernels.

#include <tutti/relay/eval/reference.ipp>

template struct tutti::relay::kernels::detail::reference_set<void>;

// The blocked kernels.

#include <tutti/relay/eval/blocked.ipp>

template struct tutti::relay::kernels::detail::blocked_set<void>;

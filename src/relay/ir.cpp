// Verification, units and parameters.

#include <tutti/relay/ir/verify.ipp>
#include <tutti/relay/op/verify.ipp>
#include <tutti/relay/params/params_file.ipp>
#include <tutti/relay/params/take_params.ipp>
#include <tutti/relay/unit.ipp>

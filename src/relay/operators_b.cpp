// Operators from op/layout_conversion to op/tuple.

#include <tutti/relay/op/layout_conversion.ipp>
#include <tutti/relay/op/layout_rule_axes.ipp>
#include <tutti/relay/op/layout_rule_broadcast.ipp>
#include <tutti/relay/op/layout_rule_nn.ipp>
#include <tutti/relay/op/loss.ipp>
#include <tutti/relay/op/norm.ipp>
#include <tutti/relay/op/pad.ipp>
#include <tutti/relay/op/pool.ipp>
#include <tutti/relay/op/qnn.ipp>
#include <tutti/relay/op/qnn_function.ipp>
#include <tutti/relay/op/reduce.ipp>
#include <tutti/relay/op/region.ipp>
#include <tutti/relay/op/repeat.ipp>
#include <tutti/relay/op/reshape.ipp>
#include <tutti/relay/op/scan.ipp>
#include <tutti/relay/op/scatter.ipp>
#include <tutti/relay/op/search.ipp>
#include <tutti/relay/op/sequence.ipp>
#include <tutti/relay/op/shape.ipp>
#include <tutti/relay/op/signal.ipp>
#include <tutti/relay/op/slice.ipp>
#include <tutti/relay/op/sparse.ipp>
#include <tutti/relay/op/spatial.ipp>
#include <tutti/relay/op/transpose.ipp>
#include <tutti/relay/op/tuple.ipp>

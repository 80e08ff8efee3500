// Operators from op/anchor to op/infer, and type inference.

#include <tutti/relay/op/anchor.ipp>
#include <tutti/relay/op/annotation.ipp>
#include <tutti/relay/op/axis.ipp>
#include <tutti/relay/op/broadcast.ipp>
#include <tutti/relay/op/cast.ipp>
#include <tutti/relay/op/compare.ipp>
#include <tutti/relay/op/conv.ipp>
#include <tutti/relay/op/conv_transpose.ipp>
#include <tutti/relay/op/correlation.ipp>
#include <tutti/relay/op/create.ipp>
#include <tutti/relay/op/default_operators.ipp>
#include <tutti/relay/op/dense.ipp>
#include <tutti/relay/op/depth_to_space.ipp>
#include <tutti/relay/op/detection.ipp>
#include <tutti/relay/op/diagonal.ipp>
#include <tutti/relay/op/dyn.ipp>
#include <tutti/relay/op/einsum.ipp>
#include <tutti/relay/op/elementwise.ipp>
#include <tutti/relay/op/fixed_point.ipp>
#include <tutti/relay/op/function_image.ipp>
#include <tutti/relay/op/gather.ipp>
#include <tutti/relay/op/image.ipp>
#include <tutti/relay/op/image_sampling.ipp>
#include <tutti/relay/op/index.ipp>
#include <tutti/relay/op/infer.ipp>

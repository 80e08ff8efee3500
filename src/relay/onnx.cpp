// ONNX's operators as Relay's.

#include <tutti/relay/onnx/import.ipp>
#include <tutti/relay/onnx/write_model.ipp>

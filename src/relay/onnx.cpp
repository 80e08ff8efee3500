// ONNX's operators as Relay's.

#include <tutti/relay/onnx/import.ipp>

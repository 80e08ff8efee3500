// The ONNX importer and writer.

#include <tutti/relay/onnx/import.ipp>
#include <tutti/relay/onnx/write_model.ipp>

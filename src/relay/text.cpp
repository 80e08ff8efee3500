// The parser and the printer, with metadata and drawings.

#include <tutti/relay/text/graph.ipp>
#include <tutti/relay/text/metadata.ipp>
#include <tutti/relay/text/parser.ipp>
#include <tutti/relay/text/printer.ipp>
#include <tutti/relay/text/write_metadata.ipp>

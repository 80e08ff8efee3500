// The evaluator.

#include <tutti/relay/eval/evaluator.ipp>

// Networks.

#include <tutti/relay/model/dcgan.ipp>
#include <tutti/relay/model/dqn.ipp>
#include <tutti/relay/model/lstm.ipp>
#include <tutti/relay/model/mlp.ipp>
#include <tutti/relay/model/mobilenet.ipp>
#include <tutti/relay/model/resnet.ipp>
#include <tutti/relay/model/squeezenet.ipp>

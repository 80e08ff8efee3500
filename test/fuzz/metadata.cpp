// A fuzz target for the metadata section: any text is parsed as constants or is an error, and written constants are
// read back unchanged.

#include <tutti/relay/text/metadata.hpp>

#include <tutti/base/error.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace kernel = tutti::kernel;
namespace relay = tutti::relay;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

bool same(const kernel::tensor& a, const kernel::tensor& b) {
    if (a.type() != b.type() || !std::ranges::equal(a.shape(), b.shape()) || a.size() != b.size()) return false;
    return a.size() == 0 ||
           std::memcmp(a.memory(), b.memory(), static_cast<std::size_t>(a.size()) * kernel::bytes(a.type())) == 0;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto constants = relay::read_metadata({reinterpret_cast<const char*>(data), size}).constants;
        const auto again = relay::read_metadata(relay::write_metadata(constants)).constants;
        require(again.size() == constants.size());
        for (std::size_t i = 0; i < constants.size(); ++i) require(same(constants[i], again[i]));
    } catch (const tutti::error& e) {
        require(!e.problem().empty());
    }
    return 0;
}

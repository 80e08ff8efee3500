#include <tutti/relay/eval/kernels/spatial.hpp>

#include <tutti/kernel/conv.hpp>
#include <tutti/relay/op/conv.hpp>

#include "support/catch.hpp"

#include <memory>

namespace relay = tutti::relay;
namespace detail = tutti::relay::kernels::detail;
using tutti::kernel::conv_options;
using tutti::kernel::spatial;

TEST_CASE("kernels/spatial: windows are read from the attributes, however padding is written", "[relay][eval]") {
    conv_options options;
    detail::read_window(relay::conv3d_attributes{.strides = {1, 2, 3}, .padding = {4, 5, 6}, .dilation = {7, 8, 9}},
                        options);
    CHECK(options.strides == spatial{1, 2, 3});
    CHECK(options.dilation == spatial{7, 8, 9});
    CHECK(options.before == spatial{4, 5, 6});
    CHECK(options.after == spatial{4, 5, 6});
    options = {};
    detail::read_window(relay::conv2d_attributes{.padding = {1, 2, 3, 4}}, options);
    CHECK(options.before == spatial{1, 2, 0});
    CHECK(options.after == spatial{3, 4, 0});
    options = {};
    detail::read_window(relay::conv1d_attributes{.padding = {5}}, options);
    CHECK(options.before == spatial{5, 0, 0});
    CHECK(options.after == spatial{5, 0, 0});
}

TEST_CASE("kernels/spatial: memory is kept from call to call where anything is", "[relay][eval]") {
    int own = 1;
    relay::invocation call;
    CHECK(&detail::kept_or(call, own) == &own);
    std::shared_ptr<void> kept;
    call.kept = &kept;
    int& first = detail::kept_or(call, own);
    CHECK(&first != &own);
    first = 7;
    CHECK(&detail::kept_or(call, own) == &first);
    CHECK(first == 7);
}

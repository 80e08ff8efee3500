#include <tutti/relay/op/attribute_edit.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/tuple.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti::relay;

namespace {

constexpr bool edits_by_name() {
    graph g;
    const attrs_id id = add_attributes(g, conv2d_attributes{.padding = {1, 1, 1, 1}, .channels = dim(8)});
    attribute_edit edit(g, definition<op::nn::conv2d>, id);
    if (!edit.has("groups") || edit.has("axis") || edit.text("data_layout") != "NCHW" || edit.integer("groups") != 1)
        return false;
    if (!edit.is_none("kernel_size") || edit.numbers("padding") != dims{1, 1, 1, 1} || edit.is_list("groups"))
        return false;
    edit.set("kernel_size", dims{3, 3});
    edit.set("data_layout", "NHWC");
    edit.set("padding", dims{0, 0});
    edit.set("groups", 2);
    edit.set("out_dtype", dtype::float16);
    const auto a = get_attributes<conv2d_attributes>(g, edit.commit());
    return a.kernel_size == dims{3, 3} && a.data_layout == "NHWC" && a.padding == dims{0, 0} && a.groups == 2 &&
           a.channels == dim(8) && a.out_dtype == dtype::float16 && edit.element("out_dtype") == dtype::float16;
}
static_assert(edits_by_name());

} // namespace

TEST_CASE("attribute_edit: reads and changes attributes by their names", "[relay][op]") { CHECK(edits_by_name()); }

TEST_CASE("attribute_edit: a call without attributes has the defaults", "[relay][op]") {
    graph g;
    attribute_edit edit(g, definition<op::nn::conv2d>, attrs_id::none);
    CHECK(edit.text("kernel_layout") == "OIHW");
    CHECK(edit.numbers("strides") == dims{1, 1});
    edit.set("groups", 4);
    const auto a = get_attributes<conv2d_attributes>(g, edit.commit());
    CHECK(a.groups == 4);
    CHECK(a.data_layout == "NCHW");
    CHECK_FALSE(a.channels);
}

TEST_CASE("attribute_edit: other attributes are unchanged", "[relay][op]") {
    graph g;
    const attrs_id id = add_attributes(g, split_attributes{.indices_or_sections = one_or_more(dims{2, 5}), .axis = 1});
    attribute_edit edit(g, definition<op::split>, id);
    CHECK(edit.is_list("indices_or_sections"));
    CHECK(edit.values("indices_or_sections").size() == 3);
    CHECK(edit.commit() == id);
    edit.set("axis", 3);
    CHECK(edit.commit() != id);
    CHECK(edit.numbers("indices_or_sections") == dims{2, 5});
}

TEST_CASE("attribute_edit: a misspelt attribute is an error that names the one that was meant", "[relay][op]") {
    graph g;
    const attrs_id id = add_attributes(g, conv2d_attributes{.padding = {1, 1, 1, 1}});
    attribute_edit edit(g, definition<op::nn::conv2d>, id);
    const auto message = [](auto&& f) -> std::string {
        try {
            f();
        } catch (const tutti::error& e) {
            return e.what();
        }
        return "nothing thrown";
    };
    using Catch::Matchers::Contains;
    CHECK_THAT(message([&] { edit.set("data_layot", "NHWC"); }),
               Contains("nn.conv2d, attribute `data_layot`") && Contains("did you mean `data_layout`?"));
    CHECK_THAT(message([&] { static_cast<void>(edit.integer("group")); }), Contains("did you mean `groups`?"));
    CHECK_THAT(message([&] { edit.set("data_layout", 3); }),
               Contains("nn.conv2d, attribute `data_layout`: is set to 3"));
    CHECK_THAT(message([&] { edit.set("groups", "two"); }), Contains("attribute `groups`: is set to \"two\""));
    CHECK(edit.commit() == id);
}

#include <tutti/pipeline/identity.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/requiring.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pipeline/literal.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

namespace runtime = tutti::runtime;
using namespace std::string_view_literals;
using tutti::fixpoint, tutti::hash_of, tutti::sequential;

constexpr auto nested =
    sequential(double_it{}, tutti::point<"here">{}, fixpoint(sequential(add_amount{.amount = 2}, double_it{}), 3),
               sequential<"Tail", 2>(sequential(double_it{}), sequential()));
static_assert(tutti::names_of(nested) ==
              std::array{"Double"sv, "fixpoint"sv, "AddAmount"sv, "Double"sv, "Tail"sv, "Double"sv});
static_assert(tutti::names_of(sequential()).empty());
static_assert(tutti::names_of(double_it{}) == std::array{"Double"sv});

runtime::registry<int> make_known() {
    runtime::registry<int> known{tutti::passes<add_amount, double_it, convert_layout, times_adaptor, once_adaptor>{}};
    known.add(sequential<"Tidy", 1>(add_amount{}, double_it{}));
    return known;
}
runtime::sequential<int> read(std::string_view text) {
    static const runtime::registry<int> known = make_known();
    return runtime::parse_pipeline(text, known);
}

struct late {
    tutti::pass_info info{.name = "Late"};
    void operator()(int&) const {}
};

} // namespace

TEST_CASE("names_of: run-time pipelines have the same names as static ones", "[pipeline][identity]") {
    const auto names = tutti::names_of(nested);
    const auto from_text = read(tutti::write_pipeline(nested));
    CHECK(std::ranges::equal(names, tutti::names_of(from_text)));
    const runtime::any_pass<int> erased{nested};
    CHECK(std::ranges::equal(names, tutti::names_of(erased)));
    const auto mixed = sequential(late{}, runtime::sequential<int>{{double_it{}}}, double_it{});
    CHECK(tutti::names_of(mixed) == std::vector{"Late"sv, "Double"sv, "Double"sv});
    const runtime::sequential<int> named{{nested}, "Named"};
    CHECK(tutti::names_of(named).front() == "Named");
}

// The names of a run-time pipeline refer to it, so a temporary one has none.
template <class P>
concept temporary_has_names = requires(P pipeline) { tutti::names_of(static_cast<P&&>(pipeline)); };
static_assert(temporary_has_names<decltype(sequential(double_it{}))>);
static_assert(!temporary_has_names<runtime::sequential<int>>);
static_assert(!temporary_has_names<const runtime::any_pass<int>>);

TEST_CASE("hash_of: the hashes are the same everywhere", "[pipeline][identity]") {
    CHECK(hash_of(sequential()) == 0xcbf29ce484222325U); // of the empty text
    CHECK(hash_of(sequential(double_it{})) == tutti::internal::hash_of_text("Double"));
    CHECK(tutti::internal::hash_of_text("foobar") == 0x85944171f73967e8U); // of the algorithm's authors
    const std::uint64_t all = hash_of(nested);
    CHECK(all == 0x6924e0f7cd4c7edU);
    CHECK(
        all ==
        tutti::internal::hash_of_text(
            "Double,point(here),fixpoint{limit=3,on_limit=warn}(AddAmount{amount=2,times=1,scale=1,off=False,round=up},"
            "Double),seq[Tail,2](seq(Double),seq())"));
    CHECK(hash_of(read(tutti::write_pipeline(nested))) == all);
    CHECK(hash_of(runtime::any_pass<int>{nested}) == all);
    CHECK(hash_of(read("ConvertLayout{target=\"a b\",nn.conv2d=[NHWC]},times(AddAmount,Tidy),times[once](Double)")) ==
          0x51ff23b878f0c47aU);
}

TEST_CASE("hash_of: options count, also with default values", "[pipeline][identity]") {
    CHECK(hash_of(read("AddAmount")) == hash_of(read(" AddAmount{ amount = 1 }")));
    CHECK(hash_of(read("AddAmount")) != hash_of(read("AddAmount{amount=2}")));
    CHECK(hash_of(read("AddAmount")) == hash_of(sequential(add_amount{})));
    CHECK(hash_of(read("fixpoint(Double)")) == hash_of(read("fixpoint{limit=10}(Double)")));
    CHECK(hash_of(read("fixpoint(Double)")) != hash_of(read("fixpoint{limit=9}(Double)")));
    CHECK(hash_of(read("Double,Double")) != hash_of(read("Double,seq(Double)")));
    CHECK(hash_of(read("ConvertLayout")) != hash_of(read("resolved(ConvertLayout)")));
    CHECK(hash_of(read("resolved(ConvertLayout)")) ==
          hash_of(sequential(tutti::resolve(sequential(convert_layout{})))));
    CHECK(hash_of(read("Tidy")) == hash_of(sequential(sequential<"Tidy", 1>(add_amount{}, double_it{}))));
    CHECK_THROWS_AS(hash_of(tutti::requiring<double_it>(sequential(add_amount{}))), tutti::error);
}

#include <tutti/runtime/registry.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "runtime/program_unit.hpp"
#include "support/catch.hpp"
#include "support/described_passes.hpp"

namespace runtime = tutti::runtime;

namespace {

struct deep {
    static constexpr tutti::pass_info info{.name = "Deep"};
    static constexpr tutti::config_key<std::int64_t> depth{"test.Deep.depth", 256};
    using config = tutti::config_list<depth>;
    void operator()(int&) const {}
};

runtime::registry<int> known() {
    runtime::registry<int> all{constant_passes};
    all.add<convert_layout>().add<deep>().add(tutti::make_pass<"Add", 2>([by = 7](int n) { return n + by; }));
    return all.add<decltype(tutti::sequential<"Both", 1>(double_it{}, add_amount{}))>();
}

int run(const runtime::any_pass<int>& pass, int n) {
    runtime::pass_context<int> ctx;
    ctx.run(pass, n);
    return n;
}

std::string message(auto&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

std::string text_of(const runtime::any_pass<int>& pass) {
    std::string text;
    pass.write(text);
    return text;
}

} // namespace

TEST_CASE("registry: lists the passes in the order of their names", "[runtime][registry]") {
    const auto all = known();
    std::string text;
    for (const auto& pass : all.list()) text += pass.name + " " + std::to_string(pass.opt_level) + ", ";
    CHECK(text == "Add 2, AddAmount 1, Both 1, ConvertLayout 3, Deep 0, Double 0, ");
    CHECK(all.find("ConvertLayout")->required == std::vector<std::string_view>{"Double"});
    CHECK(all.find("AddAmount")->options().size() == 5);
    CHECK(all.find("Add")->options().empty());
    CHECK(all.find("add") == nullptr);
    CHECK(all.config().list().size() == 1);
}

TEST_CASE("registry: makes passes with options", "[runtime][registry]") {
    const auto all = known();
    CHECK(run(all.make("AddAmount"), 5) == 6);
    const tutti::internal::option_text options[]{{"amount", "2"}, {"times", "10"}};
    CHECK(run(all.make("AddAmount", options), 5) == 25);
    CHECK(run(all.make("Add"), 5) == 12);
    CHECK(run(all.make("Both"), 5) == 11);
    CHECK(all.make("AddAmount").info == add_amount::info);
}

TEST_CASE("registry: writes its passes by name, including a sequential", "[runtime][registry]") {
    const auto all = known();
    const tutti::internal::option_text options[]{{"amount", "2"}, {"times", "1"}};
    CHECK(text_of(all.make("AddAmount", options)) == "AddAmount{amount=2}");
    CHECK(text_of(all.make("Both")) == "Both");
    CHECK(text_of(all.make("Add")) == "Add");
}

TEST_CASE("registry: options change a copy of the pass that was added", "[runtime][registry]") {
    runtime::registry<int> all;
    all.add(add_amount{.amount = 3, .times = 2});
    const tutti::internal::option_text standard[]{{"amount", "3"}}, other[]{{"amount", "1"}};
    CHECK(run(all.make("AddAmount", other), 5) == 7);
    CHECK(run(all.make("AddAmount"), 5) == 11);
    CHECK(text_of(all.make("AddAmount")) == "AddAmount");
    CHECK(text_of(all.make("AddAmount", standard)) == "AddAmount");
    CHECK(text_of(all.make("AddAmount", other)) == "AddAmount{amount=1}"); // written, although 1 is the type's default
    CHECK(all.find("AddAmount")->options()[1].standard == "2");
}

TEST_CASE("registry: says which name was probably meant", "[runtime][registry]") {
    const auto all = known();
    CHECK(all.explain_missing("Convertlayout").meant == "ConvertLayout");
    CHECK(all.explain_missing("InferType").meant.empty());
    CHECK(message([&] { all.make("Duble"); }) == "Duble: no such pass; did you mean Double?");
    CHECK(message([&] { all.make("InferType"); }) ==
          "InferType: no such pass; expected one of Add, AddAmount, Both, ConvertLayout, Deep, Double");
    CHECK(message([&] { runtime::registry<int>{}.make("A"); }) ==
          "A: no such pass; expected a registered pass, but there is none");
}

TEST_CASE("registry: reports errors in options", "[runtime][registry]") {
    const auto all = known();
    const auto [name, key, value, what] = GENERATE(table<std::string, std::string, std::string, std::string>({
        {"AddAmount", "amont", "2", "no such option; did you mean amount?"},
        {"AddAmount", "x", "2", "no such option; expected one of amount, times, scale, off, round"},
        {"AddAmount", "off", "2", "`2` is not of its type; expected True or False"},
        {"ConvertLayout", "sizes", "[a]",
         "`[a]` is not of its type; expected a list [a,b] of each an integer from -2147483648 to "
         "2147483647"},
        {"ConvertLayout", "nn.conv2d", "NHWC", "`NHWC` is not of its type; expected a list [a,b] of each a word"},
        {"Add", "by", "2", "it has no options"},
        {"Both", "by", "2", "it has no options"},
    }));
    const tutti::internal::option_text options[]{{key, value}};
    CHECK(message([&, n = name] { all.make(n, options); }) == name + ": option " + key + ": " + what);
}

TEST_CASE("registry: takes a name once", "[runtime][registry]") {
    auto all = known();
    CHECK(message([&] { all.add<deep>(); }) == "pass Deep: the name is already taken; expected another name");
    CHECK(all.list().size() == 6);
}

TEST_CASE("registry: knows a pass on each level where it is one", "[runtime][registry]") {
    runtime::registry<program_unit> all{tutti::passes<unroll, shrink, drop_last, look>{}};
    all.add<tutti::only_if_adaptor<has_loops>>();
    const auto names = [](const auto& table) {
        std::string text;
        for (const auto& each : table.list()) text += each.name + " ";
        return text;
    };
    CHECK(names(all.passes()) == "DropLast Look ");
    CHECK(names(all.passes<procedure>()) == "Look Shrink ");
    CHECK(names(all.passes<loop_body>()) == "Look Unroll ");
    CHECK(names(all.adaptors()) == "fixpoint procedure repeat within ");
    CHECK(names(all.adaptors<procedure>()) == "fixpoint loop only_if[has_loops] repeat within ");
    CHECK(names(all.adaptors<loop_body>()) == "fixpoint repeat within ");
}

TEST_CASE("registry: reports the correct position for a pass over parts", "[runtime][registry]") {
    const runtime::registry<program_unit> all{tutti::passes<unroll, shrink, drop_last>{}};
    CHECK(all.explain_missing("Shrink").problem == "Shrink: this is a pass over a procedure; write procedure(Shrink)");
    CHECK(all.explain_missing("Shrink").meant == "procedure(Shrink)");
    CHECK(all.explain_missing("Unroll").meant == "procedure(loop(Unroll))");
    CHECK(all.explain_missing<procedure>("Unroll").meant == "loop(Unroll)");
    CHECK(all.explain_missing<procedure>("DropLast").problem == "DropLast: this is not a pass over a procedure");
    CHECK(all.explain_missing<procedure>("DropLast").expected == "it among passes over a program");
    CHECK(all.explain_missing("fixpoint").meant == "fixpoint(A,B)");
    CHECK(all.explain_missing("Shrnk").meant.empty());
}

TEST_CASE("registry: refuses names that neither it nor the pipeline has", "[runtime][registry]") {
    const auto all = known();
    const auto pipeline = tutti::sequential<"Mine">(double_it{}, tutti::make_pass<"Own">([](int n) { return n; }));
    all.check_names("disabled", {"Own", "Mine", "ConvertLayout", "Double"}, pipeline);
    CHECK(message([&] { all.check_names("disabled", {"Double", "Mien"}, pipeline); }) ==
          "disabled: Mien: no such pass; did you mean Mine?");
    CHECK(message([&] { all.check_names("disabled", {"Dobule"}, pipeline); }) ==
          "disabled: Dobule: no such pass; did you mean Double?");
}

#include <tutti/runtime/load_plugin.hpp>

#include <tutti/runtime/extensions.hpp>

#include "support/catch.hpp"

#include <fstream>
#include <string>

namespace runtime = tutti::runtime;

namespace {

struct next {
    static constexpr tutti::pass_info info{.name = "Next"};
    void operator()(int& n) const { ++n; }
};

using host = runtime::extensions<int>;

void add(host& to) { to.passes.add<next>(); }
void fail(host& to) {
    to.passes.add<next>();
    throw 1;
}

runtime::plugin_description described(void (*f)(host&) = add) {
    return f == add ? runtime::detail::describe_plugin<&add>("steps", "1.0")
                    : runtime::detail::describe_plugin<&fail>("steps", "1.0");
}

using runtime::plugin_problem;

// The reason and message for which a plugin is refused.
struct refusal {
    plugin_problem why;
    std::string said;
};
refusal refused(auto&& f) {
    try {
        f();
    } catch (const runtime::plugin_error& e) {
        return {e.why(), e.what()};
    }
    FAIL("nothing was thrown");
    return {};
}
refusal refused_with(auto&& change) {
    runtime::plugin_description about = described();
    change(about);
    host to;
    const refusal found = refused([&] { runtime::add_plugin(about, to); });
    CHECK(to.passes.find("Next") == nullptr);
    return found;
}

} // namespace

TEST_CASE("add_plugin: adds a plugin that is linked into the program", "[runtime][load_plugin]") {
    host to;
    const runtime::loaded_plugin loaded = runtime::add_plugin(described(), to);
    CHECK(loaded.name == "steps");
    CHECK(loaded.version == "1.0");
    CHECK(to.passes.find("Next") != nullptr);

    const refusal again = refused([&] { runtime::add_plugin(described(), to); });
    CHECK(again.why == plugin_problem::failed);
    CHECK(again.said == "plugin: plugin steps could not add everything: pass Next: the name is already taken; expected "
                        "another name");
}

TEST_CASE("add_plugin: leaves the host unchanged if the plugin throws", "[runtime][load_plugin]") {
    host to;
    const refusal found = refused([&] { runtime::add_plugin(described(fail), to); });
    CHECK(found.why == plugin_problem::failed);
    CHECK(found.said.ends_with("it threw an exception that is not a std::exception"));
    CHECK(to.passes.find("Next") == nullptr);
}

TEST_CASE("add_plugin: refuses a description that does not fit", "[runtime][load_plugin]") {
    CHECK(refused_with([](auto& p) { p.magic[0] = 'T'; }).why == plugin_problem::not_a_plugin);
    CHECK(refused_with([](auto& p) { p.size = 0; }).why == plugin_problem::not_a_plugin);
    // The members behind `size` are not read.
    CHECK(refused_with([](auto& p) {
              p.size = 24;
              p.name = p.compiler = p.standard_library = reinterpret_cast<const char*>(8);
          }).why == plugin_problem::version);
    CHECK(refused_with([](auto& p) {
              p.tutti.minor_number += 1;
              p.standard_library = reinterpret_cast<const char*>(8);
          }).why == plugin_problem::version);
    CHECK(refused_with([](auto& p) { p.tutti.major_number += 1; }).said.find("was built with tutti 1.") !=
          std::string::npos);
    CHECK(refused_with([](auto& p) { p.standard_library = "libfoo"; }).why == plugin_problem::standard_library);
    CHECK(refused_with([](auto& p) { p.host = "i"; }).why == plugin_problem::host);
    CHECK(refused_with([](auto& p) { p.host = "", p.host_name = "int"; }).said ==
          "plugin: extends programs with int; expected a plugin for extensions");
    CHECK(refused_with([](auto& p) { p.host = "i", p.form = "other"; }).said.find("the other form") !=
          std::string::npos);
    CHECK(refused_with([](auto& p) { p.host_identity = &p; }).why == plugin_problem::not_shared);
}

TEST_CASE("add_plugin: accepts other patches, newer descriptions and missing run-time types",
          "[runtime][load_plugin]") {
    for (auto change :
         {+[](runtime::plugin_description& p) { p.tutti.patch_number += 1; },
          +[](runtime::plugin_description& p) { p.size += 8; }, +[](runtime::plugin_description& p) { p.host = ""; }}) {
        runtime::plugin_description about = described();
        change(about);
        host to;
        CHECK(runtime::add_plugin(about, to).name == "steps");
    }
}

TEST_CASE("load_plugin: a missing file and a file that is no library are errors", "[runtime][load_plugin]") {
    host to;
    const refusal missing = refused([&] { runtime::load_plugin("no_such_file.so", to); });
    CHECK((missing.why == plugin_problem::unreadable || missing.why == plugin_problem::unsupported));
    const std::string file = "load_plugin_test.so";
    std::ofstream(file) << "no library";
    const refusal text = refused([&] { runtime::load_plugin(file, to); });
    std::remove(file.c_str());
    CHECK((text.why == plugin_problem::not_a_library || text.why == plugin_problem::unsupported));
    CHECK(text.said.starts_with(file + ": cannot be loaded"));
}

#include <tutti/instrument/dump.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/temporary_folder.hpp"
#include "support/two_layers.hpp"

#include <memory>

using tutti::instrument::dump;
using tutti::instrument::dump_options;

namespace {
struct book {
    std::vector<plan> plans{};
};
struct owner {
    std::unique_ptr<int> value = std::make_unique<int>(1);
};
using files = std::map<std::string, std::string>;
} // namespace

template <>
struct tutti::unit_traits<book> {
    static std::vector<plan>& parts(book& b) { return b.plans; }
};
template <>
struct tutti::unit_traits<owner> {
    static constexpr std::string_view extension = "own", comment = "#";
    static std::string to_text(const owner& o) { return std::to_string(*o.value); }
    static std::string to_full_text(const owner& o) { return "all of " + std::to_string(*o.value); }
};

namespace {
// Returns the files written for these passes, and the error that they throw.
template <class Layer, class Unit>
files dumped(dump_options options, const auto& passes, Unit unit, const setup& how = {}) {
    const temporary_folder folder;
    options.folder = folder.path("a/b");
    options.pipeline = tutti::write_pipeline(passes);
    dump write{options};
    auto ctx = Layer::template context<Unit>(how, write);
    std::string thrown;
    Layer::with(ctx, [&](auto& scope) {
        try {
            scope.run(passes, unit);
        } catch (const tutti::error& e) {
            thrown = e.what();
        }
    });
    files all;
    for (const auto& [name, text] : folder.files()) all[name.substr(4)] = text;
    if (!thrown.empty()) all["!"] = thrown;
    return all;
}
} // namespace

TEMPLATE_TEST_CASE("dump: writes a file for each pass, in the folders of the passes around it", "[instrument][dump]",
                   static_layer, erased_layer) {
    const auto all = tutti::sequential(add_sort, tutti::sequential<"Inner">(drop_first, add_sort),
                                       tutti::repeat(tutti::sequential(add_sort, drop_first), 1));
    CHECK(dumped<TestType>({}, all, plan{{"scan"}}) ==
          files{{"0000-input.txt", "// input\nscan\n"},
                {"0001-AddSort.txt", "// after AddSort, pass 1\n// pipeline: AddSort\nscan\nsort\n"},
                {"0002-Inner/0002-DropFirst.txt",
                 "// after DropFirst, pass 2\n// pipeline: AddSort,seq[Inner](DropFirst)\nsort\n"},
                {"0002-Inner/0003-AddSort.txt",
                 "// after AddSort, pass 3\n// pipeline: AddSort,seq[Inner](DropFirst,AddSort)\nsort\nsort\n"},
                {"0004-repeat/0004-AddSort.txt",
                 "// after AddSort, pass 4\n// pipeline: AddSort,seq[Inner](DropFirst,AddSort)\n"
                 "// inside of: repeat{times=1}(AddSort,DropFirst)\nsort\nsort\nsort\n"},
                {"0004-repeat/0005-DropFirst.txt",
                 "// after DropFirst, pass 5\n// pipeline: AddSort,seq[Inner](DropFirst,AddSort)\n"
                 "// inside of: repeat{times=1}(AddSort,DropFirst)\nsort\nsort\n"}});
}

TEMPLATE_TEST_CASE("dump: writes only selected passes, and only changed units", "[instrument][dump]", static_layer,
                   erased_layer) {
    const auto nothing = tutti::make_pass<"Nothing">([](plan&) { return tutti::unchanged; });
    const auto all = tutti::sequential(nothing, add_sort, drop_first);
    const auto names = [](const files& written) {
        std::string text;
        for (const auto& each : written) text += each.first + " ";
        return text;
    };
    CHECK(names(dumped<TestType>({.passes = {"DropFirst"}}, all, plan{{"scan"}})) ==
          "0000-input.txt 0003-DropFirst.txt ");
    CHECK(names(dumped<TestType>({.only_changed = true}, all, plan{{"scan"}})) ==
          "0000-input.txt 0002-AddSort.txt 0003-DropFirst.txt ");
    CHECK(names(dumped<TestType>({}, all, plan{{"scan"}}, {.opt_level = 0})) ==
          "0000-input.txt 0001-Nothing.txt 0002-DropFirst.txt ");
}

TEMPLATE_TEST_CASE("dump: writes nothing after a failed pass, but keeps earlier files", "[instrument][dump]",
                   static_layer, erased_layer) {
    const files written = dumped<TestType>({}, tutti::sequential(add_sort, throw_it, add_sort), plan{});
    CHECK(written == files{{"!", "ThrowIt: cannot"},
                           {"0000-input.txt", "// input\n"},
                           {"0001-AddSort.txt", "// after AddSort, pass 1\n// pipeline: AddSort\nsort\n"}});
}

TEMPLATE_TEST_CASE("dump: writes passes over parts, of a whole that has no text", "[instrument][dump]", static_layer,
                   erased_layer) {
    CHECK(dumped<TestType>({}, tutti::sequential(tutti::each<plan>(add_sort)), book{{{{"scan"}}, {}}}) ==
          files{{"0000-input.txt", "// input\nscan\n"},
                {"0001-each/0001-AddSort.txt", "// after AddSort, pass 1\n// inside of: each(AddSort)\nscan\nsort\n"},
                {"0001-each/0002-AddSort.txt", "// after AddSort, pass 2\n// inside of: each(AddSort)\nsort\n"}});
}

TEMPLATE_TEST_CASE("dump: needs no copy of the unit", "[instrument][dump]", static_layer, erased_layer) {
    const auto by_value = tutti::make_pass<"ByValue">([](owner o) {
        ++*o.value;
        return o;
    });
    const temporary_folder folder;
    dump write{{.folder = folder.path(), .full = true}};
    auto ctx = TestType::template context<owner>({}, write);
    for (int i = 0; i < 2; ++i)
        TestType::with(ctx, [&](auto& scope) { CHECK(*scope.run(by_value, owner{}).value == 2); });
    CHECK(folder.files() == files{{"0000-input.own", "# input\nall of 1\n"},
                                  {"0001-ByValue.own", "# after ByValue, pass 1\n# pipeline: ByValue\nall of 2\n"},
                                  {"0001-input.own", "# input\nall of 1\n"},
                                  {"0002-ByValue.own", "# after ByValue, pass 2\n# pipeline: ByValue\nall of 2\n"}});
}

TEST_CASE("dump: says before any pass runs that its folder cannot be written", "[instrument][dump]") {
    const temporary_folder folder;
    tutti::instrument::write_file(folder.path("file"), "");
    CHECK_THROWS_WITH(dump({.folder = folder.path("file/below")}),
                      folder.path("file/below") + ": cannot be created as a folder: Not a directory");
    CHECK_THROWS_WITH(dump({.folder = "/proc"}), "/proc/0000-input: cannot be written: No such file or directory");
}

#include <tutti/relay/params/params_file.hpp>

#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/params/take_params.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "relay/programs.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

using namespace tutti;

namespace {

constexpr std::string_view dense =
    "def @main(%data: Tensor[(1, 2), float32], %weight: Tensor[(3, 2), float32]) { nn.dense(%data, %weight, units=None) }";

std::string problem_of(const temporary_folder& folder, const std::vector<kernel::named_tensor>& arrays) {
    relay::ir_module m = relay::parse(dense);
    const std::string before = relay::to_text(m);
    relay::write_params(folder.path("w.npz"), arrays);
    std::string said = "none";
    try {
        relay::read_params(m, folder.path("w.npz"));
    } catch (const error& e) {
        said = e.what();
        if (relay::to_text(m) != before) said += " (the module is not as it was)";
    }
    const std::string begin = folder.path("w.npz") + ": ";
    return said.starts_with(begin) ? said.substr(begin.size()) : said;
}

} // namespace

TEST_CASE("read_params: parameters that a file has values for are constants, and parameters no more",
          "[relay][params]") {
    const temporary_folder folder;
    const relay::tensor weight({3, 2}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
    relay::write_params(folder.path("w.npz"), std::vector<kernel::named_tensor>{{"weight", weight}});
    relay::ir_module m = relay::parse(dense);
    relay::read_params(m, folder.path("w.npz"));
    const relay::function& f = *m.find("main");
    REQUIRE(f.graph.params(f.root).size() == 1);
    REQUIRE(f.graph.constants().size() == 1);
    const relay::tensor& bound = f.graph.constants()[0];
    CHECK(std::memcmp(bound.memory(), weight.memory(), 24) == 0);
    CHECK(bound.is_shared()); // the elements are in the mapped file
    CHECK(bound.capacity() == 0);
    relay::infer_types(m);

    // Taking the parameters out and writing them again produces the same file.
    std::vector<kernel::named_tensor> taken = relay::take_params(*m.find("main"));
    taken[0].name = "weight";
    relay::write_params(folder.path("again.npz"), taken);
    CHECK(folder.read("again.npz") == folder.read("w.npz"));
}

TEST_CASE("read_params: an error names the array and the expectation", "[relay][params]") {
    const temporary_folder folder;
    CHECK(problem_of(folder, {{"wieght", relay::tensor::scalar(1.F)}}) ==
          "array wieght: there is no such parameter; did you mean %weight?");
    CHECK(problem_of(folder, {{"something", relay::tensor::scalar(1.F)}}) ==
          "array something: there is no such parameter");
    CHECK(problem_of(folder, {{"weight", relay::tensor({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F})}}) ==
          "parameter `%weight`: a value of type Tensor[(2, 3), float32]; expected Tensor[(3, 2), float32]");
    CHECK(problem_of(folder, {{"weight", relay::tensor(kernel::dtype::int32, {3, 2})}}) ==
          "parameter `%weight`: a value of type Tensor[(3, 2), int32]; expected Tensor[(3, 2), float32]");
    CHECK(problem_of(folder, {{"weight", relay::tensor(kernel::dtype::int8, {1000, 1000})}})
              .ends_with("; expected Tensor[(3, 2), float32]"));
    CHECK(problem_of(folder, {}) == "none");
}

TEST_CASE("read_params: names a file that is none, and a module without main", "[relay][params]") {
    const temporary_folder folder;
    const auto said = [&](relay::ir_module m) -> std::string {
        try {
            relay::read_params(m, folder.path("w.npz"));
        } catch (const error& e) {
            return e.what();
        }
        return "none";
    };
    CHECK(said(relay::parse(dense)) == folder.path("w.npz") + ": cannot be opened: No such file or directory");
    std::ofstream{folder.path("w.npz")} << "some text";
    CHECK(said(relay::parse(dense)) == folder.path("w.npz") + ": is not an .npz file; expected a zip archive");
    CHECK(said(relay::parse("def @other() { 1 }")).find("is not in the module") != std::string::npos);
}

TEST_CASE("write_params: reports parameters that cannot be written", "[relay][params]") {
    CHECK_THROWS_AS(relay::write_params("/none/w.npz", {}), error);
}

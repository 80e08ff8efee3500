#include <tutti/relay/text/print/function_list.hpp>

#include <tutti/base/error.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace tutti;

namespace {

/// Returns functions of very different lengths that share names, numbers and constants.
relay::ir_module many_functions(std::size_t count) {
    const kernel::tensor shared(kernel::dtype::float32, {2});
    std::vector<relay::ir_module::definition> all;
    for (std::size_t f = 0; f < count; ++f) {
        relay::builder b;
        const auto x = b.variable("x", {2});
        const auto p = b.variable(f % 3 == 0 ? "p" : "x1", {2});
        const auto constant = b.constant(f % 2 == 0 ? shared : kernel::tensor(kernel::dtype::float32, {2}));
        relay::expr last = relay::add(x, constant);
        for (std::size_t i = 0; i < (f % 7) * (f % 7) * 150; ++i) last = relay::multiply(last, i % 2 == 0 ? p : x);
        if (f % 5 == 0) last = relay::multiply(last, b.constant(0.1234567890123F)); // more than six digits
        const auto bound = b.variable("bound");
        last = b.let(bound, last, relay::exp(bound));
        all.push_back({"f" + std::to_string(f), b.function({x, p}, last)});
    }
    relay::ir_module m;
    m.set(std::move(all));
    return m;
}

} // namespace

TEST_CASE("function_list: the text is the same with any number of threads", "[relay][text]") {
    relay::ir_module m = many_functions(40);
    relay::infer_types(m);
    for (const bool metadata : {false, true}) {
        relay::text_omissions left_out, left_out_at_once;
        relay::text_options options{.metadata = metadata ? relay::write_metadata : nullptr, .omitted = &left_out};
        const std::string expected = relay::to_text(m, options);
        for (const unsigned threads : {2U, 3U}) {
            thread_pool pool(threads);
            options.executor = pool;
            options.omitted = &left_out_at_once;
            CHECK((relay::to_text(m, options) == expected)); // parentheses, so that a failure does not print megabytes
            CHECK(left_out_at_once.numbers == left_out.numbers);
            CHECK(left_out_at_once.constants == left_out.constants);
        }
        CHECK(left_out.numbers == (metadata ? 0 : 8));
        CHECK(left_out.constants == (metadata ? 0 : 21));
    }
}

TEST_CASE("function_list: functions behind a data type, one function and none", "[relay][text]") {
    thread_pool pool(2);
    for (const char* const text :
         {"type Box {\n  Full(int32),\n}\n\ndef @f(%x: int32) {\n  %x\n}\n\ndef @g(%x: int32) {\n  %x\n}\n",
          "def @f(%x: int32) {\n  %x\n}\n", ""}) {
        const relay::ir_module m = relay::parse(text);
        CHECK(relay::to_text(m, {.executor = pool}) == relay::to_text(m));
    }
}

TEST_CASE("function_list: attributes in the metadata section are numbered in the order of the text", "[relay][text]") {
    std::string text;
    for (int f = 0; f < 6; ++f) { // long enough for several parts
        text += "def @f" + std::to_string(f) + "(%x: Tensor[(4, 4), float32]) {\n  let %y0 = %x;\n";
        for (int i = 0; i < 2000; ++i)
            text += "  let %y" + std::to_string(i + 1) + " = trilu(%y" + std::to_string(i) +
                    ", 1, upper=" + (i % (f + 2) == 0 ? "True" : "False") + ");\n";
        text += "  %y2000\n}\n\n";
    }
    const relay::ir_module m = relay::parse(text);
    thread_pool pool(2);
    CHECK((relay::to_text(m, {.metadata = relay::write_metadata, .executor = pool}) ==
           relay::to_text(m, {.metadata = relay::write_metadata})));
}

TEST_CASE("function_list: the error is about the first unprintable expression in the text", "[relay][text]") {
    relay::ir_module m = many_functions(40);
    for (const auto& [name, depth] : {std::pair{"f7", 28}, std::pair{"f21", 30}}) {
        relay::function& f = *m.find(name);
        relay::type_id type = f.graph.types().tensor({}, kernel::dtype::int8);
        for (int i = 0; i < depth; ++i) type = f.graph.types().tuple(std::vector{type, type});
        f.graph.set_annotation(f.graph.params(f.root)[0], type);
    }
    const auto problem = [&](executor_ref on) {
        try {
            return relay::to_text(m, {.executor = on});
        } catch (const error& e) {
            return std::string("error: ") + e.what();
        }
    };
    thread_pool pool(2);
    const std::string expected = problem({});
    CHECK(expected.starts_with("error: "));
    CHECK(problem(pool) == expected);
}

#include <tutti/runtime/parse_instruments.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"

namespace runtime = tutti::runtime;
using runtime::instrument_request;

namespace {

enum class volume { low, high };

struct counter {
    std::string said;
    runtime::text_writer write;
    void run_before_pass(const int&, const tutti::pass_info&) { write(said); }
};

} // namespace

template <>
inline constexpr tutti::option_word<volume> tutti::option_words<volume>[] {
    {"low", volume::low}, { "high", volume::high }
};

namespace {

struct count {
    static constexpr std::string_view name = "count", help = "Count the passes";
    int from = 0;
    volume loud = volume::low;
    runtime::pass_names passes{};
    std::vector<std::string> words{};
    static constexpr tutti::option_list<&count::from, &count::loud, &count::passes, &count::words> options{
        "from", "loud", "passes", "words"};

    auto make(const instrument_request& r) const {
        if (from == 7) throw tutti::input_error{{"count: 7 is no good", "another", "7"}};
        if (from == 8) throw tutti::error{"count", "cannot be written"};
        std::string said = std::to_string(from) + (loud == volume::high ? "!" : ".");
        for (const std::string& each : passes) said += each;
        for (const std::string& each : words) said += "<" + each + ">";
        return counter{said, r.write};
    }
};
struct watch {
    static constexpr std::string_view name = "watch", help = "Watch";
    auto make(const instrument_request& r) const { return counter{"w" + r.pipeline, r.write}; }
};
// Calls another instrument twice, and writes `between` between the calls.
struct twice {
    static constexpr std::string_view name = "twice", help = "Each twice";
    std::string between{"-"};
    static constexpr tutti::option_list<&twice::between> options{"between"};

    struct made {
        std::string between;
        runtime::any_instrument<int> inner;
        runtime::text_writer write;
        void run_before_pass(const int& n, const tutti::pass_run& run) {
            inner.run_before_pass(n, run);
            write(between);
            inner.run_before_pass(n, run);
        }
    };
    auto make(const instrument_request& r, const runtime::any_instrument<int>& inner) const {
        return made{between, inner, r.write};
    }
};

struct nothing {
    static constexpr tutti::pass_info info{.name = "Nothing"};
    void operator()(int&) const {}
};

std::string said(std::string_view text) {
    runtime::instrument_registry<int> known;
    known.add<count>().add<watch>().add<twice>();
    std::string out;
    try {
        auto list = runtime::parse_instruments(
            text, known,
            {.write = [&](std::string_view t) { out += t; }, .pipeline = "P", .passes = {"FuseOps", "CSE"}});
        runtime::pass_context<int> ctx{{.instruments = std::move(list)}};
        int n = 0;
        tutti::with(ctx, [&](auto& scope) { scope.run(nothing{}, n); });
    } catch (const tutti::error& e) {
        return e.what();
    }
    return out;
}

} // namespace

TEST_CASE("parse_instruments: makes them in order, with options", "[runtime][parse_instruments]") {
    CHECK(said("") == "");
    CHECK(said("count") == "0.");
    CHECK(said("count{from=3},watch") == "3.wP");
    CHECK(said(" count { loud = high , words = [a, \"b c\"] , passes=[CSE,all] } ") == "0!CSEall<a><b c>");
}

TEST_CASE("parse_instruments: puts one around others", "[runtime][parse_instruments]") {
    CHECK(said("twice(count)") == "0.-0.");
    CHECK(said("twice{between=+}(count{from=1},watch),count") == "1.+1.wP+wP0.");
    CHECK(said("twice{between=+}(twice(watch))") == "wP-wP+wP-wP");
    CHECK(said("twice()") == "");
}

TEST_CASE("parse_instruments: reports the position of an error, with the valid or nearest names",
          "[runtime][parse_instruments]") {
    const auto first_line = [](std::string_view text) {
        const std::string whole = said(text);
        return whole.substr(0, whole.find('\n'));
    };
    CHECK(said("watch,cuont{from=3}") ==
          "instrument:1:7: error: cuont: no such instrument; did you mean count?\nwatch,cuont{from=3}\n      ^~~~~\n");
    CHECK(first_line("count{form=3}") ==
          "instrument:1:7: error: count: option form: no such option; did you mean from?");
    CHECK(first_line("count{from=x}") == "instrument:1:12: error: count: option from: `x` is not of its type; expected "
                                         "an integer from -2147483648 to 2147483647");
    CHECK(first_line("count{loud=loud}") ==
          "instrument:1:12: error: count: option loud: `loud` is not of its type; expected low or high");
    CHECK(first_line("count{passes=[CSE,FuseOp]}") ==
          "instrument:1:19: error: FuseOp: no such pass; did you mean FuseOps?");
    CHECK(first_line("watch{a=1}") == "instrument:1:7: error: watch: option a: it has no options");
    CHECK(first_line("count{from=1,from=2}") ==
          "instrument:1:14: error: count: option from: is given twice; expected it once");
    CHECK(first_line("count,") == "instrument:1:7: error: found the end; expected an instrument");
    CHECK(first_line("count{from=1") == "instrument:1:13: error: found the end; expected ',' or '}'");
    CHECK(first_line("cuont{from=1") == "instrument:1:1: error: cuont: no such instrument; did you mean count?");
    CHECK(first_line("count(watch)") == "instrument:1:1: error: count: does not wrap another instrument");
    CHECK(first_line("twice{between=+}") == "instrument:1:1: error: twice: the wrapped instrument is missing; "
                                            "expected one in brackets: twice(timing)");
    CHECK(first_line("twice(count{loud=off})") ==
          "instrument:1:18: error: count: option loud: `off` is not of its type; expected low or high");
    CHECK(first_line("twice[label](count)") == "instrument:1:7: error: twice: an instrument has no label");
    CHECK(first_line("seq(count)").starts_with("instrument:1:1: error: seq: no such instrument"));
    CHECK(first_line("twice{between=[a]}(count)") ==
          "instrument:1:15: error: twice: option between: `[a]` is not of its type; expected a word");
    CHECK(first_line(std::string(runtime::max_instruments_text + 1, ' ')) ==
          "instrument:1:65537: error: the text is too long; expected at most 65536 characters");
}

TEST_CASE("parse_instruments: an error of an instrument has its position", "[runtime][parse_instruments]") {
    CHECK(said("watch,count{from=7}") ==
          "instrument:1:7: error: count: 7 is no good; expected another\nwatch,count{from=7}\n      ^~~~~\n");
    CHECK(said("count{from=8}") == "count: cannot be written"); // the syntax is valid
}

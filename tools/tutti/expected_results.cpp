#include "expected_results.hpp"

#include <tutti/base/error.hpp>
#include <tutti/kernel/support/check.hpp>

#include "given_arrays.hpp"
#include "messages.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
using tutti::kernel::tensor;

// Appends a line about a result. True if the result agrees with `wanted`.
bool add_line(std::string& text, const tensor& result, const tensor& wanted, const relay::closeness& close) {
    if (result.type() != wanted.type() || !std::ranges::equal(result.shape(), wanted.shape())) {
        text += "is " + tutti::kernel::text(result) + ", expected " + tutti::kernel::text(wanted) + '\n';
        return false;
    }
    const relay::agreement found = relay::agreement_of(result, wanted, close);
    const auto all = static_cast<std::size_t>(found.elements);
    if (found.outside == 0)
        text += counted(all, "element") + (all == 1 ? " agrees; " : " agree; ");
    else
        text += std::to_string(found.outside) + " of " + counted(all, "element") +
                (found.outside == 1 ? " differs" : " differ") + ", most at " + found.place + ": " + found.element +
                ", expected " + found.expected + "; ";
    text += to_text(found) + '\n';
    return found.outside == 0;
}

} // namespace

void add_expect_options(CLI::App& command, expected_results& options) {
    CLI::Option* const expect =
        command
            .add_option(
                "--expect", options.from,
                "Compare the results with these, instead of printing them: a file of NumPy arrays with the results' "
                "names (.npz), one array (.npy), one value of ONNX's test data (.pb), or a folder with output_0.pb "
                "and so on")
            ->type_name("FILE");
    const auto tolerance = [&](const char* name, double& value, const char* help) {
        command.add_option(name, value, help)
            ->type_name("TOL")
            ->check(check_number)
            ->needs(expect)
            ->capture_default_str();
    };
    tolerance("--rtol", options.close.relative,
              "For --expect: the accepted difference, relative to the expected value");
    tolerance("--atol", options.close.absolute, "For --expect: the accepted difference, in addition to --rtol");
}

agreement_report compare_results(std::span<const tensor> results, std::span<const std::string> names,
                                 const expected_results& expected, const relay::onnx::model* model) {
    agreement_report report;
    try {
        const given_arrays wanted(expected.from, given_arrays::kind::outputs, model);
        if (wanted.size() != results.size())
            throw tutti::error("", "has " + counted(wanted.size(), "array"),
                               counted(results.size(), "array") + ", one for each result");
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto at = wanted.find(names[i], i);
            if (!at) throw tutti::error("", "has no array " + names[i], "one for each result");
            report.text += "result " + std::to_string(i) + ", " + names[i] + ": ";
            const tensor value = wanted.read(*at, results[i].type());
            report.same = add_line(report.text, results[i], value, expected.close) && report.same;
        }
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(name_of(expected.from), e.what())};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(name_of(expected.from), "there is not enough memory to read it")};
    }
    return report;
}

} // namespace program

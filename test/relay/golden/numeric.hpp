#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>

#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tutti::test {

/// One row of numeric.tsv: a program and the file with the reference's results.
struct numeric_row {
    std::string id;
    std::filesystem::path program;
    std::filesystem::path values;
    std::size_t outputs = 0;
};

inline std::vector<numeric_row> numeric_rows(const std::filesystem::path& folder) {
    std::vector<numeric_row> rows;
    std::istringstream lines(read_file(folder / "numeric.tsv"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream columns(line);
        std::string id, program, values, outputs;
        if (!(std::getline(columns, id, '\t') && std::getline(columns, program, '\t') &&
              std::getline(columns, values, '\t') && std::getline(columns, outputs, '\t')))
            throw std::runtime_error("a row of numeric.tsv is not one: " + line);
        rows.push_back({id, folder / program, folder / values, std::stoul(outputs)});
    }
    return rows;
}

/// An output of the reference: its shape and element type as printed by `type_line`, and its first values.
struct numeric_output {
    std::string type;
    std::vector<double> values;
};

inline std::vector<numeric_output> numeric_outputs(const std::string& text) {
    std::vector<numeric_output> outputs;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# "))
            outputs.push_back({line.substr(2), {}});
        else if (outputs.empty())
            throw std::runtime_error("values before the first output");
        else
            outputs.back().values.push_back(std::strtod(line.c_str(), nullptr));
    }
    return outputs;
}

/// Returns the shape and element type of a tensor, as in "2,3 float32".
inline std::string type_line(const kernel::tensor& t) {
    std::string text;
    for (const std::int64_t d : t.shape()) text += (text.empty() ? "" : ",") + std::to_string(d);
    return text + " " + std::string(kernel::name(t.type()));
}

/// Returns the elements of a tensor as doubles.
inline std::vector<double> elements_of(const kernel::tensor& t) {
    return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        std::vector<double> all(static_cast<std::size_t>(t.size()));
        double* out = all.data(); // pointers are faster, since tests are not optimised
        const T* in = t.data<T>();
        for (const T* const end = in + t.size(); in != end; ++in) {
            if constexpr (kernel::is_half<T>)
                *out++ = static_cast<double>(static_cast<float>(*in));
            else
                *out++ = static_cast<double>(*in);
        }
        return all;
    });
}

/// Returns the largest difference from the expected values, relative to the largest expected magnitude. Infinite if two
/// values differ and one of them is not finite.
inline double largest_error(std::span<const double> values, std::span<const double> expected) {
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double v = values[i];
        const double e = expected[i];
        if (v == e || (std::isnan(v) && std::isnan(e))) continue;
        if (!std::isfinite(v) || !std::isfinite(e)) return std::numeric_limits<double>::infinity();
        difference = std::max(difference, std::abs(v - e));
    }
    for (const double e : expected)
        if (std::isfinite(e)) largest = std::max(largest, std::abs(e));
    return largest == 0 ? difference : difference / largest;
}

/// Returns the name that a parameter has in the reference. The reference's printer numbers repeated names: if `data`
/// exists, `data1` is a second `data`.
inline std::string name_in_reference(const std::string& printed, std::span<const relay::parameter> all) {
    const std::string name = printed.substr(0, printed.find_last_not_of("0123456789") + 1);
    return std::ranges::find(all, name, &relay::parameter::name) == all.end() ? printed : name;
}

/// Returns synthetic inputs for the parameters of a module.
template <class Evaluator>
std::vector<kernel::tensor> synthetic_inputs(const Evaluator& e) {
    std::vector<kernel::tensor> inputs;
    for (const relay::parameter& p : e.parameters())
        inputs.push_back(relay::synthetic_input(name_in_reference(p.name, e.parameters()), e.types(), p.type));
    return inputs;
}

} // namespace tutti::test

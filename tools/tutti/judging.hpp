#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/search/isolated.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

// Checks of programs after passes, in processes of their own. Shared by `tutti bisect`, `reduce` and `corpus`.

namespace program {

/// Writes a letter, the length of a text, and the text. Pieces already written survive a crash of the process.
inline void tell(tutti::instrument::isolated_writer to, char what, std::string_view text) {
    std::string line(1, what);
    line.append(std::to_string(text.size())).append(":").append(text);
    to(line);
}
/// Calls `f(letter, text)` for each complete piece written by `tell`.
template <class F>
void each_told(std::string_view said, F&& f) {
    while (!said.empty()) {
        const std::size_t colon = said.find(':');
        if (colon == std::string_view::npos) return;
        const auto size = static_cast<std::size_t>(std::strtoull(said.data() + 1, nullptr, 10));
        if (said.size() - colon - 1 < size) return;
        f(said[0], said.substr(colon + 1, size));
        said.remove_prefix(colon + 1 + size);
    }
}

/// Computes `main` for synthetic inputs, which depend on names of parameters. The names are those of `named_by`, or of
/// `m` if it is null.
std::vector<tutti::relay::tensor> compute(const tutti::relay::ir_module& m, const tutti::relay::evaluator* named_by);
/// Describes how results differ. Returns "" if they do not differ.
std::string difference(const std::vector<tutti::relay::tensor>& before, const std::vector<tutti::relay::tensor>& after,
                       double tolerance);
/// True if a result contains a finite number. Otherwise a comparison would be meaningless.
bool has_numbers(const std::vector<tutti::relay::tensor>& results);
/// Checks that a program is well-formed and well-typed. Throws: `tutti::error`.
void check_in_order(const tutti::relay::ir_module& m);

} // namespace program

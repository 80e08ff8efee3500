#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/extensions.hpp>
#include <tutti/runtime/plugin.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// A kernel set with a name, by which a user selects it.
struct named_kernels {
    std::string name;
    std::string help;                    ///< one line
    const kernel_set* kernels = nullptr; ///< lives as long as the program
};

/// The passes, instruments, operators and kernels of a program that works with Relay modules. `tutti --load=FILE` passes
/// it to plugins.
///
/// Example:
/// ```
/// void add(tutti::relay::extensions& to) {
///     to.passes.add<my_pass>();
///     to.add_operators<my::soft_clip>();
///     to.add_kernels("mine", "square roots by a table", my_set);
/// }
/// TUTTI_PLUGIN("my-plugin", "1.0", add)
/// ```
struct extensions : runtime::extensions<ir_module> {
    op_set operators = default_operators();
    std::vector<named_kernels> kernels{};

    /// Adds operators.
    ///
    /// Throws: `tutti::error` if an operator has this name already.
    template <class... Ops>
    extensions& add_operators() {
        const auto add = [&](const op_def& op) {
            if (operators.find(op.name) != nullptr)
                raise(error{"operator " + std::string{op.name}, "the name is already taken", "another name"});
            operators.add(op);
        };
        (add(definition<Ops>), ...);
        return *this;
    }
    /// Adds a kernel set, which is used where a user selects it.
    ///
    /// Requires: the set, its tables and the next sets live as long as the program.
    /// Throws:   `tutti::error` if a set has this name already.
    extensions& add_kernels(std::string name, std::string help, const kernel_set& set) {
        if (find_kernels(name) != nullptr)
            raise(error{"set of kernels " + name, "the name is already taken", "another name"});
        kernels.push_back({std::move(name), std::move(help), &set});
        return *this;
    }
    void add_kernels(std::string name, std::string help, const kernel_set&& set) = delete;
    /// Returns the kernel set with this name, or null. The pointer is valid until a set is added.
    const named_kernels* find_kernels(std::string_view name) const {
        for (const named_kernels& each : kernels)
            if (each.name == name) return &each;
        return nullptr;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#pragma once

#include <tutti/runtime/shared.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::runtime {

/// A destination for text: any callable that takes a `std::string_view`. Copies share the callable.
///
/// Not a `std::function`, which takes longer to compile than all registries together.
class text_writer {
    detail::shared writer_{};
    void (*write_)(void*, std::string_view) = nullptr;

public:
    /// Writes nothing.
    text_writer() = default;
    template <std::invocable<std::string_view> F>
        requires(!std::same_as<F, text_writer>)
    text_writer(F writer)
        : writer_(detail::shared::make(std::move(writer)))
        , write_([](void* to, std::string_view text) { static_cast<void>((*static_cast<F*>(to))(text)); }) {}

    void operator()(std::string_view text) const {
        if (write_) write_(writer_.get(), text);
    }
};

} // namespace tutti::runtime

#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <span>
#include <string>

namespace tutti::relay {

/// What is written around a program's text.
struct text_options {
    bool version_line = true;  ///< `#[version = "0.0.5"]`
    bool type_comments = true; ///< inferred types, as `/* ty=T */`
    bool metadata_note = true; ///< the comment that constants were left out, if there are any

    /// Writes what follows `#[metadata]`, where constants that are no literals have their values:
    /// `relay::write_metadata` of <tutti/relay/text/write_metadata.hpp>. With it nothing is lost:
    /// floating-point numbers have all digits that they need.
    std::string (*metadata)(std::span<const tensor> constants) = nullptr;
};

} // namespace tutti::relay

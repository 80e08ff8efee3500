#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/onnx/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// A checked message of a model file. Its fields are found by number and read in place.
///
/// Valid as long as the file's bytes exist. If a singular field occurs twice, the last occurrence counts.
class message {
public:
    message() = default;
    explicit message(const file_part& part) : part_(part) {}

    const file_part& part() const { return part_; }
    std::size_t offset() const { return part_.offset; }
    /// True if the message is present, even if it is empty.
    bool exists() const { return part_.data != nullptr; }

    /// Returns the fields with this number.
    wire_fields fields(std::uint32_t number) const { return wire_fields(part_, number); }

    bool has(std::uint32_t number) const { return last(number).number != 0; }
    std::int64_t integer(std::uint32_t number, std::int64_t otherwise = 0) const {
        const wire_field f = last(number);
        return f.number != 0 ? static_cast<std::int64_t>(f.value) : otherwise;
    }
    std::string_view text(std::uint32_t number) const { return last(number).payload.text(); }
    message child(std::uint32_t number) const { return message(last(number).payload); }

    std::size_t count(std::uint32_t number) const {
        std::size_t n = 0;
        for (const wire_field& f : fields(number)) n += f.number != 0;
        return n;
    }

    /// Returns the integers of a repeated field, which may be packed. `floats` returns floating-point numbers.
    plain_vector<std::int64_t> integers(std::uint32_t number) const {
        plain_vector<std::int64_t> all;
        for (const wire_field& f : fields(number)) {
            if (f.kind != wire_kind::bytes) {
                all.push_back(static_cast<std::int64_t>(f.value));
                continue;
            }
            for (wire_reader packed(f.payload); !packed.done();)
                all.push_back(static_cast<std::int64_t>(packed.varint()));
        }
        return all;
    }
    plain_vector<float> floats(std::uint32_t number) const {
        plain_vector<float> all;
        for (const wire_field& f : fields(number)) {
            if (f.kind != wire_kind::bytes) {
                all.push_back(f.real());
                continue;
            }
            for (wire_reader packed(f.payload); !packed.done();)
                all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(packed.fixed(4))));
        }
        return all;
    }

private:
    wire_field last(std::uint32_t number) const {
        wire_field found;
        for (const wire_field& f : fields(number)) found = f;
        return found;
    }

    file_part part_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx

#pragma once

#include <tutti/base/byte_order.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/narrow.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/message.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

using kernel::dtype;
using kernel::tensor;

/// ONNX's element types. The values are ONNX's numbers of these types.
enum class element_type : std::uint8_t {
    undefined,
    float32,
    uint8,
    int8,
    uint16,
    int16,
    int32,
    int64,
    string,
    boolean,
    float16,
    float64,
    uint32,
    uint64,
    complex64,
    complex128,
    bfloat16,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
    uint4,
    int4,
    float4_e2m1,
    float8_e8m0,
    uint2,
    int2,
};

namespace detail {

struct element_facts {
    std::string_view name;
    dtype type;
    std::size_t bytes;   // size of an element in raw data, unless elements are packed
    std::uint32_t field; // number of the field that holds the elements, unless they are raw

    constexpr bool is_packed() const { return kernel::is_packed(type); }
    // Returns the size of `count` elements in raw data, in bytes.
    constexpr std::uint64_t raw_size(std::uint64_t count) const {
        return is_packed() ? kernel::packed_size(type, count) : count * bytes;
    }
};

inline constexpr element_facts elements[]{
    {"undefined", dtype::none, 0, 0},
    {"float", dtype::float32, 4, 4},
    {"uint8", dtype::uint8, 1, 5},
    {"int8", dtype::int8, 1, 5},
    {"uint16", dtype::uint16, 2, 5},
    {"int16", dtype::int16, 2, 5},
    {"int32", dtype::int32, 4, 5},
    {"int64", dtype::int64, 8, 7},
    {"string", dtype::none, 0, 6},
    {"bool", dtype::boolean, 1, 5},
    {"float16", dtype::float16, 2, 5},
    {"double", dtype::float64, 8, 10},
    {"uint32", dtype::uint32, 4, 11},
    {"uint64", dtype::uint64, 8, 11},
    {"complex64", dtype::none, 8, 4},
    {"complex128", dtype::none, 16, 10},
    {"bfloat16", dtype::bfloat16, 2, 5},
    {"float8e4m3fn", dtype::float8_e4m3fn, 1, 5},
    {"float8e4m3fnuz", dtype::float8_e4m3fnuz, 1, 5},
    {"float8e5m2", dtype::float8_e5m2, 1, 5},
    {"float8e5m2fnuz", dtype::float8_e5m2fnuz, 1, 5},
    {"uint4", dtype::uint4, 1, 5},
    {"int4", dtype::int4, 1, 5},
    {"float4e2m1", dtype::float4_e2m1fn, 1, 5},
    {"float8e8m0", dtype::float8_e8m0fnu, 1, 5},
    {"uint2", dtype::uint2, 1, 5},
    {"int2", dtype::int2, 1, 5},
};

} // namespace detail

/// Returns ONNX's name of the element type with this number, such as "float" or "int64"; "undefined" for unknown
/// numbers.
constexpr std::string_view name_of_element(std::int64_t number) {
    const bool known = number >= 0 && static_cast<std::size_t>(number) < std::size(detail::elements);
    return detail::elements[known ? static_cast<std::size_t>(number) : 0].name;
}

/// Returns the element type with this number in ONNX; `none` for strings, complex numbers and unknown types.
constexpr dtype dtype_of_element(std::int64_t number) {
    const bool known = number >= 0 && static_cast<std::size_t>(number) < std::size(detail::elements);
    return detail::elements[known ? static_cast<std::size_t>(number) : 0].type;
}

/// A tensor in a model file: its properties and the location of its elements.
class tensor_view : public message {
public:
    tensor_view() = default;
    explicit tensor_view(const message& m) : message(m) {}

    std::string_view name() const { return text(field::tensor::name); }
    std::int64_t element() const { return integer(field::tensor::data_type); }
    dtype type() const { return dtype_of_element(element()); }
    plain_vector<std::int64_t> shape() const { return integers(field::tensor::dims); }
    /// True if the tensor's elements are in another file.
    bool is_external() const { return integer(field::tensor::data_location) == 1; }
    /// Returns a property of the external data ("location", "offset", "length" or "checksum"); empty if it is absent.
    std::string_view external(std::string_view key) const {
        for (const wire_field& f : fields(field::tensor::external_data))
            if (message(f.payload).text(field::entry::key) == key) return message(f.payload).text(field::entry::value);
        return {};
    }
    bool is_raw() const { return has(field::tensor::raw_data); }
    file_part raw() const { return child(field::tensor::raw_data).part(); }

    /// Returns "tensor `weight`" for errors. A tensor without a name is described by its offset.
    std::string label() const {
        return name().empty() ? "tensor at byte " + std::to_string(offset()) : "tensor `" + std::string(name()) + "`";
    }

    /// Returns the number of elements. Throws: `tutti::error` for an invalid shape.
    std::int64_t size() const {
        const plain_vector<std::int64_t> dims = shape();
        const std::int64_t count = kernel::checked_element_count(dims.all());
        if (count < 0) refuse("has impossible sizes", "non-negative sizes, and fewer than 2^48 elements");
        return count;
    }

    /// Checks that the number of elements matches the shape, unless the elements are external.
    ///
    /// Cost:   linear in the bytes of the tensor's fields, excluding raw elements.
    /// Throws: `tutti::error` with the actual and the expected number of elements or bytes.
    void check() const {
        const auto number = element();
        if (name_of_element(number) == "undefined")
            refuse("has elements of type number " + std::to_string(number), "a type from 1 to 26");
        const auto count = static_cast<std::uint64_t>(size());
        if (is_external()) {
            if (external("location").empty()) refuse("external data without a location", "the name of a file");
            return;
        }
        const detail::element_facts& facts = facts_of(number);
        if (is_raw()) {
            if (number == 8) refuse("has strings in raw data", "string_data");
            if (raw().size != facts.raw_size(count))
                refuse(std::to_string(raw().size) + " bytes of raw data",
                       std::to_string(facts.raw_size(count)) + " for its shape and type");
            return;
        }
        const bool complex = number == 14 || number == 15; // an element is stored as two numbers
        const std::uint64_t wanted = facts.is_packed() ? facts.raw_size(count) : count * (complex ? 2 : 1);
        if (const std::uint64_t given = stored(facts.field); given != wanted)
            refuse(std::to_string(given) + " elements", std::to_string(wanted) + " for its shape");
    }

    /// Returns the tensor. Large aligned data stays in the file, and the tensor keeps the file alive. Other elements
    /// are copied piece by piece, so that a mapped file takes no memory for them.
    ///
    /// Requires: `check()` has passed, and the elements are not external.
    /// Throws:   `tutti::error` for strings and complex numbers, which are not supported.
    template <class Keeper>
    tensor value(const Keeper& file) const {
        if (is_raw()) return value_of(raw(), file);
        if (const file_part packed = packed_floats(); packed.data != nullptr) return value_of(packed, file);
        return copied();
    }

    /// Returns the tensor with these external elements, which are laid out like raw data.
    ///
    /// Throws: `tutti::error` like `value`, or for a wrong number of bytes.
    template <class Keeper>
    tensor value_of(const file_part& elements, const Keeper& file) const {
        if (can_stay(elements))
            return tensor::referring(type(), shape_vector(), static_cast<const void*>(elements.data), file);
        return copied_from(elements, file);
    }

    [[noreturn, gnu::cold]] void refuse(std::string problem, std::string expected) const {
        throw error(label(), std::move(problem), std::move(expected));
    }

private:
    static const detail::element_facts& facts_of(std::int64_t number) {
        return detail::elements[static_cast<std::size_t>(number)];
    }

    std::uint64_t stored(std::uint32_t number) const {
        std::uint64_t count = 0;
        for (const wire_field& f : fields(number)) {
            if (f.kind != wire_kind::bytes || number == 6)
                ++count;
            else if (number == 4 || number == 10)
                count += f.payload.size / (number == 4 ? 4 : 8);
            else // only the last byte of a varint is below 0x80
                for (std::size_t i = 0; i < f.payload.size; ++i) count += f.payload.data[i] < 0x80;
        }
        return count;
    }

    vector<std::int64_t> shape_vector() const {
        const plain_vector<std::int64_t> dims = shape();
        return {dims.begin(), dims.end()};
    }

    bool can_stay(const file_part& elements) const {
        const detail::element_facts& facts = facts_of(element());
        const std::uint64_t wanted = facts.raw_size(static_cast<std::uint64_t>(size()));
        if (elements.size != wanted)
            refuse(std::to_string(elements.size) + " bytes of data",
                   std::to_string(wanted) + " for its shape and type");
        return tutti::internal::is_little_endian && elements.size >= least_kept && facts.type != dtype::none &&
               facts.type != dtype::boolean && !facts.is_packed() &&
               reinterpret_cast<std::uintptr_t>(elements.data) % facts.bytes == 0;
    }
    // Smaller data is copied, which costs less than keeping the file.
    static constexpr std::size_t least_kept = 4096;

    // Returns the bytes of floating-point elements if they are stored as one packed list, which is laid out like raw
    // data. Otherwise returns an empty part.
    file_part packed_floats() const {
        const std::uint32_t number = facts_of(element()).field;
        file_part all;
        if (number != 4 && number != 10) return all;
        std::size_t count = 0;
        for (const wire_field& f : fields(number)) {
            if (f.kind == wire_kind::bytes) all = f.payload;
            ++count;
        }
        return count == 1 ? all : file_part();
    }

    template <class Keeper>
    tensor copied_from(const file_part& elements, const Keeper& file) const {
        const detail::element_facts& facts = facts_of(element());
        tensor t;
        reset(t, facts);
        if (t.size() == 0) return t;
        auto* to = first_byte(t, facts);
        constexpr std::size_t most = std::size_t{1} << 20; // size of a piece, a multiple of every element size
        for (std::size_t at = 0; at < elements.size; at += most) {
            const std::size_t size = std::min(most, elements.size - at);
            const file_part part{elements.data + at, size, elements.offset + at};
            fill(to + at / facts.bytes * kernel::bytes(facts.type), part);
            if constexpr (requires { file->forget(part.text()); })
                if (elements.size >= most) file->forget(part.text());
        }
        if (facts.is_packed()) unpack(t);
        return t;
    }

    tensor copied() const {
        const detail::element_facts& facts = facts_of(element());
        tensor t;
        reset(t, facts);
        if (t.size() == 0) return t;
        auto* to = first_byte(t, facts);
        const std::size_t fixed = facts.field == 4 ? 4 : facts.field == 10 ? 8 : 0;
        for (const wire_field& f : fields(facts.field)) {
            if (f.kind != wire_kind::bytes) {
                store(to, f.value, facts);
                continue;
            }
            for (wire_reader packed(f.payload); !packed.done();)
                store(to, fixed == 0 ? packed.varint() : packed.fixed(fixed), facts);
        }
        if (facts.is_packed()) unpack(t);
        return t;
    }

    // Returns the address to which the elements are copied. Packed elements are copied to the end of the memory.
    static unsigned char* first_byte(tensor& t, const detail::element_facts& facts) {
        const auto count = static_cast<std::uint64_t>(t.size());
        return static_cast<unsigned char*>(t.mutable_memory()) +
               (facts.is_packed() ? count - facts.raw_size(count) : 0);
    }
    static void unpack(tensor& t) {
        kernel::unpack(t.type(), static_cast<unsigned char*>(t.mutable_memory()), static_cast<std::size_t>(t.size()));
    }

    void reset(tensor& t, const detail::element_facts& facts) const {
        if (facts.type == dtype::none) refuse("has elements of type " + std::string(facts.name), "numbers or bool");
        t.reset(facts.type, shape().all());
    }

    void fill(unsigned char* to, const file_part& from) const {
        const detail::element_facts& facts = facts_of(element());
        if (facts.type == dtype::boolean) {
            for (std::size_t i = 0; i < from.size; ++i) to[i] = from.data[i] != 0;
        } else {
            std::memcpy(to, from.data, from.size);
            tutti::internal::swap_little_endian(to, from.size, facts.bytes);
        }
    }

    // Stores the low bits of a number as an element, and advances `to`.
    static void store(unsigned char*& to, std::uint64_t bits, const detail::element_facts& facts) {
        switch (facts.bytes) {
        case 1:
            put(to, static_cast<std::uint8_t>(facts.type == dtype::boolean ? bits != 0 : bits));
            break;
        case 2:
            put(to, static_cast<std::uint16_t>(bits));
            break;
        case 4:
            put(to, static_cast<std::uint32_t>(bits));
            break;
        default:
            put(to, bits);
        }
    }
    template <class T>
    static void put(unsigned char*& to, T bits) {
        std::memcpy(to, &bits, sizeof bits);
        to += sizeof bits;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx

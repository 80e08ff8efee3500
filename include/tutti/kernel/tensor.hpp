#pragma once

#include <tutti/kernel/dtype.hpp>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::kernel {

/// The number of elements of a tensor of that shape: the product of the dimensions, 1 for rank 0.
constexpr std::int64_t element_count(std::span<const std::int64_t> shape) {
    std::uint64_t n = 1; // which wraps where a dimension that follows is zero
    for (const std::int64_t d : shape) n *= static_cast<std::uint64_t>(d);
    return static_cast<std::int64_t>(n);
}

/// A dense row-major tensor of one element type.
///
/// Copies share the elements: a tensor that is shared is immutable, and one that is not may be written
/// through `mutable_elements<T>()`. Lives in constant evaluation too.
///
/// Cost: a copy is one atomic increment and a copy of the shape; elements are aligned to 64 bytes at run
/// time.
class tensor {
public:
    constexpr tensor() = default;

    /// A tensor of zeros. Requires: no dimension is negative.
    constexpr tensor(dtype type, std::vector<std::int64_t> shape)
        : buffer_(allocate(type, element_count(shape), initial::zero)), shape_(std::move(shape)) {}

    /// A tensor with the given elements in row-major order. Requires: as many values as elements.
    template <class T>
    constexpr tensor(std::vector<std::int64_t> shape, std::initializer_list<T> values)
        : tensor(dtype_of<T>, std::move(shape)) {
        assert(static_cast<std::int64_t>(values.size()) == size());
        std::copy(values.begin(), values.end(), mutable_elements<T>().begin());
    }

    constexpr tensor(const tensor& other) : buffer_(other.buffer_), shape_(other.shape_) {
        if (buffer_ != nullptr) count(+1);
    }
    constexpr tensor(tensor&& other) noexcept
        : buffer_(std::exchange(other.buffer_, nullptr)), shape_(std::move(other.shape_)) {}
    constexpr tensor& operator=(const tensor& other) {
        if (this != &other) share(other, other.shape_);
        return *this;
    }
    constexpr tensor& operator=(tensor&& other) noexcept {
        std::swap(buffer_, other.buffer_);
        std::swap(shape_, other.shape_);
        return *this;
    }
    constexpr ~tensor() { leave(); }

    /// A rank-0 tensor. Its element type is T.
    template <class T>
    static constexpr tensor scalar(T value) {
        return tensor(std::vector<std::int64_t>{}, {value});
    }

    /// The same elements under another shape. Requires: as many elements.
    constexpr tensor reshaped(std::vector<std::int64_t> shape) const {
        assert(element_count(shape) == size());
        tensor t(*this);
        t.shape_ = std::move(shape);
        return t;
    }

    /// Makes this a tensor of that type and shape, whose elements are to be written: they have no specified values. How a kernel
    /// makes its result.
    ///
    /// Requires: no dimension is negative; `shape` is not this tensor's own.
    /// Cost:     nothing is allocated if the memory that it has is large enough and not shared.
    constexpr void reset(dtype type, std::span<const std::int64_t> shape) {
        const std::int64_t size = element_count(shape);
        if (!reuse(type, size)) {
            block* made = allocate(type, size, initial::unspecified);
            leave();
            buffer_ = made;
        }
        shape_.assign(shape.begin(), shape.end());
    }

    /// Makes this the elements of another tensor, shared, under another shape.
    ///
    /// Requires: as many elements; `shape` is not this tensor's own.
    constexpr void share(const tensor& other, std::span<const std::int64_t> shape) {
        assert(other.empty() || element_count(shape) == other.size());
        shape_.assign(shape.begin(), shape.end());
        if (buffer_ == other.buffer_) return;
        leave();
        buffer_ = other.buffer_;
        if (buffer_ != nullptr) count(+1);
    }

    constexpr dtype type() const { return buffer_ == nullptr ? dtype::none : buffer_->type; }
    constexpr std::span<const std::int64_t> shape() const { return shape_; }
    constexpr std::size_t rank() const { return shape_.size(); }
    constexpr std::int64_t size() const { return buffer_ == nullptr ? 0 : buffer_->size; }
    constexpr bool empty() const { return buffer_ == nullptr; }
    /// How many bytes of elements the memory has room for: what `reset` can use again, if it is not shared.
    constexpr std::size_t capacity() const { return buffer_ == nullptr ? 0 : buffer_->capacity; }

    /// The elements, to read. Requires: T is the element type.
    template <class T>
    constexpr std::span<const T> elements() const {
        return {pointer<T>(), static_cast<std::size_t>(size())};
    }

    /// The elements, to write. Requires: T is the element type; the elements are not shared.
    template <class T>
    constexpr std::span<T> mutable_elements() {
        assert(!is_shared());
        return {pointer<T>(), static_cast<std::size_t>(size())};
    }

    /// Whether two tensors share their elements.
    constexpr bool same_elements(const tensor& other) const { return buffer_ == other.buffer_; }

    /// Whether another tensor shares these elements.
    constexpr bool is_shared() const {
        if (buffer_ == nullptr) return false;
        if (std::is_constant_evaluated()) return buffer_->owners != 1;
        return std::atomic_ref(buffer_->owners).load(std::memory_order_acquire) != 1;
    }

private:
    struct block {
        union {
            bool* boolean;
            std::int8_t* int8;
            std::int16_t* int16;
            std::int32_t* int32;
            std::int64_t* int64;
            std::uint8_t* uint8;
            std::uint16_t* uint16;
            std::uint32_t* uint32;
            std::uint64_t* uint64;
            kernel::float16* float16;
            float* float32;
            double* float64;
        };
        std::int64_t size;
        std::size_t capacity; // in bytes
        std::uint32_t owners;
        dtype type;

        template <class T>
        constexpr block(T* elements, std::int64_t n, dtype t)
            : boolean(nullptr), size(n), capacity(static_cast<std::size_t>(n) * sizeof(T)), owners(1), type(t) {
            std::construct_at(&(this->*member<T>()), elements);
        }
    };

    /// The member of the union that points to elements of type T.
    template <class T>
    static constexpr auto member() {
        if constexpr (std::is_same_v<T, bool>)
            return &block::boolean;
        else if constexpr (std::is_same_v<T, std::int8_t>)
            return &block::int8;
        else if constexpr (std::is_same_v<T, std::int16_t>)
            return &block::int16;
        else if constexpr (std::is_same_v<T, std::int32_t>)
            return &block::int32;
        else if constexpr (std::is_same_v<T, std::int64_t>)
            return &block::int64;
        else if constexpr (std::is_same_v<T, std::uint8_t>)
            return &block::uint8;
        else if constexpr (std::is_same_v<T, std::uint16_t>)
            return &block::uint16;
        else if constexpr (std::is_same_v<T, std::uint32_t>)
            return &block::uint32;
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            return &block::uint64;
        else if constexpr (std::is_same_v<T, kernel::float16>)
            return &block::float16;
        else if constexpr (std::is_same_v<T, float>)
            return &block::float32;
        else {
            static_assert(std::is_same_v<T, double>,
                          "tutti::kernel::tensor(T): an element type must be one of dtype's");
            return &block::float64;
        }
    }

    template <class T>
    constexpr T* pointer() const {
        assert(type() == dtype_of<T>);
        return buffer_->*member<T>();
    }

    static constexpr std::align_val_t alignment{64};

    enum class initial : bool { zero, unspecified };

    static constexpr block* allocate(dtype type, std::int64_t size, initial values) {
        return with_element_type(type, [&]<class T>(std::type_identity<T>) {
            const auto n = static_cast<std::size_t>(size);
            T* elements = nullptr;
            if (std::is_constant_evaluated()) {
                elements = new T[n]{};
            } else {
                elements = static_cast<T*>(::operator new(n * sizeof(T), alignment));
                if (values == initial::zero)
                    std::uninitialized_value_construct_n(elements, n);
                else
                    std::uninitialized_default_construct_n(elements, n);
            }
            return new block(elements, size, type);
        });
    }

    /// Whether the memory there is could be taken for that many elements of that type.
    constexpr bool reuse(dtype type, std::int64_t size) {
        if (buffer_ == nullptr || is_shared()) return false;
        if (buffer_->type == type && buffer_->size == size) return true;
        if (std::is_constant_evaluated() || static_cast<std::size_t>(size) * bytes(type) > buffer_->capacity)
            return false;
        void* memory =
            with_element_type(buffer_->type, [&]<class T>(std::type_identity<T>) -> void* { return pointer<T>(); });
        with_element_type(type, [&]<class T>(std::type_identity<T>) {
            auto* elements = static_cast<T*>(memory);
            std::uninitialized_default_construct_n(elements, static_cast<std::size_t>(size));
            std::construct_at(&(buffer_->*member<T>()), elements);
        });
        buffer_->type = type;
        buffer_->size = size;
        return true;
    }

    constexpr void leave() {
        if (buffer_ != nullptr && count(-1) == 0) release(buffer_);
    }

    static constexpr void release(block* b) {
        with_element_type(b->type, [&]<class T>(std::type_identity<T>) {
            T* elements = b->*member<T>();
            if (std::is_constant_evaluated())
                delete[] elements;
            else
                ::operator delete(elements, alignment);
        });
        delete b;
    }

    constexpr std::uint32_t count(int change) const {
        const auto by = static_cast<std::uint32_t>(change);
        if (std::is_constant_evaluated()) return buffer_->owners += by;
        return std::atomic_ref(buffer_->owners).fetch_add(by, std::memory_order_acq_rel) + by;
    }

    block* buffer_ = nullptr;
    std::vector<std::int64_t> shape_;
};

} // namespace tutti::kernel

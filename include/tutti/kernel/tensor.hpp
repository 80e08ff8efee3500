#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/size_math.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace tutti::kernel {

/// Returns the number of elements of a shape: the product of the dimensions, 1 for rank 0.
constexpr std::int64_t element_count(std::span<const std::int64_t> shape) {
    std::uint64_t n = 1; // may wrap if a later dimension is zero
    for (const std::int64_t d : shape) n *= static_cast<std::uint64_t>(d);
    return static_cast<std::int64_t>(n);
}

/// Returns the number of elements of a shape, or -1 if the shape exceeds the limits of a tensor. The number of elements
/// must be below 2^48, and each dimension must be from 0 to 2^60.
constexpr std::int64_t checked_element_count(std::span<const std::int64_t> shape) {
    element_counter elements;
    for (const std::int64_t d : shape) elements.add(d);
    return elements.count();
}

/// A dense row-major tensor of one element type. Creating a tensor whose type has lanes throws tutti::error.
///
/// Copies share the elements. A shared tensor is immutable; a tensor that is not shared is written through
/// `mutable_elements<T>()`. At run time, owned elements are aligned to 64 bytes. Usable in constant evaluation.
///
/// Cost: a copy is one atomic increment and a copy of the shape.
///
/// The code tests for constant evaluation with the compiler's builtin. Unlike the standard library's function, the
/// builtin leaves no code even in unoptimised programs.
class tensor {
public:
    constexpr tensor() = default;

    /// Creates a tensor of zeros. Requires: no dimension is negative.
    constexpr tensor(dtype type, vector<std::int64_t> shape)
        : buffer_(allocate(type, count_of(shape), initial::zero)), shape_(std::move(shape)) {}

    /// Creates a tensor of the given values in row-major order. Requires: there are as many values as elements.
    template <class T>
    constexpr tensor(vector<std::int64_t> shape, std::initializer_list<T> values)
        : tensor(dtype_of<T>, std::move(shape)) {
        assert(static_cast<std::int64_t>(values.size()) == size());
        T* to = mutable_data<T>();
        for (const T& value : values) *to++ = value;
    }

    constexpr tensor(const tensor& other) : buffer_(other.buffer_), shape_(other.shape_) {
        if (buffer_ != nullptr) count(+1);
    }
    constexpr tensor(tensor&& other) noexcept
        : buffer_(std::exchange(other.buffer_, nullptr)), shape_(std::move(other.shape_)) {}
    constexpr tensor& operator=(const tensor& other) {
        if (this != &other) share(other, other.shape());
        return *this;
    }
    constexpr tensor& operator=(tensor&& other) noexcept {
        std::swap(buffer_, other.buffer_);
        std::swap(shape_, other.shape_);
        return *this;
    }
    constexpr ~tensor() { leave(); }

    /// Returns a tensor of rank 0 with element type T.
    template <class T>
    static constexpr tensor scalar(T value) {
        return tensor(vector<std::int64_t>{}, {value});
    }

    /// Returns a tensor over elements that it does not own, such as those of a mapped file. Keeps a copy of `keeper`
    /// until no tensor shares the elements. The tensor counts as shared, so nothing writes to its elements.
    ///
    /// Requires: the elements are as many as the shape specifies, aligned for their type, and exist and do not change
    ///           while a copy of `keeper` lives; no dimension is negative.
    template <class Keeper>
    static tensor referring(dtype type, vector<std::int64_t> shape, const void* elements, Keeper keeper) {
        assert(reinterpret_cast<std::uintptr_t>(elements) % (bytes(type) == 0 ? 1 : bytes(type)) == 0);
        struct kept_block : block {
            Keeper keeper;
        };
        tensor t;
        t.shape_ = std::move(shape);
        t.buffer_ = new kept_block{{.size = count_of(t.shape_),
                                    .elements = const_cast<void*>(elements),
                                    .drop = [](block* b) { delete static_cast<kept_block*>(b); },
                                    .owners = others + 1,
                                    .type = type},
                                   std::move(keeper)};
        return t;
    }

    /// Returns a tensor in a part of another tensor's memory: `capacity` bytes from byte `offset` on. The memory lives
    /// as long as either tensor. The new tensor is writable. Its `reset` reuses the part for shapes that fit, and
    /// allocates nothing for them up to rank 8.
    ///
    /// Requires: the part is inside the memory; `offset` is a multiple of 64.
    static tensor within(const tensor& memory, std::size_t offset, std::size_t capacity) {
        struct part : block {
            tensor whole;
        };
        tensor t;
        t.shape_.reserve(8);
        t.shape_.push_back(static_cast<std::int64_t>(capacity));
        t.buffer_ = new part{{.size = t.shape_[0],
                              .capacity = capacity,
                              .elements = static_cast<unsigned char*>(elements_of(memory.buffer_)) + offset,
                              .drop = [](block* b) { delete static_cast<part*>(b); },
                              .type = dtype::uint8},
                             memory};
        return t;
    }

    /// Returns the same elements under another shape. Requires: the number of elements is the same.
    constexpr tensor reshaped(vector<std::int64_t> shape) const {
        assert(count_of(shape) == size());
        tensor t(*this);
        t.shape_ = std::move(shape);
        return t;
    }

    /// Changes type and shape. The elements are then unspecified and can be written. Kernels allocate their results
    /// with this function.
    ///
    /// Requires: no dimension is negative; `shape` is not this tensor's own.
    /// Cost:     allocates nothing if the current memory is large enough and not shared.
    /// Throws:   std::bad_alloc if there is not enough memory, beyond_allowance if the thread's allowance is used up.
    ///           The tensor is then unchanged.
    constexpr void reset(dtype type, std::span<const std::int64_t> shape) {
        const std::int64_t size = element_count(shape);
        shape_.reserve(shape.size());
        if (!reuse(type, size)) {
            block* made = allocate(type, size, initial::unspecified);
            leave();
            buffer_ = made;
        }
        shape_.assign(shape.data(), shape.data() + shape.size());
    }

    /// Shares the elements of another tensor under another shape.
    ///
    /// Requires: `shape` has the same number of elements, and is not this tensor's own.
    constexpr void share(const tensor& other, std::span<const std::int64_t> shape) {
        assert(other.empty() || element_count(shape) == other.size());
        shape_.assign(shape.data(), shape.data() + shape.size());
        if (buffer_ == other.buffer_) return;
        leave();
        buffer_ = other.buffer_;
        if (buffer_ != nullptr) count(+1);
    }

    /// Releases the elements and becomes empty. Allocates nothing.
    constexpr void clear() noexcept {
        leave();
        buffer_ = nullptr;
        shape_.clear();
    }

    constexpr dtype type() const { return buffer_ == nullptr ? dtype::none : buffer_->type; }
    constexpr std::span<const std::int64_t> shape() const { return shape_; }
    constexpr std::size_t rank() const { return shape_.size(); }
    constexpr std::int64_t size() const { return buffer_ == nullptr ? 0 : buffer_->size; }
    constexpr bool empty() const { return buffer_ == nullptr; }
    /// Returns the size in bytes of the memory for elements. `reset` can reuse this memory unless it is shared.
    constexpr std::size_t capacity() const { return buffer_ == nullptr ? 0 : buffer_->capacity; }

    /// Returns the elements, read-only. Requires: T is the element type.
    template <class T>
    constexpr std::span<const T> elements() const {
        return {data<T>(), static_cast<std::size_t>(size())};
    }

    /// Returns the elements, writable. Requires: T is the element type; the elements are not shared.
    template <class T>
    constexpr std::span<T> mutable_elements() {
        return {mutable_data<T>(), static_cast<std::size_t>(size())};
    }

    /// Returns the address of the elements, read-only. Requires: T is the element type.
    template <class T>
    constexpr const T* data() const {
        return pointer<T>();
    }

    /// Returns the address of the elements, writable. Requires: T is the element type; the elements are not shared.
    template <class T>
    constexpr T* mutable_data() {
        assert(!is_shared());
        return pointer<T>();
    }

    /// Returns the address of the elements, whatever their type. Requires: the tensor is not `empty()`.
    const void* memory() const { return elements_of(buffer_); }
    /// Returns the writable address of the elements. Requires: the tensor is not `empty()`; the elements are not
    /// shared.
    void* mutable_memory() {
        assert(!is_shared());
        return elements_of(buffer_);
    }

    /// True if two tensors share their elements.
    constexpr bool same_elements(const tensor& other) const { return buffer_ == other.buffer_; }

    /// Returns a number that identifies the elements: equal for two tensors only if they share their elements.
    std::uintptr_t identity() const { return reinterpret_cast<std::uintptr_t>(buffer_); }

    /// True if another tensor shares the elements, or if the elements are not owned by tensors (see `referring`).
    constexpr bool is_shared() const {
        if (buffer_ == nullptr) return false;
        if (__builtin_is_constant_evaluated()) return buffer_->owners != 1;
        return __atomic_load_n(&buffer_->owners, __ATOMIC_ACQUIRE) !=
               1; // <atomic> is a quarter of what this file costs
    }

private:
    // The header of the elements. At run time, the elements follow their header in the same memory, or are in memory of
    // another owner.
    struct block {
        std::int64_t size = 0;
        std::size_t capacity = 0;           // in bytes
        detail::account* paid_by = nullptr; // account of the memory; null without an allowance
        void* elements = nullptr;
        void (*drop)(block*) = nullptr; // releases elements of another owner
        std::uint32_t owners = 1;
        dtype type = dtype::none;
    };
    static constexpr std::uint32_t others = std::uint32_t{1}
                                            << 31; // added to `owners` if `referring` created the block

    // A block in constant evaluation, where elements cannot be stored as bytes.
    template <class T>
    struct constant_block : block {
        T* constants;
    };

    template <class T>
    constexpr T* pointer() const {
        static_assert(dtype_of<T> != dtype::none, "tutti::kernel::tensor(T): an element type must be one of dtype's");
        assert(type() == dtype_of<T> || (is_narrow(type()) && sizeof(T) == 1));
        if (__builtin_is_constant_evaluated()) return static_cast<constant_block<T>*>(buffer_)->constants;
        return static_cast<T*>(elements_of(buffer_));
    }

    /// Returns `element_count` of a vector. Passes a pointer and a size: converting a vector to a span instantiates a
    /// dozen concepts in every file that uses tensors.
    static constexpr std::int64_t count_of(const vector<std::int64_t>& shape) {
        return element_count({shape.data(), shape.size()});
    }

    static void* elements_of(block* b) { return b->elements; }

    static constexpr std::align_val_t alignment{64};
    static constexpr std::size_t head = 64; // bytes from the beginning of the block to the elements

    enum class initial : bool { zero, unspecified };

    [[noreturn, gnu::cold]] static void refuse_lanes(dtype type) {
        throw error("a tensor", "has elements with lanes: " + std::string(name(type)),
                    std::string(name(lane_type(type))) + " and one more dimension; types alone may have lanes");
    }

    static constexpr block* allocate(dtype type, std::int64_t size, initial values) {
        if (lane_count(type) != 1) refuse_lanes(type);
        const auto n = static_cast<std::size_t>(size);
        block made{.size = size, .capacity = n * bytes(type), .type = type};
        if (__builtin_is_constant_evaluated())
            return with_element_type(type, [&]<class T>(std::type_identity<T>) -> block* {
                return new constant_block<T>{made, new T[n]{}};
            });
        if (bytes(type) != 0 && n > (~std::size_t{0} - head) / bytes(type)) throw std::bad_array_new_length();
        block* b = placed(made);
        if (values == initial::zero) std::memset(elements_of(b), 0, made.capacity); // the bits of zero in every type
        return b;
    }

    static block* placed(block made) {
        static_assert(sizeof(block) <= head);
        struct payment {
            detail::account* by;
            std::size_t bytes;
            ~payment() { detail::give_bytes(by, bytes); }
        } paid{detail::take_bytes(made.capacity), made.capacity};
        block* b = new (::operator new(head + made.capacity, alignment)) block(made);
        b->paid_by = std::exchange(paid.by, nullptr);
        b->elements = reinterpret_cast<unsigned char*>(b) + head;
        return b;
    }

    /// Reuses the current memory for elements of the given type. Returns false if the memory is shared or too small.
    constexpr bool reuse(dtype type, std::int64_t size) {
        if (buffer_ == nullptr || is_shared()) return false;
        if (buffer_->type == type && buffer_->size == size) return true;
        if (__builtin_is_constant_evaluated() || bytes(type) == 0 ||
            lane_count(type) != 1 || // `allocate` refuses these
            static_cast<std::size_t>(size) > buffer_->capacity / bytes(type))
            return false;
        buffer_->type = type;
        buffer_->size = size;
        return true;
    }

    constexpr void leave() {
        if (buffer_ != nullptr && (count(-1) & ~others) == 0) release(buffer_);
    }

    static constexpr void release(block* b) {
        if (__builtin_is_constant_evaluated())
            return with_element_type(b->type, [&]<class T>(std::type_identity<T>) {
                delete[] static_cast<constant_block<T>*>(b)->constants;
                delete static_cast<constant_block<T>*>(b);
            });
        if (b->drop != nullptr) return b->drop(b);
        detail::give_bytes(b->paid_by, b->capacity);
        ::operator delete(static_cast<void*>(b), alignment);
    }

    constexpr std::uint32_t count(int change) const {
        const auto by = static_cast<std::uint32_t>(change);
        if (__builtin_is_constant_evaluated()) return buffer_->owners += by;
        return __atomic_add_fetch(&buffer_->owners, by, __ATOMIC_ACQ_REL);
    }

    block* buffer_ = nullptr;
    vector<std::int64_t> shape_;
};

/// A tensor and its name: a weight, an input, a result.
struct named_tensor {
    std::string name;
    tensor value;
};

} // namespace tutti::kernel

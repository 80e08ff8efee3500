#pragma once

#include <tutti/error.hpp>
#include <tutti/kernel/allowance.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/size_math.hpp>
#include <tutti/vector.hpp>

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

/// The number of elements of a tensor of that shape: the product of the dimensions, 1 for rank 0.
constexpr std::int64_t element_count(std::span<const std::int64_t> shape) {
    std::uint64_t n = 1; // which wraps where a dimension that follows is zero
    for (const std::int64_t d : shape) n *= static_cast<std::uint64_t>(d);
    return static_cast<std::int64_t>(n);
}

/// The number of elements of a tensor of that shape; -1 if a dimension is negative or above 2^60, or there would be 2^48
/// elements or more, which no tensor has. One without elements may have other dimensions of any such size.
constexpr std::int64_t checked_element_count(std::span<const std::int64_t> shape) {
    element_counter elements;
    for (const std::int64_t d : shape) elements.add(d);
    return elements.count();
}

/// A dense row-major tensor of one element type, which has no lanes: what would make one of such a type throws tutti::error.
///
/// Copies share the elements: a tensor that is shared is immutable, and one that is not may be written
/// through `mutable_elements<T>()`. Lives in constant evaluation too.
///
/// Cost: a copy is one atomic increment and a copy of the shape; elements that it owns are aligned to 64 bytes at run
/// time.
///
/// The builtin that asks for constant evaluation leaves nothing of that in a program, without optimisation too; the
/// standard library's function would.
class tensor {
public:
    constexpr tensor() = default;

    /// A tensor of zeros. Requires: no dimension is negative.
    constexpr tensor(dtype type, vector<std::int64_t> shape)
        : buffer_(allocate(type, count_of(shape), initial::zero)), shape_(std::move(shape)) {}

    /// A tensor with the given elements in row-major order. Requires: as many values as elements.
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

    /// A rank-0 tensor. Its element type is T.
    template <class T>
    static constexpr tensor scalar(T value) {
        return tensor(vector<std::int64_t>{}, {value});
    }

    /// A tensor over elements that somebody else owns, such as a mapped file: they are there, and do not change, as long as a copy of
    /// `keeper` lives, which the tensor and all that share its elements keep. Nobody writes them: it counts as shared.
    ///
    /// Requires: as many elements as the shape has, aligned as their type wants; no dimension is negative.
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

    /// A tensor in a part of another's memory, `capacity` bytes from byte `offset` on, which lives as long as one of the two does. It
    /// is written like one of its own: `reset` makes what fits there, without an allocation up to rank 8.
    ///
    /// Requires: the part is in the other's memory; `offset` is a multiple of 64.
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

    /// The same elements under another shape. Requires: as many elements.
    constexpr tensor reshaped(vector<std::int64_t> shape) const {
        assert(count_of(shape) == size());
        tensor t(*this);
        t.shape_ = std::move(shape);
        return t;
    }

    /// Makes this a tensor of that type and shape, whose elements are to be written: they have no specified values. How a kernel
    /// makes its result.
    ///
    /// Requires: no dimension is negative; `shape` is not this tensor's own.
    /// Cost:     nothing is allocated if the memory that it has is large enough and not shared.
    /// Throws:   std::bad_alloc if there is not enough memory, beyond_allowance if the thread may not take it; it is then as
    ///           it was.
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

    /// Makes this the elements of another tensor, shared, under another shape.
    ///
    /// Requires: as many elements; `shape` is not this tensor's own.
    constexpr void share(const tensor& other, std::span<const std::int64_t> shape) {
        assert(other.empty() || element_count(shape) == other.size());
        shape_.assign(shape.data(), shape.data() + shape.size());
        if (buffer_ == other.buffer_) return;
        leave();
        buffer_ = other.buffer_;
        if (buffer_ != nullptr) count(+1);
    }

    /// Leaves its elements, and is empty from then on. Allocates nothing.
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
    /// How many bytes of elements the memory has room for: what `reset` can use again, if it is not shared.
    constexpr std::size_t capacity() const { return buffer_ == nullptr ? 0 : buffer_->capacity; }

    /// The elements, to read. Requires: T is the element type.
    template <class T>
    constexpr std::span<const T> elements() const {
        return {data<T>(), static_cast<std::size_t>(size())};
    }

    /// The elements, to write. Requires: T is the element type; the elements are not shared.
    template <class T>
    constexpr std::span<T> mutable_elements() {
        return {mutable_data<T>(), static_cast<std::size_t>(size())};
    }

    /// The first of the elements, to read. Requires: T is the element type.
    template <class T>
    constexpr const T* data() const {
        return pointer<T>();
    }

    /// The first of the elements, to write. Requires: T is the element type; the elements are not shared.
    template <class T>
    constexpr T* mutable_data() {
        assert(!is_shared());
        return pointer<T>();
    }

    /// Where the elements are, whatever their type. Requires: it is not `empty()`.
    const void* memory() const { return elements_of(buffer_); }
    /// The same, to write. Requires: the elements are not shared either.
    void* mutable_memory() {
        assert(!is_shared());
        return elements_of(buffer_);
    }

    /// Whether two tensors share their elements.
    constexpr bool same_elements(const tensor& other) const { return buffer_ == other.buffer_; }

    /// A number that tells the elements from those of every other tensor, unless they share them.
    std::uintptr_t identity() const { return reinterpret_cast<std::uintptr_t>(buffer_); }

    /// Whether another tensor shares these elements, or they are not a tensor's own.
    constexpr bool is_shared() const {
        if (buffer_ == nullptr) return false;
        if (__builtin_is_constant_evaluated()) return buffer_->owners != 1;
        return __atomic_load_n(&buffer_->owners, __ATOMIC_ACQUIRE) !=
               1; // <atomic> is a quarter of what this file costs
    }

private:
    // At run time the elements follow it, in the same memory, or are somebody else's.
    struct block {
        std::int64_t size = 0;
        std::size_t capacity = 0;           // in bytes
        detail::account* paid_by = nullptr; // or null
        void* elements = nullptr;
        void (*drop)(block*) = nullptr; // of what is somebody else's
        std::uint32_t owners = 1;
        dtype type = dtype::none;
    };
    static constexpr std::uint32_t others = std::uint32_t{1} << 31; // added to the owners of what is somebody else's

    // In constant evaluation, where there are no bytes.
    template <class T>
    struct constant_block : block {
        T* constants;
    };

    template <class T>
    constexpr T* pointer() const {
        static_assert(dtype_of<T> != dtype::none, "tutti::kernel::tensor(T): an element type must be one of dtype's");
        assert(type() == dtype_of<T>);
        if (__builtin_is_constant_evaluated()) return static_cast<constant_block<T>*>(buffer_)->constants;
        return static_cast<T*>(elements_of(buffer_));
    }

    /// A list is a pointer and a size here: what makes spans of vectors asks for a dozen concepts, wherever tensors are.
    static constexpr std::int64_t count_of(const vector<std::int64_t>& shape) {
        return element_count({shape.data(), shape.size()});
    }

    static void* elements_of(block* b) { return b->elements; }

    static constexpr std::align_val_t alignment{64};
    static constexpr std::size_t head = 64; // of the memory, before the elements

    enum class initial : bool { zero, unspecified };

    [[noreturn, gnu::cold]] static void refuse_lanes(dtype type) {
        throw error("a tensor", "of elements with lanes: " + std::string(name(type)),
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
        if (values == initial::zero) std::memset(elements_of(b), 0, made.capacity); // which is zero in every type
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

    /// Whether the memory there is could be taken for that many elements of that type.
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

/// A tensor and what it is called: a weight, an input, a result.
struct named_tensor {
    std::string name;
    tensor value;
};

} // namespace tutti::kernel

// Tests the playground's runtime for exceptions, tools/playground/exceptions.cpp, in WebAssembly; see run.py. Prints each
// failure, and returns their number.

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int wrong = 0;
int alive = 0;

void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("wrong: %s\n", what);
    ++wrong;
}

struct tracked {
    int n;
    tracked(int n) : n(n) { ++alive; }
    tracked(const tracked& other) : n(other.n) { ++alive; }
    ~tracked() { --alive; }
};
struct first {
    int a = 1;
    virtual ~first() = default;
};
struct second {
    int b = 2;
    virtual ~second() = default;
};
struct both : first, second {
    tracked inside{3};
};
struct throws_inside {
    ~throws_inside() {
        try {
            throw 4;
        } catch (int n) {
            check(n == 4, "an exception during unwinding");
        }
    }
};

void handlers() {
    try {
        throw both{};
    } catch (const second& s) {
        check(s.b == 2 && alive == 1, "a handler of the second base");
    }
    check(alive == 0, "the object dies after its handler");
    int deep = 0;
    for (int i = 0; i < 1000; ++i) try {
            try {
                throw i;
            } catch (const std::exception&) {
                check(false, "a handler of another type");
            }
        } catch (int n) {
            deep += n == i ? 1 : 0;
        }
    check(deep == 1000, "an outer handler");
    try {
        throws_inside unwound;
        throw std::string("text");
    } catch (const std::string& text) {
        check(text == "text", "the first of two exceptions");
    }
    try {
        std::vector<int>(2).at(5);
        check(false, "at() beyond the end");
    } catch (const std::out_of_range&) {}
}

void again() {
    try {
        try {
            throw tracked{5};
        } catch (tracked& t) {
            t.n = 6;
            throw;
        }
    } catch (const tracked& t) {
        check(t.n == 6, "thrown again, the same object");
    }
    check(alive == 0, "the object dies after being thrown again");
    try {
        try {
            throw tracked{5};
        } catch (...) {
            try {
                throw;
            } catch (...) {}
            check(alive == 1, "an outer handler keeps the object");
            throw 7;
        }
    } catch (int n) {
        check(n == 7 && alive == 0, "another exception from a handler");
    }
}

void pointers() {
    std::exception_ptr kept;
    try {
        throw tracked{9};
    } catch (...) {
        kept = std::current_exception();
    }
    check(alive == 1, "exception_ptr keeps the object");
    for (int i = 0; i < 3; ++i) try {
            std::rethrow_exception(kept);
        } catch (const tracked& t) {
            check(t.n == 9, "thrown from an exception_ptr");
        }
    kept = nullptr;
    check(alive == 0, "exception_ptr frees the object");
    try {
        std::rethrow_exception(std::make_exception_ptr(tracked{1}));
    } catch (const tracked& t) {
        check(t.n == 1, "make_exception_ptr");
    }
    check(alive == 0, "make_exception_ptr frees the object");

    // Thrown again inside its own handler, and inside a handler of another exception.
    try {
        throw tracked{2};
    } catch (...) {
        const std::exception_ptr first = std::current_exception();
        try {
            std::rethrow_exception(first);
        } catch (const tracked&) {}
        try {
            throw 8;
        } catch (int) {
            try {
                std::rethrow_exception(first);
            } catch (const tracked& t) {
                check(t.n == 2, "thrown from an exception_ptr in another handler");
            }
            try {
                throw;
            } catch (int n) {
                check(n == 8, "the surrounding handler's exception is thrown again");
            }
        }
        try {
            throw;
        } catch (const tracked& t) {
            check(t.n == 2, "the outer handler's exception is thrown again");
        }
        check(alive == 1, "handlers of an exception_ptr keep one object");
    }
    check(alive == 0, "the last handler frees the object");

    int n = 3;
    try {
        throw &n;
    } catch (const int* p) {
        check(p == &n, "a pointer to const");
    }
    both object;
    try {
        throw static_cast<both*>(&object);
    } catch (second* p) {
        check(p == &object, "a pointer to the second base");
    }
    check(std::uncaught_exceptions() == 0, "no exception is left");
}

} // namespace

int main() {
    handlers();
    again();
    pointers();
    return wrong;
}

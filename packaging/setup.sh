# Sourced by the run scripts: installs missing packages of the distribution, and configures a build once. POSIX sh.

missing=

# need PACKAGE COMMAND...: the package is missing if the command fails.
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

has_command() { command -v "$1"; }

has_header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] || compiler_finds "$1"; }

compiler_finds() { echo "#include <$1>" | ${CXX:-c++} -std=c++20 -x c++ -fsyntax-only -; }

# Needed by every build.
need_build() {
    need g++ has_command "${CXX:-g++}"
    need meson has_command meson
    need ninja-build has_command ninja
    need pkgconf has_command pkg-config
    need python3 has_command python3
    need libboost-dev has_header boost/hana/tuple.hpp
}

# Also needed by the tests.
need_tests() {
    if [ ! -e /usr/include/catch2/catch_all.hpp ]; then
        need catch2 has_header catch2/catch.hpp
    fi
    need cmake has_command cmake
    need nlohmann-json3-dev has_header nlohmann/json.hpp
    need libcli11-dev has_header CLI/CLI.hpp
    need zlib1g-dev has_header zlib.h
    need libsqlite3-dev has_header sqlite3.h
    need libopenmpi-dev has_command mpicc
    need openmpi-bin has_command mpirun
    need libpng-dev has_header png.h
    need groff-base has_command groff
    need libonnx-testdata [ -d /usr/share/libonnx-testdata/data/node ]
    need python3-onnx /usr/bin/python3 -c 'import onnx'
    need chromium has_command chromium
    need chromium-driver has_command chromedriver
    need python3-selenium /usr/bin/python3 -c 'import selenium'
    need_site
}

# Also needed by the site of the documentation, and its test.
need_site() {
    need libcli11-dev has_header CLI/CLI.hpp
    need nlohmann-json3-dev has_header nlohmann/json.hpp
    need zlib1g-dev has_header zlib.h
    need libsqlite3-dev has_header sqlite3.h
    need mkdocs [ -e /usr/bin/mkdocs ]
    need mkdocs-material [ -e /usr/share/mkdocs/themes/material ]
    need python3-pymdownx /usr/bin/python3 -c 'import pymdownx'
}

# Also needed by the playground, a page that runs the library in a browser.
need_playground() {
    need clang-19 has_command clang++-19
    need lld-19 has_command wasm-ld-19
    need libclang-rt-19-dev-wasm32 [ -e /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a ]
    need libc++-19-dev-wasm32 [ -e /usr/lib/llvm-19/lib/wasm32-wasi/libc++.a ]
    need libc++abi-19-dev-wasm32 [ -e /usr/lib/llvm-19/lib/wasm32-wasi/libc++abi.a ]
    need wasi-libc [ -e /usr/include/wasm32-wasi/stdlib.h ]
}

# Also needed by the benches.
need_benches() {
    need libbenchmark-dev has_header benchmark/benchmark.h
    need libdnnl-dev has_header oneapi/dnnl/dnnl.hpp
}

# Also needed by the checks on other processors and C libraries.
need_machines() {
    for triple in i686-linux-gnu aarch64-linux-gnu arm-linux-gnueabihf s390x-linux-gnu; do
        need "g++-$triple" has_command "$triple-g++"
    done
    need qemu-user-static has_command qemu-s390x-static
    need musl-tools has_command musl-gcc
    need libunwind-19-dev [ -e /usr/lib/llvm-19/lib/libunwind.a ]
    need debootstrap has_command debootstrap
}

# Also needed by the example of LLVM's own passes and its test; downloads about 75 MB if Clang 19 is installed.
need_llvm() {
    need llvm-19 has_command opt-19
    need llvm-19-dev [ -e /usr/lib/llvm-19/include/llvm/Passes/PassBuilder.h ]
}

# install_missing: prints the missing packages and installs them; does nothing if none is missing.
install_missing() {
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        as_root=sudo
        if ! has_command sudo >/dev/null; then
            echo "missing:$missing; install these packages, or run this as root" >&2
            exit 1
        fi
    fi
    if ! has_command apt-get >/dev/null; then
        echo "missing:$missing; install what these Debian packages hold" >&2
        exit 1
    fi
    echo "installing with apt-get:$missing" >&2
    apt_log=$(mktemp)
    if ! {
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
                -o Dpkg::Use-Pty=0 install $missing
    } >"$apt_log" 2>&1 </dev/null; then
        cat "$apt_log" >&2
        rm -f "$apt_log"
        exit 1
    fi
    rm -f "$apt_log"
    missing=
}

# configure DIR [MESON OPTION...]: creates the build directory; recreates it if the compiler or the options have
# changed.
configure() {
    dir=$1
    shift
    wanted="${CXX:=g++} ${CXXFLAGS:-} $*"
    export CXX
    if [ -f "$dir/build.ninja" ] && [ "$(cat "$dir/configured-with" 2>/dev/null)" = "$wanted" ]; then
        return 0
    fi
    rm -rf "$dir"
    mkdir -p "$dir"
    if ! meson setup "$dir" "$@" >"$dir/configure.txt"; then
        cat "$dir/configure.txt" >&2
        exit 1
    fi
    echo "$wanted" >"$dir/configured-with"
}

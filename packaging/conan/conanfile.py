"""A recipe for Conan 2: `conan create packaging/conan`.

Not tested: the distribution that the tests run on has no Conan. It uses CMakeLists.txt, which is tested.
"""

from pathlib import Path
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Tutti(ConanFile):
    name = "tutti"
    description = "Compiler passes and pass instruments, composed at compile time"
    license = "BSL-1.0"
    topics = ("compiler", "passes", "relay", "onnx")
    settings = "os", "arch", "compiler", "build_type"
    options = {"relay": [True, False], "shared": [True, False], "fPIC": [True, False]}
    default_options = {"relay": True, "shared": False, "fPIC": True, "boost/*:header_only": True}
    generators = "CMakeDeps"

    @property
    def tree(self):
        return Path(self.recipe_folder).parent.parent

    def set_version(self):
        self.version = re.search(r"^  version: '([\d.]+)'", (self.tree / "meson.build").read_text(encoding="utf-8"), re.MULTILINE)[1]

    def export_sources(self):
        for pattern in ("include/*", "src/*", "packaging/*", "CMakeLists.txt", "meson.build", "LICENSE"):
            copy(self, pattern, self.tree, self.export_sources_folder)

    def requirements(self):
        self.requires("boost/[>=1.74]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        if not self.info.options.relay:
            self.info.clear()

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TUTTI_RELAY"] = bool(self.options.relay)
        toolchain.cache_variables["BOOST_ROOT"] = self.dependencies["boost"].package_folder
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "tutti")
        core = self.cpp_info.components["tutti"]
        core.set_property("cmake_target_name", "tutti::tutti")
        core.libdirs = []
        core.requires = ["boost::headers"]
        if self.options.relay:
            relay = self.cpp_info.components["relay"]
            relay.set_property("cmake_target_name", "tutti::relay")
            relay.libs = ["tutti-relay"]
            relay.defines = ["TUTTI_COMPILED"]
            relay.requires = ["tutti"]

"""Includes never point upward, never include an umbrella, and stay within the layers that a layer may use."""

from pathlib import Path

import house

#: Headers that make messages; the core does not use them.
MESSAGES = {"tutti/base/diagnostic.hpp", "tutti/base/error.hpp"}
#: Headers outside of the layers that combine several layers, and the layers that each may include.
TOP = {
    "tutti/relay/unit.hpp": ("relay/ir", "relay/op", "relay/text"),
    "tutti/relay/passes.hpp": ("pass", "instrument", "relay/transform"),
    "tutti/relay/registry.hpp": ("instrument", "runtime", "relay/transform"),
    "tutti/relay/plugin.hpp": ("runtime", "relay/op", "relay/eval", "relay/transform"),
}
#: Pairs of headers outside of the layers, and what they may include as well.
ON_TOP = {
    ("tutti/relay/passes.hpp", "tutti/relay/unit.hpp"),
    ("tutti/relay/registry.hpp", "tutti/relay/unit.hpp"),
    ("tutti/relay/plugin.hpp", "tutti/relay/unit.hpp"),
    ("tutti/version.hpp", "tutti/base/folder.hpp"),
}
#: Of the kernels, the IR may include only the tensor type and functions for sizes.
TENSOR_TYPE = {f"tutti/kernel/{name}.hpp" for name in ["tensor", "dtype", "float16", "support/size_math"]}
#: Headers that use another library; users include them by choice.
OTHERS = {
    "tutti/file/mapped_file.hpp": {"sys/mman.h", "sys/stat.h"},
    "tutti/file/paths.hpp": {"sys/stat.h"},
    "tutti/instrument/support/files.hpp": {"sys/stat.h"},
    "tutti/base/output_file.hpp": {"sys/stat.h"},
    "tutti/search/isolated.hpp": {"sys/prctl.h", "sys/resource.h", "sys/wait.h"},
    "tutti/instrument/perf_counters.hpp": {"linux/perf_event.h", "sys/syscall.h"},
    **{f"tutti/relay/eval/onednn_kernels/{name}.hpp": {"oneapi/dnnl/dnnl.hpp"}
       for name in ("call", "conv", "lines", "pool", "post_operations", "product")},
    "tutti/parallel/large_pages.hpp": {"sys/mman.h"},
}
#: Never in the core, which everyone pays for.
HEAVY = {"string", "functional", "iostream", "ostream", "sstream", "regex", "vector", "memory", "chrono", "map", "stdexcept",
         "algorithm", "unordered_map"}
#: Never in the instruments, which should cost little more than the strings and lists that they keep.
COSTLY = HEAVY - {"string", "vector", "stdexcept"}
#: Fallbacks for systems without a better way.
FALLBACKS = {("tutti/base/steady_clock.hpp", "chrono")}


def is_version(header):
    """True for the one header outside of the layers that is neither an umbrella nor in TOP."""
    return header == "tutti/version.hpp"


def has_umbrella(root, layer):
    """True if a layer has an umbrella; otherwise the umbrellas of layers above include it."""
    return layer is not None and (Path(root) / "include" / "tutti" / f"{layer}.hpp").is_file()


def complaints_on(root, header, target):
    """Yields the problems with a header that includes a target."""
    layer = house.layer_of(header)
    if not target.startswith("tutti/"):
        if target == "boost/hana.hpp":
            yield "include single Hana headers"
        elif "/" in target and not target.startswith("boost/hana/") and target not in OTHERS.get(header, ()):
            yield "only the standard library and Boost.Hana"
        elif layer == "pass" and target in HEAVY:
            yield "too heavy for the core"
        elif layer == "instrument" and target in COSTLY and (header, target) not in FALLBACKS:
            yield "too heavy for an instrument"
        return
    if not (Path(root) / "include" / target).is_file():
        yield "there is no such header"
    elif is_version(target):
        return
    elif target.endswith(".ipp") or target == header:
        return  # test/house/forms.py has the rule
    elif house.is_umbrella(root, header):
        if (not target.startswith(header.removesuffix(".hpp") + "/") and not house.is_umbrella(root, target)
                and has_umbrella(root, house.layer_of(target))):
            yield "an umbrella includes what it covers, what no umbrella covers, and other umbrellas"
    elif house.is_umbrella(root, target):
        yield "our own code never includes an umbrella"
    elif (header, target) in ON_TOP:
        return
    elif layer is None and header not in TOP:
        yield "a header beside the layers that no rule knows"
    else:
        common = house.COMMON if layer not in house.COMMON else ("base",)
        allowed = (*(TOP[header] if layer is None else (layer, *house.LAYERS[layer])), *common)
        if house.layer_of(target) not in allowed:
            yield f"it may include {', '.join(dict.fromkeys(allowed))}"
        elif layer == "pass" and target in MESSAGES:
            yield "the core does without " + target.removeprefix("tutti/base/")
        elif layer == "relay/ir" and target.startswith("tutti/kernel/") and target not in TENSOR_TYPE:
            yield "the IR knows the tensor type only"


def check(root):
    for header in house.headers(root) + house.definitions(root):
        path = Path(root) / "include" / header
        for target in house.includes(path):
            # A file of definitions may include what its header may.
            for complaint in complaints_on(root, header.replace(".ipp", ".hpp"), target):
                yield f"include/{header} includes {target}: {complaint}"
        if house.is_umbrella(root, header):
            code = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith(("#", "//"))]
            if code:
                yield f"include/{header} is an umbrella, and holds more than includes and comments: {code[0]}"


GOOD = {
    "include/tutti/pass.hpp": "#pragma once\n/// Use.\n#include <tutti/pass/a.hpp>\n",
    "include/tutti/pass/a.hpp": "#include <tutti/base/fixed_string.hpp>\n#include <string_view>\n",
    "include/tutti/instrument/b.hpp": "#include <tutti/pass/a.hpp>\n#include <boost/hana/tuple.hpp>\n",
    "include/tutti/kernel/k.hpp": "",
    "include/tutti/base/fixed_string.hpp": "",
    "include/tutti/base/error.hpp": "#include <stdexcept>\n",
}

house.run(check, [
    (GOOD, None),
    (GOOD | {"include/tutti/pass/a.hpp": "#include <tutti/instrument/b.hpp>\n"}, "it may include pass"),
    (GOOD | {"include/tutti/pass/a.hpp": "#include <tutti/base/error.hpp>\n"}, "does without error.hpp"),
    (GOOD | {"include/tutti/pass/a.hpp": "  #  include <string>\n"}, "too heavy for the core"),
    (GOOD | {"include/tutti/instrument/b.hpp": "#include <string>\n"}, None),
    (GOOD | {"include/tutti/instrument/b.hpp": "#include <map>\n"}, "too heavy for an instrument"),
    (GOOD | {"include/tutti/pipeline/p.hpp": "#include <tutti/pass/a.hpp>\n", "include/tutti/pass.hpp": "#include <tutti/pipeline/p.hpp>\n"}, None),
    (GOOD | {"include/tutti/pass/a.hpp": "#include <boost/hana.hpp>\n"}, "single Hana"),
    (GOOD | {"include/tutti/kernel/k.hpp": "#include <fmt/format.h>\n"}, "only the standard library"),
    (GOOD | {"include/tutti/instrument/b.hpp": "#include <tutti/pass.hpp>\n"}, "never includes an umbrella"),
    (GOOD | {"include/tutti/relay/ir/n.hpp": "#include <tutti/kernel/k.hpp>\n"}, "tensor type only"),
    (GOOD | {"include/tutti/pass.hpp": "struct surprise {};\n"}, "holds more than includes"),
    (GOOD | {"include/tutti/pass.hpp": "#include <tutti/kernel/k.hpp>\n", "include/tutti/kernel.hpp": ""}, "what it covers"),
    (GOOD | {"include/tutti/base/fixed_string.hpp": "#include <tutti/pass/a.hpp>\n"}, "it may include base"),
    (GOOD | {"include/tutti/parallel/p.hpp": "#include <tutti/base/error.hpp>\n"}, None),
    (GOOD | {"include/tutti/parallel/p.hpp": "#include <tutti/unit/u.hpp>\n", "include/tutti/unit/u.hpp": ""}, "it may include parallel, base"),
    (GOOD | {"include/tutti/pass/a.hpp": "#include <tutti/pass/none.hpp>\n"}, "no such header"),
    (GOOD | {"include/tutti/relay/other.hpp": "#include <tutti/kernel/k.hpp>\n"}, "no rule knows"),
])

"""The cost of properties to the compiler: a pipeline of 128 passes, with and without them.

property_cost.py INCLUDE_DIR... -- COMPILER...

With properties, each pass needs one, gives one and breaks one, of 16, and the compiler checks the order. Prints the least
seconds of user and system time of several runs, with the rows in turn in each run, since other processes only add to them.
Fails if the properties take more than the limit.
"""

import sys

import compile_rows as rows

RUNS = 12
PASSES = 128
PROPERTIES = 16
LIMIT = 1.10


def pipeline(with_properties):
    """Returns a program that runs a pipeline in a context of a known level, and in one of an unknown level."""
    text = "#include <tutti/pass.hpp>\n"
    if with_properties:
        text += "#include <tutti/pass/property.hpp>\n"
        text += "".join(f'struct q{i} {{ static constexpr std::string_view name = "property {i}"; }};\n' for i in range(PROPERTIES))
    text += rows.UNIT
    for i in range(PASSES):
        stated = ""
        if with_properties:
            needed, broken = (i + PROPERTIES - 1) % PROPERTIES, (i + 5) % PROPERTIES
            stated = (f"using needs = tutti::properties<q{needed}>; using gives = tutti::properties<q{i % PROPERTIES}>; "
                      f"using breaks = tutti::properties<q{broken}>; ")
        text += (f'struct p{i} {{ static constexpr tutti::pass_info info{{.name = "Pass{i}"}}; {stated}'
                 f"void operator()(unit& u) const {{ u.n += {i}; }} }};\n")
    all_passes = rows.listed(PASSES, "{}")
    return text + (f"void run(unit& u) {{\n    constexpr auto all = tutti::sequential({all_passes});\n    tutti::pass_context ctx{{tutti::opt_level<3>}};\n"
                   "    tutti::with(ctx, [&](auto& scope) { scope.run(all, u); });\n}\n")


def main():
    split = sys.argv.index("--")
    compiler = rows.Compiler(sys.argv[split + 1:], sys.argv[1:split])
    flags = ("-O0", "-c")
    seconds = {"without": [], "with": []}
    for _ in range(RUNS):
        for name, each in seconds.items():
            cost = compiler.cost(pipeline(name == "with"), flags)
            if cost is None:
                sys.exit(f"the pipeline {name} properties does not compile")
            each.append(cost[0])
    without, given = min(seconds["without"]), min(seconds["with"])
    print(f"{PASSES} passes without properties  {without:6.3f} s")
    print(f"{PASSES} passes with properties     {given:6.3f} s, {given / without:.3f} times as much; at most {LIMIT:.2f}")
    sys.exit(given > LIMIT * without)


if __name__ == "__main__":
    main()

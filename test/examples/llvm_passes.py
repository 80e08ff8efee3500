"""llvm_passes.py PROGRAM OPT MODULE EXPECTED_ERRORS: the example's output equals that of LLVM's own tool for the module
and the same passes, and its standard error equals the file EXPECTED_ERRORS. Without arguments (without LLVM 19) the
test is skipped.
"""

import subprocess
import sys


def optimised(opt, passes, module):
    command = [opt, f"-passes={passes}", "-S", module, "-o", "-"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def main():
    if len(sys.argv) == 1:
        print("SKIPPED: needs LLVM 19, its headers and its opt-19 (Debian: llvm-19-dev)")
        return 77
    program, opt, module, said = sys.argv[1:]
    done = subprocess.run([program, module], capture_output=True, check=False, text=True)
    if done.returncode:
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    if done.stdout == optimised(opt, "function(sroa,instcombine)", module):
        sys.exit("the module is too simple: its last pass does nothing")
    expected = optimised(opt, "function(sroa,instcombine,gvn)", module)
    if done.stdout != expected:
        sys.exit(f"opt gives\n{expected}\nand the program\n{done.stdout}")
    with open(said, encoding="utf-8") as file:
        if done.stderr != file.read():
            sys.exit(f"it said on standard error:\n{done.stderr}")
    return 0


sys.exit(main())

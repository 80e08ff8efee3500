"""The node tests of ONNX 1.23, opsets 1 to 28, if the archive is there.

newer.py NODE_TESTS ARCHIVE LIST [OPTION]: unpacks ARCHIVE and runs the program NODE_TESTS on it, with its option; LIST has the tests that do
not pass yet.
"""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

SKIPPED = 77

program, archive, failing, *option = sys.argv[1:]
if not Path(archive).is_file():
    print(f"SKIPPED: {archive} is not there: the node tests of ONNX 1.23 were not run")
    sys.exit(SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    with tarfile.open(archive) as tests:
        tests.extractall(Path(folder) / "node", filter="data" if hasattr(tarfile, "data_filter") else None)
    sys.exit(subprocess.run([program, *option, folder, failing], check=False).returncode)

"""Stands in for a test whose library was not found: prints the library and counts as skipped.

absent.py LIBRARY
"""

import sys

SKIPPED = 77
print(f"{sys.argv[1]} was not found")
sys.exit(SKIPPED)

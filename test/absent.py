"""Stands for a test of what needs a library that was not found: says which, and counts as skipped.

absent.py LIBRARY
"""

import sys

SKIPPED = 77
print(f"{sys.argv[1]} was not found")
sys.exit(SKIPPED)

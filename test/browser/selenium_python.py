"""Finds a Python that has Selenium."""

import importlib.util
import os
import sys

SYSTEM_PYTHON = "/usr/bin/python3"


def use():
    """Begins this script again with the system's Python, for which the distribution's packages are, if this one has no Selenium."""
    if not importlib.util.find_spec("selenium") and os.path.exists(SYSTEM_PYTHON) and not os.environ.get("TUTTI_SYSTEM_PYTHON"):
        os.execve(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv], os.environ | {"TUTTI_SYSTEM_PYTHON": "1"})

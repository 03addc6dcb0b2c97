#!/bin/sh
# The tests of the Python package, which are pytest's: python/tests.
# It takes long.
exec tools/python_tests "$O"

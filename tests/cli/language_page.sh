#!/bin/sh
# The page of the query language is well formed; its examples are in tests/query.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh

page=docs/man/scrim-query.5
if command -v groff >/dev/null 2>&1; then
    ran 0 "$page: groff" groff -mdoc -ww -z -Tascii "$page"
    err_is ''
else
    skip "$page: groff" 'groff is not installed'
fi
if command -v mandoc >/dev/null 2>&1; then
    # The other pages are not installed while this runs.
    ran 1 "$page: mandoc" sh -c "mandoc -Tlint -W all '$page' | grep -v 'manual not found'"
    out_is ''
else
    skip "$page: mandoc" 'mandoc is not installed'
fi
finish

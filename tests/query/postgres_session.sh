#!/bin/sh
# A PostgreSQL of its own for as long as somebody writes to it: statements come in on standard input, what
# psql prints of them goes out, cells apart by the character 31, a missing one as <null>. It listens on a
# socket in its folder alone, as another user where this one is the superuser, whom it does not serve; both
# are gone at the end of the input, also where the writer was killed. Exits with 3 where there is no
# PostgreSQL.
set -eu
programs=$(find /usr/lib/postgresql -name initdb 2>/dev/null | sort -V | tail -n 1)
programs=$(dirname "${programs:-$(command -v initdb || echo none/none)}")
{ [ -x "$programs/initdb" ] && command -v psql >/dev/null; } || exit 3

home=$(mktemp -d /tmp/scrim_postgres_XXXXXX)
as=
if [ "$(id -u)" -eq 0 ]; then
    owner=$(id -u postgres 2>/dev/null || id -u nobody)
    as="setpriv --reuid=$owner --regid=$owner --clear-groups"
    chown "$owner:$owner" "$home"
fi
cd "$home"
stop() {
    # shellcheck disable=SC2086 # words
    $as "$programs/pg_ctl" -D "$home/data" -s -m immediate stop >/dev/null 2>&1 || true
    cd /
    rm -rf "$home"
}
trap stop EXIT
trap 'exit 1' HUP INT TERM

# Characters have cases, and are compared byte by byte.
# shellcheck disable=SC2086 # words
{
    $as "$programs/initdb" -D "$home/data" -A trust -N -U scrim -E UTF8 --locale=C --lc-ctype=C.UTF-8 &&
        $as "$programs/pg_ctl" -D "$home/data" -w -s -l "$home/log" \
            -o "-c listen_addresses='' -k '$home' -c fsync=off -c jit=off" start
} >"$home/made" 2>&1 </dev/null || {
    cat "$home/made" >&2
    exit 1
}
PGCLIENTENCODING=UTF8 psql -X -q -A -t -F "$(printf '\037')" -P null='<null>' -h "$home" -U scrim -d postgres 2>&1

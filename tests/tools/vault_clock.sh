#!/bin/sh
# THREATS A48: nothing of the vault, the accounting or the gate reads a clock, so that no clock can
# bring a budget back.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
clocks='^(time|gettimeofday|clock_gettime|clock|ftime|timespec_get|localtime(_r)?|gmtime(_r)?|strftime)$'

# called FOLDER: the functions that the objects there want from elsewhere.
called() {
    find "$O/obj/src/$1" -name '*.o' -exec nm -u {} + | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u
}
for layer in vault ledger; do
    called "$layer" >"$work/called"
    check "A48 $layer: there are objects to look into" grep -q . "$work/called"
    check "A48 $layer reads no clock" sh -c "! grep -E '$clocks' '$work/called'"
done
# The test can fail.
mkdir -p "$work/build/obj/src/clocked"
echo 'long time(long *); long f(void); long f(void) { return time(0); }' >"$work/clocked.c"
"${CC:-gcc}" -w -fno-builtin -c "$work/clocked.c" -o "$work/build/obj/src/clocked/clocked.o"
O=$work/build
called clocked >"$work/called"
check 'A48 a clock is noticed' grep -q -E "$clocks" "$work/called"
finish

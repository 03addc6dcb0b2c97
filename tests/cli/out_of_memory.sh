#!/bin/sh
# THREATS A103: memory that runs out, also inside GMP, FLINT and Arb. A library that is loaded first refuses
# the n-th allocation of a command, or all from the n-th on; and limits of the system do. A command ends
# with status 1 and says that memory is missing, or it answers; no signal ends it, nothing but data is on
# standard output, no message names a size, and every question is charged once. With LONG=yes n grows by less.
# shellcheck disable=SC2317 # functions that check calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

cat >refuse.c <<'END'
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static atomic_long count;
static long from = -1, to;
static int is_refused(void)
{
    const long n = ++count;
    if (from < 0) {
        const char *given = getenv("REFUSE_FROM");
        from = given == NULL ? 0 : atol(given);
        given = getenv("REFUSE_TO");
        to = given == NULL ? from : atol(given);
    }
    return from > 0 && n >= from && n <= to;
}
void *malloc(size_t bytes) { return is_refused() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t many, size_t bytes) { return is_refused() ? NULL : __libc_calloc(many, bytes); }
void *realloc(void *old, size_t bytes) { return is_refused() ? NULL : __libc_realloc(old, bytes); }
__attribute__((destructor)) static void tell(void)
{
    FILE *file = getenv("REFUSE_COUNT") != NULL ? fopen(getenv("REFUSE_COUNT"), "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", (long)count);
        fclose(file);
    }
}
END
ran 0 'A103 all memory is there' "$scrim" compose 'gaussian sigma=1' --delta 1e-6 --quiet
# A sanitizer and another C library have other allocators.
if ! cc -O1 -shared -fPIC -o refuse.so refuse.c 2>/dev/null || ! LD_PRELOAD=./refuse.so "$scrim" --version >/dev/null 2>&1; then
    skip 'A103 memory runs out' 'this build does not start with another allocator'
    finish
fi

# In all runs: how many were refused memory, how many answered, and what was wrong.
wrong() {
    echo "n = $n to $to: $*"
    head -c 300 err
    head -c 300 out
}
# shown: the lines on standard output are those of an answer, none, or its beginning.
shown() {
    case $data in
    csv) awk -F , 'NR == 1 { n = NF } NF != n || /Exception|GNU MP|memory/ { exit 1 }' out ;;
    *) ! grep -q 'Exception\|GNU MP\|memory' out ;;
    esac
}
# The text of a failure has the words, and no number of bytes.
told() {
    grep -q 'memory' err && ! grep -qi 'size\|[0-9] bytes\|kB\|MB\|GNU MP\|FLINT' err
}
# try COMMAND...: with the allocations from n to $to refused.
try() {
    status=0
    REFUSE_FROM=$n REFUSE_TO=$to LD_PRELOAD=./refuse.so "$@" >out 2>err </dev/null || status=$?
    case $status in
    0) shown || wrong "standard output of an answer" ;;
    1) { told && shown; } || wrong "the text of a failure" ;;
    *) wrong "it ended with status $status" ;;
    esac
}
# count COMMAND...: its allocations.
count() {
    REFUSE_COUNT=number LD_PRELOAD=./refuse.so "$@" >/dev/null 2>&1 </dev/null
    cat number
}

turns=6
[ "${LONG-}" != yes ] || turns=400
# each NAME FORMAT COMMAND...: single refusals, and all from the n-th on, at places that are spread by
# a factor that grows slowly at first: the start of a program has few allocations, and each is another.
each() {
    what=$1 data=$2
    shift 2
    all=$(count "$@")
    for many in single all; do
        awk -v all="$all" -v turns=$turns 'BEGIN { for (i = 0; i < turns; i++) print int(1 + (all - 1) * ((i + 0.5) / turns) ^ 2) }' >places
        while read -r n; do
            to=$n
            [ $many = single ] || to=1000000000
            try "$@"
        done <places >bad
        check "A103 $what: $many of $all allocations refused" test ! -s bad
        [ ! -s bad ] || head -n 6 bad | sed 's/^/# /'
    done
}

# ---- commands without data ----
each compose csv "$scrim" compose 'gaussian sigma=1 x2' --delta 1e-6
each calibrate csv "$scrim" calibrate laplace --epsilon 1
each audit csv "$scrim" audit 'laplace scale=1'
each sample lines "$scrim" sample discrete-laplace scale=3 -n 10
# The last allocations before the first draw are those of libcrypto, which can do without some of them.
for back in 10 25 40 55 70 85 100 115 130; do
    n=$((all - back)) to=$n
    try "$scrim" sample discrete-laplace scale=3 -n 10
    cat err >>ciphers
done >bad
check 'A103 memory runs out in libcrypto' test ! -s bad
check 'A103 libcrypto without memory is named as such' grep -q 'out of memory for a cipher' ciphers

# ---- a vault ----
awk 'BEGIN { print "id,age,city,amount"; for (i = 0; i < 300; i++) printf "%d,%d,%s,%d\n", i % 200, i * 7 % 100, substr("abc", i % 3 + 1, 1), i * 37 % 1000 }' >people.csv
"$scrim" init --quiet 2>/dev/null
"$scrim" dataset add people --csv people.csv --unit id --column 'age=int[0,120]' --column city=text --keys city=a,b,c \
    --column 'amount=int[0,1000]' --max-groups 2 --max-rows 2 --budget epsilon=100000,delta=0.5 --quiet
question='SELECT city, COUNT(*) AS n, AVG(amount) AS a GROUP BY city'
each explain lines "$scrim" explain people "$question" --epsilon 0.1

# releases: how many are charged.
releases() { "$scrim" ledger --quiet --format csv 2>/dev/null | sed 1d | wc -l; }
# asked NAME COMMAND...: refusals as in each; every question has an epsilon of its own, and is asked again
# with all memory: then it has an answer, and it was charged once.
asked() {
    what=$1 data=$2
    shift 2
    all=$(count "$@" --epsilon 0.5)
    for many in single all; do
        awk -v all="$all" -v turns=$turns 'BEGIN { for (i = 0; i < turns; i++) print int(1 + (all - 1) * (i + 0.5) / turns) }' >places
        before=$(releases)
        while read -r n; do
            to=$n
            [ $many = single ] || to=1000000000
            epsilon=0.1$([ $many = single ] && echo 1 || echo 2)$n
            try "$@" --epsilon "$epsilon"
            again=0
            "$@" --epsilon "$epsilon" >out 2>err </dev/null || again=$?
            [ $again -eq 0 ] || wrong "asked again it ended with status $again"
        done <places >bad
        check "A103 $what: $many of $all allocations refused" test ! -s bad
        [ ! -s bad ] || head -n 6 bad | sed 's/^/# /'
        check "A103 $what: $many: each question was charged once" test "$(releases)" -eq $((before + $(wc -l <places)))
    done
}
asked query csv "$scrim" query people "$question"
asked synth csv "$scrim" synth people --delta 1e-6

# ---- limits of the system ----
# In steps from what the program needs to start, with less the system does not run it, to the first that suffices.
for limit in v d; do
    n=0 to=limit answered=0 refused=0 data=csv
    for size in 12000 16000 20000 28000 40000 44000 48000 56000 70000 200000; do
        sh -c 'ulimit -"$1" "$2" && shift 2 && "$@" --version' _ $limit $size "$scrim" >/dev/null 2>&1 || continue
        n="ulimit -$limit $size" status=0
        sh -c 'ulimit -"$1" "$2" && shift 2 && exec "$@"' _ $limit $size "$scrim" compose \
            'gaussian sigma=50 x300' --delta 1e-9 --accountant loss \
            >out 2>err </dev/null || status=$?
        case $status in
        0) answered=$((answered + 1)) && { shown || wrong 'standard output'; } ;;
        1) refused=$((refused + 1)) && { { told && shown; } || wrong "the text"; } ;;
        *) wrong "status $status" ;;
        esac
        [ $answered -eq 0 ] || [ "${LONG-}" = yes ] || break
    done >bad
    check "A103 ulimit -$limit" test ! -s bad
    [ ! -s bad ] || head -n 12 bad | sed 's/^/# /'
    check "A103 ulimit -$limit: some were refused and some answered" test $refused -gt 0 -a $answered -gt 0
done
finish

#!/bin/sh
# Each tool passes on a small tree that is in order, and fails on one with a planted fault.
# It is for the long campaign.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
tree=$work/tree

# A tree that every tool accepts.
plant() {
    rm -rf "$tree"
    mkdir -p "$tree/src/base/number" "$tree/src/random" "$tree/src/sampling" "$tree/src/cli" \
        "$tree/include" "$tree/tests" "$tree/docs"
    printf '# lowest first\nbase\nbase/number\nrandom\nsampling\ncli\n' >"$tree/src/LAYERS"
    for room in base base/number random sampling cli; do echo "# $room" >"$tree/src/$room/README.md"; done
    echo '#include <gmp.h>' >"$tree/src/base/number/ratio.c"
    printf '#include "base/number/ratio.h"\n#include <arb.h>\n' >"$tree/src/base/number/ball.c"
    printf '#include "random/bits.h"\n#include <openssl/evp.h>\n' >"$tree/src/random/cipher.c"
    cat >"$tree/src/sampling/dice.h" <<'END'
/* A die.
 *
 * Claim  dice.fair  each side comes once in six throws, a double
 *                   six too
 */
END
    cat >"$tree/src/sampling/dice.c" <<'END'
/* The doubles here are views. */
#include "sampling/dice.h"
#include "random/bits.h"
/* neither double nor mpz_t nor 1.5 counts in a comment */
int dice_throw(void);
int dice_throw(void) { return "0.5 double"[0] + '.'; } // 2.5
void dice_show(double *lower, double *upper);
END
    printf '#include "check.h"\nCLAIM("dice.fair");\ndouble x = 1.5;\n' \
        >"$tree/src/sampling/dice_test.c"
    printf '#include "cli/verb.h"\n#include "scrim.h"\n#include "scrim/status.h"\n' \
        >"$tree/src/cli/verb.c"
    printf '#ifdef SCRIM_TESTING\n#include "random/bits_tape.h"\n#endif\n' >>"$tree/src/cli/verb.c"
    mkdir -p "$tree/build/release/obj/src/sampling"
    [ -f "$work/dice.o" ] || object "$tree/src/sampling/dice.c" "$work/dice.o"
    cp "$work/dice.o" "$tree/build/release/obj/src/sampling"
}

# object FILE OBJECT: compiles it, without what it includes.
object() {
    grep -v '^#include "' "$1" >"$work/object.c"
    "${CC:-gcc}" -O0 -c "$work/object.c" -o "$2"
}

# refuses TOOL WORDS: the tool fails and says so.
refuses() {
    ran 1 "$1 refuses: $2" "tools/$1" "$tree"
    out_has "$2"
}

plant
ran 0 'layers in order' tools/check_layers "$tree"
echo '#include "sampling/dice.h"' >>"$tree/src/base/number/ratio.c"
refuses check_layers 'base/number must not include sampling/dice.h'
plant
echo '#include "sampling/dice.h"' >"$tree/src/base/number/ratio_test.c"
refuses check_layers 'base/number must not include sampling/dice.h'
plant
echo '#include "dice.h"' >>"$tree/src/sampling/dice.c"
refuses check_layers 'dice.h: includes are written from src/'
plant
echo '#include "random/bits.h"' >>"$tree/src/cli/verb.c"
refuses check_layers 'public headers only, not random/bits.h'
plant
mkdir "$tree/lab" && echo '# lab' >"$tree/lab/README.md" && printf 'lab\n' >>"$tree/src/LAYERS"
printf '#include "lab/trial.h"\n#include "scrim.h"\n' >"$tree/lab/trial.c"
ran 0 'the lab uses the public header' tools/check_layers "$tree"
echo '#include "sampling/dice.h"' >>"$tree/lab/trial.c"
refuses check_layers 'lab includes scrim.h and its own headers only, not sampling/dice.h'
echo '#include "lab/trial.h"' >>"$tree/src/sampling/dice.c"
refuses check_layers 'sampling must not include lab/trial.h'
plant
mkdir -p "$tree/python/native" && echo '#include "random/bits.h"' >"$tree/python/native/native_dice.c"
refuses check_layers 'the Python package includes scrim.h, scrim_local.h and the headers of the program that python/README.md lists only'
plant
mkdir "$tree/src/attic" && echo >"$tree/src/attic/chest.c"
refuses check_layers 'the room attic is not in src/LAYERS'
plant
printf 'base\nbase/number\nrandom\nsampling/dice\nsampling/board\nsampling\ncli\n' >"$tree/src/LAYERS"
mkdir "$tree/src/sampling/dice" "$tree/src/sampling/board"
printf '# dice\n\n**Read** side_test and\ndice_of_old.\n\nnot this_one\n' >"$tree/src/sampling/dice/README.md"
echo '#include "sampling/dice/side.h"' >"$tree/src/sampling/board/game.c"
echo '#include "sampling/board/game.h"' >"$tree/src/sampling/dice/side_test.c"
refuses check_layers 'src/sampling/board has no README.md'
out_is 'src/sampling/dice/README.md: there is no dice_of_old
src/sampling/board has no README.md'
echo '# dice' | tee "$tree/src/sampling/dice/README.md" >"$tree/src/sampling/board/README.md"
# shellcheck disable=SC2016 # backquotes of Markdown
echo '**Leaves** a roll (`sampling/board/game`), or one of `sampling/cards`.' >>"$tree/src/sampling/board/README.md"
refuses check_layers 'src/sampling/board/README.md: there is no sampling/cards'
echo '# dice' >"$tree/src/sampling/board/README.md"
ran 0 'rooms in order, and a test of the layer' tools/check_layers "$tree"
ran 0 'the rooms are drawn' tools/rooms "$tree"
out_has 'sampling/board                  1       1  sampling/dice'
out_has '3 arrows, 0 up'
echo '#include "sampling/board/game.h"' >"$tree/src/sampling/dice/side.c"
refuses check_layers 'sampling/dice must not include sampling/board/game.h'
ran 0 'an arrow that points up is marked' tools/rooms "$tree"
out_has ' UP:sampling/board'
echo '#include "cli/verb.h"' >"$tree/src/sampling/dice/side.c"
refuses check_layers 'sampling/dice must not include cli/verb.h'
plant
echo '#include <gmp.h>' >>"$tree/src/sampling/dice.c"
refuses check_layers 'GMP enters by'
# calls SYMBOL [FILE]: the object of a file, or of the dice, calls it.
calls() {
    echo "long $1(long); long caller(long x); long caller(long x) { return $1(x); }" >"$work/caller.c"
    mkdir -p "$(dirname "$tree/build/release/obj/src/${2:-sampling/dice}")"
    "${CC:-gcc}" -w -fno-builtin -c "$work/caller.c" -o "$tree/build/release/obj/src/${2:-sampling/dice}.o"
}
for door in __gmpz_init:GMP arb_add:Arb fmpz_init:FLINT EVP_sha256:libcrypto sqlite3_close:SQLite inflateInit2_:zlib \
    open64:open openat:open fopen:open; do
    plant
    calls "${door%:*}"
    refuses check_layers "dice.c: calls ${door%:*}: ${door#*:} enters by"
done
# Members and static functions may be called as one likes; the object of a file that is gone is nobody's.
plant
printf 'static int open(int x) { return x; }\nint dice_open(const m *m) { return m->open(open(3)); }\n' \
    >>"$tree/src/sampling/dice.c"
calls open sampling/gone
ran 0 'a static function is called open' tools/check_layers "$tree"
plant
echo '#include <openssl/rand.h>' >>"$tree/src/sampling/dice.c"
refuses check_layers 'libcrypto enters by'
plant
echo '#include <openssl/evp.h>' >"$tree/src/base/digest.c"
ran 0 'libcrypto enters by the digest too' tools/check_layers "$tree"
rm -r "$tree/build"
refuses check_layers 'build first'
plant
echo >"$tree/tests/dice.c"
refuses check_layers 'more than one file is called: dice.c'

plant
mkdir -p "$tree/src/query/aggregate" "$tree/src/query/answer"
printf 'query/aggregate\nquery/answer\n' >>"$tree/src/LAYERS"
echo '# room' | tee "$tree/src/query/aggregate/README.md" >"$tree/src/query/answer/README.md"
echo 'extern const sc_aggregate sc_aggregate_max;' >"$tree/src/query/aggregate/all_of_them.h"
echo '#include "query/aggregate/all_of_them.h"' >"$tree/src/query/aggregate/largest.c"
cp "$tree/src/query/aggregate/largest.c" "$tree/src/query/answer/sheet_test.c"
echo 'bool is_max = a->kind->reads == 1;' >"$tree/src/query/answer/sheet.c"
ran 0 'aggregates are asked by their descriptors' tools/check_layers "$tree"
cp "$tree/src/query/aggregate/largest.c" "$tree/src/query/answer/sheet.c"
refuses check_layers 'answer/sheet.c:1: nobody looks which aggregate it is'
for planted in 'bool is_max = strcmp(a->kind->name, "MAX") == 0;' 'case SC_AGGREGATE_MAX:' \
    'extern const sc_aggregate sc_aggregate_max;'; do
    echo "$planted" >"$tree/src/query/answer/sheet.c"
    refuses check_layers 'answer/sheet.c:1: nobody looks which aggregate it is'
done

plant
mkdir -p "$tree/src/query/plan"
printf 'query/plan\n' >>"$tree/src/LAYERS"
echo '# room' >"$tree/src/query/plan/README.md"
echo 'status = scrim_measurement_parse(line, &made, error);' >"$tree/src/query/plan/shares_test.c"
ran 0 'a test of a plan reads a line' tools/check_layers "$tree"
cp "$tree/src/query/plan/shares_test.c" "$tree/src/query/plan/shares.c"
refuses check_layers 'plan/shares.c:1: a plan makes measurements from values'

plant
ran 0 'no circle' tools/check_circles "$tree"
mkdir -p "$tree/src/sampling/board"
echo '#include "sampling/board/game.h"' >>"$tree/src/sampling/dice.c"
echo '#include "sampling/board/table.h"' >"$tree/src/sampling/board/game.h"
echo '#include "sampling/dice.h"' >"$tree/src/sampling/board/table.h"
# A family that includes the circle, or is included by it, is not in it.
echo '#include "sampling/dice.h"' >"$tree/src/cli/verb.h"
refuses check_circles 'these files form a circle: sampling/board/game sampling/board/table'
out_is 'these files form a circle: sampling/board/game sampling/board/table sampling/dice
  src/sampling/board/game.h:1: includes sampling/board/table.h
  src/sampling/board/table.h:1: includes sampling/dice.h
  src/sampling/dice.c:8: includes sampling/board/game.h'
mv "$tree/src/sampling/dice.c" "$tree/src/sampling/dice_fuzz.c"
ran 0 'a fuzzer closes no circle' tools/check_circles "$tree"
plant
echo '#include "base/number/ball.h"' >"$tree/src/base/number/ratio.h"
echo '#include "base/number/ratio.h"' >"$tree/src/base/number/ball.h"
echo '#include "cli/verb.h"' >"$tree/src/cli/noun.c"
echo '#include "cli/noun.h"' >"$tree/src/cli/verb.h"
refuses check_circles 'these files form a circle: base/number/ball base/number/ratio'
out_has 'these files form a circle: cli/noun cli/verb'

plant
ran 0 'exact in order' tools/check_exact "$tree"
for fault in 'static double x;' 'static const int x = (int)1.5;' 'static int x = 1e3;' \
    '#include <math.h>' 'static long x = 0x1p4;' 'static float *x;' 'static double *lower;'; do
    plant
    echo "$fault" >>"$tree/src/sampling/dice.c"
    refuses check_exact "$fault"
done
plant
sed -i 1d "$tree/src/sampling/dice.c"
refuses check_exact 'src/sampling/dice.c: shows doubles'
for symbol in exp log2 ldexp rand drand48 time; do
    plant
    echo "long $symbol(long); long f(long x); long f(long x) { return $symbol(x); }" \
        >"$work/caller.c"
    "${CC:-gcc}" -w -fno-builtin -c "$work/caller.c" -o "$tree/build/release/obj/src/sampling/dice.o"
    refuses check_exact "dice.o calls $symbol"
done
plant
mkdir -p "$tree/src/query/estimate" "$tree/src/query/rows"
echo 'static double x;' | tee "$tree/src/query/estimate/estimate.c" >"$tree/src/query/estimate/noise_sum.h"
ran 0 'what computes with released numbers may be inexact' tools/check_exact "$tree"
cp "$tree/src/query/estimate/estimate.c" "$tree/src/query/rows/estimate.c"
refuses check_exact 'src/query/rows/estimate.c:1: floating point'
plant
mkdir -p "$tree/src/ledger"
echo 'static double x;' >"$tree/src/ledger/joint.c"
refuses check_exact 'src/ledger/joint.c:1: floating point'
echo '#include "composition/fast/fast_loss.h"' >"$tree/src/ledger/joint.c"
refuses check_exact 'src/ledger takes the fast road'
plant
rm -r "$tree/build"
refuses check_exact 'build first'

# A tree with a gate and a mechanism.
plant_gate() {
    plant
    mkdir -p "$tree/src/ledger" "$tree/src/mechanism"
    printf 'int sc_gate_%s(const m *m)\n{\n    return m->mechanism->%s(m);\n}\n' draw draw ask ask \
        >"$tree/src/ledger/draw.c"
    echo 'int f(const m *m) { return sc_gate_draw(m); }' >"$tree/src/ledger/release.c"
    echo 'int g(const m *m) { return m->mechanism->open(m) + sc_gate_ask(m); }' >"$tree/src/ledger/run.c"
    echo 'const mechanism dice = {.draw = draw, .open = open}; int i = draw(3) + (m->mechanism->draw == NULL);' \
        >"$tree/src/mechanism/throw.c"
}
plant_gate
# Of another struct the members may have these names.
echo 'int h(const kind *kind) { return kind->draw(3) + kind->open(4) + kind->ask; }' >>"$tree/src/mechanism/throw.c"
ran 0 'gate in order' tools/check_gate "$tree"
for fault in 'int h(const m *m) { return m->mechanism->draw(m); }' 'f = mechanism->draw;' 'return kind->ask(m);' \
    'return (*kind).draw (m);' 'return ways[1]->open(m);'; do
    plant_gate
    printf 'static const sc_mechanism *const ways[2];\nint h(const sc_mechanism *kind);\n%s\n' "$fault" \
        >>"$tree/src/mechanism/throw.c"
    refuses check_gate "$fault"
done
for symbol in sc_gate_draw sc_gate_ask sc_passage_open sc_passage_open_within sc_passage_record; do
    plant_gate
    calls "$symbol" mechanism/throw
    refuses check_gate "src/mechanism/throw.c: a release outside the gate: calls $symbol"
done
plant_gate
mkdir -p "$tree/src/query/answer"
echo >"$tree/src/query/answer/charged.c"
calls sc_passage_record query/answer/charged
ran 0 'the driver records' tools/check_gate "$tree"
plant_gate
rm -r "$tree/build"
refuses check_gate 'build first'
plant_gate
echo 'int f(const m *m) { return m->mechanism->draw(m); }' >"$tree/src/ledger/release.c"
refuses check_gate 'src/ledger/release.c:1'

# A79: a run that shows its answer, and records it at its end, or only where it halts.
plant_run() {
    plant_gate
    cat >"$tree/src/ledger/run.c" <<'END'
static int ask(run *run)
{
    return sc_gate_ask(run->m);
}

static int record(run *run)
{
    return run->ledger->functions->record_piece(run->ledger);
}

int scrim_run_ask(run *run, scrim_run_answer *out)
{
    int status = ask(run);
END
    cat >>"$tree/src/ledger/run.c"
    echo '}' >>"$tree/src/ledger/run.c"
}
plant_run <<'END'
    if (status == SCRIM_OK)
        status = record(run);
    if (status == SCRIM_OK)
        *out = (scrim_run_answer){.kind = 1};
    return status;
END
ran 0 'A79 recorded, then shown' tools/check_gate "$tree"
plant_run <<'END'
    if (run->has_halted) {
        status = record(run);
    }
    *out = (scrim_run_answer){.kind = 1};
    return status;
END
refuses check_gate 'src/ledger/run.c:17: an answer is shown before it is recorded'
plant_run <<'END'
    *out = (scrim_run_answer){.kind = 1};
    return record(run);
END
refuses check_gate 'src/ledger/run.c:14: an answer is shown before it is recorded'
plant_run <<'END'
    status = run->ledger->functions->record_once(run->ledger);
    *out = (scrim_run_answer){.kind = 1};
    return status;
END
ran 0 'A79 recorded once, then shown' tools/check_gate "$tree"
plant_run <<'END'
    status = run->has_halted ? run->ledger->functions->record(run->ledger) : 0;
    *out = (scrim_run_answer){.kind = 1};
    return status;
END
refuses check_gate 'src/ledger/run.c:15: an answer is shown before it is recorded'
plant_run <<'END'
    status = run->is_once ? run->ledger->functions->record_once(run->ledger)
                          : run->ledger->functions->record(run->ledger);
    *out = (scrim_run_answer){.kind = 1};
    return status;
END
ran 0 'A79 recorded in both arms, then shown' tools/check_gate "$tree"

plant
ran 0 'claims are written' tools/check_claims --write "$tree"
ran 0 'claims in order' tools/check_claims "$tree"
check 'the text of a claim goes on' \
    grep -q 'dice.fair | each side comes once in six throws, a double six too |' "$tree/docs/CLAIMS.md"
sed -i 's/CLAIM.*//' "$tree/src/sampling/dice_test.c"
refuses check_claims 'no test says CLAIM("dice.fair")'
plant
tools/check_claims --write "$tree"
echo 'CLAIM("dice.square");' >>"$tree/src/sampling/dice_test.c"
refuses check_claims 'no header claims it'
plant
cp "$tree/src/sampling/dice.h" "$tree/include/dice_again.h"
refuses check_claims 'dice.fair is claimed twice'
plant
refuses check_claims 'docs/CLAIMS.md is out of date'

plant
cat >>"$tree/src/sampling/dice.c" <<'END'
    if (sides == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "sides",
                                 "a die of %d sides cannot be "
                                 "thrown; use %s", 0, "6");
    return status == SCRIM_E_BUDGET ? "no message here" : SCRIM_OK;
END
ran 0 'messages are written' tools/check_messages --write "$tree"
ran 0 'messages in order' tools/check_messages "$tree"
check 'a message and its remedy' \
    grep -q -x '| a die of ... sides cannot be thrown | use ... |' "$tree/docs/messages.md"
check 'and nothing else' test "$(grep -c 'here\|sides' "$tree/docs/messages.md")" -eq 1
sed -i 's/be thrown/be rolled/; s/"thrown;/"rolled;/' "$tree/src/sampling/dice.c"
refuses check_messages 'docs/messages.md is out of date'

plant
ran 0 'errata and papers are written' tools/check_errata --write "$tree"
ran 0 'errata and papers in order' tools/check_errata "$tree"
check 'a document' grep -q -x -F -e '- **002** *Differential Privacy: Ideas, Concepts and Advances*; Saswat Das' \
    "$tree/docs/errata.md"
check 'an erratum' grep -q -x -F \
    '| 16 | 001 | Section 5.1 | false | The printed pair of delta and Q for telling whether a set is empty is Pareto optimal. | Q = 3, epsilon 1: 0.246760 is printed and 0.211942 is possible. | The discrete distribution with q = Q - 1. | emptiness | yes |' \
    "$tree/docs/errata.md"
# shellcheck disable=SC2016 # marks of Markdown
check 'a statement' grep -q -x -F \
    '| Theorem 2 | range mechanism of any sensitivity | corrected | `scrim audit range epsilon=1 sensitivity=2 width=5` | `0.05325028; claimed is 0.05325028` | 0.0497871 | 0.05325028 | 145, 146, 147 |' \
    "$tree/docs/papers.md"
sed -i 's/Pareto optimal/best/' "$tree/docs/errata.md"
refuses check_errata 'docs/errata.md is out of date'
tools/check_errata --write "$tree"
rm "$tree/docs/papers.md"
refuses check_errata 'docs/papers.md is out of date'

plant
ran 0 'words in order' tools/check_words "$tree"
for word in 'TO''DO later' 'FIX''ME' 'X''XX: later' 'see /ho''me/somebody/notes' 'regi''stry.example.org' \
    'x = "/ro''ot/x"' '@''@SPEED@''@'; do
    plant
    echo "/* $word */" >>"$tree/src/sampling/dice.c"
    refuses check_words "$word"
done
for text in 'add --delta D' "run 'scrim ledger verify'" 'run scrim '; do
    plant
    printf 'int f = sc_fail(error, 20,\n    "x; %s");\n' "$text" >>"$tree/src/sampling/dice.c"
    refuses check_words "$text"
    out_has 'names an option or a command'
done
plant
echo 'const char *f = "a row of scrim held 3 -- four"; /* --delta, scrim ledger */' >>"$tree/src/sampling/dice.c"
echo 'const char *g = "add --delta D; run scrim ledger";' >>"$tree/src/cli/verb.c"
ran 0 'words of a surface in order' tools/check_words "$tree"
echo 'int f = strstr(error->message, "delta") != NULL;' >>"$tree/src/cli/verb.c"
refuses check_words 'looks into a message'
for call in 'sc_fail(error, SCRIM_E_PARAM, "x")' 'sc_fail(\n    error, SCRIM_E_SYNTAX,\n "x")' 'sc_fail(error,\n    b ? SCRIM_E_PARAM : 3, "x")'; do
    plant
    printf 'int f(void)\n{\n    return %b;\n}\n' "$call" >>"$tree/src/sampling/dice.c"
    refuses check_words 'has no reason'
done
plant
printf 'int f(void)\n{\n    return sc_fail(error,\n        SCRIM_E_LIMIT, "x");\n    return sc_fail_for(error, SCRIM_E_PARAM, 5, "d", "x");\n}\n' \
    >>"$tree/src/sampling/dice.c"
ran 0 'reasons in order' tools/check_words "$tree"

for text in 'what is beyond that was left out' 'whoever has none of it is refused'; do
    plant
    printf 'const char *f = "%s";\n' "$text" >>"$tree/src/sampling/dice.c"
    refuses check_words 'name the subject'
done
plant
echo '**Rule** what is on no list is refused.' >"$tree/src/sampling/README.md"
refuses check_words 'name the subject'
for text in '/* What is kept. */' '    // Of a file: its size.' ' * Whoever asks is told.'; do
    plant
    printf '/* A comment.\n */\n%s\n' "$text" >>"$tree/src/sampling/dice.c"
    refuses check_words 'name the subject'
done
plant
echo '/* The rows that are kept. Office hours. */' >>"$tree/src/sampling/dice.c"
ran 0 'comments with a subject' tools/check_words "$tree"
for text in '/* Room for so many rows. */' '    int rows; // there is none' '/* Empty where there is\n * none. */' \
    '/* A bound, and None\n   of its parts.\n */ int x;' '/* It is a wish. */'; do
    plant
    printf '%b\n' "$text" >>"$tree/src/sampling/dice.c"
    refuses check_words 'name the parameter or the case'
done
plant
printf '/* As many as none, also many; wishful. */\nconst char *f = "there is none of so many";\n' >>"$tree/src/sampling/dice.c"
ran 0 'comments with a number' tools/check_words "$tree"
plant
echo 'const char *f = "an integer from 1 to 2^20";' >>"$tree/src/sampling/dice.c"
refuses check_words 'write a decimal'
plant
echo 'const char *f = "it takes more than 2^%d steps";' >>"$tree/src/sampling/dice.c"
refuses check_words 'write a decimal'
plant
echo 'const char *f = "2^20", *g = "What was released", *h = "a power of 2, such as 2^-4";' >>"$tree/src/sampling/dice.c"
ran 0 'numbers that are parsed, and headings' tools/check_words "$tree"

# The exports: a library of one function, its list, and what must not be in it.
library() {
    echo "$1" >"$work/library.c"
    "${CC:-gcc}" -w -shared -fPIC "$work/library.c" -o "$work/libscrim.so"
    "${CC:-gcc}" -w -fPIC -c "$work/library.c" -o "$work/scrim"
    cp "$work/scrim" "$work/libscrim.a"
    mkdir -p "$work/abi"
    (cd "$work" && "$root/tools/check_exports" . >"$work/refusal")
}
# exports_refused WORDS SOURCE
exports_refused() {
    if library "$2"; then
        not_ok "check_exports refuses: $1" 'it did not'
    else
        check "check_exports refuses: $1" grep -q -F -e "$1" "$work/refusal"
    fi
}
root=$PWD
mkdir -p "$work/abi"
echo scrim_version >"$work/abi/exports.txt"
check 'exports in order' library 'int scrim_version(void) { return 1; }'
exports_refused 'new     scrim_extra' 'int scrim_version, scrim_extra;'
exports_refused 'missing scrim_version' 'int scrim_extra;'
for symbol in sc_tape_new sc_recorder_new sc_ledger_use_bits sc_vault_use_bits; do
    exports_refused "contains ${symbol%_*}_..." "int scrim_version; static int $symbol(void) { return 1; }
    int (*f)(void) __attribute__((visibility(\"hidden\"))) = $symbol;"
done
exports_refused "contains the text '--se""ed'" 'const char *scrim_version = "--se''ed";'

# The functions that are used: two sources and a test, and a list of those that may stay.
used() {
    rm -rf "$work/used"
    mkdir -p "$work/used/src" "$work/used/obj/src" "$work/used/tobj/src"
    printf 'int sc_throw(void) { return 6; }\n%s\n' "$1" >"$work/used/src/dice.c"
    echo 'int sc_throw(void); int main(void) { return sc_throw(); }' >"$work/used/src/game.c"
    printf 'int sc_throw(void), sc_count(void); int test(void) { return sc_throw() + %s; }\n' "$2" \
        >"$work/used/src/dice_test.c"
    printf '%s\n' "$3" >"$work/used/list"
    for source in dice game; do
        "${CC:-gcc}" -w -c "$work/used/src/$source.c" -o "$work/used/obj/src/$source.o"
    done
    "${CC:-gcc}" -w -c "$work/used/src/dice_test.c" -o "$work/used/tobj/src/dice_test.o"
    (cd "$work/used" && "$root/tools/check_used" . list >"$work/refusal")
}
# used_refused WORDS, then as above
used_refused() {
    if used "$2" "$3" "$4"; then
        not_ok "check_used refuses: $1" 'it did not'
    else
        check "check_used refuses: $1" grep -q -F -e "$1" "$work/refusal"
    fi
}
check 'functions that are used' used 'static int count(void) { return 1; }' 0 '# none'
check 'a function that its file and a test use' used \
    'int sc_count(void) { return 1; }
    int (*f)(void) = sc_count;' 'sc_count()' ''
check 'a function that is listed' used 'int sc_count(void) { return 1; }' 'sc_count()' 'sc_count # because'
used_refused 'sc_count src/dice.c: no other source uses it' 'int sc_count(void) { return 1; }' 0 ''
used_refused 'sc_count src/dice.c: only tests use it' 'int sc_count(void) { return 1; }' 'sc_count()' ''
used_refused 'sc_gone: listed in list, and used or gone' '' 0 'sc_gone'
ran 1 'check_used wants a build' sh -c "cd '$work' && mkdir -p empty/obj empty/tobj && '$root/tools/check_used' empty"

# check_owned: what is taken above an SC_TRY and cleared below it is left behind.
plant
cat >"$tree/src/sampling/dice.c" <<'END'
scrim_status throw(void)
{
    SC_OWN(sc_ratio, sum);
    SC_TRY(sc_dice_check());
    sc_text later = sc_dice_text();
    sc_text_free(later);
    return SCRIM_OK;
}
scrim_status other(sc_ratio *sum)
{
    sc_ratio_clear(sum);
    SC_TRY(sc_dice_check());
    return SCRIM_OK;
}
END
ran 0 'owners in order' tools/check_owned "$tree"
for cleared in 'sc_ratio_clear(&sum);' 'sc_wipe(sum, 8);' 'free(sum);'; do
    printf 'scrim_status f(void)\n{\n    sc_ratio sum = sc_dice_sum();\n    SC_TRY(sc_dice_check());\n    %s\n}\n' "$cleared" \
        >"$tree/src/sampling/dice.c"
    refuses check_owned 'src/sampling/dice.c:4: SC_TRY leaves sum, which line 5 clears: make it an SC_OWN'
done

# check_parameters: seven are enough, of a definition over several lines too; kernels of the list have more.
plant
printf 'int seven(int a, int b, int c, int d, int e, int f,\n          int (*g)(int, int))\n{\n}\n' >"$tree/src/sampling/dice.c"
printf 'int trim(int a, int b, int c, int d, int e, int f, int g, int h)\n{\n}\n' >>"$tree/src/sampling/dice.c"
ran 0 'seven parameters, and a kernel' tools/check_parameters "$tree"
printf '\nint eight(int a, int b, int c, int d, int e, int f,\n          int (*g)(int, int), int h)\n{\n}\n' >>"$tree/src/sampling/dice.c"
refuses check_parameters 'src/sampling/dice.c:9: eight has 8 parameters'

# run_tests, deps and this very file's helper.
printf 'echo "not ok 1"\necho "0 passed, 1 failed, 0 skipped"\nexit 1\n' >"$work/failing"
printf 'echo "1 passed, 0 failed, 0 skipped"\nexit 3\n' >"$work/lying"
printf 'echo "ok 1"\n' >"$work/silent"
for kind in failing lying silent; do
    mkdir -p "$work/$kind.build"
    ran 1 "run_tests notices a $kind runner" sh -c "
        cd '$work' && mkdir -p tests/cli tests/tools tests/install && rm -f tests/*/*.sh &&
        printf '#!/bin/sh\n' | cat - '$work/$kind' >'$kind.build/tests' &&
        chmod +x '$kind.build/tests' && '$root/tools/run_tests' '$kind.build'"
    out_has "#   $kind.build/tests"
done
printf 'echo "ok 1"\necho "not ok 2 - a thing"\necho "# < one"\necho "ok 3"\necho "# not of it"\necho "2 passed, 1 failed, 0 skipped"\nexit 1\n' \
    >"$work/failing.build/tests"
ran 1 'run_tests shows again at the end' sh -c "cd '$work' && '$root/tools/run_tests' failing.build"
check 'what failed and what was said of it' sh -c "sed -n '/^# failed:/,\$p' '$work/out' | tr '\n' '~' |
    grep -q '#   failing.build/tests~#     not ok 2 - a thing~#     < one~#   check_layers'"

cat >"$work/failing.build/tests" <<'END'
#!/bin/sh
while [ "$1" != --times ]; do shift; done
printf '1.500 slow_one\n0.001 quick_one\n' >"$2"
echo '2 passed, 0 failed, 0 skipped'
END
printf 'seq 1000000 | sort -n >/dev/null\necho "1 passed, 0 failed, 0 skipped"\n' >"$work/tests/cli/a.sh"
printf 'echo "1 passed, 0 failed, 0 skipped"; : more to read\n' >"$work/tests/cli/b.sh"
ran 1 'run_tests without sources to check' sh -c "cd '$work' && '$root/tools/run_tests' failing.build"
out_has '4 passed, '
check 'and keeps the time of each test and script' grep -q '^1.500 failing.build/tests slow_one$' \
    "$work/failing.build/test-times.txt"
check 'of scripts too' grep -qE '^[0-9]+\.[0-9]{3} failing.build/scripts tests/cli/a.sh$' \
    "$work/failing.build/test-times.txt"
check 'all of them' test "$(grep -c . "$work/failing.build/test-times.txt")" = 4

printf 'out_sais a; echo "1 passed, 0 failed, 0 skipped"\n' >"$work/tests/cli/b.sh"
ran 1 'run_tests of a check that nobody has defined' sh -c "cd '$work' && '$root/tools/run_tests' failing.build"
out_has '#   tests/cli/b.sh in failing.build'

# A campaign that was ended: what passed is not repeated, what failed is.
printf 'echo "0 passed, 1 failed, 0 skipped"; exit 1\n' >"$work/tests/cli/b.sh"
for time in first second; do
    ran 1 "run_tests --passed, $time time" sh -c "cd '$work' && '$root/tools/run_tests' --passed lists failing.build"
    cp "$work/out" "$work/out.$time"
done
check 'a script that passed ran once' sh -c "grep -q 'cli/a.sh' '$work/out.first' && ! grep -q 'cli/a.sh' '$work/out.second'"
check 'one that failed ran again' grep -q '^# tests/cli/b.sh in failing.build' "$work/out.second"
check 'unit tests that passed too' sh -c "grep -qx '# failing.build/tests' '$work/out.first' &&
    ! grep -qx '# failing.build/tests' '$work/out.second'"
check 'and the sum names them' grep -q '^# and 2 unit tests, scripts and checks that had passed' "$work/out.second"
rm -r "$work/lists"
printf 'echo "1 passed, 0 failed, 0 skipped"; : more to read\n' >"$work/tests/cli/b.sh"

# Another build of the code that ships: its transcripts run, sources are checked elsewhere.
ran 0 'run_tests --watched' sh -c "cd '$work' && '$root/tools/run_tests' --watched failing.build"
out_has '4 passed, 0 failed, 0 skipped'
ran 2 'check_long knows its parts' tools/check_long lint nonsense
err_has 'unknown part "nonsense"; use lint threads debug fuzz sanitized clang valgrind python browser scripts counts-1 counts-2 counts-3 counts-4 counts-5 counts-6'

# check_long in a tree with two parts, of which one fails first.
mkdir -p "$work/long/tools"
sed '/^part_/,/^}/d' "$root/tools/check_long" | awk '/^case/ && !n++ {
    print "part_one() {\n    echo \"2 passed, 0 failed, 1 skipped\"\n    echo \"1 passed, 0 failed, 0 skipped\"\n}"
    print "part_two() {\n    test -e mended\n}"
    print "part_many() { # SHARE\n    echo \"$1 passed, 0 failed, 0 skipped\"\n}" }
    { sub(/^shares=6$/, "shares=2"); print }' >"$work/long/tools/check_long"
chmod +x "$work/long/tools/check_long"
long() {
    (cd "$work/long" && tools/check_long "$@")
}
in_long() {
    git -C "$work/long" -c user.name=tester -c user.email=tester@example.org "$@"
}
mkdir "$work/long/docs"
echo /build >"$work/long/.gitignore"
in_long init -q
in_long add .
in_long commit -q -m 'two parts'
ran 1 'check_long with a part that fails' long
out_has '# two: failed, 0 min by the clock'
check 'the other one has passed' grep -q '^one: passed, 3 passed, 0 failed, 1 skipped, ' "$work/long/build/long/parts"
kept="$work/long/docs/campaign.md"
day=$(in_long log -1 --format=%cd --date=format:%Y)
check 'which the page keeps' grep -q "^| one | 3 passed, 0 failed, 1 skipped | $(in_long rev-parse --short=8 HEAD) | $day-" "$kept"
check 'with a line for each share' sh -c "grep -q '^| many-1 | 1 passed' '$kept' && grep -q '^| many-2 | 2 passed' '$kept'"
check 'and not the one that failed' sh -c "! grep -q '^| two ' '$kept'"
: >"$work/long/mended"
AGAIN=yes ran 0 'check_long in a tree with changes' long one
out_has '# one: not kept in docs/campaign.md, because the tree has changes that are not committed'
in_long add .
in_long commit -q -m 'mended'
ran 0 'check_long with a part that has passed' long one
check 'does not repeat it' sh -c "! grep -qx '# one' '$work/out'"
AGAIN=yes ran 0 'check_long AGAIN=yes' long one
out_has '# one'
check 'whose line is of the new commit' grep -q "^| one | .* | $(in_long rev-parse --short=8 HEAD) | " "$kept"
check 'and the only one of it' test "$(grep -c '^| one ' "$kept")" -eq 1
ran 0 'check_long goes on' long
out_has '# the campaign is whole'
check 'with what was left' sh -c "! grep -qx '# one' '$work/out' && grep -qx '# two' '$work/out'"
check 'and the next begins anew' test ! -e "$work/long/build/long"

# deps, on a machine made of four programs: what is installed, whether apt-get works, who runs.
fake=$work/fake
mkdir "$fake"
machine() {
    installed=$1 apt_status=$2 user=$3
    cat >"$fake/dpkg-query" <<END
#!/bin/sh
for package; do :; done
case " $installed " in *" \$package "*) printf installed ;; *) exit 1 ;; esac
END
    printf '#!/bin/sh\necho "$@" >>%s/asked\necho noise; exit %s\n' "$work" "$apt_status" >"$fake/apt-get"
    printf '#!/bin/sh\necho %s\n' "$user" >"$fake/id"
    printf '#!/bin/sh\nexit 1\n' >"$fake/sudo"
    chmod +x "$fake"/*
    : >"$work/asked"
}
deps() {
    PATH=$fake:$PATH tools/deps "$@"
}
all='tzdata gcc make libc6-dev libgmp-dev libflint-dev libflint-arb-dev libssl-dev zlib1g-dev libedit-dev libsqlite3-dev'
ran 2 'deps wants a tier' tools/deps nonsense
machine "$all" 0 0
ran 0 'deps is silent when all is there' deps build
out_is ''
err_is ''
check 'and asks for nothing' test ! -s "$work/asked"
machine "${all% *}" 0 0
ran 0 'deps installs what is missing' deps build
err_is 'tools/deps: installing libsqlite3-dev'
check 'it updates' grep -q 'update$' "$work/asked"
check 'and installs that alone' grep -q -e 'install --yes --no-install-recommends libsqlite3-dev$' "$work/asked"
machine "${all% *}" 100 0
ran 1 'deps fails when apt-get does' deps build
err_has 'tools/deps: apt-get update failed; wanted: libsqlite3-dev'
machine "${all% *}" 0 1000
ran 1 'deps without root or sudo says what to do' deps build
err_is 'tools/deps: run as root, or with sudo:  apt-get install libsqlite3-dev'
plant
ran 0 'a source that names SCRIM_TESTING is compiled again' tools/testing_sources "$tree"
out_is 'src/cli/verb.c'
echo '#ifdef SCRIM_TESTING' >"$tree/src/random/bits.h"
echo '#include "random/bits.h"' >"$tree/src/random/cipher.h"
echo '#include "random/cipher.h"' >"$tree/src/base/number/ball.c"
ran 0 'and so is one that includes it by a header of a header' tools/testing_sources "$tree"
out_is 'src/base/number/ball.c
src/cli/verb.c
src/random/cipher.c
src/sampling/dice.c'
ran 1 'a failing shell test fails' sh -c '. tests/cli/shell_check.sh; check no false; finish'
out_has '0 passed, 1 failed, 0 skipped'
ran 1 'an empty shell test fails' sh -c '. tests/cli/shell_check.sh; finish'
finish

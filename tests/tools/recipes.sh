#!/bin/sh
# The recipes of CONTRIBUTING, followed word by word in a copy of the tree: a mechanism, an aggregate, a
# source of rows and a verb are added where it says, and nowhere else; then the program is built and has them.
# It is for the long campaign.
# shellcheck disable=SC2016 # for awk or another shell
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
copy=$work/copy
scrim=$copy/build/release/scrim
mkdir -p "$copy/build/release" "$copy/tests"
cp -a Makefile abi include lab src tools "$copy"
[ ! -d "$O/obj" ] || cp -a "$O/obj" "$copy/build/release" # what did not change is not compiled again
export SCRIM_VAULT="$work/vault"

# after FILE PATTERN LINE: puts a line behind the first one that has the pattern.
after() {
    grep -qF -- "$2" "$copy/$1" || not_ok "$1 has a place for it" "$2"
    awk -v pattern="$2" -v line="$3" '{ print } !done && index($0, pattern) { print line; done = 1 }' \
        "$copy/$1" >"$work/changed"
    cat "$work/changed" >"$copy/$1"
}

# ---- a mechanism: a header and a source in the room of its family, one line in the catalogue ----
cat >"$copy/src/mechanism/selection/toy_choice.h" <<'END'
/* A toy: the law of permute-and-flip under another name. */
#ifndef SC_MECHANISM_TOY_CHOICE_H
#define SC_MECHANISM_TOY_CHOICE_H

#include "model/mechanism.h"

extern const sc_mechanism sc_toy_choice;

#endif
END
cat >"$copy/src/mechanism/selection/toy_choice.c" <<'END'
#include "mechanism/selection/toy_choice.h"

#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/scores.h"

static const sc_parameter_rule parameters[] = {SC_SCORES_PARAMETERS, SC_SCORES_LAST};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_scores_check(m, &sc_permute_and_flip_choice, 1, error);
}

const sc_mechanism sc_toy_choice = {
    .entry = {.name = "toy-choice",
              .parameters = SC_SCORES_TEXT,
              .input = "scores",
              .claim = "epsilon-DP, pure",
              .reference = "a test of the recipes"},
    .check = check,
    .cost = sc_scores_cost_pure,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
END
after src/mechanism/catalogue.c '#include "mechanism/selection/top_k.h"' '#include "mechanism/selection/toy_choice.h"'
after src/mechanism/catalogue.c '    &sc_top_k,' '    &sc_toy_choice,'

# ---- an aggregate: its file and a line ----
cat >"$copy/src/query/aggregate/toy_aggregate.c" <<'END'
/* TOY(x): a sum. */
#include "query/aggregate/aggregates.h"
#include "query/estimate/estimate.h"
#include "query/language/select_list.h"
#include "query/plan/division.h"

static void weigh_toy(const sc_weighing *w)
{
    sc_weigh(w, w->use->sum, 1);
    if (w->use->rows != SC_STATISTIC_NONE)
        sc_weigh(w, w->use->rows, sc_weigh_reach(w, w->use->rows));
}

const sc_aggregate sc_aggregate_toy = {
    .name = "TOY",
    .forms = {{"TOY", 1, 1, "TOY(x)", NULL}},
    .reads = SC_READS_SUM,
    .read = sc_aggregate_read_number,
    .weigh = weigh_toy,
    .numbers = &sc_sum_rule,
};
END
sed -i 's/^    X(sum)  *\\$/&\n    X(toy) \\/' "$copy/src/query/aggregate/aggregates.h"

# ---- a source: its kind, its descriptor with a line in the list, its option ----
after src/data/value/source_kind.h 'extern const sc_source_kind' 'extern const sc_source_kind sc_source_toy_kind;'
after src/data/value/source_kind.c '#include' 'const sc_source_kind sc_source_toy_kind = {.key = "toy"};'
sed -i 's/kinds\[\] = {/&\&sc_source_toy_kind, /' "$copy/src/data/value/source_kind.c"
cat >"$copy/src/data/source/toy_source.h" <<'END'
/* A toy: CSV files under another key. */
#ifndef SC_DATA_TOY_SOURCE_H
#define SC_DATA_TOY_SOURCE_H

#include "data/source/source.h"

extern const sc_source sc_toy_source;

#endif
END
cat >"$copy/src/data/source/toy_source.c" <<'END'
#include "data/source/toy_source.h"

#include "data/source/csv.h"

static scrim_status state_new(const sc_batch_request *request, void **state,
                              scrim_error *error)
{
    return sc_csv_source.state_new(request, state, error);
}

static void state_free(void *state)
{
    sc_csv_source.state_free(state);
}

static sc_source_stamp stamp(const void *state)
{
    return sc_csv_source.stamp(state);
}

static scrim_status worker_new(void *state, void **worker, scrim_error *error)
{
    return sc_csv_source.worker_new(state, worker, error);
}

static void worker_free(void *worker)
{
    sc_csv_source.worker_free(worker);
}

static scrim_status next(void *worker, const sc_batch **batch, scrim_error *error)
{
    return sc_csv_source.next(worker, batch, error);
}

const sc_source sc_toy_source = {
    .kind = &sc_source_toy_kind,
    .state_new = state_new,
    .state_free = state_free,
    .stamp = stamp,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .next = next,
    .raw_read = sc_csv_raw_read,
};
END
after src/data/source/sources.c '#include "data/source/sqlite_source.h"' '#include "data/source/toy_source.h"'
after src/data/source/sources.c '    &sc_sqlite_source,' '    &sc_toy_source,'
after src/cli/terminal/options.h '    SCRIM_OPTION_SQLITE,' '    SCRIM_OPTION_TOY,'
after src/cli/terminal/options.c '[SCRIM_OPTION_SQLITE] =' '    [SCRIM_OPTION_TOY] = {"--toy", true},'
after src/cli/dataset/policy_draft.c '{"sqlite", SCRIM_OPTION_SQLITE,' '    {"toy", SCRIM_OPTION_TOY, "the source of the rows"},'
sed -i 's/^    {"csv", "csv"}, /    {"csv", "csv"}, {"toy", "toy"}, /' "$copy/src/cli/dataset/policy_draft.c"
sed -i 's/SCRIM_OPTION_SQLITE,/SCRIM_OPTION_TOY, &/' "$copy/src/cli/verb/cmd_dataset.c"

# ---- a verb: its file, its name and its line ----
cat >"$copy/src/cli/verb/cmd_toy.c" <<'END'
/* scrim toy */
#include "cli/terminal/output.h"
#include "cli/verb/verbs.h"

#include <unistd.h>

static scrim_status run_toy(const sc_options *options, scrim_error *error)
{
    sc_output output;
    (void)options;
    sc_output_init(&output, STDOUT_FILENO);
    sc_output_text(&output, "toys\n");
    return sc_output_finish(&output, error);
}

const sc_verb sc_verb_toy = {
    .name = "toy",
    .synopsis = "",
    .summary = "Play",
    .usage = "It plays.\n",
    .options = 0,
    .run = run_toy,
};
END
sed -i 's/^extern const sc_verb sc_verb_init,/extern const sc_verb sc_verb_toy, sc_verb_init,/' "$copy/src/cli/verb/verbs.h"
sed -i 's/^    &sc_verb_init, /    \&sc_verb_toy, \&sc_verb_init, /' "$copy/src/cli/verb/verbs.c"

# Not optimised: that it compiles and runs is all that is asked.
ran 0 'the copy is built' make -C "$copy" --no-print-directory -j"$(nproc)" build/release/scrim \
    CFLAGS='-O0 -g0 -U_FORTIFY_SOURCE'
ran 0 'the layers hold' tools/check_layers "$copy"
ran 0 'no circle' tools/check_circles "$copy"
ran 0 'the mechanism is listed' "$scrim" list mechanisms --format csv
out_has 'toy-choice,'
ran 0 'it is run' sh -c 'printf "1\n100\n" | "$0" run toy-choice epsilon=50 sensitivity=1 neighbours=add-remove --quiet' "$scrim"
ran 0 'it is audited' "$scrim" audit toy-choice epsilon=1 sensitivity=1 candidates=3 --quiet
ran 0 'the verb is run' "$scrim" toy
out_is toys
ran 0 'the verb is helped with' "$scrim" help toy
out_has 'usage: scrim toy'
awk 'BEGIN { print "id,age"; for (i = 0; i < 1000; i++) print i "," i % 90 }' >"$work/people.csv"
ran 0 'a vault' "$scrim" init --quiet
ran 0 'a dataset of the source' "$scrim" dataset add people --toy "$work/people.csv" --unit id --rows-per-unit 1 \
    --column 'age=int[0,120]' --budget epsilon=100 --quiet
ran 0 'a question about it' "$scrim" query people 'SELECT COUNT(*) AS n' --epsilon 50 --quiet --format csv
check 'the rows were read' awk -F , 'NR == 2 && $1 > 990 && $1 < 1010 { found = 1 } END { exit !found }' "$work/out"
ran 0 'the aggregate is asked' "$scrim" query people 'SELECT TOY(age) AS t' --epsilon 50 --quiet --format csv
check 'it is a sum' awk -F , 'NR == 2 && $1 > 43000 && $1 < 45000 { found = 1 } END { exit !found }' "$work/out"
finish

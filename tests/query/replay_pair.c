#include "replay_pair.h"

#include "check.h"
#include "query/plan/plan.h"
#include "random/bits_tape.h"
#include "store_memory.h"
#include "vault/vault_tape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool replay_path(replay_world *w)
{
    snprintf(w->path, sizeof w->path, "/tmp/scrim-replay-XXXXXX");
    const int file = mkstemp(w->path);
    if (file >= 0)
        close(file);
    return CHECK(file >= 0);
}

void replay_path_remove(const replay_world *w)
{
    unlink(w->path);
}

/* Everything that can be seen. */

static void see_bytes(replay_view *v, const char *bytes, size_t count)
{
    if (v->capacity - v->bytes < count + 1) {
        v->capacity = 2 * (v->capacity + count + 512);
        v->text = realloc(v->text, v->capacity);
        if (v->text == NULL)
            abort();
    }
    memcpy(v->text + v->bytes, bytes, count);
    v->bytes += count;
    v->text[v->bytes] = '\0';
}

__attribute__((format(printf, 2, 3))) static void see(replay_view *v, const char *format,
                                                      ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    see_bytes(v, line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
}

static void see_status(replay_view *v, const char *what, scrim_status status,
                       const scrim_error *error)
{
    see(v, "%s: %d %s\n", what, (int)status, status == SCRIM_OK ? "" : error->message);
}

static void see_cost(replay_view *v, const scrim_cost *cost)
{
    see(v, "cost %d %s %s %s\n", (int)cost->neighbours, cost->epsilon, cost->delta,
        cost->rho);
}

static void see_row(replay_view *v, const scrim_result *result, size_t statement,
                    size_t row)
{
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_cell *cell = scrim_result_cell_at(result, statement, row, i);
        see(v, "[%zu:", cell->bytes);
        see_bytes(v, cell->value, cell->bytes);
        see(v, " %s %s %d]", cell->low == NULL ? "-" : cell->low,
            cell->high == NULL ? "-" : cell->high, cell->is_open);
    }
    see(v, "\n");
}

static void see_result(replay_view *v, const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    see(v, "release %llu time %llu repeated %d %s %llu %s\n",
        (unsigned long long)facts.release, (unsigned long long)facts.time,
        facts.is_repeated, facts.dataset, (unsigned long long)facts.version,
        facts.confidence);
    see_cost(v, &facts.cost);
    for (size_t s = 0; s < facts.statements; s++) {
        see(v, "%s\n", scrim_result_text(result, s));
        v->columns[s] = scrim_result_columns(result, s);
        v->rows[s] = scrim_result_rows(result, s);
        for (size_t i = 0; i < v->columns[s]; i++) {
            const scrim_result_column *column = scrim_result_column_at(result, s, i);
            see(v, "%s %d %s|", column->name, (int)column->kind,
                column->note == NULL ? "" : column->note);
        }
        see(v, "\n%zu rows\n", v->rows[s]);
        for (size_t i = 0; i < v->rows[s]; i++)
            see_row(v, result, s, i);
    }
}

static void see_budget(replay_view *v, scrim_vault *vault)
{
    scrim_budget budget;
    scrim_error error;
    scrim_status status = scrim_vault_budget(vault, 0, NULL, &budget, &error);
    see_status(v, "budget", status, &error);
    if (status != SCRIM_OK)
        return;
    see(v, "spent %s %s left %s %s charges %llu\n", budget.spent, budget.spent_delta,
        budget.left, budget.left_delta, (unsigned long long)budget.charges);
}

/* The ledger's entry, and the answer that is made of it at another confidence. */
static void see_release(replay_view *v, scrim_vault *vault, uint64_t id, bool again)
{
    scrim_vault_release release;
    scrim_result *result = NULL;
    scrim_error error;
    scrim_status status = scrim_vault_replay(vault, id, &release, &error);
    see_status(v, "release", status, &error);
    if (status == SCRIM_OK) {
        see(v, "%d %s %s ", (int)release.state, release.amount, release.delta);
        snprintf(v->amount, sizeof v->amount, "%s", release.amount);
        snprintf(v->delta, sizeof v->delta, "%s", release.delta);
        see_bytes(v, release.measurement, strlen(release.measurement));
        see_bytes(v, "\n", 1);
        if (release.answer != NULL)
            see_bytes(v, release.answer, strlen(release.answer));
        scrim_vault_release_clear(&release);
    }
    if (!again)
        return;
    status = scrim_query_replay(vault, id, "0.8", &result, &error);
    see_status(v, "replay", status, &error);
    if (status == SCRIM_OK)
        see_result(v, result);
    scrim_result_free(result);
}

/* Runs. */

/* Whether it is also asked again. */
static void see_run(replay_view *v, scrim_vault *vault, const scrim_plan *plan,
                    bool again)
{
    scrim_error error;
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    v->parts = sc_bundle_count(plan->bundle);
    const size_t own = v->parts;
    if (plan->ladder != NULL)
        v->parts += sc_bundle_count(plan->ladder->bundle);
    see(v, "%s\n", plan->question);
    const scrim_cost cost = sc_plan_cost(plan);
    see_cost(v, &cost);
    for (size_t i = 0; i < own; i++)
        see(v, "%s\n", scrim_measurement_text(sc_bundle_measurement(plan->bundle, i)));
    v->status = scrim_query_run(vault, plan, &result, &error);
    see_status(v, "run", v->status, &error);
    if (v->status == SCRIM_OK) {
        see_result(v, result);
        scrim_result_describe(result, &facts);
    }
    scrim_result_free(result);
    see_budget(v, vault);
    if (v->status != SCRIM_OK)
        return;
    see_release(v, vault, facts.release, again);
    if (!again)
        return;
    result = NULL;
    scrim_status status = scrim_query_run(vault, plan, &result, &error);
    see_status(v, "again", status, &error);
    if (status == SCRIM_OK)
        see_result(v, result);
    scrim_result_free(result);
    see_budget(v, vault);
}

scrim_vault *replay_vault(const replay_world *w)
{
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    scrim_error error = {.message = ""};
    scrim_status status = store_memory_new(&store, &error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, 0, &vault, &error);
    if (status == SCRIM_OK)
        status = sc_vault_begin(vault, NULL, NULL, NULL, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(vault, "people", w->policy, &error);
    if (status == SCRIM_OK)
        return vault;
    CHECK_FAIL("no vault: %s\n%s", error.message, w->policy);
    scrim_vault_close(vault);
    return NULL;
}

scrim_status replay_plan_in(scrim_vault *vault, const replay_world *w, unsigned workers,
                            scrim_plan **out)
{
    const char *queries[REPLAY_STATEMENTS];
    scrim_query_options options = w->options;
    scrim_error error;
    options.workers = workers;
    for (size_t i = 0; i < w->query_count; i++)
        queries[i] = w->queries[i];
    return scrim_plan_new(vault, "people", queries, w->query_count, &options, out, NULL,
                          &error);
}

bool replay_plan(const replay_world *w, unsigned workers, scrim_plan **out)
{
    const replay_table nobody = {.count = 0};
    *out = NULL;
    scrim_vault *vault = CHECK(replay_world_write(w, &nobody)) ? replay_vault(w) : NULL;
    if (vault == NULL)
        return false;
    const scrim_status status = replay_plan_in(vault, w, workers, out);
    CHECK(status == SCRIM_OK || status / 10 == SCRIM_E_PARAM / 10 ||
          status == SCRIM_E_POLICY);
    scrim_vault_close(vault);
    return status == SCRIM_OK;
}

/* A plan takes longer than a run: one pair in sixteen plans anew beside each table. */
#define PLANNED_ANEW 16

bool replay_plan_for(scrim_vault *vault, const scrim_plan *plan, sc_arena *arena,
                     scrim_plan *out)
{
    *out = *plan;
    return CHECK_STATUS(
        sc_planned_dataset_read(vault, "people", arena, &out->dataset, NULL), SCRIM_OK);
}

/* One run on one table; the tape is the same for all: what bounding and hashing draw is. */
static bool run(replay_view *v, sc_recorder *recorder, const replay_world *w,
                const scrim_plan *plan, const replay_table *table, uint64_t seed)
{
    sc_tape *tape = NULL;
    scrim_plan *anew = NULL, own;
    sc_arena arena;
    if (!CHECK(replay_world_write(w, table)) ||
        !CHECK_STATUS(sc_tape_seeded(seed, &tape, NULL), SCRIM_OK))
        return false;
    scrim_vault *vault = replay_vault(w);
    sc_arena_init(&arena);
    if (vault != NULL && seed % PLANNED_ANEW == 0 &&
        CHECK_STATUS(replay_plan_in(vault, w, plan->options.workers, &anew), SCRIM_OK))
        CHECK_STR(anew->question, plan->question);
    if (vault != NULL && replay_plan_for(vault, plan, &arena, &own)) {
        sc_vault_use_bits(vault, sc_tape_bits_of(tape));
        sc_vault_use_recorder(vault, recorder);
        see_run(v, vault, anew != NULL ? anew : &own, seed % 4 == 0);
    }
    sc_arena_clear(&arena);
    scrim_plan_free(anew);
    scrim_vault_close(vault);
    sc_tape_free(tape);
    return vault != NULL;
}

bool replay_pair_run(replay_pair *p, const replay_world *w, const scrim_plan *plan,
                     uint64_t seed)
{
    *p = (replay_pair){.first = NULL};
    if (!CHECK_STATUS(sc_recorder_new(NULL, &p->first, NULL), SCRIM_OK) ||
        !CHECK_STATUS(sc_recorder_new(p->first, &p->second, NULL), SCRIM_OK))
        return false;
    sc_recorder_keep_from(p->first, 2);
    sc_recorder_disturb(p->first, seed);
    return run(&p->here, p->first, w, plan, &w->here, seed) &&
           run(&p->there, p->second, w, plan, &w->there, seed);
}

void replay_pair_free(replay_pair *p)
{
    sc_recorder_free(p->second);
    sc_recorder_free(p->first);
    free(p->here.text);
    free(p->there.text);
}

/* Verdicts. */

static void describe(const replay_world *w, uint64_t seed, const char *what,
                     const char *more)
{
    static const char *const no_query = "";
    CHECK_FAIL("seed %llu: %s\n%s\n%s\n%s\nepsilon=%s delta=%s mechanism=%s\n%s",
               (unsigned long long)seed, what, w->queries[0],
               w->query_count > 1 ? w->queries[1] : no_query, w->policy,
               w->options.epsilon, w->options.delta == NULL ? "0" : w->options.delta,
               w->options.mechanism == NULL ? "" : w->options.mechanism, more);
}

/* The first line in which two texts differ. */
static void differ(const replay_view *a, const replay_view *b, char *text, size_t size)
{
    size_t start = 0, i = 0;
    while (i < a->bytes && i < b->bytes && a->text[i] == b->text[i]) {
        if (a->text[i] == '\n')
            start = i + 1;
        i++;
    }
    snprintf(text, size, "%.*s\n/\n%.*s", (int)strcspn(a->text + start, "\n"),
             a->text + start, (int)strcspn(b->text + start, "\n"), b->text + start);
}

bool replay_pair_check(const replay_pair *p, const replay_world *w, uint64_t seed)
{
    sc_recorder_verdict verdict;
    char text[2000];
    if (p->here.bytes != p->there.bytes ||
        memcmp(p->here.text, p->there.text, p->here.bytes) != 0) {
        differ(&p->here, &p->there, text, sizeof text);
        describe(w, seed, "what is seen differs", text);
        return false;
    }
    if (p->here.status != SCRIM_OK) {
        describe(w, seed, "the run failed", p->here.text);
        return false;
    }
    sc_recorder_compare(p->first, p->second, &verdict);
    if (!verdict.holds) {
        describe(w, seed, "the draws differ", verdict.text);
        return false;
    }
    check_true(true, "a pair", __FILE__, __LINE__);
    return true;
}

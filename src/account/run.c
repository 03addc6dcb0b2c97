#include "account/run.h"

#ifdef SCRIM_TESTING
#include "account/recorder.h"
#endif
#include "account/release.h"
#include "base/memory.h"
#include "random/private_pages.h"

#include <stdalign.h>
#include <string.h>

/* What the kernel wipes in a child. */
typedef struct secrets {
    uint64_t is_here; /* 1 in the process that opened the run, 0 in any other */
    alignas(16) unsigned char run[];
} secrets;

struct scrim_run {
    scrim_ledger *ledger;
    const scrim_measurement *m;
    secrets *secrets;
    sc_bits *bits;
    bool has_halted;
    scrim_cost cost;
    uint64_t entry;
    uint64_t asked;
    char *above; /* "3,11=-4": what the ledger is told, up to above_bytes */
    size_t above_bytes, above_capacity;
};

static size_t secrets_bytes(const scrim_measurement *m)
{
    return offsetof(secrets, run) + m->mechanism->run_bytes;
}

static void run_free(scrim_run *run)
{
    if (run == NULL)
        return;
    sc_private_pages_unmap(run->secrets, secrets_bytes(run->m));
    sc_release_bits_close(run->ledger, run->bits);
    sc_release(run->above);
    sc_release(run);
}

/* Opening. */

static scrim_status check_measurement(const scrim_measurement *m, scrim_error *error)
{
    if (m->mechanism->open == NULL)
        return sc_fail(error, SCRIM_E_PARAM,
                       "%s is not interactive; release it in one piece",
                       m->mechanism->entry.name);
    return sc_release_check(m, m->domain.count_min, error);
}

static scrim_status map_secrets(scrim_run *run, scrim_error *error)
{
    bool is_wiped = false;
    run->secrets = sc_private_pages_map(secrets_bytes(run->m), &is_wiped);
    if (run->secrets == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a run");
    if (!is_wiped)
        return sc_fail(error, SCRIM_E_POLICY,
                       "this system cannot wipe memory in a child process, so a fork "
                       "would copy the run; release the queries in one piece");
    return SCRIM_OK;
}

scrim_status scrim_run_open(scrim_ledger *ledger, const scrim_measurement *m,
                            scrim_run **out, scrim_error *error)
{
    scrim_status status = check_measurement(m, error);
    if (status != SCRIM_OK)
        return status;
    scrim_run *run = sc_allocate(1, sizeof *run);
    if (run == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a run");
    run->ledger = ledger;
    run->m = m;
    sc_cost_format(&m->cost, &run->cost);
    status = ledger->functions->admit_run(ledger, error);
    if (status == SCRIM_OK)
        status = map_secrets(run, error);
    if (status == SCRIM_OK)
        status = sc_release_bits_open(ledger, &run->bits, error);
    const sc_charge charge = {.line = m->text, .costs = &m->cost, .count = 1};
    if (status == SCRIM_OK)
        status = ledger->functions->charge(ledger, &charge, &run->entry, error);
    /* Charged: whatever fails from here on, it stays. */
    if (status == SCRIM_OK)
        status = m->mechanism->open(m, run->bits, run->secrets->run, error);
    if (status != SCRIM_OK) {
        run_free(run);
        return status;
    }
    run->secrets->is_here = 1;
    *out = run;
    return SCRIM_OK;
}

/* What the ledger is told. */

/* Of one answer: a comma, its number, an equals sign, a value and a terminator. */
#define ABOVE_BYTES ((size_t)1 + 20 + 1 + SC_INT128_BYTES)
#define LINE_BYTES 64

/* Room for one more answer, before there is one: that memory is short may depend on the
 * answers so far, but not on the next. */
static scrim_status make_room(scrim_run *run, scrim_error *error)
{
    if (run->above_capacity - run->above_bytes >= ABOVE_BYTES)
        return SCRIM_OK;
    size_t capacity = 2 * run->above_capacity + 4 * ABOVE_BYTES;
    char *above = sc_allocate(capacity, 1);
    if (above == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the answers of a run");
    if (run->above_bytes > 0)
        memcpy(above, run->above, run->above_bytes);
    sc_release(run->above);
    run->above = above;
    run->above_capacity = capacity;
    return SCRIM_OK;
}

static void note(scrim_run *run, sc_mark mark, sc_int128 value)
{
    char number[SC_INT128_BYTES];
    sc_text_sink sink;
    run->asked++;
    if (mark == SC_MARK_BELOW)
        return;
    sc_text_sink_init(&sink, run->above + run->above_bytes,
                      run->above_capacity - run->above_bytes);
    (void)sc_int128_format((sc_int128)run->asked, number);
    sc_text_put(&sink, sc_text_of(run->above_bytes > 0 ? "," : ""));
    sc_text_put(&sink, sc_text_of(number));
    if (mark == SC_MARK_ABOVE_VALUE) {
        (void)sc_int128_format(value, number);
        sc_text_put(&sink, sc_text_of("="));
        sc_text_put(&sink, sc_text_of(number));
    }
    run->above_bytes += strlen(run->above + run->above_bytes);
}

static scrim_status record(scrim_run *run, scrim_error *error)
{
    char number[SC_INT128_BYTES];
    size_t bytes = LINE_BYTES + run->above_bytes;
    char *line = sc_allocate(bytes, 1);
    if (line == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the answers of a run");
    sc_text_sink sink;
    sc_text_sink_init(&sink, line, bytes);
    (void)sc_int128_format((sc_int128)run->asked, number);
    sc_text_put(&sink, sc_text_of("asked="));
    sc_text_put(&sink, sc_text_of(number));
    sc_text_put(&sink, sc_text_of(" above="));
    sc_text_put(&sink, (sc_text){run->above, run->above_bytes});
    sc_text_put(&sink, sc_text_of(run->has_halted ? " halted" : ""));
    scrim_status status =
        run->ledger->functions->record(run->ledger, run->entry, line, error);
    sc_release(line);
    return status;
}

/* Asking. */

static bool is_here(const scrim_run *run)
{
    return run->secrets->is_here == 1;
}

static scrim_status check_state(const scrim_run *run, scrim_error *error)
{
    if (!is_here(run))
        return sc_fail(error, SCRIM_E_STATE,
                       "this run was opened in another process, and a copy answers "
                       "nothing; open one here, which is charged anew");
    if (run->has_halted)
        return sc_fail(error, SCRIM_E_STATE,
                       "this run has given all its answers; open another, which is "
                       "charged anew");
    return SCRIM_OK;
}

/* One query. In a test build a recorder may answer instead. */
static scrim_status ask(scrim_run *run, int64_t query, sc_mark *mark, sc_int128 *value,
                        bool *has_halted, scrim_error *error)
{
    const scrim_measurement *m = run->m;
#ifdef SCRIM_TESTING
    sc_recorder *recorder = run->ledger->recorder;
    const sc_input input = {.values = &query, .count = 1};
    const sc_recorder_site at = {m, SIZE_MAX, 1, &input};
    sc_draw draw = {.values = value, .marks = mark, .capacity = 1};
    bool is_answered = false;
    if (recorder != NULL) {
        scrim_status status =
            sc_recorder_replay(recorder, &at, &draw, &is_answered, error);
        *has_halted = draw.has_halted;
        if (status != SCRIM_OK || is_answered)
            return status;
    }
#endif
    scrim_status status = m->mechanism->ask(m, run->bits, run->secrets->run, query, mark,
                                            value, has_halted, error);
#ifdef SCRIM_TESTING
    draw.count = 1;
    draw.has_halted = *has_halted;
    if (status == SCRIM_OK && recorder != NULL)
        status = sc_recorder_keep(recorder, &at, &draw, error);
#endif
    return status;
}

scrim_status scrim_run_ask(scrim_run *run, int64_t query, scrim_run_answer *out,
                           scrim_error *error)
{
    const scrim_measurement *m = run->m;
    sc_mark mark = SC_MARK_BELOW;
    sc_int128 value = 0;
    bool has_halted = false;
    scrim_status status = check_state(run, error);
    if (status == SCRIM_OK)
        status = make_room(run, error);
    if (status == SCRIM_OK)
        status = ask(run, sc_domain_clamp(&m->domain, query), &mark, &value, &has_halted,
                     error);
    if (status != SCRIM_OK)
        return status;
    note(run, mark, value);
    run->has_halted = has_halted;
    if (has_halted) {
        sc_wipe(run->secrets->run, m->mechanism->run_bytes);
        status = record(run, error);
    }
    if (status == SCRIM_OK) {
        if (mark != SC_MARK_ABOVE_VALUE)
            value = 0;
        *out = (scrim_run_answer){
            .kind = (scrim_answer_kind)(mark + 1),
            .value = {.low = (uint64_t)value, .high = (int64_t)(value >> 64)},
            .has_halted = has_halted};
    }
    return status;
}

int scrim_run_has_halted(const scrim_run *run)
{
    return run->has_halted;
}

const scrim_cost *scrim_run_cost(const scrim_run *run)
{
    return &run->cost;
}

uint64_t scrim_run_entry(const scrim_run *run)
{
    return run->entry;
}

void scrim_run_close(scrim_run *run)
{
    if (run == NULL)
        return;
    /* A run that was asked nothing has released nothing; a child has nothing to tell. */
    if (is_here(run) && !run->has_halted && run->asked > 0)
        (void)record(run, NULL);
    run_free(run);
}

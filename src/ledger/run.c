#include "ledger/run.h"

#include "base/memory.h"
#include "base/reserve.h"
#include "ledger/draw.h"
#include "ledger/release.h"
#include "ledger/run_record.h"
#include "random/private_pages.h"

#include <pthread.h>
#include <stdalign.h>
#include <string.h>

/* Memory that the kernel wipes in a child. */
typedef struct secrets {
    uint64_t is_here; /* 1 in the process that opened the run, 0 in any other */
    alignas(16) unsigned char run[];
} secrets;

struct scrim_run {
    scrim_ledger *ledger;
    const scrim_measurement *m;
    secrets *secrets;
    sc_bits *bits;
    pthread_mutex_t
        lock; /* of all below: an answer is drawn and recorded before the next */
    _Atomic bool has_halted;
    bool has_failed; /* an answer could not be recorded, and none is given any more */
    bool is_whole;   /* the ledger has the line of all answers */
    scrim_cost cost;
    uint64_t entry;
    sc_run_record record; /* of the answers that the ledger holds */
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
    sc_run_record_clear(&run->record);
    pthread_mutex_destroy(&run->lock);
    sc_free(run);
}

/* Opening. */

/* Data are given exactly where the run keeps them. */
static scrim_status check_measurement(const scrim_measurement *m,
                                      const scrim_input *input, scrim_error *error)
{
    const char *name = m->mechanism->entry.name;
    if (m->mechanism->open == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "%s is not interactive; release it in one piece", name);
    if ((m->mechanism->pose != NULL) != (input != NULL))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "input",
                           input == NULL ? "%s needs its data when the run is opened"
                                         : "%s is asked about one value at a time; open "
                                           "the run without data",
                           name);
    if (input == NULL)
        return sc_release_check(m, m->domain.count_min, error);
    SC_TRY(sc_release_check_input(m, input, error));
    if (m->mechanism->answer_count(m, input->count) > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "coefficients",
                           "%s has its queries already; release it in one piece, or "
                           "leave out coefficients and workload",
                           name);
    return SCRIM_OK;
}

static scrim_status map_secrets(scrim_run *run, scrim_error *error)
{
    bool is_wiped = false;
    run->secrets = sc_private_pages_map(secrets_bytes(run->m), &is_wiped);
    if (run->secrets == NULL)
        return sc_no_memory(error, "a run");
    if (!is_wiped)
        return sc_fail(error, SCRIM_E_POLICY,
                       "this system cannot wipe memory in a child process, so a fork "
                       "would copy the run; release the queries in one piece");
    return SCRIM_OK;
}

/* After the charge: whatever fails from here on, it stays. The steps are of the input, or NULL. */
static scrim_status begin(scrim_run *run, const scrim_input *input, const int64_t *steps,
                          scrim_error *error)
{
    const scrim_measurement *m = run->m;
    const scrim_status status = sc_unanswered_fail(
        error, m->mechanism->open(m, run->bits, run->secrets->run, error), run->entry,
        false);
    if (status != SCRIM_OK)
        return status;
    if (input != NULL) {
        const sc_private_input held = {.values = steps, .count = input->count};
        m->mechanism->hold(m, &held, run->secrets->run);
    }
    run->secrets->is_here = 1;
    return SCRIM_OK;
}

/* Takes memory, pages and bits, and charges. */
static scrim_status charge_run(scrim_run *run, scrim_error *error)
{
    const sc_ledger_functions *f = run->ledger->functions;
    SC_TRY(f->admit_run(run->ledger, error));
    SC_TRY(map_secrets(run, error));
    SC_TRY(sc_release_bits_open(run->ledger, &run->bits, error));
    const sc_charge charge = {.line = run->m->text, .costs = &run->m->cost, .count = 1};
    return f->charge(run->ledger, &charge, &run->entry, error);
}

static scrim_status open_run(scrim_ledger *ledger, const scrim_measurement *m,
                             const scrim_input *input, const int64_t *steps,
                             scrim_run **out, scrim_error *error)
{
    scrim_run *run = sc_reserve_is_ready() ? sc_allocate(1, sizeof *run) : NULL;
    if (run == NULL || pthread_mutex_init(&run->lock, NULL) != 0) {
        sc_free(run);
        return sc_no_memory(error, "a run");
    }
    run->ledger = ledger;
    run->m = m;
    scrim_status status = charge_run(run, error);
    if (status == SCRIM_OK)
        status = sc_ledger_charged(ledger, &m->cost, &run->cost, error);
    if (status == SCRIM_OK)
        status = begin(run, input, steps, error);
    if (status != SCRIM_OK) {
        run_free(run);
        return status;
    }
    *out = run;
    return SCRIM_OK;
}

scrim_status scrim_run_open(scrim_ledger *ledger, const scrim_measurement *m,
                            scrim_run **out, scrim_error *error)
{
    SC_REQUIRE(error, "ledger measurement out", ledger, m, out);
    SC_TRY(check_measurement(m, NULL, error));
    return open_run(ledger, m, NULL, NULL, out, error);
}

scrim_status scrim_run_open_on(scrim_ledger *ledger, const scrim_measurement *m,
                               const scrim_input *input, scrim_run **out,
                               scrim_error *error)
{
    SC_REQUIRE(error, "ledger measurement input out", ledger, m, input, out);
    SC_TRY(check_measurement(m, input, error));
    int64_t *steps = sc_allocate(input->count, sizeof *steps);
    if (steps == NULL)
        return sc_no_memory(error, "a run");
    sc_release_bring(m, input, steps);
    const scrim_status status = open_run(ledger, m, input, steps, out, error);
    sc_free_wiped(steps, input->count * sizeof *steps);
    return status;
}

/* Reports to the ledger. */

/* Room for one more answer, before there is one: that memory is short may depend on the
 * answers so far, but not on the next. */
static scrim_status make_room(scrim_run *run, scrim_error *error)
{
    if (sc_run_record_reserve(&run->record))
        return SCRIM_OK;
    return sc_no_memory(error, "the answers of a run");
}

/* One answer, durably. When that fails, whether the ledger holds it is not known: the run ends. */
static scrim_status record_piece(scrim_run *run, const sc_run_piece *piece,
                                 scrim_error *error)
{
    char text[SC_RUN_PIECE_BYTES];
    sc_run_piece_format(piece, text);
    scrim_status status = run->ledger->functions->record_piece(
        run->ledger, run->entry, run->record.asked + 1, text, error);
    if (status == SCRIM_OK)
        sc_run_record_add(&run->record, piece);
    else
        run->has_failed = true;
    return status;
}

/* All of them in one line, once. Each is on record already: where this fails, closing tries again,
 * and a ledger without it still has every answer. */
static void record_all(scrim_run *run)
{
    char *line = run->is_whole ? NULL : sc_run_record_line(&run->record);
    if (line == NULL)
        return;
    run->is_whole =
        run->ledger->functions->record(run->ledger, run->entry, line, NULL) == SCRIM_OK;
    sc_free(line);
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
    if (run->has_failed)
        return sc_fail(error, SCRIM_E_STATE,
                       "this run could not record an answer, and gives no more; open "
                       "another, which is charged anew");
    return SCRIM_OK;
}

/* Draws an answer and records it. The answer of a model follows from the query and from what is
 * recorded, and is not recorded itself. */
static scrim_status ask_and_record(scrim_run *run, int64_t query, sc_run_piece *piece,
                                   scrim_error *error)
{
    scrim_status status = sc_gate_ask(run->ledger, run->m, run->bits, run->secrets->run,
                                      query, piece, error);
    if (status != SCRIM_OK)
        return status;
    if (piece->mark != SC_MARK_ABOVE_VALUE && run->m->mechanism->pose == NULL)
        piece->value = 0;
    run->has_halted = piece->has_halted;
    if (run->has_halted)
        sc_wipe(run->secrets->run, run->m->mechanism->run_bytes);
    status = record_piece(run, piece, error);
    if (status == SCRIM_OK && run->has_halted)
        record_all(run);
    return status;
}

/* A query as it was asked: a number, or the text of one that is public. */
typedef struct asked {
    int64_t number;
    const char *text;
} asked;

static scrim_status read_query(scrim_run *run, const asked *what, int64_t *out,
                               scrim_error *error)
{
    const scrim_measurement *m = run->m;
    if (m->mechanism->pose == NULL) {
        *out = what->text == NULL ? sc_domain_clamp(&m->domain, what->number)
                                  : sc_domain_of_text(&m->domain, sc_text_of(what->text));
        return SCRIM_OK;
    }
    if (what->text == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "query",
                           "%s takes queries as texts", m->mechanism->entry.name);
    return m->mechanism->pose(m, sc_text_of(what->text), run->secrets->run, out, error);
}

/* By one thread at a time. A query that cannot be read changes nothing. */
static scrim_status ask_alone(scrim_run *run, const asked *what, sc_run_piece *piece,
                              scrim_error *error)
{
    int64_t query = 0;
    SC_TRY(check_state(run, error));
    SC_TRY(read_query(run, what, &query, error));
    const uint64_t number = run->record.asked + 1;
    scrim_status status = make_room(run, error);
    if (status == SCRIM_OK)
        status = ask_and_record(run, query, piece, error);
    return sc_unanswered_query_fail(error, status, run->entry, number);
}

static scrim_status ask(scrim_run *run, const asked *what, scrim_run_answer *out,
                        scrim_error *error)
{
    sc_run_piece piece = {.mark = SC_MARK_BELOW};
    if (!is_here(run)) /* a child may have a copy of a lock that is held */
        return check_state(run, error);
    pthread_mutex_lock(&run->lock);
    const scrim_status status = ask_alone(run, what, &piece, error);
    pthread_mutex_unlock(&run->lock);
    if (status != SCRIM_OK)
        return status;
    *out = (scrim_run_answer){
        .kind = (scrim_answer_kind)(piece.mark + 1),
        .value = {.low = (uint64_t)piece.value, .high = (int64_t)(piece.value >> 64)},
        .has_halted = piece.has_halted};
    return SCRIM_OK;
}

scrim_status scrim_run_ask(scrim_run *run, int64_t query, scrim_run_answer *out,
                           scrim_error *error)
{
    SC_REQUIRE(error, "run out", run, out);
    return ask(run, &(asked){.number = query}, out, error);
}

scrim_status scrim_run_ask_text(scrim_run *run, const char *query, scrim_run_answer *out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "run query out", run, query, out);
    return ask(run, &(asked){.text = query == NULL ? "" : query}, out, error);
}

void scrim_run_value(const scrim_run *run, const scrim_run_answer *answer,
                     char text[SCRIM_ANSWER_BYTES])
{
    text[0] = '\0';
    if (answer->kind != SCRIM_ANSWER_ABOVE_VALUE && run->m->mechanism->pose == NULL)
        return;
    SC_OWN(sc_ratio, value, step);
    sc_ratio_set_int128(&value,
                        (sc_int128)(((sc_uint128)(uint64_t)answer->value.high << 64) |
                                    answer->value.low));
    sc_grid_step(&run->m->domain.grid, &step);
    sc_ratio_mul(&value, &value, &step);
    (void)sc_ratio_format(&value, text, SCRIM_ANSWER_BYTES);
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
    if (is_here(run) && run->record.asked > 0)
        record_all(run);
    run_free(run);
}

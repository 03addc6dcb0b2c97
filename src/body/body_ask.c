/* A body from its plan to the recorded release, in the order of query/answer/ask.c: known already; the source as it was
 * declared; charged whole, or the charge joined; read; drawn direction by direction; recorded; shown.
 */
#include "base/cancel.h"
#include "body/body_record.h"
#include "body/body_rows.h"
#include "data/table/table.h"
#include "ledger/release.h"
#include "ledger/unanswered.h"
#include "query/answer/ask.h"
#include "query/answer/quantum.h"
#include "query/rows/memory_room.h"
#include "scrim/report.h"
#include "vault/policy.h"
#include "vault/source_key.h"

#include <inttypes.h>
#include <string.h>

/* Directions that are projected at a time: pairs that mirror one another share their sums. Their keys are in memory. */
#define AT_ONCE 4
/* What a deep point takes for a row: values twice, its places along a direction, and runs of them. */
#define DEPTH_NUMBERS(columns) (2 * (columns) + 3)

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a body");
}

/* What was released before. */

int scrim_body_is_measurement(const char *measurement)
{
    static const char body[] = "floating-body ", point[] = "deep-point ";
    return strncmp(measurement, body, sizeof body - 1) == 0 ||
           strncmp(measurement, point, sizeof point - 1) == 0;
}

static scrim_status want_body(const scrim_vault_release *release, scrim_error *error)
{
    return scrim_body_is_measurement(release->measurement)
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                             "release %" PRIu64 " has no floating body", release->id);
}

/* The text of the file up to its label; freed by sc_free. NULL without memory. */
static char *shown_text(const sc_body *body, size_t *bytes)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    sc_body_write_shown(body, &sink);
    *bytes = sink.length;
    char *text = sc_allocate(*bytes + 1, 1);
    if (text != NULL) {
        sc_text_sink_init(&sink, text, *bytes + 1);
        sc_body_write_shown(body, &sink);
    }
    return text;
}

/* Gives the file of a body its label, signed by the vault's key. */
static scrim_status sign(scrim_vault *vault, uint64_t id, sc_body *body,
                         scrim_error *error)
{
    scrim_file_digest *digest = NULL;
    scrim_label *label = NULL;
    size_t bytes = 0;
    char *text = shown_text(body, &bytes);
    scrim_status status =
        text == NULL ? no_memory(error) : scrim_file_digest_new(&digest, error);
    if (status == SCRIM_OK) {
        scrim_file_digest_add(digest, text, bytes);
        status = scrim_label_new_file(vault, id, "body", digest, &label, error);
    }
    if (status == SCRIM_OK)
        status = sc_body_set_file_label(body, scrim_label_text(label), error);
    scrim_label_free(label);
    scrim_file_digest_free(digest);
    sc_free(text);
    return status;
}

static scrim_status show_again(scrim_vault *vault, uint64_t id, bool is_repeated,
                               scrim_body_release **out, scrim_error *error)
{
    char *text = NULL;
    uint64_t time = 0;
    scrim_body_release *made = NULL;
    scrim_status status = sc_ask_recorded(vault, id, want_body, &text, &time, error);
    if (status == SCRIM_OK)
        status = sc_body_record_read(text, id, time, is_repeated, &made, error);
    if (status == SCRIM_OK && made->body != NULL)
        status = sign(vault, id, made->body, error);
    if (status == SCRIM_OK)
        *out = made;
    else
        scrim_body_release_free(made);
    if (status == SCRIM_E_CHECK)
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "release %" PRIu64
                         " is recorded in a form that this version cannot read",
                         id);
    sc_free(text);
    return status;
}

scrim_status scrim_body_replay(scrim_vault *vault, uint64_t id, scrim_body_release **out,
                               scrim_error *error)
{
    return show_again(vault, id, true, out, error);
}

scrim_status scrim_body_fit_describe(scrim_vault *vault, const scrim_body_fit *f,
                                     scrim_body_fit_facts *out, scrim_error *error)
{
    uint64_t known = 0;
    sc_allowance *allowance = NULL;
    scrim_status status = sc_body_fit_allowance(f, &allowance, error);
    if (status == SCRIM_OK && f->is_once)
        status = scrim_vault_find(vault, f->dataset.name, f->question, &known, error);
    if (status == SCRIM_OK) {
        const int64_t d = (int64_t)f->count;
        SC_OWN(sc_ratio, least, all);
        sc_ratio_set_int64(&least, d);
        sc_ratio_set_int64(&all, d + 1);
        sc_ratio_div(&least, &least, &all);
        *out = (scrim_body_fit_facts){
            .dataset = f->dataset.name,
            .directions = sc_direction_kinds[f->kind],
            .composition = f->budget.is_concentrated ? "concentrated" : "pure",
            .epsilon_each = f->epsilon_each,
            .rank_error = f->rank_error,
            .dimension = f->count,
            .direction_count = f->directions.count,
            .max_rows = f->max_rows,
            .is_point = f->is_depth,
            .may_be_empty = !f->is_depth && sc_ratio_compare(&f->q, &least) <= 0,
            .is_known = known != 0};
        sc_cost_format(sc_allowance_cost(allowance), &out->cost);
    }
    sc_allowance_free(allowance);
    return status;
}

/* What is asked anew. */

typedef struct asking {
    scrim_vault *vault;
    const scrim_body_fit *fit;
    sc_policy policy;
    sc_source_key contents_key;
    bool is_changed; /* the source is not that of its version */
    scrim_ledger *ledger;
    sc_bits_key key; /* of all randomness of the release */
    sc_body_rows rows;
    sc_allowance *allowance;
    sc_passage *passage;
    sc_quantum quantum;
    size_t room_bytes;
    uint64_t *released; /* by direction, or by column of a point */
    sc_cancel cancel;
    char *record;
} asking;

/* Progress: half of it is reading, half are the directions. How much there is to read is not told. */

#define SHARES 1000

static void tell(const asking *a, uint64_t before, uint64_t done, uint64_t total)
{
    const scrim_body_fit_options *options = &a->fit->options;
    if (total > 0 && options->progress != NULL && !a->policy.has_quantum)
        options->progress(options->context,
                          before + (uint64_t)((sc_uint128)done * (SHARES / 2) / total),
                          SHARES);
}

static void tell_pass(void *context, uint64_t done, uint64_t total)
{
    tell(context, 0, done, total);
}

static void tell_drawing(void *context, uint64_t done, uint64_t total)
{
    tell(context, SHARES / 2, done, total);
}

static int ask_cancelled(void *context)
{
    return sc_cancel_asks(&((asking *)context)->cancel);
}

/* The source, before the charge; or again, with the key of a charge that was joined. */
static scrim_status open_all(asking *a, scrim_error *error)
{
    const scrim_body_fit *f = a->fit;
    const sc_pass_options options = {
        .workers = f->options.workers,
        .memory_bytes = f->options.memory_bytes,
        .contents = a->policy.has_contents ? &a->policy.contents : NULL,
        .contents_key = &a->contents_key,
        .is_changed = &a->is_changed,
        .frame = sc_frame_with_rows(&f->frame),
        .progress = tell_pass,
        .is_cancelled = f->options.is_cancelled == NULL ? NULL : ask_cancelled,
        .context = a};
    sc_bits *bits = NULL;
    sc_body_rows_close(&a->rows);
    scrim_status status =
        sc_release_keyed_open(a->ledger, &a->key, SC_BITS_HASHES, &bits, error);
    if (status == SCRIM_OK)
        status = sc_body_rows_open(&a->rows, f, &options, bits, error);
    sc_release_keyed_close(a->ledger, bits);
    return status;
}

static size_t at_once(const scrim_body_fit *f)
{
    return f->directions.count < AT_ONCE ? f->directions.count : AT_ONCE;
}

/* What rows and the keys of some directions take at most, by what is public. */
static scrim_status have_room(asking *a, scrim_error *error)
{
    const scrim_body_fit *f = a->fit;
    const size_t each =
        (f->is_depth ? DEPTH_NUMBERS(f->count) : at_once(f)) * sizeof(int64_t);
    size_t bytes;
    if (!sc_body_rows_room(&a->rows, each, &bytes))
        return no_memory(error);
    a->room_bytes = bytes;
    if (!sc_memory_room_is_there(bytes))
        return no_memory(error);
    if (!a->policy.has_quantum)
        return SCRIM_OK;
    return sc_memory_room_touch(bytes) ? SCRIM_OK : no_memory(error);
}

/* After the charge: whatever fails from here on, it stays. */

typedef struct buffers {
    int64_t *keys[AT_ONCE];
    size_t count; /* of rows */
} buffers;

static bool buffers_init(buffers *b, size_t used, size_t rows)
{
    bool is_done = true;
    *b = (buffers){.count = rows};
    for (size_t i = 0; i < used; i++) {
        b->keys[i] = sc_allocate(rows > 0 ? rows : 1, sizeof *b->keys[i]);
        is_done = is_done && b->keys[i] != NULL;
    }
    return is_done;
}

static void buffers_clear(buffers *b)
{
    for (size_t i = 0; i < AT_ONCE; i++)
        sc_free_wiped(b->keys[i], b->count * sizeof *b->keys[i]);
}

static scrim_status draw_one(asking *a, const int64_t *values, size_t count,
                             uint64_t *released, size_t wanted, scrim_error *error)
{
    sc_int128 drawn[2];
    sc_mark marks[2];
    const sc_private_input input = {.values = values,
                                    .count = count,
                                    .progress = a->fit->is_depth ? tell_drawing : NULL,
                                    .context = a};
    sc_draw out = {.values = drawn, .marks = marks, .capacity = 2};
    scrim_status status = sc_cancel_check(&a->cancel, error);
    if (status == SCRIM_OK)
        status =
            sc_passage_draw_within(a->passage, a->fit->measurement, &input, &out, error);
    if (status != SCRIM_OK)
        return status;
    if (out.count != wanted)
        return sc_fail(error, SCRIM_E_INTERNAL, "a body has another number of answers");
    for (size_t i = 0; i < wanted; i++)
        released[i] = drawn[i] < 0 ? 0 : (uint64_t)drawn[i];
    return SCRIM_OK;
}

static unsigned worker_count(const asking *a)
{
    const unsigned asked = a->fit->options.workers;
    return asked > 0 ? asked : sc_table_workers();
}

static scrim_status draw_some(asking *a, buffers *b, size_t first, size_t count,
                              scrim_error *error)
{
    size_t which[AT_ONCE];
    for (size_t i = 0; i < count; i++)
        which[i] = first + i;
    const sc_direction_task task = {.rows = sc_body_rows_all(&a->rows),
                                    .which = which,
                                    .which_count = count,
                                    .keys = b->keys,
                                    .workers = worker_count(a)};
    scrim_status status = sc_cancel_check(&a->cancel, error);
    if (status == SCRIM_OK)
        status = sc_direction_keys_run(&a->fit->keys, &task, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = draw_one(a, b->keys[i], b->count, &a->released[first + i], 1, error);
    return status;
}

static scrim_status draw_directions(asking *a, scrim_error *error)
{
    const size_t directions = a->fit->directions.count, used = at_once(a->fit);
    buffers b;
    scrim_status status =
        buffers_init(&b, used, sc_direction_rows_count(sc_body_rows_all(&a->rows)))
            ? SCRIM_OK
            : no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < directions; i += used) {
        const size_t rest = directions - i, count = rest < used ? rest : used;
        status = draw_some(a, &b, i, count, error);
        tell(a, SHARES / 2, i + count, directions);
    }
    buffers_clear(&b);
    return status;
}

static scrim_status draw_point(asking *a, scrim_error *error)
{
    const size_t columns = a->fit->count,
                 count = sc_direction_rows_count(sc_body_rows_all(&a->rows)) * columns;
    int64_t *values = sc_body_rows_values(&a->rows);
    const scrim_status status =
        values != NULL ? draw_one(a, values, count, a->released, columns, error)
                       : no_memory(error);
    sc_free_wiped(values, count * sizeof *values);
    tell(a, SHARES / 2, 1, 1);
    return status;
}

static scrim_status draw(asking *a, scrim_error *error)
{
    return a->fit->is_depth ? draw_point(a, error) : draw_directions(a, error);
}

static scrim_status answer(asking *a, scrim_error *error)
{
    scrim_status status = sc_body_rows_read(&a->rows, error);
    if (status == SCRIM_OK)
        status = draw(a, error);
    sc_body_rows_close(&a->rows);
    if (status == SCRIM_OK &&
        (a->record = sc_body_record_write(a->fit, a->released)) == NULL)
        status = no_memory(error);
    if (a->policy.has_quantum)
        sc_memory_room_level(a->room_bytes);
    sc_quantum_wait(&a->quantum);
    if (status == SCRIM_OK)
        status = sc_passage_record(a->passage, a->record, error);
    if (a->is_changed)
        status = sc_planned_dataset_close(a->vault, &a->fit->dataset, status, error);
    return status;
}

static scrim_status finish(asking *a, scrim_error *error)
{
    const bool is_joined = sc_passage_standing(a->passage) == SC_ONCE_JOINED;
    scrim_status status = is_joined ? open_all(a, error) : SCRIM_OK;
    if (status == SCRIM_OK)
        status = answer(a, error);
    return sc_unanswered_fail(error, status, sc_passage_entry(a->passage),
                              a->fit->is_once);
}

static scrim_status prepare(asking *a, scrim_error *error)
{
    scrim_status status = sc_bits_key_draw(&a->key, error);
    if (status == SCRIM_OK)
        status = sc_body_fit_allowance(a->fit, &a->allowance, error);
    if (status == SCRIM_OK)
        status = open_all(a, error);
    if (status == SCRIM_OK)
        status = have_room(a, error);
    if (status != SCRIM_OK)
        return status;
    a->released =
        sc_allocate(a->fit->directions.count + a->fit->count, sizeof *a->released);
    return a->released == NULL ? no_memory(error) : SCRIM_OK;
}

static scrim_status ask_anew(asking *a, scrim_body_release **out, scrim_error *error)
{
    scrim_status status = prepare(a, error);
    if (status == SCRIM_OK)
        status = sc_passage_open_within(a->ledger, a->fit->question, a->allowance,
                                        &a->key, a->fit->is_once, &a->passage, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_charged = sc_passage_standing(a->passage) == SC_ONCE_CHARGED;
    if (sc_passage_standing(a->passage) != SC_ONCE_ANSWERED)
        status = finish(a, error);
    if (status != SCRIM_OK)
        return status;
    const uint64_t id = sc_passage_entry(a->passage);
    return sc_answered_fail(error, show_again(a->vault, id, !is_charged, out, error), id);
}

static void leave(asking *a)
{
    sc_body_rows_close(&a->rows);
    sc_passage_close(a->passage);
    sc_allowance_free(a->allowance);
    sc_wipe(&a->key, sizeof a->key);
    scrim_ledger_free(a->ledger);
    sc_free(a->released);
    sc_free(a->record);
    sc_policy_clear(&a->policy);
    sc_wipe(&a->contents_key, sizeof a->contents_key);
}

scrim_status scrim_body_fit_run(scrim_vault *vault, const scrim_body_fit *f,
                                scrim_body_release **out, scrim_error *error)
{
    asking a = {.vault = vault,
                .fit = f,
                .cancel = {.is_cancelled = f->options.is_cancelled,
                           .context = f->options.context}};
    uint64_t known = 0;
    sc_policy_init(&a.policy);
    const sc_quantum begun = sc_quantum_start(0);
    scrim_status status =
        sc_policy_parse(sc_text_of(f->dataset.policy), &a.policy, error);
    a.quantum = (sc_quantum){begun.start_ns, sc_policy_quantum_ns(&a.policy)};
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, f->dataset.name, &a.ledger, error);
    if (status == SCRIM_OK)
        status = sc_planned_dataset_check(vault, &f->dataset, "the body", &a.contents_key,
                                          error);
    if (status == SCRIM_OK && f->is_once)
        status = scrim_vault_find(vault, f->dataset.name, f->question, &known, error);
    if (status == SCRIM_OK)
        status = known != 0 ? show_again(vault, known, true, out, error)
                            : ask_anew(&a, out, error);
    leave(&a);
    return status;
}

#include "body/body_ask.h"

#include "body/body_record.h"
#include "data/value/unit_word.h"
#include "query/answer/charged.h"
#include "query/rows/group_cells.h"
#include "scrim/report.h"

#include <inttypes.h>

/* Which value of a group is that of a column. */
static size_t value_of(const scrim_body_fit *f, size_t column)
{
    return f->statistics.list[f->statistics.uses[column].quantiles].value;
}

static scrim_status keep(void *keeper, unsigned worker, const sc_cell_plan *plan,
                         const sc_unit_row *row, scrim_error *error)
{
    sc_body_rows *r = keeper;
    int64_t coordinates[SC_DIRECTION_DIMENSIONS];
    for (size_t j = 0; j < r->fit->count; j++)
        coordinates[j] = sc_body_fit_coordinate(
            r->fit, j,
            sc_cell_value_of(&plan->values[value_of(r->fit, j)], row->content));
    const scrim_status status = sc_direction_rows_add(
        &r->kept[worker], coordinates, r->fit->extents, row->copies, error);
    sc_wipe(coordinates, r->fit->count * sizeof *coordinates);
    return status;
}

scrim_status sc_body_rows_open(sc_body_rows *r, const scrim_body_fit *f,
                               const sc_pass_options *options, sc_bits *bits,
                               scrim_error *error)
{
    r->fit = f;
    r->statement = (sc_pass_statement){.query = f->query,
                                       .statistics = &f->statistics,
                                       .bounds = {1, f->max_rows, 0},
                                       .keep = keep,
                                       .keeper = r};
    const scrim_status status =
        sc_pass_open(f->schema, &r->statement, 1, options, bits, &r->pass, error);
    if (status != SCRIM_OK)
        return status;
    r->workers = sc_pass_workers(r->pass);
    r->kept = sc_allocate(r->workers, sizeof *r->kept);
    if (r->kept == NULL)
        return sc_no_memory(error, "the rows of a body");
    for (unsigned i = 0; i < r->workers; i++)
        r->kept[i].dimension = f->count;
    return SCRIM_OK;
}

void sc_body_rows_close(sc_body_rows *r)
{
    for (unsigned i = 0; r->kept != NULL && i < r->workers; i++)
        sc_direction_rows_clear(&r->kept[i]);
    sc_free(r->kept);
    sc_pass_close(r->pass);
    *r = (sc_body_rows){.pass = NULL};
}

/* The source has most_full_rows rows with all values, or most_rows rows if some values are missing. A row with a missing value is
 * not stored, but has a key. The larger of both sums counts. Each worker has one block that is not full. */
bool sc_body_rows_room(const sc_body_rows *r, size_t each, size_t *bytes)
{
    const size_t full = sc_pass_most_full_rows(r->pass), any = sc_pass_most_rows(r->pass),
                 d = r->fit->count;
    size_t more, all,
        stored = sc_direction_rows_bytes(d, full + r->workers * SC_DIRECTION_BLOCK);
    if (!sc_size_mul(full, each, &more) || !sc_size_add(stored, more, &stored) ||
        !sc_size_mul(any, each, &all))
        return false;
    return sc_size_add(stored > all ? stored : all, sc_pass_room_bytes(r->pass), bytes);
}

/* Reads all rows, and closes the source. Where the number of rows is public and 0 there is one, at the lower end of each
 * direction. As sc_pass_run. */
static scrim_status body_rows_read(sc_body_rows *r, scrim_error *error)
{
    scrim_status status = sc_pass_run(r->pass, error);
    for (unsigned i = 1; status == SCRIM_OK && i < r->workers; i++)
        status = sc_direction_rows_join(&r->kept[0], &r->kept[i], error);
    sc_pass_close(r->pass);
    r->pass = NULL;
    if (status == SCRIM_OK && sc_direction_rows_count(&r->kept[0]) == 0 &&
        r->fit->schema->neighbours == SCRIM_REPLACE)
        r->kept[0].missing = 1;
    return status;
}

/* All rows, after reading. */
static const sc_direction_rows *body_rows_all(const sc_body_rows *r)
{
    return &r->kept[0];
}

/* Their values row by row, missing rows at the end; freed by sc_free_wiped. NULL without memory. */
static int64_t *body_rows_values(const sc_body_rows *r)
{
    const sc_direction_rows *all = body_rows_all(r);
    const size_t d = all->dimension, count = sc_direction_rows_count(all) * d;
    int64_t *out = sc_allocate(count > 0 ? count : 1, sizeof *out), *at = out;
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < all->block_count; i++)
        for (size_t k = 0; k < all->blocks[i].count; k++)
            for (size_t j = 0; j < d; j++)
                *at++ = all->blocks[i].columns[j * SC_DIRECTION_BLOCK + k];
    while (at < out + count)
        *at++ = SC_DIRECTION_MISSING;
    return out;
}

/* Floating bodies and deep points as charged releases (query/answer/charged.h). */

/* Directions that are projected at a time: pairs that mirror one another share their sums. Only their keys are in memory. */
#define AT_ONCE 4
/* Numbers that a deep point keeps for each row: its values twice, its places along a direction, and runs of them. */
#define DEPTH_NUMBERS(columns) (2 * (columns) + 3)

/* Records. */

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
    scrim_status status = text == NULL ? sc_no_memory(error, "a body")
                                       : scrim_file_digest_new(&digest, error);
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

/* A release under way; only `out` is used to show one again. */
typedef struct asking {
    const scrim_body_fit *fit;
    sc_body_rows rows;
    uint64_t *released; /* by direction, or by column of a point */
    scrim_body_release **out;
} asking;

static scrim_status show(void *context, const sc_recorded *r, scrim_error *error)
{
    const asking *a = context;
    scrim_body_release *made = NULL;
    scrim_status status =
        sc_body_record_read(r->text, r->id, r->time, r->is_repeated, &made, error);
    if (status == SCRIM_OK && made->body != NULL)
        status = sign(r->vault, r->id, made->body, error);
    if (status == SCRIM_OK)
        *a->out = made;
    else
        scrim_body_release_free(made);
    return status;
}

scrim_status scrim_body_fit_describe(scrim_vault *vault, const scrim_body_fit *f,
                                     scrim_body_fit_facts *out, scrim_error *error)
{
    SC_REQUIRE(error, "fit out", f, out);
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
            .unit_word = sc_unit_word(f->schema->unit, false),
            .is_point = f->is_depth,
            .may_be_empty = !f->is_depth && sc_ratio_compare(&f->q, &least) <= 0,
            .is_known = known != 0};
        sc_cost_format(sc_allowance_cost(allowance), &out->cost);
    }
    sc_allowance_free(allowance);
    return status;
}

/* Before the charge. */

static scrim_status prepare(sc_charged *c, scrim_error *error)
{
    const asking *a = c->context;
    return sc_body_fit_allowance(a->fit, &c->allowance, error);
}

static size_t at_once(const scrim_body_fit *f)
{
    return f->directions.count < AT_ONCE ? f->directions.count : AT_ONCE;
}

/* The room is for the pass, for all rows that the source can have, and for the keys of some directions. */
static scrim_status open_rows(sc_charged *c, const sc_pass_options *options,
                              sc_bits *bits, sc_charged_room *room, scrim_error *error)
{
    asking *a = c->context;
    const scrim_body_fit *f = a->fit;
    const size_t each =
        (f->is_depth ? DEPTH_NUMBERS(f->count) : at_once(f)) * sizeof(int64_t);
    a->released = sc_allocate(f->directions.count + f->count, sizeof *a->released);
    if (a->released == NULL)
        return sc_no_memory(error, "a body");
    SC_TRY(sc_body_rows_open(&a->rows, f, options, bits, error));
    room->threads = a->rows.workers - 1;
    return sc_body_rows_room(&a->rows, each, &room->bytes)
               ? SCRIM_OK
               : sc_no_memory(error, "a body");
}

/* After the charge. */

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

static scrim_status draw_one(sc_charged *c, const int64_t *values, size_t count,
                             uint64_t *released, size_t wanted, scrim_error *error)
{
    const asking *a = c->context;
    sc_int128 drawn[2];
    sc_mark marks[2];
    const sc_private_input input = {.values = values,
                                    .count = count,
                                    .progress = a->fit->is_depth ? sc_charged_tell : NULL,
                                    .context = c};
    sc_draw out = {.values = drawn, .marks = marks, .capacity = 2};
    SC_TRY(sc_cancel_check(&c->cancel, error));
    SC_TRY(sc_passage_draw_within(c->passage, a->fit->measurement, &input, &out, error));
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

static scrim_status draw_some(sc_charged *c, buffers *b, size_t first, size_t count,
                              scrim_error *error)
{
    const asking *a = c->context;
    size_t which[AT_ONCE];
    for (size_t i = 0; i < count; i++)
        which[i] = first + i;
    const sc_direction_task task = {.rows = body_rows_all(&a->rows),
                                    .which = which,
                                    .which_count = count,
                                    .keys = b->keys,
                                    .workers = worker_count(a)};
    SC_TRY(sc_cancel_check(&c->cancel, error));
    SC_TRY(sc_direction_keys_run(&a->fit->keys, &task, error));
    for (size_t i = 0; i < count; i++)
        SC_TRY(draw_one(c, b->keys[i], b->count, &a->released[first + i], 1, error));
    return SCRIM_OK;
}

static scrim_status draw_directions(sc_charged *c, scrim_error *error)
{
    const asking *a = c->context;
    const size_t directions = a->fit->directions.count, used = at_once(a->fit);
    buffers b;
    scrim_status status =
        buffers_init(&b, used, sc_direction_rows_count(body_rows_all(&a->rows)))
            ? SCRIM_OK
            : sc_no_memory(error, "a body");
    for (size_t i = 0; status == SCRIM_OK && i < directions; i += used) {
        const size_t rest = directions - i, count = rest < used ? rest : used;
        status = draw_some(c, &b, i, count, error);
        sc_charged_tell(c, i + count, directions);
    }
    buffers_clear(&b);
    return status;
}

static scrim_status draw_point(sc_charged *c, scrim_error *error)
{
    const asking *a = c->context;
    const size_t columns = a->fit->count,
                 count = sc_direction_rows_count(body_rows_all(&a->rows)) * columns;
    int64_t *values = body_rows_values(&a->rows);
    const scrim_status status =
        values != NULL ? draw_one(c, values, count, a->released, columns, error)
                       : sc_no_memory(error, "a body");
    sc_free_wiped(values, count * sizeof *values);
    sc_charged_tell(c, 1, 1);
    return status;
}

static scrim_status read_rows(sc_charged *c, scrim_error *error)
{
    return body_rows_read(&((asking *)c->context)->rows, error);
}

static scrim_status draw_record(sc_charged *c, char **record, scrim_error *error)
{
    const asking *a = c->context;
    SC_TRY(a->fit->is_depth ? draw_point(c, error) : draw_directions(c, error));
    *record = sc_body_record_write(a->fit, a->released);
    return SCRIM_OK;
}

static void wipe_rows(sc_charged *c)
{
    asking *a = c->context;
    sc_body_rows_close(&a->rows);
    sc_free(a->released);
    a->released = NULL;
}

static scrim_status refuse(uint64_t release, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                       "release %" PRIu64 " has no floating body", release);
}

static const sc_charged_kind kind = {.words = {"floating-body ", "deep-point "},
                                     .planned = "the body",
                                     .released = "a body",
                                     .refuse = refuse,
                                     .prepare = prepare,
                                     .open_rows = open_rows,
                                     .read_rows = read_rows,
                                     .draw_record = draw_record,
                                     .wipe_rows = wipe_rows,
                                     .show = show};

int scrim_body_is_measurement(const char *measurement)
{
    return sc_charged_is(&kind, sc_text_of(measurement));
}

scrim_status scrim_body_fit_run(scrim_vault *vault, const scrim_body_fit *f,
                                scrim_body_release **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault fit out", vault, f, out);
    const scrim_body_fit_options *options = &f->options;
    asking a = {.fit = f, .out = out};
    sc_charged charged = {
        .kind = &kind,
        .context = &a,
        .vault = vault,
        .dataset = &f->dataset,
        .question = f->question,
        .is_once = f->is_once,
        .rows = {.workers = options->workers,
                 .memory_bytes = options->memory_bytes,
                 .frame = sc_frame_with_rows(&f->frame)},
        .progress = options->progress,
        .progress_context = options->context,
        .read_work = SC_CHARGED_WORK / 2,
        .cancel = {.is_cancelled = options->is_cancelled, .context = options->context}};
    return sc_charged_run(&charged, error);
}

scrim_status scrim_body_replay(scrim_vault *vault, uint64_t id, scrim_body_release **out,
                               scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    asking a = {.out = out};
    return sc_charged_replay(&kind, &a, vault, id, error);
}

#include "body/body_record.h"

#include "base/number/ball_double.h"
#include "base/number/ratio.h"
#include "base/text_copy.h"
#include "model/domain.h"

#include <string.h>

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_number(sc_text_sink *sink, const char *before, uint64_t number)
{
    char text[SC_INT128_BYTES];
    (void)sc_int128_format((sc_int128)number, text);
    put(sink, before);
    put(sink, text);
}

/* The body of a plan. */

static void low_of(const sc_column *column, int64_t steps, sc_ratio *out)
{
    SC_OWN(sc_ratio, step);
    sc_grid_step(&column->grid, &step);
    sc_ratio_set_int64(out, steps);
    sc_ratio_mul(out, out, &step);
}

static scrim_status set_column(const scrim_body_fit *f, sc_body *b, size_t i,
                               scrim_error *error)
{
    const sc_column *column = f->columns[i];
    sc_body_column *c = &b->columns[i];
    char name[SC_COLUMN_NAME_BYTES + 1];
    sc_text_sink sink;
    sc_text_sink_init(&sink, name, sizeof name);
    sc_text_put(&sink, column->name);
    low_of(column, column->grid.low, &c->low);
    low_of(column, column->grid.high, &c->high);
    sc_grid_step(&column->grid, &c->step);
    sc_ratio_set(&c->scale, &f->scales[i]);
    return sc_body_set_name(b, i, name, error);
}

/* A coordinate's unit over 2^30: that of places along directions. */
static void place_unit(const scrim_body_fit *f, sc_ratio *out)
{
    sc_ratio_set_int64(out, (int64_t)1 << SC_DIRECTION_BITS);
    sc_ratio_div(out, &f->unit, out);
}

static void set_row(const scrim_body_fit *f, sc_body *b, size_t i)
{
    const sc_direction_axis *axis = &f->keys.axes[i];
    sc_body_row *row = &b->rows[i];
    SC_OWN(sc_ratio, unit);
    place_unit(f, &unit);
    sc_ratio_set_int128(&row->origin, axis->origin);
    sc_ratio_mul(&row->origin, &row->origin, &unit);
    sc_ratio_set_int128(&row->step, (sc_int128)1 << axis->shift);
    sc_ratio_mul(&row->step, &row->step, &unit);
    row->cells = axis->last;
    row->offset = 0;
}

static scrim_status set_texts(const scrim_body_fit *f, sc_body *b, scrim_error *error)
{
    const char *const texts[SC_BODY_TEXTS] = {
        [SC_BODY_DATASET] = f->dataset.name,
        [SC_BODY_NEIGHBOURS] = scrim_neighbours_name(f->schema->neighbours),
        [SC_BODY_COMPOSITION] = f->budget.is_concentrated ? "concentrated" : "pure",
        [SC_BODY_KIND] = sc_direction_kinds[f->kind],
        [SC_BODY_LABEL] = ""};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < SC_BODY_TEXTS; i++)
        status = sc_body_set_text(b, (sc_body_text)i, texts[i], error);
    return status;
}

scrim_status sc_body_fit_body(const scrim_body_fit *f, sc_body **out, scrim_error *error)
{
    sc_body *b = NULL;
    scrim_status status = sc_body_new(f->count, f->directions.count, &b, error);
    for (size_t i = 0; status == SCRIM_OK && i < f->count; i++)
        status = set_column(f, b, i, error);
    if (status == SCRIM_OK)
        status = set_texts(f, b, error);
    if (status != SCRIM_OK) {
        sc_body_free(b);
        return status;
    }
    memcpy(b->directions, f->directions.entries,
           f->directions.count * f->count * sizeof *b->directions);
    for (size_t i = 0; i < f->directions.count; i++)
        set_row(f, b, i);
    sc_ratio_set(&b->q, &f->q);
    sc_ratio_set(&b->epsilon, &f->epsilon);
    if (f->budget.is_concentrated)
        sc_ratio_set(&b->delta, &f->delta);
    sc_ratio_set(&b->epsilon_each, &f->budget.each);
    b->version = f->dataset.version;
    b->max_rows = f->max_rows;
    b->units = f->options.expected_units;
    b->seed = f->options.seed;
    *out = b;
    return SCRIM_OK;
}

/* Writing. */

static char *write_body(const scrim_body_fit *f, const uint64_t *released)
{
    sc_body *b = NULL;
    sc_text_sink sink;
    char *text = NULL;
    if (sc_body_fit_body(f, &b, NULL) != SCRIM_OK)
        return NULL;
    for (size_t i = 0; i < b->row_count; i++)
        b->rows[i].offset =
            released[i] < b->rows[i].cells ? released[i] : b->rows[i].cells;
    sc_text_sink_init(&sink, NULL, 0);
    put(&sink, "body 1\n");
    sc_body_write(b, &sink);
    const size_t bytes = sink.length + 1;
    text = sc_allocate(bytes, 1);
    if (text != NULL) {
        sc_text_sink_init(&sink, text, bytes);
        put(&sink, "body 1\n");
        sc_body_write(b, &sink);
    }
    sc_body_free(b);
    return text;
}

static void put_point(const scrim_body_fit *f, const uint64_t *released,
                      sc_text_sink *sink)
{
    put(sink, "point 1\ndataset ");
    put(sink, f->dataset.name);
    put_number(sink, "\nversion ", f->dataset.version);
    put(sink, "\nneighbours ");
    put(sink, scrim_neighbours_name(f->schema->neighbours));
    sc_ratio_put(sink, "\nepsilon ", &f->epsilon);
    for (size_t i = 0; i < f->count; i++) {
        SC_OWN(sc_ratio, at, low);
        const uint64_t end = (uint64_t)f->extents[i];
        sc_ratio_set_int128(&at, (sc_int128)(released[i] < end ? released[i] : end));
        sc_ratio_mul(&at, &at, &f->unit);
        sc_ratio_mul(&at, &at, &f->scales[i]);
        low_of(f->columns[i], f->columns[i]->grid.low, &low);
        sc_ratio_add(&at, &at, &low);
        put(sink, "\ncolumn ");
        sc_text_put(sink, f->columns[i]->name);
        sc_ratio_put(sink, "\nat ", &at);
    }
    put(sink, "\n");
}

static char *write_point(const scrim_body_fit *f, const uint64_t *released)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_point(f, released, &sink);
    const size_t bytes = sink.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text != NULL) {
        sc_text_sink_init(&sink, text, bytes);
        put_point(f, released, &sink);
    }
    return text;
}

char *sc_body_record_write(const scrim_body_fit *f, const uint64_t *released)
{
    return f->is_depth ? write_point(f, released) : write_body(f, released);
}

/* Reading. */

static scrim_status refuse(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "this is not a record of a body");
}

/* Takes the line "WORD VALUE" off the front; false, with rest as it was, for another. */
static bool take(sc_text *rest, const char *word, sc_text *value)
{
    sc_text line, behind, first;
    if (!sc_text_split(*rest, '\n', &line, &behind) ||
        !sc_text_split(line, ' ', &first, value) || !sc_text_is(first, word))
        return false;
    *rest = behind;
    return true;
}

static bool take_ratio(sc_text *rest, const char *word, sc_ratio *out)
{
    sc_text value;
    return take(rest, word, &value) && sc_ratio_parse(value, out, NULL) == SCRIM_OK;
}

static bool read_neighbours(sc_text name, scrim_neighbours *out)
{
    static const scrim_neighbours all[] = {SCRIM_ADD_REMOVE, SCRIM_REPLACE};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (sc_text_is(name, scrim_neighbours_name(all[i]))) {
            *out = all[i];
            return true;
        }
    return false;
}

static void set_cost(scrim_body_release *r, const sc_ratio *epsilon,
                     const sc_ratio *delta)
{
    sc_cost_put_upper(epsilon, r->cost.epsilon);
    sc_cost_put_upper(delta, r->cost.delta);
}

/* The label that a body carries in its file: what was released, what it estimates, and what it cost. */

static void put_count(sc_text_sink *sink, uint64_t number)
{
    char text[SC_INT128_BYTES];
    (void)sc_int128_format((sc_int128)number, text);
    put(sink, text);
}

static void put_upper(sc_text_sink *sink, const sc_ratio *x)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_cost_put_upper(x, text);
    sc_cost_say(text, true);
    put(sink, text);
}

/* Is it sure that the exact body is not empty? q > 1 - 1/(d + 1). */
static bool is_never_empty(const sc_body *b)
{
    SC_OWN(sc_ratio, least, all);
    sc_ratio_set_int64(&least, (int64_t)b->dimension);
    sc_ratio_set_int64(&all, (int64_t)b->dimension + 1);
    sc_ratio_div(&least, &least, &all);
    return sc_ratio_compare(&b->q, &least) > 0;
}

static void put_label(const sc_body *b, sc_text_sink *sink)
{
    put(sink, "Dataset ");
    put(sink, b->texts[SC_BODY_DATASET]);
    put(sink, ", version ");
    put_count(sink, b->version);
    put(sink, ", release ");
    put_count(sink, b->release);
    put(sink, ".\nPrivacy: epsilon ");
    put_upper(sink, &b->epsilon);
    if (sc_ratio_sign(&b->delta) > 0) {
        put(sink, ", delta ");
        put_upper(sink, &b->delta);
    }
    put(sink, ", neighbours ");
    put(sink, b->texts[SC_BODY_NEIGHBOURS]);
    put(sink, ", at most ");
    put_count(sink, b->max_rows);
    put(sink, b->max_rows == 1 ? " row" : " rows");
    put(sink, " of a unit. Each of ");
    put_count(sink, b->row_count);
    put(sink, " directions has epsilon ");
    put_upper(sink, &b->epsilon_each);
    put(sink, ", composed ");
    put(sink, b->texts[SC_BODY_COMPOSITION]);
    put(sink, ".\nIt estimates the region that these directions (");
    put(sink, b->texts[SC_BODY_KIND]);
    put(sink, ") cut: each half-space holds about a share q of the rows. The region "
              "of all directions lies inside of it.\n");
    put(sink, "Values were clamped to the declared ranges, and rows with a missing "
              "value lie at the lower end of every direction.\n");
    if (!is_never_empty(b))
        put(sink, "With this q the region may be empty for some data.\n");
}

/* Writes the label of a body that was read; its number is set. SCRIM_E_MEMORY, SCRIM_E_LIMIT. */
static scrim_status body_label_write(sc_body *b, scrim_error *error)
{
    char text[2048];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    put_label(b, &sink);
    return sc_body_set_text(b, SC_BODY_LABEL, text, error);
}

static scrim_status read_body(scrim_body_release *r, sc_text text, scrim_error *error)
{
    scrim_status status = sc_body_read(text, &r->body, NULL);
    if (status != SCRIM_OK)
        return status == SCRIM_E_MEMORY ? sc_no_memory(error, "a body") : refuse(error);
    if (!read_neighbours(sc_text_of(r->body->texts[SC_BODY_NEIGHBOURS]),
                         &r->cost.neighbours))
        return refuse(error);
    r->body->release = r->id;
    r->version = r->body->version;
    r->dimension = r->body->dimension;
    set_cost(r, &r->body->epsilon, &r->body->delta);
    r->dataset = sc_text_copy(sc_text_of(r->body->texts[SC_BODY_DATASET]));
    return r->dataset == NULL ? sc_no_memory(error, "a body")
                              : body_label_write(r->body, error);
}

static scrim_status read_point(scrim_body_release *r, sc_text rest, scrim_error *error)
{
    sc_text dataset, line;
    SC_OWN(sc_ratio, epsilon, zero);
    if (!take(&rest, "dataset", &dataset) || !take(&rest, "version", &line) ||
        !sc_text_uint64(line, &r->version) || !take(&rest, "neighbours", &line) ||
        !read_neighbours(line, &r->cost.neighbours) ||
        !take_ratio(&rest, "epsilon", &epsilon))
        return refuse(error);
    set_cost(r, &epsilon, &zero);
    r->dataset = sc_text_copy(dataset);
    for (; r->dimension < 2 && take(&rest, "column", &line); r->dimension++) {
        r->names[r->dimension] = sc_text_copy(line);
        if (!take_ratio(&rest, "at", &r->point[r->dimension]))
            return refuse(error);
        if (r->names[r->dimension] == NULL)
            return sc_no_memory(error, "a body");
    }
    if (r->dataset == NULL)
        return sc_no_memory(error, "a body");
    return r->dimension == 0 || rest.bytes > 0 ? refuse(error) : SCRIM_OK;
}

scrim_status sc_body_record_read(const char *text, uint64_t id, uint64_t time,
                                 bool is_repeated, scrim_body_release **out,
                                 scrim_error *error)
{
    scrim_body_release *r = sc_allocate(1, sizeof *r);
    sc_text rest = sc_text_of(text), line;
    if (r == NULL)
        return sc_no_memory(error, "a body");
    r->id = id;
    r->time = time;
    r->is_repeated = is_repeated;
    sc_ratio_init(&r->point[0]);
    sc_ratio_init(&r->point[1]);
    scrim_status status = SCRIM_E_CHECK;
    if (take(&rest, "body", &line) && sc_text_is(line, "1"))
        status = read_body(r, rest, error);
    else if (take(&rest, "point", &line) && sc_text_is(line, "1"))
        status = read_point(r, rest, error);
    else
        status = refuse(error);
    if (status == SCRIM_OK)
        *out = r;
    else
        scrim_body_release_free(r);
    return status;
}

void scrim_body_release_free(scrim_body_release *r)
{
    if (r == NULL)
        return;
    sc_body_free(r->body);
    for (size_t i = 0; i < 2; i++) {
        sc_ratio_clear(&r->point[i]);
        sc_free(r->names[i]);
    }
    sc_free(r->dataset);
    sc_free(r);
}

/* The facts of a release that are shown. */

void scrim_body_release_describe(const scrim_body_release *r, scrim_body_released *out)
{
    *out = (scrim_body_released){.release = r->id,
                                 .time = r->time,
                                 .is_repeated = r->is_repeated,
                                 .is_point = r->body == NULL,
                                 .dataset = r->dataset,
                                 .version = r->version,
                                 .dimension = r->dimension,
                                 .cost = r->cost};
}

const scrim_body *scrim_body_release_body(const scrim_body_release *r)
{
    return r->body;
}

int scrim_body_release_point_at(const scrim_body_release *r, size_t column,
                                scrim_body_coordinate *out)
{
    if (r->body != NULL || column >= r->dimension)
        return 0;
    out->name = r->names[column];
    out->value = sc_ball_near(&r->point[column]);
    return 1;
}

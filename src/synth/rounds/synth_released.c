#include "synth/rounds/synth_released.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

static const char *const methods[] = {NULL, "mst", "aim", "mwem", "smalldb"};
static const char *const noises[] = {NULL, "gaussian", "laplace", "selected"};
/* The most iterations or passes of a record, so that no record takes for ever to replay. */
#define SETTING_MAX 1000000
#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *sc_synth_method_name(sc_synth_method method)
{
    return methods[method];
}

void sc_synth_released_init(sc_synth_released *r)
{
    memset(r, 0, sizeof *r);
}

void sc_synth_released_clear(sc_synth_released *r)
{
    for (size_t i = 0; i < r->count; i++)
        sc_free(r->steps[i].counts);
    sc_free(r->steps);
    sc_synth_released_init(r);
}

scrim_status sc_synth_released_add(sc_synth_released *r, const sc_synth_step *step,
                                   scrim_error *error)
{
    int64_t *counts = sc_allocate(step->cells, sizeof *counts);
    if (counts == NULL ||
        !sc_make_room(&r->steps, r->count, &r->capacity, sizeof *r->steps)) {
        sc_free(counts);
        return sc_no_memory(error, "a synthetic release");
    }
    if (step->counts != NULL)
        memcpy(counts, step->counts, step->cells * sizeof *counts);
    r->steps[r->count] = *step;
    r->steps[r->count++].counts = counts;
    return SCRIM_OK;
}

/* Writing. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_number(sc_text_sink *sink, const char *before, sc_int128 number)
{
    char text[SC_INT128_BYTES];
    sc_int128_format(number, text);
    put(sink, before);
    put(sink, text);
}

static void put_step(sc_text_sink *sink, const sc_synth_step *s)
{
    put_number(sink, "\nstep ", (sc_int128)s->round);
    put_number(sink, s->is_query ? " q" : " ",
               (sc_int128)(s->is_query ? s->query : s->clique));
    put_number(sink, " ", (sc_int128)s->rate);
    put_number(sink, " ", (sc_int128)s->move);
    put_number(sink, " ", (sc_int128)s->candidates);
    put(sink, " ");
    put(sink, noises[s->noise]);
    put_number(sink, " ", (sc_int128)s->scale_64ths);
    for (size_t i = 0; i < s->cells; i++)
        put_number(sink, i == 0 ? " " : ",", s->counts[i]);
}

static void put_fits(sc_text_sink *sink, const sc_synth_released *r)
{
    put_number(sink, "\nfit ", r->round_fit.iterations);
    put_number(sink, ",", r->round_fit.growth_percent);
    put_number(sink, ",", r->fit.iterations);
    put_number(sink, ",", r->fit.growth_percent);
}

static void put_all(sc_text_sink *sink, const sc_synth_released *r)
{
    put(sink, "synth 1\nmethod ");
    put(sink, methods[r->method]);
    put(sink, "\nneighbours ");
    put(sink, scrim_neighbours_name(r->neighbours));
    put_number(sink, "\nmax-rows ", (sc_int128)r->rows);
    for (size_t i = 0; i < r->columns.count; i++)
        put_number(sink, i == 0 ? "\ncolumns " : ",", r->columns.sizes[i]);
    put(sink, "\ncompressed ");
    put(sink, r->is_compressed ? "yes" : "no");
    put_number(sink, "\nabsent ", (sc_int128)r->absent);
    put_fits(sink, r);
    put_number(sink, "\npasses ", r->passes);
    put_number(sink, ",", r->last_passes);
    put_number(sink, "\ninherited ", (sc_int128)r->inherited);
    put_number(sink, "\ncap ", (sc_int128)r->cap);
    put_number(sink, "\ntotal ", r->total);
    for (size_t i = 0; i < r->count; i++)
        put_step(sink, &r->steps[i]);
    put(sink, "\n");
}

scrim_status sc_synth_released_write(const sc_synth_released *r, char **out,
                                     scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_all(&sink, r);
    const size_t bytes = sink.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "a synthetic release");
    sc_text_sink_init(&sink, text, bytes);
    put_all(&sink, r);
    *out = text;
    return SCRIM_OK;
}

/* Reading. */

static bool take_line(sc_text *rest, const char *word, sc_text *out)
{
    sc_text line, behind, first;
    if (!sc_text_split(*rest, '\n', &line, &behind) ||
        !sc_text_split(line, ' ', &first, out) || !sc_text_is(first, word))
        return false;
    *rest = behind;
    return true;
}

/* The text before the next mark, or all of it. */
static sc_text take_item(sc_text *rest, char mark)
{
    sc_text item, behind;
    if (!sc_text_split(*rest, mark, &item, &behind)) {
        item = *rest;
        behind = (sc_text){NULL, 0};
    }
    *rest = behind;
    return item;
}

static bool read_signed(sc_text text, int64_t *out)
{
    uint64_t size = 0;
    const bool is_negative = text.bytes > 0 && text.start[0] == '-';
    if (is_negative)
        text = (sc_text){text.start + 1, text.bytes - 1};
    if (!sc_text_uint64(text, &size) || size > INT64_MAX)
        return false;
    *out = is_negative ? -(int64_t)size : (int64_t)size;
    return true;
}

/* Its place on a list from 1 on; 0 where it is not there. */
static size_t place_of(sc_text text, const char *const *list, size_t count)
{
    size_t found = 0;
    for (size_t i = 1; i < count; i++)
        if (sc_text_is(text, list[i]))
            found = i;
    return found;
}

static bool read_columns(sc_text text, sc_synth_columns *out)
{
    uint64_t size = 0;
    while (text.bytes > 0) {
        if (out->count == SC_SYNTH_COLUMNS_MAX ||
            !sc_text_uint64(take_item(&text, ','), &size) || size > SC_SYNTH_SIZE_MAX)
            return false;
        out->sizes[out->count++] = (uint32_t)size;
    }
    return sc_synth_columns_check(out, NULL) == SCRIM_OK;
}

static bool read_neighbours(sc_text text, scrim_neighbours *out)
{
    *out = sc_text_is(text, scrim_neighbours_name(SCRIM_REPLACE)) ? SCRIM_REPLACE
                                                                  : SCRIM_ADD_REMOVE;
    return sc_text_is(text, scrim_neighbours_name(*out));
}

static bool read_small(sc_text text, unsigned *out)
{
    uint64_t number = 0;
    if (!sc_text_uint64(text, &number) || number > SETTING_MAX)
        return false;
    *out = (unsigned)number;
    return true;
}

/* How the model is made. */
static bool read_settings(sc_text *rest, sc_synth_released *r)
{
    sc_text line;
    uint64_t inherited = 0;
    return take_line(rest, "absent", &line) && sc_text_uint64(line, &r->absent) &&
           sc_clique_is_inside(r->absent, sc_synth_columns_all(&r->columns)) &&
           take_line(rest, "fit", &line) &&
           read_small(take_item(&line, ','), &r->round_fit.iterations) &&
           read_small(take_item(&line, ','), &r->round_fit.growth_percent) &&
           read_small(take_item(&line, ','), &r->fit.iterations) &&
           read_small(line, &r->fit.growth_percent) && take_line(rest, "passes", &line) &&
           read_small(take_item(&line, ','), &r->passes) &&
           read_small(line, &r->last_passes) && take_line(rest, "inherited", &line) &&
           sc_text_uint64(line, &inherited) && (r->inherited = inherited) == inherited &&
           take_line(rest, "cap", &line) && sc_text_uint64(line, &r->cap);
}

static bool read_head(sc_text *rest, sc_synth_released *r)
{
    sc_text line;
    if (!take_line(rest, "synth", &line) || !sc_text_is(line, "1") ||
        !take_line(rest, "method", &line))
        return false;
    r->method = (sc_synth_method)place_of(line, methods, COUNT(methods));
    if (r->method == 0 || !take_line(rest, "neighbours", &line) ||
        !read_neighbours(line, &r->neighbours) || !take_line(rest, "max-rows", &line) ||
        !sc_text_uint64(line, &r->rows) || r->rows < 1 ||
        !take_line(rest, "columns", &line) || !read_columns(line, &r->columns) ||
        !take_line(rest, "compressed", &line))
        return false;
    r->is_compressed = sc_text_is(line, "yes");
    return (r->is_compressed || sc_text_is(line, "no")) && read_settings(rest, r) &&
           take_line(rest, "total", &line) && read_signed(line, &r->total) &&
           r->total >= 1 && r->total <= (int64_t)1 << 40;
}

/* Everything before the counts. */
static bool read_step(sc_text *line, const sc_synth_columns *columns, sc_synth_step *s)
{
    uint64_t place = 0;
    if (!sc_text_uint64(take_item(line, ' '), &s->round))
        return false;
    sc_text about = take_item(line, ' ');
    s->is_query = about.bytes > 0 && about.start[0] == 'q';
    if (s->is_query)
        about = (sc_text){about.start + 1, about.bytes - 1};
    if (!sc_text_uint64(about, &place) ||
        !sc_text_uint64(take_item(line, ' '), &s->rate) ||
        !sc_text_uint64(take_item(line, ' '), &s->move) ||
        !sc_text_uint64(take_item(line, ' '), &s->candidates))
        return false;
    *(s->is_query ? &s->query : &s->clique) = place;
    s->noise = (sc_synth_noise)place_of(take_item(line, ' '), noises, COUNT(noises));
    return s->noise != 0 && sc_text_uint64(take_item(line, ' '), &s->scale_64ths) &&
           s->scale_64ths >= 1 &&
           (s->is_query || sc_clique_is_inside(place, sc_synth_columns_all(columns)));
}

static size_t items_in(sc_text text)
{
    size_t count = text.bytes > 0;
    for (size_t i = 0; i < text.bytes; i++)
        count += text.start[i] == ',';
    return count;
}

static scrim_status refuse(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "this is not a synthetic release");
}

static bool read_count(sc_text text, int64_t *out)
{
    return read_signed(text, out) && *out <= SC_SYNTH_NOISY_MAX &&
           *out >= -SC_SYNTH_NOISY_MAX;
}

static scrim_status read_counts(sc_text line, sc_synth_released *r, sc_synth_step *s,
                                scrim_error *error)
{
    s->cells = items_in(line);
    scrim_status status = sc_synth_released_add(r, s, error);
    for (size_t i = 0; status == SCRIM_OK && i < s->cells; i++)
        if (!read_count(take_item(&line, ','), &r->steps[r->count - 1].counts[i]))
            status = refuse(error);
    return status;
}

static scrim_status read_all(sc_text text, sc_synth_released *r, scrim_error *error)
{
    sc_text line;
    if (!read_head(&text, r))
        return refuse(error);
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && text.bytes > 0) {
        sc_synth_step step = {0};
        status = take_line(&text, "step", &line) && read_step(&line, &r->columns, &step)
                     ? read_counts(line, r, &step, error)
                     : refuse(error);
    }
    return status == SCRIM_OK && r->inherited > r->count ? refuse(error) : status;
}

scrim_status sc_synth_released_read(sc_text text, sc_synth_released *out,
                                    scrim_error *error)
{
    char *again = NULL;
    sc_synth_released r;
    sc_synth_released_init(&r);
    scrim_status status = read_all(text, &r, error);
    if (status == SCRIM_OK)
        status = sc_synth_released_write(&r, &again, error);
    if (status == SCRIM_OK && !sc_text_is(text, again))
        status = refuse(error);
    sc_free(again);
    if (status == SCRIM_OK)
        *out = r;
    else
        sc_synth_released_clear(&r);
    return status;
}

/* The first steps are the one-way marginals, in order. */
static bool has_columns(const sc_synth_released *r)
{
    if (r->count < r->columns.count)
        return false;
    for (size_t i = 0; i < r->columns.count; i++)
        if (r->steps[i].is_query || r->steps[i].clique != sc_clique_of(i) ||
            r->steps[i].cells != r->columns.sizes[i] ||
            r->steps[i].scale_64ths != r->steps[0].scale_64ths)
            return false;
    return true;
}

scrim_status sc_released_recoding(const sc_synth_released *r, sc_recoding *out,
                                  scrim_error *error)
{
    const int64_t *counts[SC_SYNTH_COLUMNS_MAX];
    if (!has_columns(r))
        return refuse(error);
    for (size_t i = 0; i < r->columns.count; i++)
        counts[i] = r->steps[i].counts;
    return r->is_compressed ? sc_recoding_compress(&r->columns, counts,
                                                   r->steps[0].scale_64ths, out, error)
                            : sc_recoding_keep_all(&r->columns, out, error);
}

/* A one-way marginal, whose rare categories are one cell. */
static scrim_status learn_column(sc_synth_model *model, const sc_synth_step *step,
                                 const sc_recoded *map, uint32_t size, scrim_error *error)
{
    int64_t *counts = sc_allocate(size, sizeof *counts);
    uint32_t *members = sc_allocate(size, sizeof *members);
    scrim_status status = SCRIM_OK;
    if (counts == NULL || members == NULL) {
        status = sc_no_memory(error, "a synthetic model");
    } else {
        sc_recoded_counts(map, step->counts, counts, members);
        status = sc_synth_model_measure(model, step->clique, counts, members,
                                        step->scale_64ths, error);
    }
    sc_free(members);
    sc_free(counts);
    return status;
}

scrim_status sc_released_learn(const sc_synth_released *r, size_t step,
                               sc_synth_model *model, scrim_error *error)
{
    const sc_synth_step *s = &r->steps[step];
    return sc_synth_model_measure(model, s->clique, s->counts, NULL, s->scale_64ths,
                                  error);
}

static scrim_status learn(const sc_synth_released *r, size_t steps,
                          const sc_recoding *recoding, const sc_synth_columns *columns,
                          sc_synth_model *model, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < r->count; i++) {
        const sc_synth_step *step = &r->steps[i];
        if (i < columns->count)
            status =
                learn_column(model, step, &recoding->list[i], columns->sizes[i], error);
        else if (step->is_query || step->noise != SC_SYNTH_GAUSSIAN ||
                 step->cells != sc_clique_cells(columns, step->clique))
            status = refuse(error);
        else if (i < steps)
            status = sc_released_learn(r, i, model, error);
    }
    return status;
}

/* Structural zeros of recoded cells: a cell is impossible where all that it stands for is. */

static uint64_t recoded_cell(const sc_synth_columns *declared,
                             const sc_synth_columns *columns, const sc_recoding *recoding,
                             sc_clique clique, uint64_t cell)
{
    uint64_t out = 0, stride = 1;
    for (sc_clique rest = clique; rest != 0;) {
        const size_t i = 63 - (size_t)__builtin_clzll(rest); /* the last one is fastest */
        out += stride * recoding->list[i].codes[cell % declared->sizes[i]];
        stride *= columns->sizes[i];
        cell /= declared->sizes[i];
        rest &= ~sc_clique_of(i);
    }
    return out;
}

static scrim_status forbid(const sc_synth_released *r, const sc_recoding *recoding,
                           const sc_synth_columns *columns, const sc_synth_zero *zero,
                           sc_synth_model *model, scrim_error *error)
{
    const uint64_t cells = sc_clique_cells(columns, zero->clique);
    const uint64_t declared = sc_clique_cells(&r->columns, zero->clique);
    bool *is_impossible =
        cells > SC_SYNTH_CELLS_MAX ? NULL : sc_allocate((size_t)cells, 1);
    if (is_impossible == NULL)
        return sc_no_memory(error, "a synthetic model");
    for (uint64_t i = 0; i < cells; i++)
        is_impossible[i] = true;
    for (uint64_t i = 0; i < declared; i++)
        if (!zero->is_impossible[i])
            is_impossible[recoded_cell(&r->columns, columns, recoding, zero->clique, i)] =
                false;
    const scrim_status status =
        sc_synth_model_forbid(model, zero->clique, is_impossible, error);
    sc_free(is_impossible);
    return status;
}

sc_clique sc_released_absent(const sc_synth_released *r, const sc_recoding *recoding)
{
    sc_clique found = 0;
    for (sc_clique rest = r->absent; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        const sc_recoded *map = &recoding->list[i];
        if (map->size > 1 && sc_recoded_members(map, map->codes[map->size - 1]) == 1)
            found |= sc_clique_of(i);
    }
    return found;
}

static scrim_status forbid_absent(const sc_synth_released *r, const sc_recoding *recoding,
                                  const sc_synth_columns *columns, sc_synth_model *model,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_clique rest = sc_released_absent(r, recoding);
    for (; status == SCRIM_OK && rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        bool *is_impossible = sc_allocate(columns->sizes[i], 1);
        if (is_impossible == NULL)
            return sc_no_memory(error, "a synthetic model");
        is_impossible[columns->sizes[i] - 1] = true;
        status = sc_synth_model_forbid(model, sc_clique_of(i), is_impossible, error);
        sc_free(is_impossible);
    }
    return status;
}

scrim_status sc_released_start(const sc_synth_released *r,
                               const sc_released_options *options, size_t steps,
                               sc_recoding *recoding, sc_synth_model **out,
                               scrim_error *error)
{
    sc_synth_columns columns;
    sc_synth_model *model = NULL;
    scrim_status status = r->method == SC_SYNTH_MST || r->method == SC_SYNTH_AIM
                              ? sc_released_recoding(r, recoding, error)
                              : refuse(error);
    if (status != SCRIM_OK)
        return status;
    sc_recoding_columns(recoding, &columns);
    status = sc_synth_model_new(&columns, r->total, &model, error);
    if (status == SCRIM_OK)
        sc_synth_model_watch(model, options->cancel);
    if (status == SCRIM_OK)
        status = forbid_absent(r, recoding, &columns, model, error);
    for (size_t i = 0; status == SCRIM_OK && i < options->zero_count; i++)
        status = forbid(r, recoding, &columns, &options->zeros[i], model, error);
    if (status == SCRIM_OK)
        status = learn(r, steps, recoding, &columns, model, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_synth_model_free(model);
    return status;
}

scrim_status sc_released_model(const sc_synth_released *r,
                               const sc_released_options *options, sc_recoding *recoding,
                               sc_synth_model **out, scrim_error *error)
{
    sc_synth_model *model = NULL;
    scrim_status status =
        sc_released_start(r, options, r->count, recoding, &model, error);
    if (status == SCRIM_OK)
        status = sc_synth_model_fit(model, &r->fit, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_synth_model_free(model);
    return status;
}

scrim_status sc_released_before_last(const sc_synth_released *r,
                                     const sc_released_options *options,
                                     sc_recoding *recoding, sc_synth_model **out,
                                     scrim_error *error)
{
    sc_synth_model *model = NULL;
    const size_t first = r->inherited > 0 ? r->inherited : r->columns.count;
    scrim_status status =
        r->method == SC_SYNTH_AIM
            ? sc_released_start(r, options, first, recoding, &model, error)
            : refuse(error);
    if (status == SCRIM_OK)
        status = sc_synth_model_fit(model, &r->round_fit, error);
    for (size_t i = first; status == SCRIM_OK && i + 1 < r->count; i++) {
        status = sc_released_learn(r, i, model, error);
        if (status == SCRIM_OK)
            status = sc_synth_model_fit(model, &r->round_fit, error);
    }
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_synth_model_free(model);
    return status;
}

scrim_status sc_released_weights_start(const sc_synth_released *r,
                                       const sc_released_options *options,
                                       sc_weight_model **out, scrim_error *error)
{
    sc_weight_model *model = NULL;
    scrim_status status = r->method == SC_SYNTH_MWEM
                              ? sc_weight_model_new(&r->columns, r->total, &model, error)
                              : refuse(error);
    if (status == SCRIM_OK)
        sc_weight_model_watch(model, options->cancel);
    for (size_t i = 0; status == SCRIM_OK && i < options->zero_count; i++)
        status = sc_weight_model_forbid(model, options->zeros[i].clique,
                                        options->zeros[i].is_impossible, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_weight_model_free(model);
    return status;
}

/* The table that was selected; its rows are as many as the total. */
static scrim_status small_weights(const sc_synth_released *r, sc_weight_model **out,
                                  scrim_error *error)
{
    const sc_clique all = sc_synth_columns_all(&r->columns);
    const sc_synth_step *step = r->steps;
    int64_t sum = 0;
    bool is_table = r->count == 1 && !step->is_query && step->clique == all &&
                    step->cells == sc_clique_cells(&r->columns, all);
    for (size_t i = 0; is_table && i < step->cells; i++) {
        is_table = step->counts[i] >= 0 && step->counts[i] <= r->total;
        sum += step->counts[i];
    }
    if (!is_table || sum != r->total)
        return refuse(error);
    const scrim_status status = sc_weight_model_new(&r->columns, r->total, out, error);
    if (status == SCRIM_OK)
        sc_weight_model_set(*out, step->counts);
    return status;
}

/* The measurement of a round of MWEM. */
static scrim_status weigh(const sc_synth_released *r, const sc_released_options *options,
                          const sc_synth_step *step, sc_weight_model *model,
                          scrim_error *error)
{
    if (step->is_query != (options->query_count > 0) ||
        (step->is_query ? step->query >= options->query_count || step->cells != 1
                        : step->cells != sc_clique_cells(&r->columns, step->clique)))
        return refuse(error);
    return step->is_query
               ? sc_weight_model_measure_query(model, &options->queries[step->query],
                                               step->counts[0], error)
               : sc_weight_model_measure(model, step->clique, step->counts, error);
}

scrim_status sc_released_weights(const sc_synth_released *r,
                                 const sc_released_options *options,
                                 sc_weight_model **out, scrim_error *error)
{
    sc_weight_model *model = NULL;
    if (r->method == SC_SYNTH_SMALLDB)
        return small_weights(r, out, error);
    scrim_status status = sc_released_weights_start(r, options, &model, error);
    for (size_t i = 1; status == SCRIM_OK && i < r->count; i++) {
        status = weigh(r, options, &r->steps[i], model, error);
        if (status == SCRIM_OK)
            sc_weight_model_update(model, r->passes);
    }
    if (status == SCRIM_OK)
        sc_weight_model_update(model, r->last_passes);
    if (status == SCRIM_OK)
        status = sc_cancel_check(options->cancel, error);
    if (status == SCRIM_OK)
        *out = model;
    else
        sc_weight_model_free(model);
    return status;
}

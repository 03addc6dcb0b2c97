#include "synth/release/synth_record.h"

#include "base/text_copy.h"
#include "query/answer/key_word.h"
#include "synth/release/counting_query.h"
#include "synth/release/synth_domain.h"

#include <string.h>

/* Writing. */

typedef struct writing {
    const scrim_synth *synth;
    const sc_synth_domain *domain;
    const char *released;
} writing;

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

static void put_ratio(sc_text_sink *sink, const char *before, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    (void)sc_ratio_format(x, text, sizeof text);
    put(sink, before);
    put(sink, text);
}

/* Is a line of the policy about these columns, or about units? */
static bool is_told(const sc_synth_domain *d, sc_text key, sc_text value)
{
    static const char *const all[] = {
        "unit",          "max-groups", "max-rows", "max-total-rows",
        "rows-per-unit", "neighbours", "zone"};
    static const char *const some[] = {"column", "keys", "missing"};
    sc_text name, rest;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (sc_text_is(key, all[i]))
            return true;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (sc_text_is(key, some[i]) && sc_text_split(value, '=', &name, &rest))
            return sc_synth_domain_find(d, sc_text_trim(name)) != SIZE_MAX;
    return false;
}

static void put_policy(const scrim_synth *s, sc_text_sink *sink)
{
    sc_text rest = sc_text_of(s->policy), line, key, value;
    while (sc_schema_line(&rest, &line, &key, &value))
        if (is_told(&s->domain, key, value)) {
            put(sink, "\npolicy ");
            sc_text_put(sink, line);
        }
}

static void put_never(const sc_synth_never *never, sc_text_sink *sink)
{
    const char *before = " ";
    put_number(sink, "\nnever ", never->clique);
    for (sc_clique rest = never->clique; rest != 0; rest &= rest - 1) {
        put_number(sink, before, never->codes[sc_clique_first(rest)]);
        before = ",";
    }
}

static void put_found(const sc_coded_column *c, sc_text_sink *sink)
{
    if (c->selection == NULL)
        return;
    put(sink, "\nselection ");
    put(sink, c->selection);
    for (uint32_t i = 0; i < c->count; i++) {
        put(sink, "\nkept ");
        sc_key_word_put(c->texts[i], sink);
    }
}

static void put_all(const writing *w, sc_text_sink *sink)
{
    const scrim_synth *s = w->synth;
    put(sink, "synthetic 1\ndataset ");
    put(sink, s->dataset.name);
    put_number(sink, "\nversion ", s->dataset.version);
    put_ratio(sink, "\nepsilon ", &s->epsilon);
    put_ratio(sink, "\ndelta ", &s->delta);
    if (!s->is_pure && s->private_count == 0)
        put_ratio(sink, "\nrho ", &s->rho);
    if (s->before != NULL)
        put_number(sink, "\nrefines ", s->options.refine);
    put_policy(s, sink);
    for (size_t i = 0; i < s->domain.count; i++) {
        put(sink, "\ncolumn ");
        put(sink, s->names[i]);
        if (s->cuts[i][0] != '\0')
            put(sink, "\ncut ");
        put(sink, s->cuts[i]);
        put_found(&w->domain->columns[i], sink);
    }
    for (size_t i = 0; i < s->domain.never_count; i++)
        put_never(&s->domain.never[i], sink);
    for (size_t i = 0; i < s->domain.query_count; i++) {
        put(sink, "\nquery ");
        put(sink, s->domain.query_texts[i]);
    }
    put(sink, "\nreleased\n");
    put(sink, w->released);
}

char *sc_synth_record_write(const scrim_synth *synth, const sc_synth_domain *domain,
                            const sc_synth_released *released)
{
    char *numbers = NULL, *text = NULL;
    if (sc_synth_released_write(released, &numbers, NULL) != SCRIM_OK)
        return NULL;
    const writing w = {synth, domain, numbers};
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_all(&w, &sink);
    const size_t bytes = sink.length + 1;
    text = sc_allocate(bytes, 1);
    if (text != NULL) {
        sc_text_sink_init(&sink, text, bytes);
        put_all(&w, &sink);
    }
    sc_free(numbers);
    return text;
}

/* Reading. */

static scrim_status refuse(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "this is not a record of synthetic rows");
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_no_memory(error, "a synthetic release");
}

static scrim_status refuse_for(scrim_status status, scrim_error *error)
{
    return status == SCRIM_OK         ? SCRIM_OK
           : status == SCRIM_E_MEMORY ? no_memory(error)
                                      : refuse(error);
}

/* Takes the line "WORD VALUE" off the front; false, with both as they were, for another. */
static bool take(sc_text *rest, const char *word, sc_text *value)
{
    sc_text line, behind, first, second;
    if (!sc_text_split(*rest, '\n', &line, &behind) ||
        !sc_text_split(line, ' ', &first, &second) || !sc_text_is(first, word))
        return false;
    *value = second;
    *rest = behind;
    return true;
}

static bool read_head(sc_synth_record *r, sc_text *rest)
{
    sc_text line;
    if (!take(rest, "synthetic", &line) || !sc_text_is(line, "1") ||
        !take(rest, "dataset", &r->dataset) || !take(rest, "version", &line) ||
        !sc_text_uint64(line, &r->version) || !take(rest, "epsilon", &r->epsilon) ||
        !take(rest, "delta", &r->delta))
        return false;
    (void)take(rest, "rho", &r->rho);
    return !take(rest, "refines", &line) ||
           (sc_text_uint64(line, &r->refines) && r->refines > 0);
}

/* The lines of the policy, without the word in front of them. */
static scrim_status read_policy(sc_synth_record *r, sc_text *rest, scrim_error *error)
{
    sc_text line;
    sc_text_sink sink;
    char *policy = sc_arena_allocate(&r->arena, rest->bytes + 1, 1);
    if (policy == NULL)
        return no_memory(error);
    sc_text_sink_init(&sink, policy, rest->bytes + 1);
    while (take(rest, "policy", &line)) {
        sc_text_put(&sink, line);
        sc_text_put(&sink, sc_text_of("\n"));
    }
    const scrim_status status =
        sc_schema_parse((sc_text){policy, sink.length}, NULL, &r->schema, NULL);
    return refuse_for(status, error);
}

/* The keys that were found, in bytewise order. */
static scrim_status read_found(sc_coded_column *c, sc_text selection, sc_text *rest,
                               sc_arena *arena, scrim_error *error)
{
    sc_text line, ahead = *rest;
    size_t count = 0;
    while (take(&ahead, "kept", &line))
        count++;
    sc_text *texts = sc_arena_allocate(arena, count, sizeof *texts);
    c->selection = sc_arena_copy(arena, selection.start, selection.bytes);
    if (texts == NULL || c->selection == NULL)
        return no_memory(error);
    bool fits = c->column->type == SC_COLUMN_TEXT && !c->column->has_keys &&
                c->is_nullable && count <= SC_SYNTH_PRIVATE_MOST;
    for (size_t i = 0; fits && take(rest, "kept", &line); i++) {
        const scrim_status status = sc_key_word_read(line, arena, &texts[i]);
        if (status == SCRIM_E_MEMORY)
            return no_memory(error);
        fits =
            status == SCRIM_OK && (i == 0 || sc_text_compare(texts[i - 1], texts[i]) < 0);
    }
    c->is_listed = true;
    c->texts = texts;
    c->count = (uint32_t)count;
    return fits ? SCRIM_OK : refuse(error);
}

static scrim_status read_column(sc_synth_record *r, sc_text name, sc_text *rest,
                                scrim_error *error)
{
    sc_synth_domain *d = &r->domain;
    sc_text cut = {NULL, 0}, selection;
    const sc_column *column = sc_schema_column(r->schema, name);
    if (column == NULL || d->count == SC_SYNTH_PLAN_COLUMNS)
        return refuse(error);
    const bool is_cut = take(rest, "cut", &cut);
    sc_coded_column *c = &d->columns[d->count];
    c->column = column;
    c->is_nullable =
        sc_schema_may_be_null(r->schema, (size_t)(column - r->schema->columns));
    r->names[d->count] = sc_arena_copy(&r->arena, name.start, name.bytes);
    r->cuts[d->count] = is_cut ? sc_arena_copy(&r->arena, cut.start, cut.bytes) : "";
    if (r->names[d->count] == NULL || r->cuts[d->count++] == NULL)
        return no_memory(error);
    if (!is_cut && take(rest, "selection", &selection))
        return read_found(c, selection, rest, &r->arena, error);
    return refuse_for(is_cut ? sc_column_cut(c, cut, &r->arena, NULL)
                             : sc_coded_usual(c, &r->arena, NULL),
                      error);
}

static bool read_never(const sc_synth_domain *d, sc_text line, sc_synth_never *out)
{
    sc_text clique, codes, item;
    uint64_t number = 0;
    if (!sc_text_split(line, ' ', &clique, &codes) || !sc_text_uint64(clique, &number) ||
        number == 0 || number >> d->count != 0)
        return false;
    out->clique = number;
    for (sc_clique rest = number; rest != 0; rest &= rest - 1) {
        const size_t column = sc_clique_first(rest);
        if (!sc_text_item(&codes, ',', &item) || !sc_text_uint64(item, &number) ||
            number >= sc_coded_size(&d->columns[column]))
            return false;
        out->codes[column] = (uint32_t)number;
    }
    return codes.bytes == 0;
}

static scrim_status read_nevers(sc_synth_record *r, sc_text *rest, scrim_error *error)
{
    sc_text line;
    sc_synth_never *never = sc_arena_allocate(&r->arena, SC_SYNTH_NEVER, sizeof *never);
    if (never == NULL)
        return no_memory(error);
    r->domain.never = never;
    while (take(rest, "never", &line))
        if (r->domain.never_count == SC_SYNTH_NEVER ||
            !read_never(&r->domain, line, &never[r->domain.never_count++]))
            return refuse(error);
    return sc_synth_domain_zeros(&r->domain, &r->arena, &r->zeros, error);
}

/* Queries stand in their one spelling and order. */
static scrim_status read_queries(sc_synth_record *r, sc_text *rest, scrim_error *error)
{
    size_t count = 0;
    sc_text *lines = sc_arena_allocate(&r->arena, SC_SYNTH_QUERIES, sizeof *lines);
    if (lines == NULL)
        return no_memory(error);
    while (count < SC_SYNTH_QUERIES && take(rest, "query", &lines[count]))
        count++;
    if (count == 0)
        return SCRIM_OK;
    const scrim_status status = refuse_for(
        sc_counting_queries_read(&r->domain, lines, count, &r->arena, NULL), error);
    bool is_same = status == SCRIM_OK && r->domain.query_count == count;
    for (size_t i = 0; is_same && i < count; i++)
        is_same = sc_text_is(lines[i], r->domain.query_texts[i]);
    return status == SCRIM_OK && !is_same ? refuse(error) : status;
}

static scrim_status read_released(sc_synth_record *r, sc_text rest, scrim_error *error)
{
    sc_synth_columns sizes;
    sc_text line, numbers;
    if (!sc_text_split(rest, '\n', &line, &numbers) || !sc_text_is(line, "released"))
        return refuse(error);
    const scrim_status status = sc_synth_released_read(numbers, &r->released, error);
    if (status != SCRIM_OK)
        return status;
    sc_synth_domain_sizes(&r->domain, &sizes);
    bool fits = sizes.count == r->released.columns.count;
    for (size_t i = 0; fits && i < sizes.count; i++)
        fits = sizes.sizes[i] == r->released.columns.sizes[i];
    return fits ? SCRIM_OK : refuse(error);
}

scrim_status sc_synth_record_read(const char *text, sc_synth_record *out,
                                  scrim_error *error)
{
    sc_text name;
    *out = (sc_synth_record){.version = 0};
    sc_arena_init(&out->arena);
    sc_synth_released_init(&out->released);
    out->text = sc_text_copy(sc_text_of(text));
    if (out->text == NULL)
        return no_memory(error);
    sc_text rest = sc_text_of(out->text);
    scrim_status status = read_head(out, &rest) ? SCRIM_OK : refuse(error);
    if (status == SCRIM_OK)
        status = read_policy(out, &rest, error);
    while (status == SCRIM_OK && take(&rest, "column", &name))
        status = read_column(out, name, &rest, error);
    if (status == SCRIM_OK)
        status = read_nevers(out, &rest, error);
    if (status == SCRIM_OK)
        status = read_queries(out, &rest, error);
    return status == SCRIM_OK ? read_released(out, rest, error) : status;
}

void sc_synth_record_clear(sc_synth_record *r)
{
    sc_synth_released_clear(&r->released);
    sc_schema_free(r->schema);
    sc_arena_clear(&r->arena);
    sc_free(r->text);
}

/* "NAME=CUT"; NULL without memory. */
static char *join_cut(const char *name, const char *cut, sc_arena *arena)
{
    const size_t bytes = strlen(name) + strlen(cut) + 2;
    char *text = sc_arena_allocate(arena, bytes, 1);
    sc_text_sink sink;
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    put(&sink, name);
    put(&sink, "=");
    put(&sink, cut);
    return text;
}

scrim_status sc_synth_record_columns(const sc_synth_record *r, sc_arena *arena,
                                     const char **names,
                                     const char *cuts[SC_SYNTH_PLAN_COLUMNS],
                                     size_t *cut_count, scrim_error *error)
{
    const size_t bytes = SC_SYNTH_PLAN_COLUMNS * (SC_COLUMN_NAME_BYTES + 1) + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    sc_text_sink sink;
    if (text == NULL)
        return no_memory(error);
    *cut_count = 0;
    sc_text_sink_init(&sink, text, bytes);
    for (size_t i = 0; i < r->domain.count; i++) {
        put(&sink, i == 0 ? "" : ",");
        put(&sink, r->names[i]);
        if (r->cuts[i][0] == '\0')
            continue;
        const char *cut = join_cut(r->names[i], r->cuts[i], arena);
        if (cut == NULL)
            return no_memory(error);
        cuts[(*cut_count)++] = cut;
    }
    *names = text;
    return SCRIM_OK;
}

#include "data/table/survey.h"

#include "data/table/raw_records.h"
#include "data/table/source_seal.h"
#include "data/table/table.h"
#include "data/table/unit_count.h"
#include "data/value/source_kind.h"

#include <stdlib.h>
#include <string.h>

#define FINDINGS (SCRIM_FINDING_OTHER_DATE + 1)

/* Where a record is; which row that is is known when all pieces are. */
typedef struct place {
    uint64_t piece, index;
} place;

typedef struct tally {
    uint64_t count;
    place first[SCRIM_INSPECTED_ROWS]; /* in order */
    size_t held;
    unsigned
        misfits; /* of dates in another format: the forms that do not read all of them */
    uint64_t folded; /* of other keys: those that LOWER(TRIM()) finds on the list */
    uint64_t words;  /* of unreadable cells: those without a digit */
    bool is_narrow;  /* of dates in another format: a day or a month has one digit */
} tally;

/* Over all columns, since a form is declared for the whole source. */
typedef struct form_tally {
    uint64_t dates,
        dates_as[SC_ODDITY_DATE_FORMS]; /* read as declared, and by each form */
    uint64_t marked,
        other_marked; /* numbers with the declared decimal mark, and the other */
} form_tally;

typedef struct piece {
    uint64_t number, records;
    uint64_t before; /* records of the pieces in front of it */
} piece;

/* State that the workers share. */
typedef struct survey {
    const sc_survey_request *request;
    sc_oddity_eye *eyes;
    sc_unit_count *units; /* NULL: each row is one */
    bool keeps_unread;    /* a row of which nothing can be read is a unit, and stands */
    uint64_t before;      /* the number of the header */
    sc_raw_watch watch;
    sc_source_stamp origin; /* of the file that is declared, and its bytes */
    sc_source_content content;
} survey;

typedef struct surveyor {
    survey *shared;
    bool is_first;  /* the caller's own thread */
    tally *tallies; /* those of the table, then of column after column */
    uint64_t rows, counted;
    form_tally forms;
    piece *pieces;
    size_t piece_count, piece_room;
} surveyor;

static scrim_status fail_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory to look at a source");
}

/* Tallies. */

static bool is_before(const place *a, const place *b)
{
    return a->piece != b->piece ? a->piece < b->piece : a->index < b->index;
}

static void note_place(tally *t, const place *at)
{
    if (t->held == SCRIM_INSPECTED_ROWS) {
        if (!is_before(at, &t->first[t->held - 1]))
            return;
        t->held--;
    }
    size_t i = t->held++;
    for (; i > 0 && is_before(at, &t->first[i - 1]); i--)
        t->first[i] = t->first[i - 1];
    t->first[i] = *at;
}

static tally *tally_of(const surveyor *s, scrim_finding finding, size_t column)
{
    return &s->tallies[column * FINDINGS + (size_t)finding];
}

/* column is 0 for the table, else one more than its place in the schema. */
static void note(surveyor *s, scrim_finding finding, size_t column,
                 const sc_raw_record *record)
{
    const place at = {record->piece, record->index};
    tally *t = tally_of(s, finding, column);
    t->count++;
    note_place(t, &at);
}

/* Records. */

/* Has a number one digit alone? */
static bool has_lone_digit(sc_text text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.bytes; i++) {
        const bool is_digit = text.start[i] >= '0' && text.start[i] <= '9';
        if (!is_digit && digits == 1)
            return true;
        digits = is_digit ? digits + 1 : 0;
    }
    return digits == 1;
}

static bool has_digit(sc_text text)
{
    for (size_t i = 0; i < text.bytes; i++)
        if (text.start[i] >= '0' && text.start[i] <= '9')
            return true;
    return false;
}

static void look_at_form(surveyor *s, const sc_raw_record *record, size_t i,
                         scrim_finding finding)
{
    const sc_oddity_eye *eye = &s->shared->eyes[i];
    const sc_raw_value *value = &record->values[i];
    const sc_column_type type = eye->column->type;
    const bool is_read = sc_oddity_is_read(finding);
    if (value->kind == SC_RAW_TYPED) /* in no form */
        return;
    s->forms.marked += is_read && sc_oddity_has_mark(eye, value);
    s->forms.other_marked +=
        finding == SCRIM_FINDING_DECIMAL_COMMA || finding == SCRIM_FINDING_DECIMAL_POINT;
    if ((type != SC_COLUMN_DATE && type != SC_COLUMN_TIMESTAMP) ||
        (!is_read && finding != SCRIM_FINDING_OTHER_DATE))
        return;
    const unsigned forms = sc_oddity_date_forms(eye, value->text);
    s->forms.dates += is_read;
    for (size_t f = 0; f < SC_ODDITY_DATE_FORMS; f++)
        s->forms.dates_as[f] += forms >> f & 1;
    if (!is_read) {
        tally *t = tally_of(s, finding, i + 1);
        t->misfits |= ~forms;
        t->is_narrow = t->is_narrow || has_lone_digit(value->text);
    }
}

static void look_at_value(surveyor *s, const sc_raw_record *record, size_t i)
{
    const sc_oddity_eye *eye = &s->shared->eyes[i];
    const sc_raw_value *value = &record->values[i];
    int64_t at = 0;
    const scrim_finding finding = sc_oddity_of(eye, value, &at);
    const bool is_read = sc_oddity_is_read(finding);
    if (finding != SCRIM_FINDING_READABLE)
        note(s, finding, i + 1, record);
    look_at_form(s, record, i, finding);
    if (finding == SCRIM_FINDING_UNREADABLE && value->kind != SC_RAW_BLOB)
        tally_of(s, finding, i + 1)->words += !has_digit(value->text);
    if (is_read)
        tally_of(s, SCRIM_FINDING_READABLE, i + 1)->count++;
    if (!sc_oddity_is_other_key(eye, value, is_read, at))
        return;
    note(s, SCRIM_FINDING_OTHER_KEY, i + 1, record);
    tally_of(s, SCRIM_FINDING_OTHER_KEY, i + 1)->folded +=
        is_read && sc_oddity_is_key_folded(eye, value);
}

static scrim_status look_at_unit(surveyor *s, const sc_raw_record *record,
                                 bool *is_somebody, scrim_error *error)
{
    const sc_text unit = record->unit.text; /* empty when it is NULL */
    *is_somebody = unit.bytes > 0 && unit.bytes <= SC_COLUMN_VALUE_BYTES;
    if (*is_somebody)
        return sc_unit_count_add(s->shared->units, unit, (sc_text){NULL, 0}, NULL, error);
    note(s, unit.bytes == 0 ? SCRIM_FINDING_NO_UNIT : SCRIM_FINDING_LONG_UNIT, 0, record);
    return SCRIM_OK;
}

static scrim_status take(void *context, const sc_raw_record *record, scrim_error *error)
{
    surveyor *s = context;
    const survey *shared = s->shared;
    bool is_counted = true;
    scrim_status status = SCRIM_OK;
    s->rows++;
    if (record->fault != SC_RAW_WHOLE) {
        note(s,
             record->fault == SC_RAW_FIELDS ? SCRIM_FINDING_FIELDS : SCRIM_FINDING_BROKEN,
             0, record);
        s->counted += shared->keeps_unread;
        return SCRIM_OK;
    }
    if (shared->units != NULL)
        status = look_at_unit(s, record, &is_counted, error);
    for (size_t i = 0; i < shared->request->schema->column_count; i++)
        look_at_value(s, record, i);
    s->counted += is_counted;
    return status;
}

static scrim_status ended(void *context, uint64_t number, uint64_t records,
                          uint64_t bytes, scrim_error *error)
{
    surveyor *s = context;
    survey *shared = s->shared;
    if (s->piece_count == s->piece_room) {
        const size_t room = 2 * s->piece_room + 64;
        piece *pieces = sc_allocate(room, sizeof *pieces);
        if (pieces == NULL)
            return fail_memory(error);
        if (s->piece_count > 0)
            memcpy(pieces, s->pieces, s->piece_count * sizeof *pieces);
        sc_free(s->pieces);
        s->pieces = pieces;
        s->piece_room = room;
    }
    s->pieces[s->piece_count++] = (piece){.number = number, .records = records};
    return sc_raw_watch_ended(&shared->watch, s->is_first, bytes, error);
}

/* One surveyor out of all: the first takes over what the others have. */

static void merge_tally(tally *into, const tally *from)
{
    into->count += from->count;
    into->misfits |= from->misfits;
    into->folded += from->folded;
    into->words += from->words;
    into->is_narrow = into->is_narrow || from->is_narrow;
    for (size_t i = 0; i < from->held; i++)
        note_place(into, &from->first[i]);
}

static void merge_forms(form_tally *into, const form_tally *from)
{
    into->dates += from->dates;
    for (size_t f = 0; f < SC_ODDITY_DATE_FORMS; f++)
        into->dates_as[f] += from->dates_as[f];
    into->marked += from->marked;
    into->other_marked += from->other_marked;
}

static int by_number(const void *left, const void *right)
{
    const piece *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static scrim_status merge(surveyor *all, size_t count, size_t slots, scrim_error *error)
{
    size_t pieces = 0;
    uint64_t before = all[0].shared->before;
    for (size_t w = 0; w < count; w++)
        pieces += all[w].piece_count;
    piece *sorted = sc_allocate(pieces, sizeof *sorted);
    if (sorted == NULL)
        return fail_memory(error);
    pieces = 0;
    for (size_t w = 0; w < count; w++) {
        if (all[w].piece_count > 0)
            memcpy(sorted + pieces, all[w].pieces, all[w].piece_count * sizeof *sorted);
        pieces += all[w].piece_count;
        for (size_t i = 0; i < slots && w > 0; i++)
            merge_tally(&all[0].tallies[i], &all[w].tallies[i]);
        if (w > 0)
            merge_forms(&all[0].forms, &all[w].forms);
        all[0].rows += w > 0 ? all[w].rows : 0;
        all[0].counted += w > 0 ? all[w].counted : 0;
    }
    qsort(sorted, pieces, sizeof *sorted, by_number);
    for (size_t i = 0; i < pieces; i++) {
        sorted[i].before = before;
        before += sorted[i].records;
    }
    sc_free(all[0].pieces);
    all[0].pieces = sorted;
    all[0].piece_count = pieces;
    return SCRIM_OK;
}

/* Lines. */

static const char *effect_of(const survey *shared, scrim_finding finding,
                             const sc_column *column)
{
    switch (finding) {
    case SCRIM_FINDING_CHANGED:
        return "refused";
    case SCRIM_FINDING_FIELDS:
    case SCRIM_FINDING_BROKEN:
        return shared->keeps_unread ? "null" : "dropped";
    case SCRIM_FINDING_NO_UNIT:
    case SCRIM_FINDING_LONG_UNIT:
        return "dropped";
    case SCRIM_FINDING_OVER:
        return "bounded";
    case SCRIM_FINDING_MISSING:
    case SCRIM_FINDING_UNREADABLE:
    case SCRIM_FINDING_NOT_UTF8:
    case SCRIM_FINDING_TOO_LONG:
    case SCRIM_FINDING_DECIMAL_COMMA:
    case SCRIM_FINDING_DECIMAL_POINT:
    case SCRIM_FINDING_OTHER_DATE:
        return column->has_missing ? "default" : "null";
    case SCRIM_FINDING_BELOW:
    case SCRIM_FINDING_ABOVE:
        return "clamped";
    case SCRIM_FINDING_ROUNDED:
        return "rounded";
    case SCRIM_FINDING_OTHER_KEY:
        return "ungrouped";
    case SCRIM_FINDING_ROWS:
    case SCRIM_FINDING_COUNTED:
    case SCRIM_FINDING_UNITS:
    case SCRIM_FINDING_MOST_ROWS:
    case SCRIM_FINDING_READABLE:
        break;
    }
    return "";
}

static bool is_right(const char *effect, scrim_finding finding)
{
    return effect[0] == '\0' || finding == SCRIM_FINDING_ROUNDED ||
           finding == SCRIM_FINDING_MISSING || finding == SCRIM_FINDING_OVER;
}

/* The number of the row. Every place is in a piece that was ended. */
static uint64_t row_of(const surveyor *s, const place *at)
{
    const piece key = {.number = at->piece};
    const piece *found = bsearch(&key, s->pieces, s->piece_count, sizeof key, by_number);
    return found == NULL ? 0 : found->before + at->index + 1;
}

static scrim_inspected *add_line(const survey *shared, scrim_inspection *out,
                                 scrim_finding finding, const sc_column *column,
                                 uint64_t count)
{
    scrim_inspected *line = &out->lines[out->count++];
    *line = (scrim_inspected){.finding = finding, .count = count};
    line->effect = effect_of(shared, finding, column);
    line->is_right = is_right(line->effect, finding);
    out->is_right = out->is_right && line->is_right;
    if (column != NULL) {
        sc_text_sink sink;
        sc_text_sink_init(&sink, line->column, sizeof line->column);
        sc_text_put(&sink, column->name);
        line->is_bool = column->type == SC_COLUMN_BOOL;
    }
    return line;
}

/* Does the letter stand twice in a form, as in YYYYMMDD? */
static bool is_pair(const char *form, const char *at)
{
    return at[1] == *at || (at > form && at[-1] == *at);
}

/* "D/M/YYYY or M/D/YYYY"; is_wide: with two digits, "DD/MM/YYYY or MM/DD/YYYY". */
static void put_formats(unsigned forms, bool is_wide, char out[SCRIM_DATE_FORMATS_BYTES])
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, out, SCRIM_DATE_FORMATS_BYTES);
    for (size_t i = 0; i < SC_ODDITY_DATE_FORMS; i++) {
        if ((forms >> i & 1) == 0)
            continue;
        sc_text_put(&sink, sc_text_of(sink.length > 0 ? " or " : ""));
        const char *form = sc_oddity_date_form(i);
        for (const char *at = form; *at != '\0'; at++) {
            sc_text_put(&sink, (sc_text){at, 1});
            if (is_wide && strchr("MD", *at) != NULL && !is_pair(form, at))
                sc_text_put(&sink, (sc_text){at, 1});
        }
    }
}

/* Would another form read more than the declared one? Of dates: a form that reads all of these, if
 * there is one. */
static void add_form(const surveyor *s, scrim_finding finding, const tally *t,
                     scrim_inspected *line)
{
    const form_tally *all = &s->forms;
    const unsigned fits = ~t->misfits & ((1u << SC_ODDITY_DATE_FORMS) - 1);
    unsigned better = 0;
    if (finding == SCRIM_FINDING_DECIMAL_COMMA || finding == SCRIM_FINDING_DECIMAL_POINT)
        line->reads_more = all->other_marked > all->marked;
    if (finding != SCRIM_FINDING_OTHER_DATE)
        return;
    for (size_t f = 0; f < SC_ODDITY_DATE_FORMS; f++)
        better |= all->dates_as[f] > all->dates ? 1u << f : 0;
    line->reads_more = fits == 0 ? better != 0 : (fits & better) != 0;
    put_formats(line->reads_more ? fits & better : fits,
                !line->reads_more && !t->is_narrow, line->date_formats);
}

/* A line with its rows, where there is anything to tell. */
static void add_tally(const surveyor *s, scrim_inspection *out, scrim_finding finding,
                      size_t column)
{
    const survey *shared = s->shared;
    const tally *t = tally_of(s, finding, column);
    if (t->count == 0)
        return;
    scrim_inspected *line = add_line(
        shared, out, finding,
        column == 0 ? NULL : &shared->request->schema->columns[column - 1], t->count);
    for (size_t i = 0; i < t->held; i++)
        line->rows[line->row_count++] = row_of(s, &t->first[i]);
    line->folded = t->folded;
    line->words = t->words;
    add_form(s, finding, t, line);
}

static void add_table(const surveyor *s, scrim_inspection *out)
{
    const survey *shared = s->shared;
    const sc_source_seal *declared = shared->request->declared;
    if (declared != NULL &&
        (!sc_source_seal_fits(declared, shared->request->declared_key, &shared->origin) ||
         !sc_source_seal_holds(declared, shared->request->declared_key,
                               &shared->content)))
        add_line(shared, out, SCRIM_FINDING_CHANGED, NULL, 1);
    add_line(shared, out, SCRIM_FINDING_ROWS, NULL, s->rows);
    add_line(shared, out, SCRIM_FINDING_COUNTED, NULL, s->counted);
    add_tally(s, out, SCRIM_FINDING_FIELDS, 0);
    add_tally(s, out, SCRIM_FINDING_BROKEN, 0);
    add_tally(s, out, SCRIM_FINDING_NO_UNIT, 0);
    add_tally(s, out, SCRIM_FINDING_LONG_UNIT, 0);
    if (shared->units == NULL)
        return;
    const sc_bounds *bounds = &shared->request->schema->bounds;
    const sc_unit_totals totals = sc_unit_count_totals(
        shared->units, bounds->total > 0 ? bounds->total : bounds->rows);
    add_line(shared, out, SCRIM_FINDING_UNITS, NULL, totals.units);
    add_line(shared, out, SCRIM_FINDING_MOST_ROWS, NULL, totals.most);
    /* Rows beyond a bound are what a bound is for. That each unit has one row is a statement about the file. */
    if (totals.over > 0) {
        scrim_inspected *line =
            add_line(shared, out, SCRIM_FINDING_OVER, NULL, totals.over);
        line->is_right = !shared->request->schema->has_one_row;
        out->is_right = out->is_right && line->is_right;
    }
}

static scrim_status report(const surveyor *s, size_t slots, scrim_inspection *out,
                           scrim_error *error)
{
    const sc_schema *schema = s->shared->request->schema;
    scrim_inspection new = {.is_right = 1,
                            .counts_lines = schema->source == &sc_source_csv_kind};
    new.lines = sc_allocate(slots, sizeof *new.lines);
    if (new.lines == NULL)
        return fail_memory(error);
    add_table(s, &new);
    for (size_t i = 0; i < schema->column_count; i++) {
        add_line(s->shared, &new, SCRIM_FINDING_READABLE, &schema->columns[i],
                 tally_of(s, SCRIM_FINDING_READABLE, i + 1)->count);
        for (int finding = SCRIM_FINDING_READABLE + 1; finding < FINDINGS; finding++)
            add_tally(s, &new, (scrim_finding)finding, i + 1);
    }
    *out = new;
    return SCRIM_OK;
}

/* The parts of the report. */

const char *scrim_finding_name(scrim_finding finding)
{
    static const char *const names[] = {
        [SCRIM_FINDING_CHANGED] = "source-changed",
        [SCRIM_FINDING_ROWS] = "rows",
        [SCRIM_FINDING_COUNTED] = "rows-counted",
        [SCRIM_FINDING_FIELDS] = "wrong-fields",
        [SCRIM_FINDING_BROKEN] = "broken-row",
        [SCRIM_FINDING_NO_UNIT] = "no-unit",
        [SCRIM_FINDING_LONG_UNIT] = "unit-too-long",
        [SCRIM_FINDING_UNITS] = "units",
        [SCRIM_FINDING_MOST_ROWS] = "most-rows",
        [SCRIM_FINDING_OVER] = "over-max-rows",
        [SCRIM_FINDING_READABLE] = "readable",
        [SCRIM_FINDING_MISSING] = "missing",
        [SCRIM_FINDING_UNREADABLE] = "unreadable",
        [SCRIM_FINDING_NOT_UTF8] = "not-utf8",
        [SCRIM_FINDING_TOO_LONG] = "too-long",
        [SCRIM_FINDING_BELOW] = "below-range",
        [SCRIM_FINDING_ABOVE] = "above-range",
        [SCRIM_FINDING_ROUNDED] = "rounded",
        [SCRIM_FINDING_OTHER_KEY] = "other-key",
        [SCRIM_FINDING_DECIMAL_COMMA] = "decimal-comma",
        [SCRIM_FINDING_DECIMAL_POINT] = "decimal-point",
        [SCRIM_FINDING_OTHER_DATE] = "other-date",
    };
    const size_t index = (size_t)finding;
    return index < sizeof names / sizeof names[0] && names[index] != NULL ? names[index]
                                                                          : "unknown";
}

void scrim_inspection_clear(scrim_inspection *inspection)
{
    sc_free_wiped(inspection->lines, inspection->count * sizeof *inspection->lines);
    *inspection = (scrim_inspection){.lines = NULL};
}

/* The survey. */

static void clear(survey *shared, surveyor *all, size_t workers, size_t slots)
{
    for (size_t w = 0; all != NULL && w < workers; w++) {
        sc_free_wiped(all[w].tallies, slots * sizeof *all[w].tallies);
        sc_free(all[w].pieces);
    }
    sc_free(all);
    for (size_t i = 0; shared->eyes != NULL && i < shared->request->schema->column_count;
         i++)
        sc_oddity_eye_clear(&shared->eyes[i]);
    sc_free(shared->eyes);
    sc_unit_count_free(shared->units);
    sc_raw_watch_clear(&shared->watch);
}

static scrim_status prepare(survey *shared, surveyor *all, size_t workers, size_t slots,
                            scrim_error *error)
{
    const sc_schema *schema = shared->request->schema;
    shared->eyes = sc_allocate(schema->column_count, sizeof *shared->eyes);
    scrim_status status = sc_raw_watch_init(&shared->watch, error);
    if (status == SCRIM_OK && (shared->eyes == NULL || all == NULL))
        status = fail_memory(error);
    shared->keeps_unread = schema->unit.bytes == 0;
    for (size_t i = 0; i < schema->column_count && status == SCRIM_OK; i++)
        status = sc_oddity_eye_init(&shared->eyes[i], &schema->columns[i], error);
    for (size_t w = 0; w < workers && status == SCRIM_OK; w++) {
        all[w].shared = shared;
        all[w].is_first = w == 0;
        all[w].tallies = sc_allocate(slots, sizeof *all[w].tallies);
        if (all[w].tallies == NULL)
            status = fail_memory(error);
    }
    if (status == SCRIM_OK && schema->unit.bytes > 0)
        status = sc_unit_count_new(0, &shared->units, error);
    return status;
}

/* Rows that are pushed may be those of a file. */
static scrim_status look_at_origin(survey *shared, scrim_error *error)
{
    const sc_survey_request *request = shared->request;
    shared->origin = shared->watch.stamp;
    return request->frame != NULL && request->declared != NULL
               ? sc_declared_content_read(request->schema, request->declared_key, NULL,
                                          &shared->origin, &shared->content, error)
               : SCRIM_OK;
}

scrim_status sc_survey(const sc_survey_request *request, scrim_inspection *out,
                       scrim_error *error)
{
    survey shared = {.request = request,
                     .watch = {.progress = request->progress,
                               .is_cancelled = request->is_cancelled,
                               .context = request->context}};
    void *contexts[SC_WORKERS_MAX];
    const unsigned workers =
        request->workers == 0 ? sc_table_workers() : request->workers;
    const size_t slots = (request->schema->column_count + 1) * FINDINGS;
    if (workers > SC_WORKERS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workers",
                                 "at most %d", SC_WORKERS_MAX);
    surveyor *all = sc_allocate(workers, sizeof *all);
    scrim_status status = prepare(&shared, all, workers, slots, error);
    const sc_raw_reader reader = {
        .take = take,
        .ended = ended,
        .contexts = contexts,
        .workers = workers,
        .content_key = request->declared == NULL ? NULL : request->declared_key,
        .content = &shared.content};
    for (unsigned w = 0; w < workers && status == SCRIM_OK; w++)
        contexts[w] = &all[w];
    if (status == SCRIM_OK)
        status = sc_raw_records_read(request->schema, request->frame, &reader,
                                     &shared.watch.stamp, &shared.before, error);
    if (status == SCRIM_OK)
        status = look_at_origin(&shared, error);
    if (status == SCRIM_OK)
        status = merge(all, workers, slots, error);
    if (status == SCRIM_OK)
        status = report(&all[0], slots, out, error);
    clear(&shared, all, workers, slots);
    return status;
}

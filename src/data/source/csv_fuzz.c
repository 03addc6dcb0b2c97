/* Any bytes are records. Three ways find the same fields; each record alone has the fields that it
 * has among others; and each field has one value. The first byte chooses what ends a record, what
 * separates fields, and how numbers and dates are written. */
#include "corpus.h"
#include "data/source/csv_index.h"
#include "data/value/calendar.h"
#include "data/value/field.h"

#include <stdlib.h>
#include <string.h>

typedef void build_way(sc_csv_index *, const char *, size_t, sc_csv_form);

static void check_same(const sc_csv_index *a, const sc_csv_index *b)
{
    if (!CHECK_INT(a->mark_count, b->mark_count) ||
        !CHECK_INT(a->record_count, b->record_count) ||
        !CHECK_INT(a->bad_count, b->bad_count))
        return;
    CHECK_BYTES(a->marks, b->marks, a->mark_count * sizeof *a->marks);
    CHECK_BYTES(a->newlines, b->newlines, a->record_count * sizeof *a->newlines);
    CHECK_BYTES(a->bad, b->bad, a->bad_count * sizeof *a->bad);
}

/* Record r, indexed by itself; the mark before it moves on. */
static void check_alone(const sc_csv_index *all, size_t r, bool is_bad, const char *bytes,
                        sc_csv_form form, uint32_t *at, sc_csv_index *own)
{
    const uint32_t first = *at;
    uint32_t last = first + 1;
    while (all->marks[last] != all->newlines[r])
        last++;
    *at = last;
    const uint32_t from = all->marks[first] + 1, count = all->marks[last] + 1 - from;
    char *copy = malloc(count + SC_CSV_PADDING);
    if (copy == NULL) {
        CHECK_FAIL("no memory");
        return;
    }
    memcpy(copy, bytes + from, count);
    memset(copy + count, form.separator, SC_CSV_PADDING);
    sc_csv_index_build(own, copy, count, form);
    CHECK_INT(own->record_count, 1);
    CHECK_INT(own->bad_count, is_bad);
    if (CHECK_INT(own->mark_count, last - first + 1))
        for (uint32_t i = 1; i <= last - first; i++)
            if (own->marks[i] + from != all->marks[first + i])
                CHECK_FAIL("mark %u of record %zu has moved", i, r);
    free(copy);
}

static void check_fields(const sc_csv_index *index, const char *bytes,
                         const sc_cell_form *cells)
{
    static const char *const types[] = {"int[-5,1000]",
                                        "decimal[-100,100]",
                                        "decimal[0,1]/2^-10",
                                        "date[2020-01-01,2021-01-01]",
                                        "bool",
                                        "timestamp[2020-01-01,2021-01-01]/60"};
    static const int64_t since[] = {INT64_MIN / 4, 1585443600}, ahead[] = {3600, 7200},
                         starts[] = {INT64_MIN / 4 + 3600, 1585450800};
    static const sc_zone zone = {.first = SC_CALENDAR_FIRST,
                                 .last = SC_CALENDAR_LAST,
                                 .count = 2,
                                 .from = since,
                                 .offsets = ahead,
                                 .starts = starts};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        sc_column column = {.name = {"x", 1}, .form = cells, .zone = &zone};
        sc_field_reader reader;
        if (!CHECK_STATUS(sc_column_set_type(&column, sc_text_of(types[t]), NULL),
                          SCRIM_OK))
            return;
        sc_field_reader_init(&reader, &column);
        for (size_t i = 0; i + 1 < index->mark_count; i++) {
            const uint32_t from = index->marks[i] + 1;
            const sc_text field = {bytes + from, index->marks[i + 1] - from};
            int64_t plain = -7, fast = -7;
            CHECK_INT(sc_field_read(&reader, field, &fast),
                      sc_field_read_plain(&column, field, &plain));
            if (fast != plain)
                CHECK_FAIL("%s: field %zu has two values", types[t], i);
        }
    }
}

/* The form that the first byte chooses. */
static sc_csv_form form_of(unsigned char byte)
{
    sc_csv_form form = {byte % 2 != 0 ? SC_RECORD_CRLF : SC_RECORD_LF, ','};
    (void)sc_schema_separator_at(byte / 2 % 4, &form.separator);
    return form;
}

static sc_cell_form cells_of(unsigned char byte)
{
    static const char *const dates[] = {"YYYY-MM-DD", "DD.MM.YYYY", "M/D/YYYY",
                                        "YYYYMMDD"};
    sc_cell_form form;
    sc_cell_form_init(&form);
    form.decimal = byte / 8 % 2 != 0 ? ',' : '.';
    CHECK(byte / 16 % 5 == 4 ||
          sc_date_form_parse(sc_text_of(dates[byte / 16 % 5]), &form.date));
    return form;
}

FUZZ(csv)
{
    static build_way *const ways[] = {sc_csv_index_build, sc_csv_index_build_words,
                                      sc_csv_index_build_plain};
    sc_csv_index index[4];
    const sc_csv_form form = form_of(count > 0 ? (unsigned char)bytes[0] : 0);
    char *room = malloc(count + 2 + SC_CSV_PADDING);
    if (room == NULL) {
        CHECK_FAIL("no memory");
        return;
    }
    const size_t body = count > 0 ? count - 1 : 0;
    if (body > 0)
        memcpy(room, bytes + 1, body);
    memset(room + body, '"', 2 + SC_CSV_PADDING);
    room[body] = '\r';
    room[body + 1] = '\n';
    for (size_t i = 0; i < 4; i++) {
        sc_csv_index_init(&index[i]);
        const bool has_room =
            CHECK_STATUS(sc_csv_index_reserve(&index[i], body + 2, NULL), SCRIM_OK);
        if (has_room && i < 3)
            ways[i](&index[i], room, body + 2, form);
    }
    check_same(&index[0], &index[1]);
    check_same(&index[0], &index[2]);
    size_t bad = 0;
    uint32_t first = 0;
    for (size_t r = 0; r < index[0].record_count; r++) {
        const bool is_bad = bad < index[0].bad_count && index[0].bad[bad] == r;
        check_alone(&index[0], r, is_bad, room, form, &first, &index[3]);
        bad += is_bad;
    }
    const sc_cell_form cells = cells_of(count > 0 ? (unsigned char)bytes[0] : 0);
    check_fields(&index[0], room, &cells);
    for (size_t i = 0; i < 4; i++)
        sc_csv_index_clear(&index[i]);
    free(room);
}

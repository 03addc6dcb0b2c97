#include "check.h"
#include "data/source/csv_index.h"
#include "faults.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void build_way(sc_csv_index *, const char *, size_t, sc_csv_form);

/* The bytes in memory of their own, with the padding behind them full of marks. */
static char *padded(const char *bytes, size_t count)
{
    char *room = malloc(count + SC_CSV_PADDING);
    if (CHECK(room != NULL)) {
        memset(room, '"', count + SC_CSV_PADDING);
        memcpy(room, bytes, count);
    }
    return room;
}

/* Fields between bars, records between semicolons; a bad record has a '!' before it. */
static void show(const char *bytes, size_t count, sc_csv_form form, build_way *build,
                 char *text, size_t capacity)
{
    sc_csv_index index;
    sc_text_sink sink;
    char *room = padded(bytes, count);
    size_t first = 0, bad = 0;
    sc_csv_index_init(&index);
    sc_text_sink_init(&sink, text, capacity);
    if (room == NULL ||
        !CHECK_STATUS(sc_csv_index_reserve(&index, count, NULL), SCRIM_OK))
        return;
    build(&index, room, count, form);
    for (size_t r = 0; r < index.record_count; r++) {
        if (bad < index.bad_count && index.bad[bad] == r) {
            sc_text_put(&sink, sc_text_of("!"));
            bad++;
        }
        for (bool is_last = false; !is_last; first++) {
            const uint32_t from = index.marks[first] + 1, to = index.marks[first + 1];
            sc_text_put(&sink, (sc_text){room + from, to - from});
            is_last = to == index.newlines[r];
            sc_text_put(&sink, sc_text_of(is_last ? ";" : "|"));
        }
    }
    CHECK_INT(bad, index.bad_count);
    CHECK_INT(first + 1, index.mark_count);
    sc_csv_index_clear(&index);
    free(room);
}

static build_way *const ways[] = {sc_csv_index_build_plain, sc_csv_index_build,
                                  sc_csv_index_build_vectors, sc_csv_index_build_words};
#define WAYS COUNT(ways)

TEST(csv_index_finds_fields)
{
    CLAIM("csv-index.local");
    static const struct {
        const char *bytes;
        sc_record_end end;
        const char *shown;
    } rows[] = {
        {"a,b\nc,d\n", SC_RECORD_LF, "a|b;c|d;"},
        {"a,b\r\nc,d\r\n", SC_RECORD_LF, "a|b\r;c|d\r;"},
        {"\n\n,\n", SC_RECORD_LF, ";;|;"},
        {"\"a,b\",c\n", SC_RECORD_LF, "\"a,b\"|c;"},
        {"\"a\"\"b\",c\n", SC_RECORD_LF, "\"a\"\"b\"|c;"},
        {"\"\",\"\"\"\"\n", SC_RECORD_LF, "\"\"|\"\"\"\";"},
        {"\"a\"\r\nb\n", SC_RECORD_LF, "\"a\"\r;b;"},
        {"\"a\nb,c\nd,e\n", SC_RECORD_LF, "!\"a;b|c;d|e;"},
        {"a\"b,c\nd\n", SC_RECORD_LF, "!a\"b,c;d;"},
        {"a\"b\"c,d\ne\n", SC_RECORD_LF, "!a\"b\"c|d;e;"},
        {"\"a\"b,c\nd\n", SC_RECORD_LF, "!\"a\"b|c;d;"},
        {"\"a\" ,c\nd\n", SC_RECORD_LF, "!\"a\" |c;d;"},
        {" \"a\",c\nd\n", SC_RECORD_LF, "! \"a\"|c;d;"},
        {"\"a\"\rb\n", SC_RECORD_LF, "!\"a\"\rb;"},
        {"\"\n\"\n\"\n", SC_RECORD_LF, "!\";!\";!\";"},
        {"\"a\nb\",c\r\nd\r\n", SC_RECORD_CRLF, "\"a\nb\"|c\r;d\r;"},
        {"a\nb,c\r\nd\r\n", SC_RECORD_CRLF, "a\nb|c\r;d\r;"},
        {"\"a\r\nb\r\n", SC_RECORD_CRLF, "!\"a\r;b\r;"},
        {"\"a\r\n\"\r\n", SC_RECORD_CRLF, "!\"a\r;!\"\r;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t way = 0; way < WAYS; way++) {
            char text[100];
            show(rows[i].bytes, strlen(rows[i].bytes), (sc_csv_form){rows[i].end, ','},
                 ways[way], text, sizeof text);
            CHECK_STR(text, rows[i].shown);
        }
}

/* Another byte separates, and a comma is one of its field then. */
TEST(csv_index_finds_fields_by_their_separator)
{
    CLAIM("csv-index.local");
    static const struct {
        const char *bytes;
        char separator;
        const char *shown;
    } rows[] = {
        {"a;b\nc,d;e\n", ';', "a|b;c,d|e;"},
        {"\"a;b\";c\n", ';', "\"a;b\"|c;"},
        {"\"a\";\"b\"\r\n", ';', "\"a\"|\"b\"\r;"},
        {"\"a\",b;c\n", ';', "!\"a\",b|c;"},
        {"\"a;b\nc;d\n", ';', "!\"a;b;c|d;"},
        {"a\tb\n\"a\tb\"\t,;\n", '\t', "a|b;\"a\tb\"|,;;"},
        {"a|b\n", '|', "a|b;"},
        {"a,b;c\n", ',', "a|b;c;"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t way = 0; way < WAYS; way++) {
            char text[100];
            show(rows[i].bytes, strlen(rows[i].bytes),
                 (sc_csv_form){SC_RECORD_LF, rows[i].separator}, ways[way], text,
                 sizeof text);
            CHECK_STR(text, rows[i].shown);
        }
}

static uint64_t word(sc_tape *tape)
{
    uint64_t w = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
    return w;
}

static void same_index(const sc_csv_index *a, const sc_csv_index *b)
{
    if (!CHECK_INT(a->mark_count, b->mark_count) ||
        !CHECK_INT(a->record_count, b->record_count) ||
        !CHECK_INT(a->bad_count, b->bad_count))
        return;
    CHECK_BYTES(a->marks, b->marks, a->mark_count * sizeof *a->marks);
    CHECK_BYTES(a->newlines, b->newlines, a->record_count * sizeof *a->newlines);
    CHECK_BYTES(a->bad, b->bad, a->bad_count * sizeof *a->bad);
    CHECK_INT(a->has_quotes, b->has_quotes);
    CHECK_INT(a->has_doubled, b->has_doubled);
}

/* Random bytes of a small alphabet, with all that matters in it, over several blocks. */
TEST(csv_index_twins_agree)
{
    CLAIM("csv-index.twins");
    static const char letters[] = "ab,,\n\"\"\r\xac\x8a\xa2;|\t\xbb\xfc\x89";
    sc_tape *tape = NULL;
    sc_csv_index index[WAYS];
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t way = 0; way < WAYS; way++) {
        sc_csv_index_init(&index[way]);
        REQUIRE_OK(sc_csv_index_reserve(&index[way], 400, NULL));
    }
    const uint64_t runs = check_count(3000, 300000);
    for (uint64_t run = 0; run < runs; run++) {
        char bytes[400];
        sc_csv_form form = {run % 2 == 0 ? SC_RECORD_LF : SC_RECORD_CRLF, ','};
        REQUIRE(sc_schema_separator_at(run / 2 % 4, &form.separator) != NULL);
        /* Some runs have few quotes, so that well-formed records occur too. */
        const size_t kinds = run % 3 == 0 ? 5 : sizeof letters - 1;
        size_t count = 2 + word(tape) % (sizeof bytes - 2);
        for (size_t i = 0; i < count; i++) {
            const size_t kind = word(tape) % 40 == 0 ? 5 : word(tape) % kinds;
            bytes[i] = letters[kind]; /* 5: a quote; 2 and 3: what separates, mostly */
            if (bytes[i] == ',' && kind == 3)
                bytes[i] = form.separator;
        }
        bytes[count - 2] = '\r';
        bytes[count - 1] = '\n';
        char *room = padded(bytes, count);
        REQUIRE(room != NULL);
        for (size_t way = 0; way < WAYS; way++)
            ways[way](&index[way], room, count, form);
        for (size_t way = 1; way < WAYS; way++)
            same_index(&index[way], &index[0]);
        free(room);
    }
    for (size_t way = 0; way < WAYS; way++)
        sc_csv_index_clear(&index[way]);
    sc_tape_free(tape);
}

TEST(csv_quotes_are_halved)
{
    static const struct {
        const char *field, *text;
    } cases[] = {{"a\"\"b", "a\"b"}, {"\"\"\"\"", "\"\""}, {"", ""}, {"abc", "abc"}};
    sc_csv_quotes room = {.bytes = NULL};
    sc_text taken[2 * COUNT(cases)];
    REQUIRE_OK(sc_csv_quotes_reserve(&room, 11, NULL));
    for (size_t i = 0; i < COUNT(taken); i++)
        taken[i] = sc_csv_quotes_take(&room, sc_text_of(cases[i / 2].field));
    for (size_t i = 0; i < COUNT(taken); i++) /* each is still there */
        CHECK(sc_text_is(taken[i], cases[i / 2].text));
    CHECK_INT(room.used, 16);
    REQUIRE_OK(sc_csv_quotes_reserve(&room, 5, NULL));
    CHECK_INT(room.used, 0);
    CHECK_INT(room.capacity, 22 + SC_CSV_PADDING);
    sc_csv_quotes_clear(&room);
    CHECK(room.bytes == NULL && room.capacity == 0);
}

TEST(csv_quotes_without_memory)
{
    FAULT_LOOP(fault)
    {
        sc_csv_quotes room = {.bytes = NULL};
        scrim_status status = sc_csv_quotes_reserve(&room, 5, NULL);
        if (status == SCRIM_OK)
            status = sc_csv_quotes_reserve(&room, 500, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status != SCRIM_OK)
            CHECK_INT(room.capacity, 0);
        sc_csv_quotes_clear(&room);
    }
}

#define ROWS 37
#define MOST 12 /* characters of a field */

/* Records of two fields, the second last, as an index finds them. */
typedef struct table {
    char *bytes;
    uint32_t marks[2 * ROWS + 1], records[ROWS];
} table;

/* Something of a number's characters: mostly as columns have it, else anything. */
static size_t put_field(sc_tape *tape, char decimal, char *to)
{
    static const char letters[] = "0123456789012345.-+ e\r/:";
    size_t count = word(tape) % (MOST + 1);
    if (word(tape) % 4 == 0) {
        for (size_t i = 0; i < count; i++)
            to[i] = letters[word(tape) % (sizeof letters - 1)];
        return count;
    }
    count = word(tape) % 9;
    for (size_t i = 0; i < count; i++)
        to[i] = (char)('0' + word(tape) % 10);
    if (count > 3 && word(tape) % 2 == 0)
        to[count - 3] = (char[]){'.', decimal}[word(tape) % 8 != 0];
    if (count > 1 && word(tape) % 3 == 0)
        to[0] = '-';
    return count;
}

static void fill(sc_tape *tape, table *t, char decimal, bool is_crlf)
{
    char room[ROWS * (2 * MOST + 3)];
    size_t used = 0;
    t->marks[0] = UINT32_MAX;
    for (size_t row = 0; row < ROWS; row++) {
        t->records[row] = (uint32_t)(2 * row);
        used += put_field(tape, decimal, room + used);
        t->marks[2 * row + 1] = (uint32_t)used;
        room[used++] = ';';
        used += put_field(tape, decimal, room + used);
        if (is_crlf)
            room[used++] = '\r';
        t->marks[2 * row + 2] = (uint32_t)used;
        room[used++] = '\n';
    }
    t->bytes = malloc(used + SC_CSV_PADDING);
    REQUIRE(t->bytes != NULL);
    memcpy(t->bytes, room, used);
    memset(t->bytes + used, '9', SC_CSV_PADDING);
}

static sc_text field_at(const sc_csv_column *column, size_t row)
{
    const uint32_t from = column->marks[column->records[row]] + 1;
    uint32_t to = column->marks[column->records[row] + 1];
    if (column->is_last && to > from && column->bytes[to - 1] == '\r')
        to--;
    return (sc_text){column->bytes + from, to - from};
}

/* Adds to *read how many rows were. */
static void check_rows(const sc_csv_column *column, const sc_field_reader *reader,
                       size_t from, size_t *read)
{
    int64_t values[ROWS];
    uint32_t others[ROWS];
    bool is_other[ROWS] = {false};
    const size_t left =
        sc_csv_numbers_read(column, reader, from, ROWS - from, values, others);
    REQUIRE(left <= ROWS - from);
    for (size_t i = 0; i < left; i++) {
        REQUIRE(others[i] >= from && others[i] < ROWS && !is_other[others[i]]);
        is_other[others[i]] = true;
    }
    for (size_t row = from; row < ROWS; row++) {
        int64_t want = 0;
        if (!is_other[row] && CHECK(sc_field_read(reader, field_at(column, row), &want)))
            CHECK_INT(values[row], want);
    }
    *read += ROWS - from - left;
}

TEST(csv_numbers_are_those_of_single_fields)
{
    CLAIM("csv-numbers.same");
    static const char *const types[] = {"decimal[0,100]",
                                        "decimal[-5,1000000]",
                                        "int[0,120]",
                                        "int[-2^62,2^62]",
                                        "decimal[-1,1]/0.0000001",
                                        "decimal[-9,9]/0.000000001",
                                        "decimal[0,5]/2^-10",
                                        "bool"};
    sc_tape *tape = NULL;
    size_t read = 0, rows = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t run = 0; run < check_count(2000, 200000); run++) {
        const sc_cell_form form = {.decimal = run % 4 == 3 ? ',' : '.'};
        sc_column column = {.name = sc_text_of("x"), .form = &form};
        sc_field_reader reader;
        table t;
        REQUIRE_OK(
            sc_column_set_type(&column, sc_text_of(types[run % COUNT(types)]), NULL));
        sc_field_reader_init(&reader, &column);
        if (!sc_csv_numbers_can(&reader))
            continue;
        fill(tape, &t, form.decimal, run % 3 == 0);
        const sc_csv_column first = {t.bytes, t.marks, t.records, false},
                            second = {t.bytes, t.marks + 1, t.records, true};
        check_rows(&first, &reader, run % 5, &read);
        check_rows(&second, &reader, run % 7, &read);
        rows += 2 * (size_t)ROWS;
        free(t.bytes);
    }
    /* Where the machine can, it reads more than a few. */
    CHECK(rows == 0 || read > rows / 4);
    sc_tape_free(tape);
}

#include "check.h"
#include "data/source/csv_index.h"
#include "random/bits_tape.h"

#include <stdio.h>
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

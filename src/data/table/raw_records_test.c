#include "check.h"
#include "data/table/raw_records.h"
#include "data/value/column.h"
#include "data/value/source_kind.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Columns of text keep their bytes, so that both ways can be held against each other. */
#define TEXTS "unit=id\ncolumn=a=text\ncolumn=b=text"

/* The records that would count, as table_rows writes rows; and what the pieces were. */
typedef struct records {
    pthread_mutex_t lock; /* of all below */
    table_rows rows;
    size_t whole, fields, broken;
    uint64_t pieces, ended; /* the numbers of pieces, and the records in them */
} records;

static bool is_text(const sc_raw_value *value)
{
    return value->kind == SC_RAW_TEXT &&
           (value->text.bytes == 0 || sc_column_is_text(value->text));
}

/* A unit is any bytes, else there is no row; a value a legal text or empty, else NULL. */
static void add_row(records *r, const sc_raw_record *record)
{
    char text[600];
    sc_text_sink sink;
    const sc_text unit = record->unit.text;
    if (unit.bytes == 0)
        return;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_text_put(&sink, unit);
    for (size_t i = 0; i < 2; i++) {
        sc_text_put(&sink, sc_text_of("|"));
        sc_text_put(&sink, is_text(&record->values[i]) ? record->values[i].text
                                                       : sc_text_of("<null>"));
    }
    char **lines = realloc(r->rows.lines, (r->rows.count + 1) * sizeof *lines);
    char *line = malloc(sink.length + 1);
    if (lines != NULL)
        r->rows.lines = lines;
    if (!CHECK(lines != NULL && line != NULL && sink.length < sizeof text)) {
        free(line);
        return;
    }
    memcpy(line, text, sink.length + 1);
    r->rows.lines[r->rows.count++] = line;
}

static scrim_status take(void *context, const sc_raw_record *record, scrim_error *error)
{
    records *r = context;
    (void)error;
    pthread_mutex_lock(&r->lock);
    r->whole += record->fault == SC_RAW_WHOLE;
    r->fields += record->fault == SC_RAW_FIELDS;
    r->broken += record->fault == SC_RAW_BROKEN;
    if (record->fault == SC_RAW_WHOLE)
        add_row(r, record);
    pthread_mutex_unlock(&r->lock);
    return SCRIM_OK;
}

static scrim_status ended(void *context, uint64_t piece, uint64_t count, uint64_t bytes,
                          scrim_error *error)
{
    records *r = context;
    (void)piece;
    (void)bytes;
    (void)error;
    pthread_mutex_lock(&r->lock);
    r->pieces++;
    r->ended += count;
    pthread_mutex_unlock(&r->lock);
    return SCRIM_OK;
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_records(records *r, const char *policy, unsigned workers)
{
    const sc_schema *schema = NULL;
    sc_source_stamp stamp;
    uint64_t before = 0;
    void *contexts[4] = {r, r, r, r};
    const sc_raw_reader reader = {
        .take = take, .ended = ended, .contexts = contexts, .workers = workers};
    scrim_error error = {.message = ""};
    *r = (records){.lock = PTHREAD_MUTEX_INITIALIZER};
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error));
    CHECK_STATUS(sc_raw_records_read(schema, NULL, &reader, &stamp, &before, &error),
                 SCRIM_OK);
    CHECK_INT(before, schema->source == &sc_source_csv_kind);
    CHECK(stamp.is_file);
    sc_schema_free(schema);
    if (r->rows.count > 0)
        qsort(r->rows.lines, r->rows.count, sizeof *r->rows.lines, by_line);
}

/* The same rows in both ways, by one worker and by several. */
static void check_same(const char *policy)
{
    records r;
    table_rows rows;
    table_rows_read(&rows, policy, 1);
    for (unsigned workers = 1; workers <= 4; workers += 3) {
        read_records(&r, policy, workers);
        if (!table_rows_equal(&r.rows, &rows)) {
            char theirs[3000], ours[3000];
            table_rows_join(&rows, theirs, sizeof theirs);
            table_rows_join(&r.rows, ours, sizeof ours);
            CHECK_STR(ours, theirs);
        }
        table_rows_clear(&r.rows);
    }
    table_rows_clear(&rows);
}

static void make(char path[40], const char *bytes, size_t count)
{
    snprintf(path, 40, "/tmp/raw_record.XXXXXX");
    const int descriptor = mkstemp(path);
    CHECK(descriptor >= 0);
    CHECK(write(descriptor, bytes, count) == (ssize_t)count);
    close(descriptor);
}

TEST(raw_records_are_those_of_batches)
{
    CLAIM("raw_record.same");
    static const char letters[] = "01234,,,,\"\"\"\"abc\r .\n\n\n\xff\xc3";
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t runs = check_count(60, 20000);
    for (uint64_t run = 0; run < runs; run++) {
        const bool is_crlf = run % 3 == 2;
        char bytes[1500], path[40], policy[200];
        size_t used = (size_t)sprintf(bytes, "b,id,x,a%s", is_crlf ? "\r\n" : "\n");
        while (used < 1400) {
            uint64_t w = 0;
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
            if (w % 12 == 0)
                used += (size_t)sprintf(bytes + used, "%sb,%u,\"\"\"\",\"a\"\"%u,\"%s",
                                        is_crlf ? "\r\n" : "\n", (unsigned)(w >> 8 & 3),
                                        (unsigned)(w >> 16 & 7), is_crlf ? "\r\n" : "\n");
            else
                bytes[used++] = letters[(w >> 8) % (sizeof letters - 1)];
        }
        make(path, bytes, used);
        snprintf(policy, sizeof policy, TEXTS "\nrecords=%s\ncsv=%s",
                 is_crlf ? "crlf" : "lf", path);
        check_same(policy);
        unlink(path);
    }
    sc_tape_free(tape);
}

/* Texts that stand for a missing value, quoted and not. */
TEST(raw_records_know_null_texts)
{
    CLAIM("raw_record.same");
    static const char bytes[] = "id;a;b\r\n1;NA;x\r\n2;\"NA\";-\r\n3;\"NA\";\"-\"\r\n"
                                "NA;x;y\r\n\"NA\";x;y\r\n4;N;\"x;y\"\r\n5;x;NA\r\n";
    char path[40], policy[200], text[200];
    records r;
    make(path, bytes, sizeof bytes - 1);
    snprintf(policy, sizeof policy, TEXTS "\nseparator=;\nnull=NA,-\ncsv=%s", path);
    check_same(policy);
    read_records(&r, policy, 1);
    table_rows_join(&r.rows, text, sizeof text);
    CHECK(strstr(text, "3|NA|-;") != NULL && strstr(text, "NA|x|y;") != NULL);
    CHECK_INT(r.whole, 7);
    table_rows_clear(&r.rows);
    unlink(path);
}

TEST(raw_records_say_what_is_wrong_with_them)
{
    static const char bytes[] = "id,a,b\n1,x,y\n\n\r\n2,x\n3,x,y,z\n4,\"x,y\n5,x\",y\n"
                                "\"6\",\"\",\"\"\"\"";
    char path[40], policy[200];
    records r;
    make(path, bytes, sizeof bytes - 1);
    snprintf(policy, sizeof policy, TEXTS "\ncsv=%s", path);
    read_records(&r, policy, 1);
    CHECK_INT(r.whole, 2);
    CHECK_INT(r.fields, 2);
    CHECK_INT(r.broken, 2);
    CHECK_INT(r.pieces, 1);
    CHECK_INT(r.ended, 8); /* with the blank ones */
    table_rows_clear(&r.rows);
    unlink(path);
}

TEST(raw_records_of_a_database_are_those_of_batches)
{
    CLAIM("raw_record.same");
    char path[40], policy[200];
    sqlite3 *database = NULL;
    make(path, "", 0);
    CHECK_INT(sqlite3_open(path, &database), SQLITE_OK);
    CHECK_INT(sqlite3_exec(database,
                           "CREATE TABLE t (id, a, b);"
                           "INSERT INTO t VALUES (1, 'x', 'y'), (1.5, 2.25, 3),"
                           "(x'414243', 'x', 'y'), (2, x'78', 'y'), (NULL, 'x', 'y'),"
                           "('', 'x', 'y'), (3, '', 'y'), (4, NULL, 'y')",
                           NULL, NULL, NULL),
              SQLITE_OK);
    sqlite3_close(database);
    snprintf(policy, sizeof policy, TEXTS "\nsqlite=%s\ntable=t", path);
    check_same(policy);
    snprintf(policy, sizeof policy, TEXTS "\nsqlite=%s\ntable=t\nnull=x,1,3,1.5", path);
    check_same(policy);
    unlink(path);
}

#include "check.h"
#include "data/table/raw_records.h"
#include "data/value/column.h"
#include "data/value/field.h"
#include "data/value/source_kind.h"
#include "data/value/value.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <fcntl.h>
#include <math.h>
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

SLOW_TEST(raw_records_are_those_of_batches)
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
                           "('', 'x', 'y'), (3, '', 'y'), (4, NULL, 'y'),"
                           "(5.0, 1e15, -0.0), (9e999, 'x', 'y'), (6, 9e999, 3.0)",
                           NULL, NULL, NULL),
              SQLITE_OK);
    sqlite3_close(database);
    snprintf(policy, sizeof policy, TEXTS "\nsqlite=%s\ntable=t", path);
    check_same(policy);
    snprintf(policy, sizeof policy, TEXTS "\nsqlite=%s\ntable=t\nnull=x,1,3,1.5", path);
    check_same(policy);
    unlink(path);
}

/* A column of a policy, and an eye for it. */
typedef struct subject {
    const sc_schema *schema;
    sc_oddity_eye eye;
} subject;

static bool begin(subject *s, const char *lines)
{
    char policy[400];
    scrim_error error;
    snprintf(policy, sizeof policy, "unit=row\n%s", lines);
    s->schema = NULL;
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &s->schema, &error),
                      SCRIM_OK))
        return false;
    return CHECK_STATUS(sc_oddity_eye_init(&s->eye, &s->schema->columns[0], &error),
                        SCRIM_OK);
}

static void end(subject *s)
{
    sc_oddity_eye_clear(&s->eye);
    sc_schema_free(s->schema);
}

/* The value that field.h makes of the same text. */
static bool is_read_by_engine(const sc_column *column, sc_text text, int64_t *place)
{
    char padded[SC_COLUMN_VALUE_BYTES + 100 + SC_FIELD_PADDING] = "";
    sc_field_reader reader;
    if (column->type == SC_COLUMN_TEXT)
        return text.bytes <= SC_COLUMN_VALUE_BYTES && sc_utf8_is_valid(text);
    memcpy(padded, text.start, text.bytes);
    sc_field_reader_init(&reader, column);
    return sc_field_read(&reader, (sc_text){padded, text.bytes}, place);
}

static scrim_finding look(const subject *s, sc_text text)
{
    const sc_raw_value value = {.kind = SC_RAW_TEXT, .text = text};
    int64_t place = 0, want = 0;
    const scrim_finding finding = sc_oddity_of(&s->eye, &value, &place);
    const bool is_read = sc_oddity_is_read(finding);
    CHECK_INT(is_read, is_read_by_engine(s->eye.column, text, &want));
    if (is_read)
        CHECK_INT(place, want);
    return finding;
}

TEST(oddity_gives_the_reason)
{
    CLAIM("oddity.total");
    static const struct {
        const char *column;
        struct {
            const char *text;
            scrim_finding finding;
        } values[9];
    } list[] = {
        {"column=x=int[0,120]",
         {{"0", SCRIM_FINDING_READABLE},
          {"120", SCRIM_FINDING_READABLE},
          {"-1", SCRIM_FINDING_BELOW},
          {"121", SCRIM_FINDING_ABOVE},
          {"1e9", SCRIM_FINDING_ABOVE},
          {"30.4", SCRIM_FINDING_ROUNDED},
          {" ", SCRIM_FINDING_MISSING},
          {"thirty", SCRIM_FINDING_UNREADABLE}}},
        {"column=x=decimal[-1,1]/0.01",
         {{"-0.25", SCRIM_FINDING_READABLE},
          {"0.250", SCRIM_FINDING_READABLE},
          {"0.255", SCRIM_FINDING_ROUNDED},
          {"-1.0000001", SCRIM_FINDING_BELOW},
          {"1.", SCRIM_FINDING_READABLE},
          {"inf", SCRIM_FINDING_ABOVE},
          {"1,5", SCRIM_FINDING_DECIMAL_COMMA},
          {"1,2.5", SCRIM_FINDING_UNREADABLE}}},
        {"decimal=,\ncolumn=x=decimal[-1,1]/0.01",
         {{"-0,25", SCRIM_FINDING_READABLE},
          {"0,255", SCRIM_FINDING_ROUNDED},
          {"-1,0000001", SCRIM_FINDING_BELOW},
          {"2", SCRIM_FINDING_ABOVE},
          {"0.5", SCRIM_FINDING_DECIMAL_POINT},
          {"1.234,5", SCRIM_FINDING_UNREADABLE},
          {"1,2,3", SCRIM_FINDING_UNREADABLE}}},
        {"date-format=DD.MM.YYYY\ncolumn=x=date[2020-01-01,2020-12-31]",
         {{"31.01.2020", SCRIM_FINDING_READABLE},
          {"31.01.2019", SCRIM_FINDING_BELOW},
          {"31.01.2021 10:00", SCRIM_FINDING_ABOVE},
          {"2020-01-31", SCRIM_FINDING_OTHER_DATE},
          {"1.1.2020", SCRIM_FINDING_OTHER_DATE},
          {"1/31/2020", SCRIM_FINDING_OTHER_DATE},
          {"30.02.2020", SCRIM_FINDING_UNREADABLE}}},
        {"column=x=decimal[0,4]/2^-2",
         {{"0.25", SCRIM_FINDING_READABLE},
          {"0.3", SCRIM_FINDING_ROUNDED},
          {"4.1", SCRIM_FINDING_ABOVE}}},
        {"column=x=date[2020-01-01,2020-12-31]",
         {{"2020-02-29", SCRIM_FINDING_READABLE},
          {"2020-02-29T10:00", SCRIM_FINDING_READABLE},
          {"2019-12-31", SCRIM_FINDING_BELOW},
          {"2021-01-01", SCRIM_FINDING_ABOVE},
          {"2020-02-30", SCRIM_FINDING_UNREADABLE},
          {"", SCRIM_FINDING_MISSING}}},
        {"column=x=bool",
         {{"Yes", SCRIM_FINDING_READABLE},
          {"2", SCRIM_FINDING_UNREADABLE},
          {"\t", SCRIM_FINDING_MISSING}}},
        {"column=x=text",
         {{" ", SCRIM_FINDING_READABLE},
          {"\xc3\xa9", SCRIM_FINDING_READABLE},
          {"\xff", SCRIM_FINDING_NOT_UTF8},
          {"", SCRIM_FINDING_READABLE}}},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        subject s;
        if (!begin(&s, list[i].column))
            return;
        for (size_t j = 0; j < COUNT(list[i].values) && list[i].values[j].text != NULL;
             j++)
            CHECK_INT(look(&s, sc_text_of(list[i].values[j].text)),
                      list[i].values[j].finding);
        end(&s);
    }
}

/* A real number is its shortest decimal, as rows are read. */
TEST(oddity_of_real_numbers)
{
    CLAIM("oddity.total");
    static const struct {
        double number;
        scrim_finding finding;
    } list[] = {{0.5, SCRIM_FINDING_READABLE},      {0.1, SCRIM_FINDING_READABLE},
                {-0.1, SCRIM_FINDING_READABLE},     {0.25, SCRIM_FINDING_ROUNDED},
                {0x1p-1074, SCRIM_FINDING_ROUNDED}, {-0.0, SCRIM_FINDING_READABLE},
                {0.6, SCRIM_FINDING_ABOVE},         {1e306, SCRIM_FINDING_ABOVE},
                {HUGE_VAL, SCRIM_FINDING_ABOVE},    {-HUGE_VAL, SCRIM_FINDING_BELOW}};
    subject s;
    if (!begin(&s, "column=x=decimal[-0.1,0.5]/0.1"))
        return;
    for (size_t i = 0; i < COUNT(list); i++) {
        int64_t place = 0;
        const sc_raw_value value = {.kind = SC_RAW_DOUBLE, .number = list[i].number};
        CHECK_INT(sc_oddity_of(&s.eye, &value, &place), list[i].finding);
    }
    end(&s);
}

TEST(oddity_of_what_is_too_long_and_of_what_is_no_text)
{
    CLAIM("oddity.total");
    static char zeros[SC_COLUMN_VALUE_BYTES + 1];
    memset(zeros, '0', sizeof zeros);
    static const char *const columns[] = {"column=x=int[0,9]", "column=x=text",
                                          "column=x=bool"};
    static const scrim_finding doubles[] = {
        SCRIM_FINDING_ROUNDED, SCRIM_FINDING_UNREADABLE, SCRIM_FINDING_UNREADABLE};
    for (size_t i = 0; i < COUNT(columns); i++) {
        subject s;
        int64_t place = 0;
        const sc_raw_value nothing = {.kind = SC_RAW_NULL}, blob = {.kind = SC_RAW_BLOB},
                           number = {.kind = SC_RAW_DOUBLE, .number = 2.5};
        if (!begin(&s, columns[i]))
            return;
        CHECK_INT(look(&s, (sc_text){zeros, sizeof zeros}), SCRIM_FINDING_TOO_LONG);
        CHECK(look(&s, (sc_text){zeros, sizeof zeros - 1}) != SCRIM_FINDING_TOO_LONG);
        CHECK_INT(sc_oddity_of(&s.eye, &nothing, &place), SCRIM_FINDING_MISSING);
        CHECK_INT(sc_oddity_of(&s.eye, &blob, &place), SCRIM_FINDING_UNREADABLE);
        CHECK_INT(sc_oddity_of(&s.eye, &number, &place), doubles[i]);
        end(&s);
    }
}

/* Random texts of the letters that numbers are made of, on grids of every kind. */
TEST(oddity_reads_what_the_engine_reads)
{
    CLAIM("oddity.total");
    static const char *const columns[] = {"column=x=int[-50,120]",
                                          "column=x=decimal[-1,20]/0.001",
                                          "column=x=decimal[0,4]/2^-3",
                                          "column=x=decimal[0,4000]/100",
                                          "column=x=date[2001-02-03,2010-01-01]",
                                          "column=x=bool"};
    static const char letters[] = "0012345678999..--+eE tf/";
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t runs = check_count(2000, 500000);
    for (size_t c = 0; c < COUNT(columns); c++) {
        subject s;
        if (!begin(&s, columns[c]))
            break;
        for (uint64_t run = 0; run < runs; run++) {
            char text[24];
            uint64_t word = 0;
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
            const size_t bytes = word % sizeof text;
            for (size_t i = 0; i < bytes; i++) {
                CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
                text[i] = letters[word % (sizeof letters - 1)];
            }
            (void)look(&s, (sc_text){text, bytes});
        }
        end(&s);
    }
    sc_tape_free(tape);
}

static bool is_other(const subject *s, const char *text)
{
    const sc_raw_value value = {.kind = SC_RAW_TEXT, .text = sc_text_of(text)};
    int64_t place = 0;
    const scrim_finding finding = sc_oddity_of(&s->eye, &value, &place);
    return sc_oddity_is_other_key(&s->eye, &value, sc_oddity_is_read(finding), place);
}

/* A number is a key by its place; what is not read is a key by its default, or no row at all. */
TEST(oddity_knows_the_public_keys)
{
    subject s;
    if (!begin(&s, "column=x=text\nkeys=x=b,a,c"))
        return;
    CHECK(!is_other(&s, "a") && !is_other(&s, "b") && !is_other(&s, "c"));
    CHECK(is_other(&s, "d") && is_other(&s, "A") && is_other(&s, "aa"));
    CHECK(is_other(&s, "")); /* between quotes: NULL is a key like another */
    end(&s);
    if (!begin(&s, "column=x=text\nkeys=x=b,a\nmissing=x=?"))
        return;
    CHECK(is_other(&s, "") && is_other(&s, "\xff") && !is_other(&s, "a"));
    end(&s);
    if (!begin(&s, "column=x=int[0,100]\nkeys=x=100,20,3\nmissing=x=3"))
        return;
    CHECK(!is_other(&s, "20.0") && !is_other(&s, "1e6") && !is_other(&s, "?"));
    CHECK(is_other(&s, "21") && is_other(&s, "-5"));
    end(&s);
    if (!begin(&s, "column=x=int[0,100]"))
        return;
    CHECK(!is_other(&s, "20"));
    end(&s);
}

#include "check.h"
#include "data/source/csv.h"
#include "data/source/csv_pieces.h"
#include "data/table/table.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PEOPLE "unit=id\ncolumn=sex=text\ncolumn=age=int[0,120]"

static void check_rows(const char *policy, const char *bytes, const char *want)
{
    table_rows rows;
    char text[4000];
    table_rows_of_csv(&rows, policy, bytes, strlen(bytes), 1);
    if (!CHECK_STATUS(rows.status, SCRIM_OK))
        CHECK_STR(rows.error.message, "");
    table_rows_join(&rows, text, sizeof text);
    CHECK_STR(text, want);
    table_rows_clear(&rows);
}

TEST(csv_reads_columns_by_name)
{
    check_rows(PEOPLE, "id,sex,age\n1,F,30\n2,M,40\n", "1|F|30;2|M|40;");
    check_rows(PEOPLE, "age,extra,id, sex \n30,x,1,F\n40,,2,M", "1|F|30;2|M|40;");
    check_rows(PEOPLE, "\xef\xbb\xbf\"id\",\"sex\",age\r\n\"1\",\"F\",\"30\"\r\n",
               "1|F|30;");
    check_rows(PEOPLE, "id,sex,age\n", "");
    check_rows(PEOPLE, "id,sex,age", "");
    check_rows(PEOPLE, "id,sex,age\n\n\r\n1,F,30\n\n", "1|F|30;");
    check_rows("unit=row\ncolumn=x=int[0,9]", "x\n1\n\n2\n", "1;2;");
    check_rows("unit=row", "x\n1\n\n2\n", ";;");
}

TEST(csv_unquotes)
{
    check_rows(PEOPLE, "id,sex,age\n\"1,1\",\"a\"\"b\",30\n\"\"\"\",\"\"\"\"\"\",40\n",
               "\"|\"\"|40;1,1|a\"b|30;");
    /* The unit and a column with the same bytes: each has its own copy. */
    check_rows("unit=id\ncolumn=x=text",
               "id,x\n\"a\"\"b\",\"a\"\"b\"\n\"c\"\"d\",\"c\"\"d\"\n",
               "a\"b|a\"b;c\"d|c\"d;");
    check_rows(PEOPLE "\nrecords=crlf",
               "id,sex,age\r\n1,\"a\nb\",30\r\n2,c\nd,40\r\n3,\"e\r\nf\",50\r\n",
               "1|a\nb|30;2|c\nd|40;");
}

/* Rows whose values are missing: the default, or no row. */
TEST(csv_missing_is_declared)
{
    CLAIM("csv.declared");
    static const char bytes[] = "id,sex,age\n1,F,x\n2,,30\n,M,30\n4,M,NaN\n5,\xff,30\n"
                                "6,M,999\n7,M\n8,M,30,1\n9,M\",30\n10,\"M,30\n11,M,30\n";
    check_rows(PEOPLE, bytes,
               "11|M|30;1|F|<null>;2|<null>|30;4|M|<null>;5|<null>|30;6|M|120;");
    check_rows(PEOPLE "\nmissing=age=7\nmissing=sex=?", bytes,
               "11|M|30;1|F|7;2|?|30;4|M|7;5|?|30;6|M|120;");
    /* Where each row is a unit, a malformed one keeps its place. */
    check_rows("unit=row\ncolumn=sex=text\ncolumn=age=int[0,120]\nmissing=age=7\n"
               "missing=sex=?\nneighbours=replace",
               "sex,age\nF,30\nF\n\"M,30\nM,x\n", "?|7;?|7;F|30;M|7;");
    check_rows("unit=row\ncolumn=sex=text\ncolumn=age=int[0,120]",
               "sex,age\nF,30\nF\n\"M,30\nM,x\n",
               "<null>|<null>;<null>|<null>;F|30;M|<null>;");
    /* Nothing between separators is NULL, nothing between quotes the empty text; of other types both
     * are NULL, and so are blanks. */
    check_rows("unit=row\ncolumn=sex=text\ncolumn=age=int[0,120]",
               "sex,age\n,\n\"\",\"\"\n , \n\"a\",\"1\"\n\"\"\"\",2\n",
               " |<null>;\"|2;<null>|<null>;a|1;|<null>;");
    check_rows("unit=row\ncolumn=sex=text\nmissing=sex=?", "sex\n\n\"\"\nx\n", ";x;");
}

/* Units are the same when their bytes are. */
TEST(A29_units_are_bytes)
{
    CLAIM("csv.declared");
    check_rows("unit=id", "id\n1\n\"1\"\n1.0\n 1\n01\nA\na\nNaN\nNULL\n\"\"\n\xff\n",
               " 1;01;1;1;1.0;A;NULL;NaN;a;\xff;");
    table_rows rows;
    char bytes[2 * SC_COLUMN_VALUE_BYTES + 20];
    const int count = snprintf(bytes, sizeof bytes, "id\n%0*d\n%0*d\n",
                               SC_COLUMN_VALUE_BYTES, 1, SC_COLUMN_VALUE_BYTES + 1, 2);
    table_rows_of_csv(&rows, "unit=id", bytes, (size_t)count, 1);
    CHECK_INT(rows.count, 1); /* the longer one is nobody */
    table_rows_clear(&rows);
}

TEST(csv_refuses_a_wrong_header)
{
    CLAIM("csv.declared");
    static const struct {
        const char *bytes, *message;
    } list[] = {
        {"", "the source is empty; a CSV file must begin with a line of column names"},
        {"id,sex\n",
         "the header of the source has no column 'age'; correct the policy or "
         "the file"},
        {"sex,age\n",
         "the header of the source has no column 'id'; correct the policy or "
         "the file"},
        {"id,sex,Age\n", "the header of the source has no column 'age'; correct the "
                         "policy or the file"},
        {"id,sex,age,age\n", "the header of the source has two columns of the same name; "
                             "rename one"},
        {"id,sex,age,x,\"x\"\n", "the header of the source has two columns of the same "
                                 "name; rename one"},
        {"id,sex,\"age\n", "the header of the source has a quote out of place"},
        {"\n", "the header of the source has no column 'age'; correct the policy or the "
               "file"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        table_rows rows;
        table_rows_of_csv(&rows, PEOPLE, list[i].bytes, strlen(list[i].bytes), 1);
        CHECK_STATUS(rows.status, SCRIM_E_INPUT);
        CHECK_STR(rows.error.message, list[i].message);
        table_rows_clear(&rows);
    }
    check_rows(PEOPLE, "id,sex,age,,\n1,F,30,,\n", "1|F|30;");
    table_rows rows;
    table_rows_of_csv(&rows, PEOPLE "\nrecords=crlf", "id,sex,age\n1,F,30\n", 18, 1);
    CHECK_STATUS(rows.status, SCRIM_E_INPUT);
    CHECK_STR(
        rows.error.message,
        "the header of the source has a line break in it; check what ends a record");
    table_rows_clear(&rows);
    table_rows_read(&rows, PEOPLE "\ncsv=tests/missing", 1);
    CHECK_STATUS(rows.status, SCRIM_E_INPUT);
    table_rows_clear(&rows);
    table_rows_read(&rows, PEOPLE, 1);
    CHECK_STATUS(rows.status, SCRIM_E_PARAM);
    table_rows_clear(&rows);
}

/* One cell that is no number, in the first row, in the last, and far inside: it is NULL, and all
 * that changes. */
SLOW_TEST(A35_types_come_from_the_schema)
{
    CLAIM("csv.declared");
    const size_t count = 200002;
    static const size_t places[] = {0, 100000, 200001};
    char *bytes = malloc(count * 12 + 20);
    REQUIRE(bytes != NULL);
    for (size_t p = 0; p <= 3; p++) {
        size_t used = (size_t)sprintf(bytes, "id,age\n");
        for (size_t i = 0; i < count; i++)
            used += (size_t)sprintf(bytes + used,
                                    p < 3 && i == places[p] ? "%zu,x\n" : "%zu,7\n", i);
        table_rows rows;
        table_rows_of_csv(&rows, "unit=id\ncolumn=age=int[0,120]", bytes, used, 2);
        CHECK_STATUS(rows.status, SCRIM_OK);
        CHECK_INT(rows.count, count);
        size_t nulls = 0;
        for (size_t i = 0; i < rows.count; i++)
            nulls += strstr(rows.lines[i], "|<null>") != NULL;
        CHECK_INT(nulls, p < 3 ? 1 : 0);
        table_rows_clear(&rows);
    }
    free(bytes);
}

/* Random records: well formed, ragged, with quotes anywhere, with any bytes. */
static size_t put_record(sc_tape *tape, char *to, size_t room)
{
    static const char letters[] = "0123456789,,,\"\"\"abcM\r .-\0\xff\xc3";
    uint64_t w = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
    if (w % 2 == 0)
        return (size_t)snprintf(to, room, "%u,%s,%u", (unsigned)(w >> 8 & 0xff),
                                (w >> 16 & 1) != 0 ? "M" : "\"F,\"\"\"",
                                (unsigned)(w >> 24 & 0x7f));
    const size_t bytes = (w >> 4) % 24;
    for (size_t i = 0; i < bytes; i++) {
        CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
        to[i] = letters[(w >> 8) % (sizeof letters - 1)];
        if (w % 9 == 0)
            to[i] = (char)(w >> 8);
    }
    return bytes;
}

static const char *const policies[] = {
    PEOPLE, PEOPLE "\nmissing=age=7\nmissing=sex=?",
    "unit=row\ncolumn=sex=text\ncolumn=age=int[0,120]\nmissing=age=7\nmissing=sex=?",
    PEOPLE "\nrecords=crlf"};

static size_t put_end(char *to, bool is_crlf)
{
    memcpy(to, is_crlf ? "\r\n" : "\n", is_crlf ? 2 : 1);
    return is_crlf ? 2 : 1;
}

/* The rows of before, victim and behind are the rows of the three alone, whatever the victim is:
 * a lone quote, a comma more, a NUL, a line break, nothing. */
SLOW_TEST(A60_a_record_affects_only_itself)
{
    CLAIM("csv.rows-apart");
    static const char header[] = "id,sex,age";
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t runs = check_count(300, 100000);
    for (uint64_t run = 0; run < runs; run++) {
        const char *policy = policies[run % 4];
        const bool is_crlf = run % 4 == 3;
        char parts[3][800], whole[2500];
        size_t sizes[3], used;
        table_rows alone[3], all;
        used = (size_t)sprintf(whole, "%s", header);
        used += put_end(whole + used, is_crlf);
        for (size_t p = 0; p < 3; p++) {
            uint64_t w = 0;
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
            sizes[p] = (size_t)sprintf(parts[p], "%s", header);
            sizes[p] += put_end(parts[p] + sizes[p], is_crlf);
            const size_t from = sizes[p];
            for (uint64_t n = p == 1 ? 1 : w % 8; n > 0; n--) {
                sizes[p] += put_record(tape, parts[p] + sizes[p], 60);
                sizes[p] += put_end(parts[p] + sizes[p], is_crlf);
            }
            memcpy(whole + used, parts[p] + from, sizes[p] - from);
            used += sizes[p] - from;
        }
        table_rows_of_csv(&all, policy, whole, used, 1);
        CHECK_STATUS(all.status, SCRIM_OK);
        size_t total = 0;
        for (size_t p = 0; p < 3; p++) {
            table_rows_of_csv(&alone[p], policy, parts[p], sizes[p], 1);
            total += alone[p].count;
        }
        /* The three sorted lists merge to the one of the whole. */
        size_t at[3] = {0, 0, 0};
        bool is_same = CHECK_INT(all.count, total);
        for (size_t i = 0; is_same && i < all.count; i++) {
            size_t p = 0;
            while (p < 3 && (at[p] == alone[p].count ||
                             strcmp(alone[p].lines[at[p]], all.lines[i]) != 0))
                p++;
            is_same = CHECK(p < 3);
            at[p < 3 ? p : 0]++;
        }
        for (size_t p = 0; p < 3; p++)
            table_rows_clear(&alone[p]);
        table_rows_clear(&all);
        if (!is_same)
            break;
    }
    sc_tape_free(tape);
}

TEST(A60_a_lone_quote_swallows_nobody)
{
    CLAIM("csv.rows-apart");
    check_rows(PEOPLE, "id,sex,age\n1,F,30\n2,\"M,40\n3,F,50\n4,M\",60\n5,F,70\n",
               "1|F|30;3|F|50;5|F|70;");
    check_rows(PEOPLE, "id,sex,age\n\"\n1,F,30\n", "1|F|30;");
    check_rows(PEOPLE, "id,sex,age\n1,F,30\n2,\"\n3,\",4\n5,F,30", "1|F|30;5|F|30;");
}

/* Many pieces, with quotes, defects and long records across their borders: all ways to read them
 * agree. */
SLOW_TEST(csv_workers_and_streams_agree)
{
    CLAIM("csv.any-workers");
    static const unsigned counts[] = {2, 3, 8, 64};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const size_t most = check_count_whole(400000, 8000000);
    char *bytes = malloc(most + 200000);
    REQUIRE(bytes != NULL);
    for (int end = 0; end < 2; end++) {
        const char *policy = policies[end == 0 ? 1 : 3];
        size_t used = (size_t)sprintf(bytes, "id,sex,age");
        used += put_end(bytes + used, end == 1);
        for (size_t i = 0; used < most; i++) {
            used += put_record(tape, bytes + used, 60);
            if (i % 5000 == 7) { /* longer than a piece */
                memset(bytes + used, 'x', 150000);
                used += 150000;
            }
            used += put_end(bytes + used, end == 1);
        }
        table_rows one, other;
        table_rows_of_csv(&one, policy, bytes, used, 1);
        CHECK_STATUS(one.status, SCRIM_OK);
        CHECK(one.count > most / 200);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            table_rows_of_csv(&other, policy, bytes, used, counts[i]);
            CHECK(table_rows_equal(&one, &other));
            table_rows_clear(&other);
            if (i % 2 != 0)
                continue;
            table_rows_of_stream(&other, policy, bytes, used, counts[i]);
            CHECK(table_rows_equal(&one, &other));
            table_rows_clear(&other);
        }
        table_rows_clear(&one);
    }
    free(bytes);
    sc_tape_free(tape);
}

/* A record of the largest size is a record, one byte more is malformed; both ways. */
TEST(A60_the_longest_record_is_public)
{
    CLAIM("csv.rows-apart");
    const size_t most = SC_CSV_RECORD_BYTES;
    char *bytes = malloc(most + 100);
    REQUIRE(bytes != NULL);
    for (size_t extra = 0; extra < 3; extra++) {
        size_t used = (size_t)sprintf(bytes, "id,x\n1,a\n2,");
        memset(bytes + used, 'x', most + extra - 2);
        used += most + extra - 2;
        used += (size_t)sprintf(bytes + used, "\n3,b\n");
        for (int way = 0; way < 2; way++) {
            table_rows rows;
            char text[100];
            if (way == 0)
                table_rows_of_csv(&rows, "unit=id", bytes, used, 2);
            else
                table_rows_of_stream(&rows, "unit=id", bytes, used, 2);
            CHECK_STATUS(rows.status, SCRIM_OK);
            table_rows_join(&rows, text, sizeof text);
            CHECK_STR(text, extra == 0 ? "1;2;3;" : "1;3;");
            table_rows_clear(&rows);
        }
    }
    free(bytes);
}

/* A header of a million names. */
SLOW_TEST(A60_a_million_columns)
{
    const size_t count = 1000000;
    char *bytes = malloc(count * 9 + 100);
    REQUIRE(bytes != NULL);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)sprintf(bytes + used, "%zu,", i);
    bytes[used - 1] = '\n';
    for (size_t i = 0; i < count; i++)
        used += (size_t)sprintf(bytes + used, "%s", i + 1 < count ? "7," : "9\n");
    table_rows rows;
    char text[100];
    table_rows_of_csv(&rows, "unit=999999\ncolumn=5=int[0,100]", bytes, used, 2);
    CHECK_STATUS(rows.status, SCRIM_OK);
    table_rows_join(&rows, text, sizeof text);
    CHECK_STR(text, "9|7;");
    table_rows_clear(&rows);
    free(bytes);
}

TEST(csv_header_names_for_the_owner)
{
    sc_csv_header header;
    sc_csv_header_init(&header);
    REQUIRE_OK(sc_csv_header_parse(sc_text_of("a, b ,\"c,\"\"d\""), ',', &header, NULL));
    REQUIRE(header.count == 3);
    CHECK(sc_text_is(header.names[0], "a"));
    CHECK(sc_text_is(header.names[1], "b"));
    CHECK(sc_text_is(header.names[2], "c,\"d"));
    CHECK_INT(sc_csv_header_find(&header, sc_text_of("b")), 1);
    CHECK_INT(sc_csv_header_find(&header, sc_text_of("e")), 3);
    sc_csv_header_clear(&header);
}

typedef struct counts {
    size_t rows, records, malformed, no_unit, missing[2];
} counts;

static scrim_status count(void *context, const sc_batch *batch, scrim_error *error)
{
    counts *all = context;
    (void)error;
    all->rows += batch->rows;
    all->records += batch->tally.records;
    all->malformed += batch->tally.malformed;
    all->no_unit += batch->tally.no_unit;
    for (size_t i = 0; i < 2; i++)
        all->missing[i] += batch->tally.missing[i];
    return SCRIM_OK;
}

/* Facts of a file that the owner's check is told. */
TEST(csv_tallies_what_is_not_as_declared)
{
    char path[] = "/tmp/csv_test.XXXXXX", policy[300];
    static const char bytes[] =
        "id,sex,age\n1,F,x\n2,,30\n,M,30\n,,\n\n5,F\n6,\"F,7\n7,F,8\n";
    const int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    CHECK(write(descriptor, bytes, sizeof bytes - 1) == (ssize_t)sizeof bytes - 1);
    close(descriptor);
    for (int is_row = 0; is_row < 2; is_row++) {
        const size_t columns[] = {0, 1};
        sc_batch_request request = {.columns = columns, .column_count = 2};
        sc_table *table = NULL;
        counts all = {0};
        void *context = &all;
        snprintf(policy, sizeof policy,
                 "unit=%s\ncolumn=sex=text\ncolumn=age=int[0,120]\nmissing=sex=?\n"
                 "missing=age=0\ncsv=%s",
                 is_row ? "row" : "id", path);
        REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, NULL));
        REQUIRE_OK(sc_table_open(&request, &table, NULL));
        CHECK_STATUS(sc_table_scan(table, 1, count, &context, NULL), SCRIM_OK);
        CHECK_INT(all.records, 7);
        CHECK_INT(all.malformed, 2);
        CHECK_INT(all.no_unit, is_row ? 0 : 2);
        CHECK_INT(all.missing[0], 2);
        CHECK_INT(all.missing[1], 2);
        CHECK_INT(all.rows, is_row ? 7 : 3);
        sc_table_close(table);
        sc_schema_free(request.schema);
    }
    unlink(path);
}

static scrim_status nothing(void *context, const sc_batch *batch, scrim_error *error)
{
    (void)context;
    (void)batch;
    (void)error;
    return SCRIM_OK;
}

TEST(csv_survives_without_memory)
{
    char path[] = "/tmp/csv_test.XXXXXX", policy[300];
    static const char bytes[] = "id,sex,age\n1,\"F\"\"\",30\n2,M,40\n";
    const int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    CHECK(write(descriptor, bytes, sizeof bytes - 1) == (ssize_t)sizeof bytes - 1);
    close(descriptor);
    snprintf(policy, sizeof policy, PEOPLE "\nmissing=sex=?\ncsv=%s", path);
    const sc_schema *schema = NULL;
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, NULL));
    FAULT_LOOP(fault)
    {
        const size_t columns[] = {0, 1};
        const sc_batch_request request = {
            .schema = schema, .columns = columns, .column_count = 2};
        sc_table *table = NULL;
        void *context = NULL;
        scrim_status status = sc_table_open(&request, &table, NULL);
        if (status == SCRIM_OK)
            status = sc_table_scan(table, 1, nothing, &context, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_table_close(table);
    }
    sc_schema_free(schema);
    unlink(path);
}

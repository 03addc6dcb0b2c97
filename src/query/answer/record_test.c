#include "check.h"
#include "faults.h"
#include "query/answer/record.h"

#include <stdio.h>
#include <string.h>

static const char example[] =
    "query 2\n"
    "dataset adult\n"
    "version 3\n"
    "epsilon 0.5\n"
    "delta 0\n"
    "expect 1000\n"
    "confidence 0.95\n"
    "cost 0.5 0 -\n"
    "schema unit=person_id\n"
    "schema column=sex=text\n"
    "statement SELECT sex , COUNT ( * ) GROUP BY sex\n"
    "keys public\n"
    "part 0 1 laplace sensitivity=1 epsilon=1/2 neighbours=add-remove\n"
    "cut-of 2\n"
    "numbers 1\n"
    "row Female%00 10771\n"
    "row Male%00 -3\n"
    "statement SELECT AVG ( age )\n"
    "keys none\ncells 2\ndisjoint 1 3 64\n"
    "part - 1 partition-selection epsilon=1 delta=1e-9 neighbours=add-remove\n"
    "part 1 4 laplace sensitivity=60 epsilon=1/4 neighbours=add-remove\n"
    "cut 0,1,6,21,81 laplace sensitivity=1 epsilon=1/80 neighbours=add-remove\n"
    "people 903 17 -2 0 1\n"
    "numbers 2\n"
    "row - -170141183460469231731687303715884105727 "
    "170141183460469231731687303715884105727\n";

static const sc_int128 women[] = {10771}, men[] = {-3},
                       numbers[] = {-SC_INT128_MAX, SC_INT128_MAX};

/* The record of the example. */
static void make_example(sc_record *record, sc_record_statement *two, sc_record_row *rows,
                         sc_text *lines, size_t *places)
{
    static const uint64_t copies[] = {1, 1, 4};
    lines[0] = sc_text_of("laplace sensitivity=1 epsilon=1/2 neighbours=add-remove");
    lines[1] =
        sc_text_of("partition-selection epsilon=1 delta=1e-9 neighbours=add-remove");
    lines[2] = sc_text_of("laplace sensitivity=60 epsilon=1/4 neighbours=add-remove");
    places[0] = 0;
    places[1] = SC_STATISTIC_NONE;
    places[2] = 1;
    rows[0] = (sc_record_row){{"Female", 7}, women, NULL};
    rows[1] = (sc_record_row){{"Male", 5}, men, NULL};
    rows[2] = (sc_record_row){{"", 0}, numbers, NULL};
    two[0] =
        (sc_record_statement){.text = sc_text_of("SELECT sex , COUNT ( * ) GROUP BY sex"),
                              .measurements = lines,
                              .statistics = places,
                              .copies = copies,
                              .part_count = 1,
                              .keys_kind = SC_PLAN_PUBLIC_KEYS,
                              .cut_of = 2,
                              .rows = rows,
                              .row_count = 2,
                              .number_count = 1};
    two[1] = (sc_record_statement){
        .text = sc_text_of("SELECT AVG ( age )"),
        .measurements = lines + 1,
        .statistics = places + 1,
        .copies = copies + 1,
        .part_count = 2,
        .cut = {.measurement = sc_text_of("laplace sensitivity=1 epsilon=1/80 "
                                          "neighbours=add-remove"),
                .from = {0, 1, 6, 21, 81},
                .people = {903, 17, -2, 0, 1},
                .count = 5},
        .keys_kind = SC_PLAN_NO_KEYS,
        .cells = 2,
        .disjoint = ((uint64_t)1 << 63) + 5,
        .rows = rows + 2,
        .row_count = 1,
        .number_count = 2};
    *record = (sc_record){.dataset = sc_text_of("adult"),
                          .version = 3,
                          .schema = sc_text_of("unit=person_id\ncolumn=sex=text\n"),
                          .epsilon = sc_text_of("0.5"),
                          .delta = sc_text_of("0"),
                          .expect = sc_text_of("1000"),
                          .confidence = sc_text_of("0.95"),
                          .cost_epsilon = sc_text_of("0.5"),
                          .cost_delta = sc_text_of("0"),
                          .statements = two,
                          .statement_count = 2};
}

static bool same_text(sc_text a, sc_text b)
{
    return CHECK(sc_text_equal(a, b));
}

static void check_statement(const sc_record_statement *got,
                            const sc_record_statement *want)
{
    same_text(got->text, want->text);
    CHECK_INT(got->keys_kind, want->keys_kind);
    CHECK_INT(got->cells, want->cells);
    CHECK(got->disjoint == want->disjoint);
    CHECK_INT(got->cut_of, want->cut_of);
    CHECK_INT(got->part_count, want->part_count);
    CHECK_INT(got->number_count, want->number_count);
    CHECK_INT(got->row_count, want->row_count);
    for (size_t i = 0; i < want->part_count && i < got->part_count; i++) {
        same_text(got->measurements[i], want->measurements[i]);
        CHECK(got->statistics[i] == want->statistics[i]);
        CHECK_INT(got->copies[i], want->copies[i]);
    }
    same_text(got->cut.measurement, want->cut.measurement);
    CHECK_INT(got->cut.count, want->cut.count);
    for (size_t i = 0; i < want->cut.count && i < got->cut.count; i++) {
        CHECK_INT(got->cut.from[i], want->cut.from[i]);
        CHECK_INT(got->cut.people[i], want->cut.people[i]);
    }
    for (size_t i = 0; i < want->row_count && i < got->row_count; i++) {
        same_text(got->rows[i].key, want->rows[i].key);
        for (size_t k = 0; k < want->number_count && k < got->number_count; k++)
            CHECK_INT(got->rows[i].numbers[k], want->rows[i].numbers[k]);
    }
}

static void check_record(const sc_record *got, const sc_record *want)
{
    same_text(got->dataset, want->dataset);
    CHECK_INT(got->version, want->version);
    same_text(got->schema, want->schema);
    same_text(got->epsilon, want->epsilon);
    same_text(got->delta, want->delta);
    same_text(got->expect, want->expect);
    same_text(got->confidence, want->confidence);
    same_text(got->cost_epsilon, want->cost_epsilon);
    same_text(got->cost_delta, want->cost_delta);
    same_text(got->cost_rho, want->cost_rho);
    CHECK_INT(got->statement_count, want->statement_count);
    for (size_t i = 0; i < want->statement_count && i < got->statement_count; i++)
        check_statement(&got->statements[i], &want->statements[i]);
}

/* A running total has as many draws as its number has ones. */
TEST(record_keeps_that_a_total_is_running)
{
    CLAIM("record.whole");
    static const struct {
        const char *line;
        uint64_t draws; /* 0: it is no record */
    } cases[] = {
        {"series a 7 continue running\n", 3},     {"series a 7 continue\n", 1},
        {"series a 4095 continue running\n", 12}, {"series a 0 continue running\n", 0},
        {"series a 4097 continue running\n", 0},  {"series a 7 continue walking\n", 0},
        {"series a 7 continue running on\n", 0}};
    const char *behind = strstr(example, "epsilon");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[sizeof example + 64];
        sc_record record;
        sc_arena arena;
        sc_arena_init(&arena);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(behind - example), example,
                 cases[i].line, behind);
        CHECK_STATUS(sc_record_read(sc_text_of(text), &arena, &record, NULL),
                     cases[i].draws > 0 ? SCRIM_OK : SCRIM_E_SYNTAX);
        if (cases[i].draws > 0)
            CHECK_INT(sc_record_draws(&record), cases[i].draws);
        sc_arena_clear(&arena);
    }
}

/* People who were cut are counted in cells, the first of which is that of people who were not. */
TEST(record_keeps_people_who_were_cut)
{
    CLAIM("record.whole");
    static const struct {
        const char *cut, *people;
        bool is_good;
    } cases[] = {{"0,1", "5 6", true},
                 {"0,0,1,7,25,97", "5 6 7 8 9 10", true},
                 {"0,0,1,7,25,97,98", "5 6 7 8 9 10 11", false},
                 {"0", "5", false},
                 {"1,2", "5 6", false},
                 {"0,2,1", "5 6 7", false},
                 {"0,1", "5", false},
                 {"0,1", "5 6 7", false},
                 {"0,01", "5 6", false},
                 {"0,-1", "5 6", false},
                 {"0,1,", "5 6 7", false}};
    const char *cut = strstr(example, "cut "), *behind = strstr(example, "numbers 2");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[sizeof example + 64];
        sc_record record;
        sc_arena arena;
        sc_arena_init(&arena);
        snprintf(text, sizeof text, "%.*scut %s laplace epsilon=1\npeople %s\n%s",
                 (int)(cut - example), example, cases[i].cut, cases[i].people, behind);
        CHECK_STATUS(sc_record_read(sc_text_of(text), &arena, &record, NULL),
                     cases[i].is_good ? SCRIM_OK : SCRIM_E_SYNTAX);
        sc_arena_clear(&arena);
    }
    /* Counts belong to cells. */
    char lacking[sizeof example + 64];
    sc_record record;
    sc_arena arena;
    sc_arena_init(&arena);
    snprintf(lacking, sizeof lacking, "%.*scut 0,1 laplace epsilon=1\n%s",
             (int)(cut - example), example, behind);
    CHECK_STATUS(sc_record_read(sc_text_of(lacking), &arena, &record, NULL),
                 SCRIM_E_SYNTAX);
    /* The first statement has those of the second. */
    snprintf(lacking, sizeof lacking, "%.*s%s", (int)(cut - example), example, behind);
    CHECK_STATUS(sc_record_read(sc_text_of(lacking), &arena, &record, NULL),
                 SCRIM_E_SYNTAX);
    sc_arena_clear(&arena);
}

/* Keys of a range are told from those of a list. */
TEST(record_keeps_how_keys_are_public)
{
    CLAIM("record.whole");
    sc_record record, again;
    sc_record_statement two[2];
    sc_record_row rows[3];
    sc_text lines[3];
    size_t places[3];
    sc_arena arena;
    sc_arena_init(&arena);
    make_example(&record, two, rows, lines, places);
    two[0].uses_ranges = true;
    char *text = sc_record_write(&record);
    CHECK(strstr(text, "\nkeys range\n") != NULL);
    if (CHECK_STATUS(sc_record_read(sc_text_of(text), &arena, &again, NULL), SCRIM_OK)) {
        check_record(&again, &record);
        CHECK(again.statements[0].uses_ranges && !again.statements[1].uses_ranges);
    }
    sc_free(text);
    sc_arena_clear(&arena);
}

/* A record with histograms: widths once, bars behind the numbers of a row. */
static const char bars_example[] =
    "query 2\n"
    "dataset adult\n"
    "version 3\n"
    "epsilon 1\n"
    "delta 1e-9\n"
    "expect 1000\n"
    "confidence 0.95\n"
    "cost 1 1e-9 -\n"
    "schema column=age=int[0,120]\n"
    "statement SELECT MAX ( age ) , COUNT ( * ) , MIN ( age , 10 )\n"
    "keys none\n"
    "part 0 1 stlap epsilon=1/3 delta=1e-9 neighbours=add-remove\n"
    "numbers 1\n"
    "buckets 1 10\n"
    "row - 12 17:203,18:40,20:4611686018427387904 -\n";

TEST(record_keeps_histograms)
{
    CLAIM("record.whole");
    sc_record record;
    sc_arena arena;
    sc_arena_init(&arena);
    if (CHECK_STATUS(sc_record_read(sc_text_of(bars_example), &arena, &record, NULL),
                     SCRIM_OK)) {
        const sc_record_statement *s = record.statements;
        CHECK_INT(s->histogram_count, 2);
        CHECK(s->widths[0] == 1 && s->widths[1] == 10);
        CHECK_INT(s->rows[0].histograms[0].count, 3);
        CHECK_INT(s->rows[0].histograms[0].bars[1].place, 18);
        CHECK_INT(s->rows[0].histograms[0].bars[1].count, 40);
        CHECK_INT(s->rows[0].histograms[1].count, 0);
        char *text = sc_record_write(&record);
        CHECK_STR(text, bars_example);
        sc_free(text);
    }
    sc_arena_clear(&arena);
}

/* A missing number of WITH RANGE is written as a word, which no number is. */
TEST(record_keeps_that_there_is_no_number)
{
    CLAIM("record.whole");
    static const char head[] =
        "query 2\ndataset adult\nversion 3\nepsilon 1\ndelta 1e-9\n"
        "expect 1000\nconfidence 0.95\ncost 1 1e-9 -\n"
        "schema column=age=int[0,120]\n"
        "statement SELECT COUNT ( * ) WITH RANGE\nkeys none\n"
        "part 0 1 range sensitivity=1 epsilon=1 delta=1e-9 "
        "neighbours=add-remove\nnumbers 2\nrow - ";
    static const char *const rows[] = {"none 7\n", "-5 none\n", "-none 7\n", "nones 7\n",
                                       "-170141183460469231731687303715884105728 7\n"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sc_record record;
        sc_arena arena;
        char text[1000];
        snprintf(text, sizeof text, "%s%s", head, rows[i]);
        sc_arena_init(&arena);
        if (CHECK_STATUS(sc_record_read(sc_text_of(text), &arena, &record, NULL),
                         i < 2 ? SCRIM_OK : SCRIM_E_SYNTAX) &&
            i < 2) {
            const sc_int128 *got = record.statements[0].rows[0].numbers;
            char *again = sc_record_write(&record);
            CHECK(got[i] == SC_RECORD_NO_NUMBER);
            CHECK_INT(got[1 - i], i == 0 ? 7 : -5);
            CHECK_STR(again, text);
            sc_free(again);
        }
        sc_arena_clear(&arena);
    }
}

TEST(record_has_one_spelling)
{
    CLAIM("record.whole");
    sc_record record, again;
    sc_record_statement two[2];
    sc_record_row rows[3];
    sc_text lines[3];
    size_t places[3];
    sc_arena arena;
    make_example(&record, two, rows, lines, places);
    char *text = sc_record_write(&record);
    CHECK_STR(text, example);
    sc_arena_init(&arena);
    if (CHECK_STATUS(sc_record_read(sc_text_of(example), &arena, &again, NULL), SCRIM_OK))
        check_record(&again, &record);
    sc_arena_clear(&arena);
    sc_free(text);
}

/* Whatever bytes a key is made of. */
TEST(record_keeps_every_key)
{
    CLAIM("record.whole");
    sc_record record, again;
    sc_record_statement two[2];
    sc_record_row rows[3];
    sc_text lines[3];
    size_t places[3];
    sc_arena arena;
    char key[3];
    make_example(&record, two, rows, lines, places);
    for (unsigned c = 0; c < 256; c++)
        for (size_t bytes = 1; bytes <= 3; bytes++) {
            memset(key, (char)(unsigned char)c, sizeof key);
            rows[0].key = (sc_text){key, bytes};
            char *text = sc_record_write(&record);
            sc_arena_init(&arena);
            if (CHECK_STATUS(sc_record_read(sc_text_of(text), &arena, &again, NULL),
                             SCRIM_OK))
                same_text(again.statements[0].rows[0].key, rows[0].key);
            sc_arena_clear(&arena);
            sc_free(text);
        }
}

/* A record from before there was NULL is read as it was meant, and written as it was. */
TEST(record_from_before_null_keeps_its_meaning)
{
    CLAIM("record.whole");
    char old[sizeof example];
    sc_arena arena;
    sc_record record;
    memcpy(old, example, sizeof example);
    old[strlen("query ")] = '1';
    sc_arena_init(&arena);
    if (CHECK_STATUS(sc_record_read(sc_text_of(old), &arena, &record, NULL), SCRIM_OK)) {
        const sc_schema *schema = NULL;
        char *again = sc_record_write(&record);
        CHECK(record.drops_missing);
        CHECK_STR(again, old);
        sc_free(again);
        if (CHECK_STATUS(sc_record_schema(&record, &schema, NULL), SCRIM_OK))
            for (size_t i = 0; i < schema->column_count; i++)
                CHECK(!sc_schema_may_be_null(schema, i));
        sc_schema_free(schema);
    }
    sc_arena_clear(&arena);
}

static void check_refused(const char *text, size_t bytes)
{
    sc_record record;
    sc_arena arena;
    scrim_error error = {.status = SCRIM_OK};
    sc_arena_init(&arena);
    if (!CHECK_STATUS(sc_record_read((sc_text){text, bytes}, &arena, &record, &error),
                      SCRIM_E_SYNTAX))
        CHECK_FAIL("taken for a record: %.*s", (int)bytes, text);
    sc_arena_clear(&arena);
}

/* Bars are in order, each written in one way. */
TEST(record_refuses_other_histograms)
{
    CLAIM("record.whole");
    static const struct {
        const char *from, *to;
    } changes[] = {{"buckets 1 10", "buckets 1"},
                   {"buckets 1 10", "buckets 1 0"},
                   {"buckets 1 10", "buckets 1 -1"},
                   {"buckets 1 10", "buckets 1  10"},
                   {"buckets 1 10", "buckets 1 10 10"},
                   {"buckets 1 10\n", ""},
                   {"17:203", "17:-0"},
                   {"17:203", "17:00"},
                   {"17:203", "17:+3"},
                   {"17:203", "17:-4611686018427387905"},
                   {"17:203", "017:203"},
                   {"17:203,", "18:203,"},
                   {"17:203,", "19:203,"},
                   {"17:203,", "17:203,,"},
                   {"17:203,", "17,"},
                   {"4611686018427387904", "4611686018427387905"},
                   {" -\n", "\n"},
                   {"row - 12", "row -"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[sizeof bars_example + 40];
        const char *at = strstr(bars_example, changes[i].from);
        if (!CHECK(at != NULL))
            continue;
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - bars_example), bars_example,
                 changes[i].to, at + strlen(changes[i].from));
        check_refused(text, strlen(text));
    }
}

/* Every beginning, every line left out, and single changes. */
TEST(record_refuses_every_other_text)
{
    CLAIM("record.whole");
    static const struct {
        const char *from, *to;
    } changes[] = {{"query 2", "query 3"},
                   {"version 3", "version 03"},
                   {"version 3", "version -3"},
                   {"cost 0.5 0 -", "cost 0.5  0 -"},
                   {"cost 0.5 0 -", "cost 0.5 0"},
                   {"cost 0.5 0 -", "cost 0.5 0 - -"},
                   {"keys public", "keys secret"},
                   {"part 0", "part 00"},
                   {"part 0", "part x"},
                   {"part 0 1 ", "part 0 "},
                   {"part 0 1 ", "part 0 01 "},
                   {"part 0 1 ", "part 0 0 "},
                   {"part 0 1 ", "part 0 -1 "},
                   {"row Female%00 10771", "row Female%00 +10771"},
                   {"row Female%00 10771", "row Female%00 10771 1"},
                   {"row Female%00 10771", "row Female%00"},
                   {"row Female%00 10771", "row Female%0 10771"},
                   {"row Female%00 10771", "row Female%0g 10771"},
                   {"row Female%00 10771", "row %46emale%00 10771"},
                   {"row Male%00 -3", "row Male%00 -0"},
                   {"884105727\n", "884105728\n"},
                   {"-170141183460469231731687303715884105727",
                    "-170141183460469231731687303715884105729"},
                   {"numbers 1", "numbers 18446744073709551616"},
                   {"schema unit", "schema \nschema unit"},
                   {"statement SELECT AVG", "STATEMENT SELECT AVG"},
                   {"dataset adult", "dataset adult\n"}};
    const size_t all = sizeof example - 1;
    char text[sizeof example + 200];
    /* It may end behind its rows, and behind what announces them; nowhere else. */
    for (size_t bytes = 0; bytes < all; bytes++) {
        size_t line = bytes;
        while (line > 1 && example[line - 2] != '\n')
            line--;
        const char *last = example + (line == 0 ? 0 : line - 1);
        if (bytes == 0 || example[bytes - 1] != '\n' ||
            (strncmp(last, "row ", 4) != 0 && strncmp(last, "numbers ", 8) != 0))
            check_refused(example, bytes);
    }
    for (size_t i = 0; i < COUNT(changes); i++) {
        const char *at = strstr(example, changes[i].from);
        REQUIRE(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - example), example,
                 changes[i].to, at + strlen(changes[i].from));
        check_refused(text, strlen(text));
    }
    check_refused("query 2\n\0", 9);
}

TEST(record_survives_without_memory)
{
    sc_record record;
    sc_arena arena;
    scrim_error error;
    FAULT_LOOP(fault)
    {
        sc_arena_init(&arena);
        const scrim_status status =
            sc_record_read(sc_text_of(example), &arena, &record, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_arena_clear(&arena);
    }
}

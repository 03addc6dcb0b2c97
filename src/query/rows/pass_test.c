#include "check.h"
#include "faults.h"
#include "pass_scene.h"
#include "query/rows/bound.h"
#include "random/bits_tape.h"
#include "row_oracle.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger tables: several pieces of a file for several workers. */

typedef struct plain_row {
    unsigned unit, city;
    int64_t age, big;
} plain_row;

enum { MANY = 8000 };

static void write_plain(char path[64], const plain_row *rows, size_t count)
{
    FILE *file = pass_file_new(path);
    if (!CHECK(file != NULL))
        return;
    fputs("person_id,age,income,weight,day,born,married,sex,city,home town,big,small,"
          "seen\n",
          file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%u,%d,0,1,2020-02-03,1999-01-01,true,Male,city %u,x,%lld,0.5,\n",
                rows[i].unit, (int)rows[i].age, rows[i].city, (long long)rows[i].big);
    fclose(file);
}

/* The groups, as text. */
static void put_groups(const sc_groups *groups, char *text, size_t capacity)
{
    sc_text_sink sink;
    char line[SC_INT128_BYTES * 4];
    sc_text_sink_init(&sink, text, capacity);
    for (size_t i = 0; i < groups->count; i++) {
        const sc_group *group = &groups->groups[i];
        char sum[SC_INT128_BYTES], other[SC_INT128_BYTES];
        sc_int128_format(group->sums[0], sum);
        sc_int128_format(group->sums[1], other);
        /* Without the end of the tuple. */
        sc_text_put(&sink, (sc_text){group->key.start, group->key.bytes - 1});
        snprintf(line, sizeof line, " %llu %llu %s %s\n", (unsigned long long)group->rows,
                 (unsigned long long)group->units, sum, other);
        sc_text_put(&sink, sc_text_of(line));
    }
}

/* The statement on rows in a file of their own, under chosen keys of hashes. */
static void ask_plain(const plain_row *rows, size_t count, const char *unit,
                      unsigned workers, uint64_t most, char *text, size_t capacity)
{
    static pass_question s;
    const sc_schema *schema = NULL;
    const sc_pass_options options = {.workers = workers, .memory_bytes = 100000};
    sc_pass *pass = NULL;
    char path[64];
    scrim_error error;
    write_plain(path, rows, count);
    snprintf(s.text, sizeof s.text,
             "SELECT city, SUM(big) AS b, SUM(age * 2 + 1) AS a WHERE age < 100 "
             "GROUP BY city");
    text[0] = '\0';
    if (pass_schema_open(path, unit, &schema) && CHECK(pass_question_read(&s, schema))) {
        s.asked.bounds = (sc_bounds){most, most, 0};
        if (CHECK_STATUS(pass_run(schema, &s.asked, 1, &options, 7, &pass, &error),
                         SCRIM_OK))
            put_groups(sc_pass_groups(pass, 0), text, capacity);
        sc_pass_close(pass);
        sc_arena_clear(&s.arena);
    }
    sc_schema_free(schema);
    unlink(path);
}

static void shuffle(plain_row *rows, size_t count, uint64_t *seed)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)row_random(seed, i);
        const plain_row kept = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = kept;
    }
}

SLOW_TEST(A17_rows_in_any_order)
{
    CLAIM("pass.any-order");
    static plain_row rows[MANY];
    static char first[20000], again[20000];
    uint64_t seed = check_seed();
    for (size_t i = 0; i < MANY; i++)
        rows[i] =
            (plain_row){(unsigned)row_random(&seed, MANY / 5),
                        (unsigned)row_random(&seed, 30), (int64_t)row_random(&seed, 121),
                        (int64_t)row_random(&seed, (uint64_t)1 << 62)};
    ask_plain(rows, MANY, "person_id", 1, 2, first, sizeof first);
    CHECK(strlen(first) > 500);
    for (uint64_t turn = 0; turn < check_count_whole(8, 1000); turn++) {
        shuffle(rows, MANY, &seed);
        ask_plain(rows, MANY, "person_id", 1 + (unsigned)(turn % 8), 2, again,
                  sizeof again);
        CHECK_STR(again, first);
    }
}

TEST(A16_sums_have_no_rounding)
{
    CLAIM("pass.exact");
    static plain_row rows[MANY];
    static char up[2000], down[2000], want[400];
    char sum[SC_INT128_BYTES], other[SC_INT128_BYTES];
    const int64_t large = (int64_t)1 << 62;
    /* The centre of big is 0, that of age * 2 + 1 is 120. */
    for (size_t i = 0; i < MANY; i++)
        rows[i] = (plain_row){(unsigned)i, 0, 1, i < MANY / 2 ? large : 1};
    ask_plain(rows, MANY, "row", 3, 1, up, sizeof up);
    for (size_t i = 0; i < MANY; i++)
        rows[i].big = i < MANY / 2 ? 1 : large;
    ask_plain(rows, MANY, "person_id", 2, 1, down, sizeof down);
    sc_int128_format((sc_int128)(MANY / 2) * large + MANY / 2, sum);
    sc_int128_format((sc_int128)MANY * (3 - 120), other);
    CHECK_STR(up, down);
    snprintf(want, sizeof want, "city 0 %d %d %s %s\n", MANY, MANY, sum, other);
    CHECK_STR(up, want);
}

TEST(pass_reads_a_source_of_its_version)
{
    const plain_row row = {1, 2, 3, 4};
    const sc_source_seal other = {
        .is_plain = true, .stamp = {.is_file = true, .bytes = 5, .modified_ns = 6}};
    const sc_pass_options options = {.workers = 1, .contents = &other};
    const sc_schema *schema = NULL;
    static pass_question s;
    sc_pass *pass = NULL;
    char path[64];
    scrim_error error;
    write_plain(path, &row, 1);
    snprintf(s.text, sizeof s.text, "SELECT SUM(age)");
    REQUIRE(pass_schema_open(path, "row", &schema));
    REQUIRE(pass_question_read(&s, schema));
    CHECK_STATUS(pass_run(schema, &s.asked, 1, &options, 1, &pass, &error),
                 SCRIM_E_INPUT);
    CHECK(pass == NULL && error.reason == SCRIM_REASON_CHANGED);
    unlink(path);
    CHECK_STATUS(
        pass_run(schema, &s.asked, 1, &(sc_pass_options){.workers = 1}, 1, &pass, &error),
        SCRIM_E_INPUT);
    sc_arena_clear(&s.arena);
    sc_schema_free(schema);
}

typedef struct heard {
    uint64_t calls, done, total;
} heard;

static void hear(void *context, uint64_t done, uint64_t total)
{
    heard *h = context;
    CHECK(done >= h->done && done <= total);
    *h = (heard){h->calls + 1, done, total};
}

SLOW_TEST(pass_tells_its_progress)
{
    static plain_row rows[30 * MANY];
    static pass_question s;
    const sc_schema *schema = NULL;
    heard h = {0};
    const sc_pass_options options = {.workers = 1, .progress = hear, .context = &h};
    sc_pass *pass = NULL;
    char path[64];
    scrim_error error;
    write_plain(path, rows, COUNT(rows));
    snprintf(s.text, sizeof s.text, "SELECT SUM(age)");
    REQUIRE(pass_schema_open(path, "row", &schema));
    REQUIRE(pass_question_read(&s, schema));
    CHECK_STATUS(pass_run(schema, &s.asked, 1, &options, 1, &pass, &error), SCRIM_OK);
    struct stat file;
    REQUIRE(stat(path, &file) == 0);
    CHECK_INT(h.total, file.st_size);
    CHECK(h.calls > 5 && h.done > h.total / 2);
    sc_pass_close(pass);
    sc_arena_clear(&s.arena);
    sc_schema_free(schema);
    unlink(path);
}

SLOW_TEST(pass_tells_its_progress_with_people)
{
    static plain_row rows[30 * MANY];
    static pass_question s;
    const sc_schema *schema = NULL;
    heard h = {0};
    const sc_pass_options options = {.workers = 1, .progress = hear, .context = &h};
    sc_pass *pass = NULL;
    char path[64];
    scrim_error error;
    write_plain(path, rows, COUNT(rows));
    snprintf(s.text, sizeof s.text,
             "SELECT SUM(n) FROM (SELECT CLAMP(COUNT(*), 0, 9) AS n GROUP BY person_id)");
    REQUIRE(pass_schema_open(path, "person_id", &schema));
    REQUIRE(pass_question_read(&s, schema));
    CHECK_STATUS(pass_run(schema, &s.asked, 1, &options, 1, &pass, &error), SCRIM_OK);
    struct stat file;
    REQUIRE(stat(path, &file) == 0);
    CHECK_INT(h.total, file.st_size + file.st_size);
    CHECK_INT(h.done, h.total);
    CHECK(h.calls > 5);
    sc_pass_close(pass);
    sc_arena_clear(&s.arena);
    sc_schema_free(schema);
    unlink(path);
}

FAULT_TEST(pass_survives_without_memory)
{
    static pass_question s;
    const plain_row rows[] = {{1, 2, 3, 4}, {2, 3, 4, 5}, {2, 2, 4, 5}};
    const sc_schema *schema = NULL;
    const sc_pass_options options = {.workers = 1};
    char path[64];
    scrim_error error;
    write_plain(path, rows, COUNT(rows));
    snprintf(s.text, sizeof s.text,
             "SELECT sex, city, MEDIAN(age + 1), SUM(big) WHERE age > 1 GROUP BY sex, "
             "city");
    REQUIRE(pass_schema_open(path, "person_id", &schema));
    REQUIRE(pass_question_read(&s, schema));
    FAULT_LOOP(fault)
    {
        sc_tape *tape = NULL;
        sc_pass *pass = NULL;
        scrim_status status = sc_tape_seeded(1, &tape, &error);
        if (status == SCRIM_OK)
            status = sc_pass_open(schema, &s.asked, 1, &options, sc_tape_bits_of(tape),
                                  &pass, &error);
        if (status == SCRIM_OK)
            status = sc_pass_run(pass, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_pass_close(pass);
        sc_tape_free(tape);
    }
    sc_arena_clear(&s.arena);
    sc_schema_free(schema);
    unlink(path);
}

/* The key of hashes and those of bounding are drawn anew, all of them and before a row is read. */
TEST(pass_A62_keys_are_drawn)
{
    static pass_question s;
    static const uint64_t words[32] = {0};
    const plain_row rows[] = {{1, 2, 3, 4}};
    const size_t wanted = (sizeof(sc_value_key) + sizeof(sc_bound_keys)) / sizeof *words;
    const sc_schema *schema = NULL;
    const sc_pass_options options = {.workers = 1};
    char path[64];
    write_plain(path, rows, COUNT(rows));
    snprintf(s.text, sizeof s.text, "SELECT sex, COUNT(*) GROUP BY sex");
    REQUIRE(pass_schema_open(path, "person_id", &schema));
    REQUIRE(pass_question_read(&s, schema));
    REQUIRE(wanted <= COUNT(words));
    for (size_t count = 0; count <= wanted; count++) {
        sc_tape *tape = NULL;
        sc_pass *pass = NULL;
        REQUIRE_OK(sc_tape_words(words, count, &tape, NULL));
        CHECK_STATUS(sc_pass_open(schema, &s.asked, 1, &options, sc_tape_bits_of(tape),
                                  &pass, NULL),
                     count < wanted ? SCRIM_E_ENTROPY : SCRIM_OK);
        sc_pass_close(pass);
        sc_tape_free(tape);
    }
    sc_arena_clear(&s.arena);
    sc_schema_free(schema);
    unlink(path);
}

/* By what is declared, and not by the file: how many threads there are can be seen. */
TEST(A106_workers_are_those_of_the_declared_size)
{
    CLAIM("pass-size.declared");
    static pass_question s;
    const plain_row row = {1, 1, 1, 1};
    const sc_pass_options options = {.workers = 3, .memory_bytes = 100000};
    const sc_schema *schema = NULL;
    sc_pass *pass = NULL;
    char path[64];
    write_plain(path, &row, 1);
    snprintf(s.text, sizeof s.text, "SELECT SUM(age) AS a");
    if (pass_schema_open(path, "person_id", &schema) &&
        CHECK(pass_question_read(&s, schema))) {
        CHECK_STATUS(pass_run(schema, &s.asked, 1, &options, 7, &pass, NULL), SCRIM_OK);
        CHECK(pass != NULL && sc_pass_workers(pass) == 3);
        sc_pass_close(pass);
        sc_arena_clear(&s.arena);
    }
    sc_schema_free(schema);
    unlink(path);
}

static size_t room_of(const sc_schema *schema, const pass_question *s,
                      const sc_pass_options *options, unsigned *workers)
{
    sc_tape *tape = NULL;
    sc_pass *pass = NULL;
    size_t room = 0;
    scrim_error error;
    if (CHECK_STATUS(sc_tape_seeded(1, &tape, &error), SCRIM_OK) &&
        CHECK_STATUS(sc_pass_open(schema, &s->asked, 1, options, sc_tape_bits_of(tape),
                                  &pass, &error),
                     SCRIM_OK)) {
        room = sc_pass_room_bytes(pass);
        *workers = sc_pass_workers(pass);
    }
    sc_pass_close(pass);
    sc_tape_free(tape);
    return room;
}

/* Numbers of pushed rows around each power of two, and one row: what is declared is taken.
 * Without a declaration no number is above 64 MiB. */
SLOW_TEST(A106_pushed_rows_take_what_is_declared)
{
    CLAIM("pass-size.declared");
    static const struct {
        const char *policy;
        unsigned most; /* 2^most bytes are declared */
    } sizes[] = {{"max-size=1GiB\n", 30}, {"", 26}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        static pass_question s;
        const sc_schema *schema = NULL;
        char policy[200];
        unsigned workers = 0, others = 0;
        sc_pass_options options = {.is_pushed = true, .rows_upper = 1};
        snprintf(
            policy, sizeof policy,
            "unit=id\nmax-groups=1\nmax-rows=1\ncolumn=age=int[0,99]\ncolumn=city=text\n"
            "column=sex=text\nlive=yes\n%s",
            sizes[i].policy);
        snprintf(s.text, sizeof s.text,
                 "SELECT city, SUM(age), MEDIAN(age + 1) GROUP BY city");
        REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, NULL));
        REQUIRE(pass_question_read(&s, schema));
        const size_t one = room_of(schema, &s, &options, &workers);
        for (unsigned k = 16; k <= sizes[i].most; k++)
            for (uint64_t more = 0; more < 2 && more + k <= sizes[i].most; more++) {
                options.rows_upper = (((uint64_t)1 << k) / 32) + more;
                CHECK_INT(room_of(schema, &s, &options, &others), one);
                CHECK_INT(others, workers);
            }
        sc_arena_clear(&s.arena);
        sc_schema_free(schema);
    }
}

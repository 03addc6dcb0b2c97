/* X4 (spec/query-semantics 10): the groups and rows of a unit are bounded by the key that is shown, after
 * LOWER and its like. Bounded by the column and merged afterwards, one unit would move a group by 2 R,
 * and the squares of all groups by G^2 R^2. */
#include "check.h"
#include "data/value/schema.h"
#include "data/value/text_function.h"
#include "pass_scene.h"
#include "query/language/validate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { G = 2, R = 1, UNITS = 40 };

/* Each unit has four spellings of one city, and two of another. */
static bool begin(char path[64], const sc_schema **schema, const char *keys)
{
    static const char *const cities[] = {"Paris", "PARIS", "paris",
                                         "pARIS", "Rome",  "ROME"};
    char policy[300];
    FILE *file = pass_file_new(path);
    if (!CHECK(file != NULL))
        return false;
    fputs("who,city\n", file);
    for (int i = 0; i < UNITS; i++)
        for (size_t j = 0; j < COUNT(cities); j++)
            fprintf(file, "u%d,%s\n", i, cities[j]);
    fclose(file);
    snprintf(policy, sizeof policy,
             "unit=who\ncolumn=city=text\n%smax-groups=%d\nmax-rows=%d\ncsv=%s\n", keys,
             G, R, path);
    return CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, schema, NULL),
                        SCRIM_OK);
}

/* Rows of the groups whose keys are so in small letters; all of them where groups is NULL. */
static uint64_t rows_of(const sc_groups *groups, const char *small)
{
    static char room[SC_TEXT_RESULT_BYTES];
    uint64_t rows = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const sc_text key = {groups->groups[i].key.start,
                             groups->groups[i].key.bytes - 1};
        if (sc_text_is(sc_text_cased(key, false, room), small))
            rows += groups->groups[i].rows;
    }
    return rows;
}

static void count_rows(const sc_schema *schema, const char *question, uint64_t seed,
                       uint64_t *paris, uint64_t *rome, size_t *groups)
{
    const sc_pass_options options = {.workers = 1};
    const sc_query *query = NULL;
    sc_statistics statistics;
    sc_pass *pass = NULL;
    sc_arena arena;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    sc_arena_init(&arena);
    if (CHECK_STATUS(sc_validate(sc_text_of(question), sc_text_of("r"), schema, &arena,
                                 &query, &refusal),
                     SCRIM_OK) &&
        CHECK_STATUS(sc_statistics_of(
                         query, &(sc_statistics_plan){.bounds = query->schema->bounds},
                         &arena, &statistics, &error),
                     SCRIM_OK)) {
        const sc_pass_statement asked = {
            .query = query, .statistics = &statistics, .bounds = {G, R, 0}};
        if (CHECK_STATUS(pass_run(schema, &asked, 1, &options, seed, &pass, &error),
                         SCRIM_OK)) {
            *paris = rows_of(sc_pass_groups(pass, 0), "paris");
            *rome = rows_of(sc_pass_groups(pass, 0), "rome");
            *groups = sc_pass_groups(pass, 0)->count;
        }
        sc_pass_close(pass);
    }
    sc_arena_clear(&arena);
}

SLOW_TEST(final_key_bounds_the_groups_of_a_unit)
{
    CLAIM("row-program.rows");
    const sc_schema *schema = NULL;
    char path[64];
    bool is_naive_worse = false;
    if (begin(path, &schema, ""))
        for (uint64_t seed = 1; seed <= 20; seed++) {
            uint64_t paris = 0, rome = 0;
            size_t groups = 0;
            /* Both groups of each unit, one row in each: R, and G R^2 in squares. */
            count_rows(schema, "SELECT LOWER(city) AS c, COUNT(*) GROUP BY c", seed,
                       &paris, &rome, &groups);
            CHECK_INT(groups, 2);
            CHECK_INT(paris, (sc_int128)UNITS * R);
            CHECK_INT(rome, (sc_int128)UNITS * R);
            /* The planted fault: by the column, merged afterwards. */
            count_rows(schema, "SELECT city, COUNT(*) GROUP BY city", seed, &paris, &rome,
                       &groups);
            CHECK_INT(paris + rome, (sc_int128)UNITS * G * R);
            is_naive_worse |= paris > (uint64_t)UNITS * R;
        }
    CHECK(is_naive_worse);
    sc_schema_free(schema);
    unlink(path);
}

/* A key on no list leaves before groups are counted; listed ones are those of the image. */
TEST(final_key_is_matched_by_its_computed_value)
{
    CLAIM("row-program.rows");
    const sc_schema *schema = NULL;
    char path[64];
    if (begin(path, &schema, "keys=city=Paris,Rome\n")) {
        uint64_t paris = 0, rome = 0;
        size_t groups = 0;
        count_rows(schema,
                   "SELECT city, SUBSTR(city, 2) || city AS c, COUNT(*) GROUP BY city, c",
                   3, &paris, &rome, &groups);
        CHECK_INT(groups, 2);
        count_rows(schema, "SELECT UPPER(city) AS c, COUNT(*) GROUP BY c", 3, &paris,
                   &rome, &groups);
        CHECK_INT(groups, 2);
        CHECK_INT(paris, (sc_int128)UNITS * R);
        CHECK_INT(rome, (sc_int128)UNITS * R);
    }
    sc_schema_free(schema);
    unlink(path);
}

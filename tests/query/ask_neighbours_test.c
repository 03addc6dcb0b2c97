/* Record and replay of whole questions: a run over a table is recorded, a run over a neighbour is
 * answered with what was drawn then. All that is seen must be the same to the last byte, and what
 * went into each draw may differ by no more than its measurement claims. */
#include "check.h"
#include "neighbour_tables.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "row_oracle.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

enum { SHOWN_BYTES = 20000 };

/* Asks of one table, through a recorder; writes all that is seen. */
static void ask(const char *policy, const char *table, const char *query,
                const scrim_query_options *options, sc_recorder *recorder, char *shown)
{
    query_scene s;
    scrim_result *result = NULL;
    sc_tape *tape = NULL;
    char left[3 * SCRIM_NUMBER_BYTES];
    shown[0] = '\0';
    if (query_scene_begin(&s, policy, table) &&
        CHECK_STATUS(sc_tape_seeded(9, &tape, NULL), SCRIM_OK)) {
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        sc_vault_use_recorder(s.vault, recorder);
        const scrim_status status = query_scene_ask(&s, query, options, &result);
        if (status == SCRIM_OK)
            query_scene_show(result, false, shown, SHOWN_BYTES);
        else if (!CHECK_STATUS(status, SCRIM_E_POLICY))
            CHECK_STR(s.error.message, query);
        snprintf(shown + strlen(shown), SHOWN_BYTES - strlen(shown), "%s\n%s",
                 s.error.message, query_scene_left(&s, left));
    }
    scrim_result_free(result);
    query_scene_end(&s);
    sc_tape_free(tape);
}

typedef struct policy_case {
    const char *lines;
    bool is_row, is_replaced;
} policy_case;

static void check_pair(const policy_case *c, const char *first, const char *second,
                       const char *query, const scrim_query_options *options)
{
    static char seen[SHOWN_BYTES], again[SHOWN_BYTES], policy[2000];
    sc_recorder *recorder = NULL, *replay = NULL;
    sc_recorder_verdict verdict;
    snprintf(policy, sizeof policy,
             "unit=%s\ncolumn=age=int[0,120]\ncolumn=sex=text\nkeys=sex=Female,Male\n"
             "column=city=text\ncolumn=income=decimal[0,1000]\n"
             "budget=epsilon=1000,delta=0.1\n%s",
             c->is_row ? "row" : "person", c->lines);
    REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
    sc_recorder_keep_from(recorder, 2 + (c->is_replaced ? 1 : 0));
    ask(policy, first, query, options, recorder, seen);
    REQUIRE_OK(sc_recorder_new(recorder, &replay, NULL));
    ask(policy, second, query, options, replay, again);
    CHECK_INT(sc_recorder_count(replay), sc_recorder_count(recorder));
    sc_recorder_compare(recorder, replay, &verdict);
    if (!CHECK(verdict.holds))
        CHECK_FAIL("%s: call %zu, %s\n%s%s", query, verdict.call, verdict.text, first,
                   second);
    if (!CHECK_STR(again, seen))
        CHECK_FAIL("%s\n%s%s", query, first, second);
    sc_recorder_free(replay);
    sc_recorder_free(recorder);
}

static const char *const public_queries[] = {
    "SELECT COUNT(*) AS n, COUNT(DISTINCT person) AS u",
    "SELECT sex, COUNT(*) AS n, SUM(age) AS s, SUM(income) AS i GROUP BY sex",
    "SELECT sex, COUNT(*) AS n, COUNT(age) AS c, AVG(age) AS a GROUP BY sex",
    "SELECT COUNT(*) AS n, AVG(income) AS a, COUNT(*) FILTER (WHERE age > 40) AS f",
    "SELECT AVG(income) AS a, VAR(income) AS v, STDDEV(age) AS d WHERE sex = 'Male'",
    "SELECT BUCKET(age, 30) AS b, AVG(age * 2 - income) AS a GROUP BY BUCKET(age, 30)",
    "SELECT sex, MEDIAN(age) AS m, QUANTILE(age, 0.9) AS q GROUP BY sex",
    "SELECT SUM(CASE WHEN city = 'Ulm' THEN 1000000 ELSE 0 END) AS s",
    "SELECT sex, SUM(age) WITH RANGE AS s, COUNT(*) WITH RANGE AS n GROUP BY sex",
    "SELECT sex, COUNT(*) AS n GROUP BY sex HAVING n > 3 ORDER BY n DESC LIMIT 1"};
static const char *const discovered_queries[] = {
    "SELECT city, COUNT(*) AS n GROUP BY city",
    "SELECT city, COUNT(*) AS n, AVG(age) AS a GROUP BY city",
    "SELECT city, COUNT(DISTINCT person) AS n, AVG(age) AS a GROUP BY city",
    "SELECT sex, city, SUM(income) AS s GROUP BY sex, city",
    "SELECT city, SUM(age) AS s GROUP BY city HAVING COUNT(DISTINCT person) >= 3 AND s > "
    "9",
    "SELECT age, COUNT(*) AS n GROUP BY age",
    "SELECT town, COUNT(*) AS n, SUM(age) AS s FROM people, UNNEST(SPLIT(city, ';') "
    "LIMIT "
    "2) AS town GROUP BY town",
    "SELECT town, sex, AVG(income) AS a, MEDIAN(age) AS m FROM people, "
    "UNNEST(SPLIT(city, ';') LIMIT 3) town WHERE town <> 'Bonn' GROUP BY town, sex"};

static const policy_case policies[] = {
    {"neighbours=add-remove\n", false, false},
    {"neighbours=add-remove\nmax-groups=3\nmax-rows=2\n", false, false},
    {"neighbours=add-remove\nmissing=age=5\nmissing=city=Ulm\n", true, false},
    {"neighbours=replace\nmax-groups=2\nmax-rows=2\nmissing=age=0\nmissing=sex=Male\n"
     "missing=city=Ulm\nmissing=income=0\n",
     false, true}};

/* In the long campaign some 25 pairs for each policy and question; 10^5 pairs are those of replay_fuzz_test.c. */
#define TURNS 2000

SLOW_TEST(A29_neighbours_look_alike)
{
    CLAIM("ask.quiet");
    static char first[NEIGHBOUR_BYTES], second[NEIGHBOUR_BYTES];
    static const char *const noises[] = {"laplace", "gaussian"};
    uint64_t seed = check_seed();
    const uint64_t turns = check_count(24, TURNS);
    for (uint64_t turn = 0; turn < turns; turn++) {
        const policy_case *c = &policies[turn % COUNT(policies)];
        neighbour_tables(first, second, c->is_row, c->is_replaced, &seed);
        const char *query = public_queries[row_random(&seed, COUNT(public_queries))];
        if (c->is_row && strstr(query, "DISTINCT") != NULL)
            query = "SELECT COUNT(*) AS n";
        check_pair(c, first, second, query,
                   OPTIONS(.epsilon = "1", .delta = "1e-6",
                           .mechanism = noises[row_random(&seed, 2)], .workers = 1));
    }
}

SLOW_TEST(A34_discovered_keys_of_neighbours_look_alike)
{
    CLAIM("ask.quiet");
    static char first[NEIGHBOUR_BYTES], second[NEIGHBOUR_BYTES];
    uint64_t seed = check_seed() + 1;
    const uint64_t turns = check_count(12, TURNS);
    for (uint64_t turn = 0; turn < turns; turn++) {
        const policy_case *c = &policies[turn % COUNT(policies)];
        neighbour_tables(first, second, c->is_row, c->is_replaced, &seed);
        const char *query =
            discovered_queries[row_random(&seed, COUNT(discovered_queries))];
        if (c->is_row && strstr(query, "DISTINCT") != NULL)
            query = discovered_queries[0];
        check_pair(c, first, second, query,
                   OPTIONS(.epsilon = "1", .delta = "1e-6", .workers = 1));
    }
}

/* The change of the numbers of rows, all groups together, as the recorder saw it: of laplace noise, or
 * where each row is a unit of the selection, which then shows them. */
static void check_reached(const char *bounds, const char *own, bool is_replaced,
                          const char *instead, int64_t charged)
{
    static const char *const others[] = {"a;b;c", "d;e;f", "c;a;b", "f;d;e",
                                         "a;b;c", "d;e;f", "b;c;a", "e;f;d"};
    static const char query[] =
        "SELECT tag, COUNT(*) AS n FROM people, UNNEST(SPLIT(city, ';') LIMIT 3) AS tag "
        "GROUP BY tag";
    static char first[NEIGHBOUR_BYTES], second[NEIGHBOUR_BYTES], shown[SHOWN_BYTES];
    char policy[400];
    size_t a = (size_t)snprintf(first, NEIGHBOUR_BYTES, "person,city\n");
    sc_recorder *recorder = NULL, *replay = NULL;
    sc_recorder_verdict verdict;
    for (size_t i = 0; i < COUNT(others); i++)
        a += (size_t)snprintf(first + a, NEIGHBOUR_BYTES - a, "%zu,%s\n", i + 10,
                              others[i]);
    snprintf(second, NEIGHBOUR_BYTES, "%s%s", first, is_replaced ? instead : "");
    snprintf(first + a, NEIGHBOUR_BYTES - a, "%s", own);
    snprintf(policy, sizeof policy, "column=city=text\nbudget=epsilon=1000,delta=0.1\n%s",
             bounds);
    const scrim_query_options *options =
        OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "laplace", .workers = 1,
                .cut_share = "0");
    REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
    sc_recorder_keep_from(recorder, 3);
    ask(policy, first, query, options, recorder, shown);
    REQUIRE_OK(sc_recorder_new(recorder, &replay, NULL));
    ask(policy, second, query, options, replay, shown);
    sc_recorder_compare(recorder, replay, &verdict);
    if (!CHECK(verdict.holds))
        CHECK_FAIL("%s: call %zu, %s", bounds, verdict.call, verdict.text);
    bool is_found = false;
    for (size_t i = 0; i < sc_recorder_count(recorder); i++) {
        const sc_recorder_call *x = sc_recorder_at(recorder, i),
                               *y = sc_recorder_at(replay, i);
        sc_int128 moved = 0;
        const bool shows_rows =
            x->claim == SC_RECORDER_UNITS && strncmp(bounds, "unit=row", 8) == 0;
        if (x->claim != SC_RECORDER_L1 && !shows_rows)
            continue;
        is_found = true;
        CHECK_INT(x->count, 6);
        CHECK_INT(y->count, 6);
        for (size_t k = 0; k < x->count && k < y->count; k++)
            moved += x->input[k] > y->input[k] ? x->input[k] - y->input[k]
                                               : y->input[k] - x->input[k];
        CHECK_INT((int64_t)moved, charged);
        if (shows_rows)
            CHECK_INT(x->most, charged);
        else
            CHECK(sc_ratio_compare_int64(&x->sensitivity, charged) == 0);
    }
    CHECK(is_found);
    sc_recorder_free(replay);
    sc_recorder_free(recorder);
}

/* The charge for a list of three elements is what some unit moves. */
SLOW_TEST(unnest_charges_what_a_unit_can_move)
{
    CLAIM("unnest.charge");
    check_reached("unit=row\n", "0,a;b;c;d\n", false, "", 3);
    check_reached("unit=row\nneighbours=replace\n", "0,a;b;c;d\n", true, "0,d;e;f\n", 6);
    check_reached("unit=person\nmax-groups=2\nmax-rows=2\n",
                  "0,a;b;c\n0,c;b;a;d\n0,d;e;f\n0,f;d;e\n0,a;d\n", false, "", 12);
    check_reached("unit=person\nmax-groups=1\nmax-rows=2\nneighbours=replace\n",
                  "0,a;b;c\n0,a;b;c\n", true, "0,d;e;f\n0,d;e;f\n", 12);
}

/* HAVING of a count that is not asked for: the selection keeps groups by it, and the numbers are of
 * these groups alone. */
TEST(having_selects_groups_by_their_units)
{
    CLAIM("plan-select.least");
    static const char rows[] = "person,age,sex,city,income\n"
                               "1,10,Male,Ulm,1\n2,20,Male,Ulm,1\n3,30,Male,Ulm,1\n"
                               "4,40,Male,Bonn,1\n5,50,Male,Bonn,1\n5,60,Male,Bonn,1\n"
                               "1,70,Male,Rome,1\n2,1,Male,Rome,1\n3,2,Male,Rome,1\n"
                               "4,3,Male,Rome,1\n";
    static const struct {
        const char *having, *want;
    } list[] = {
        {"COUNT(DISTINCT person) >= 3", "Rome,4;Ulm,3;"},
        {"COUNT(DISTINCT person) > 3", "Rome,4;"},
        {"2 < COUNT(DISTINCT person) AND s < 4", "Ulm,3;"},
        {"COUNT(DISTINCT person) >= 2", "Bonn,3;Rome,4;Ulm,3;"},
        {"COUNT(DISTINCT person) >= 5", ""},
    };
    char policy[300];
    snprintf(policy, sizeof policy, "%smax-groups=2\nmax-rows=2\n%s", query_scene_columns,
             "budget=epsilon=100000,delta=0.1\n");
    for (size_t i = 0; i < COUNT(list); i++) {
        query_scene s;
        char query[200];
        snprintf(query, sizeof query,
                 "SELECT city, COUNT(*) AS s GROUP BY city HAVING %s", list[i].having);
        if (query_scene_begin(&s, policy, rows))
            query_scene_check_values(
                &s, query,
                OPTIONS(.epsilon = "1000", .delta = "1e-6", .mechanism = "laplace"),
                list[i].want);
        query_scene_end(&s);
    }
}

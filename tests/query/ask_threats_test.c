/* Attempts of an analyst, from end to end: names as in the catalogue of threats. */
#include "base/number/ball.h"
#include "check.h"
#include "faults.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "vault/vault_tape.h"

#include <flint/flint.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define LEFT_BYTES (3 * SCRIM_NUMBER_BYTES)
#define TEXT_BYTES 20000

#define HEADER "person,age,sex,city,income\n"

static bool begin(query_scene *s, const char *bytes)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "%sbudget=epsilon=1000000,delta=0.9\n",
             query_scene_columns);
    return query_scene_begin(s, policy, bytes);
}

/* Was the question charged? */
static bool is_charged(query_scene *s, const char *query,
                       const scrim_query_options *options)
{
    char before[LEFT_BYTES], after[LEFT_BYTES];
    scrim_result *result = NULL;
    query_scene_left(s, before);
    if (!CHECK_STATUS(query_scene_ask(s, query, options, &result), SCRIM_OK))
        CHECK_STR(s->error.message, query);
    scrim_result_free(result);
    return strcmp(query_scene_left(s, after), before) != 0;
}

SLOW_TEST(A32_same_question_is_free)
{
    CLAIM("ask.once");
    static char first[TEXT_BYTES], again[TEXT_BYTES];
    const char *query = "SELECT sex, COUNT(*) AS n, AVG(age) AS a GROUP BY sex";
    query_scene s;
    scrim_result *result = NULL;
    scrim_result_facts facts;
    if (!begin(&s, HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    REQUIRE_OK(query_scene_ask(&s, query, OPTIONS(.epsilon = "0.1"), &result));
    query_scene_show(result, false, first, sizeof first);
    scrim_result_describe(result, &facts);
    CHECK_INT(facts.is_repeated, 0);
    const uint64_t release = facts.release;
    scrim_result_free(result);
    for (uint64_t turn = 0; turn < check_count_whole(20, 10000); turn++) {
        if (turn % 5 == 0) { /* after a restart */
            scrim_vault_close(s.vault);
            s.vault = scene_open(&s.base);
            REQUIRE(s.vault != NULL);
        }
        REQUIRE_OK(query_scene_ask(&s, query, OPTIONS(.epsilon = "0.1"), &result));
        scrim_result_describe(result, &facts);
        CHECK(facts.is_repeated && facts.release == release);
        CHECK_STR(query_scene_show(result, false, again, sizeof again), first);
        scrim_result_free(result);
    }
    CHECK(strstr(query_scene_left(&s, again), " 1") != NULL);
    /* The same tokens and options. */
    CHECK(!is_charged(&s, "select  sex,count( * ) AS n,avg(age) AS a\n group by sex ;",
                      OPTIONS(.epsilon = "1/10")));
    CHECK(!is_charged(&s, query, OPTIONS(.epsilon = "0.10", .confidence = "0.5")));
    CHECK(!is_charged(&s, query, OPTIONS(.epsilon = "0.1", .workers = 3)));
    sc_vault_use_identity(s.vault, 4242, "somebody");
    CHECK(!is_charged(&s, query, OPTIONS(.epsilon = "0.1")));
    query_scene_end(&s);
}

/* The measurement makes the question: other words for it are another view of the release, and free. */
SLOW_TEST(A32_rewordings_are_views)
{
    CLAIM("ask.once");
    static const char *const queries[] = {
        "SELECT sex, COUNT(*) AS n GROUP BY sex",
        "SELECT sex, COUNT(*) AS n WHERE age >= 1 GROUP BY sex",
        "SELECT sex, COUNT(*) FILTER (WHERE age >= 1) AS n GROUP BY sex",
        "SELECT sex, COUNT(*) AS n, SUM(age) AS s GROUP BY sex"};
    static const char *const views[] = {
        "SELECT sex, COUNT(*) AS m GROUP BY sex",
        "SELECT COUNT(*) AS n, sex GROUP BY sex",
        "SELECT sex, COUNT(*) AS n WHERE age >= 1 AND TRUE GROUP BY sex",
        "SELECT sex, COUNT(*) AS n FROM people GROUP BY sex",
        "SELECT \"sex\", COUNT(*) AS n GROUP BY sex",
        "SELECT sex, COUNT(*) AS n GROUP BY sex ORDER BY n"};
    query_scene s;
    if (!begin(&s, HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    for (size_t i = 0; i < COUNT(queries); i++)
        CHECK(is_charged(&s, queries[i], OPTIONS(.epsilon = "0.1")));
    for (size_t i = 0; i < COUNT(views); i++)
        CHECK(!is_charged(&s, views[i], OPTIONS(.epsilon = "0.1")));
    CHECK(is_charged(&s, queries[0], OPTIONS(.epsilon = "0.2")));
    CHECK(is_charged(&s, queries[0], OPTIONS(.epsilon = "0.1", .delta = "1e-9")));
    /* Other contents are another question. */
    REQUIRE(query_scene_write(&s, HEADER "a,10,Female,x,1\n"));
    REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error));
    CHECK(is_charged(&s, queries[0], OPTIONS(.epsilon = "0.1")));
    query_scene_end(&s);
}

/* Requests of every kind, one after the other: what is left, and what each ended with. */
static void run_requests(const char *bytes, char *text, size_t capacity)
{
    static const struct {
        const char *query, *epsilon, *delta;
    } requests[] = {{"SELECT COUNT(*)", "0.5", NULL},
                    {"SELECT city, COUNT(*) GROUP BY city", "0.5", "1e-6"},
                    {"SELECT MEDIAN(age)", "0.5", NULL},
                    {"SELECT AVG(age) WHERE sex = 'x'", "0.5", NULL},
                    {"SELECT VAR(income)", "2000000", NULL},
                    {"SELECT SUM(1/0)", "0.5", NULL},
                    {"SELECT COUNT(*)", "0.5", NULL},
                    {"SELECT COUNT(*)", "1000", NULL}};
    query_scene s;
    size_t used = 0;
    text[0] = '\0';
    if (!begin(&s, bytes))
        return;
    for (size_t i = 0; i < COUNT(requests); i++) {
        char left[LEFT_BYTES];
        scrim_result *result = NULL;
        const scrim_status status = query_scene_ask(
            &s, requests[i].query,
            OPTIONS(.epsilon = requests[i].epsilon, .delta = requests[i].delta), &result);
        used += (size_t)snprintf(text + used, capacity - used, "%d %s %s\n", (int)status,
                                 status == SCRIM_OK ? "" : s.error.message,
                                 query_scene_left(&s, left));
        scrim_result_free(result);
    }
    query_scene_end(&s);
}

SLOW_TEST(A47_budget_is_a_function_of_requests)
{
    CLAIM("ask.requests");
    static char first[TEXT_BYTES], other[TEXT_BYTES];
    static const char *const tables[] = {
        HEADER, HEADER "a,10,Female,x,1\n", HEADER "a,10,Female,x,1\nb,\"\n\"c,,,\n",
        HEADER "a,1e400,Female,\xff\xfe,nan\n,,,,\na,a,a,a,a,a,a,a\n",
        HEADER "a,-99999999999999999999,Male,=1+1,1/0\n"};
    run_requests(tables[0], first, sizeof first);
    CHECK(strlen(first) > 100);
    for (size_t i = 1; i < COUNT(tables); i++) {
        run_requests(tables[i], other, sizeof other);
        CHECK_STR(other, first);
    }
}

/* Bits that end, at every place: what was charged stays and has no answer, until the same question
 * is asked again, which is not charged again. */
FAULT_TEST(A47_failures_after_the_charge_leave_it)
{
    CLAIM("ask.charged");
    static const uint64_t words[2000];
    query_scene s;
    if (!begin(&s, HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    bool has_failed_after = false, has_succeeded = false;
    int charges = 0;
    for (size_t count = 0; count < COUNT(words) && !has_succeeded; count += 3) {
        char before[LEFT_BYTES], after[LEFT_BYTES];
        scrim_result *result = NULL;
        sc_tape *tape = NULL;
        REQUIRE_OK(sc_tape_words(words, count, &tape, NULL));
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        query_scene_left(&s, before);
        const scrim_status status =
            query_scene_ask(&s, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex",
                            OPTIONS(.epsilon = "0.5"), &result);
        query_scene_left(&s, after);
        const bool was_charged = strcmp(before, after) != 0;
        charges += was_charged;
        has_succeeded = status == SCRIM_OK;
        if (!has_succeeded) {
            CHECK_STATUS(status, SCRIM_E_ENTROPY);
            CHECK(result == NULL);
            has_failed_after |= was_charged;
        } else {
            CHECK(result != NULL);
        }
        scrim_result_free(result);
        sc_vault_use_bits(s.vault, NULL);
        sc_tape_free(tape);
    }
    CHECK(has_failed_after && has_succeeded);
    CHECK_INT(charges, 1);
    query_scene_end(&s);
}

/* Under the same noise, all that is seen but the digits. */
static void shape_of(const char *bytes, const char *query,
                     const scrim_query_options *options, char *text)
{
    query_scene s;
    scrim_result *result = NULL;
    sc_tape *tape = NULL;
    text[0] = '\0';
    if (!begin(&s, bytes))
        return;
    REQUIRE_OK(sc_tape_seeded(5, &tape, NULL));
    sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
    if (CHECK_STATUS(query_scene_ask(&s, query, options, &result), SCRIM_OK)) {
        char left[LEFT_BYTES];
        scrim_result_facts facts;
        query_scene_show(result, true, text, TEXT_BYTES);
        scrim_result_describe(result, &facts);
        snprintf(text + strlen(text), TEXT_BYTES - strlen(text),
                 "release %" PRIu64 " left %s", facts.release,
                 query_scene_left(&s, left));
    } else {
        CHECK_STR(s.error.message, query);
    }
    scrim_result_free(result);
    query_scene_end(&s);
    sc_tape_free(tape);
}

static const char *const shapes[] = {
    "SELECT COUNT(*) AS n, SUM(income) AS s, AVG(age) AS a, STDDEV(age) AS d",
    "SELECT sex, COUNT(*) AS n, AVG(income) AS a GROUP BY sex",
    "SELECT BUCKET(age, 30) AS b, SUM(income) AS s GROUP BY BUCKET(age, 30)",
    "SELECT sex, MEDIAN(age) AS m, QUANTILE(income, 0.9) AS q GROUP BY sex",
    "SELECT COUNT(*) WITH RANGE AS n"};

SLOW_TEST(A54_bytes_equal_but_numbers)
{
    CLAIM("ask.quiet");
    static char first[TEXT_BYTES], other[TEXT_BYTES];
    static const char *const tables[] = {
        HEADER "a,10,Female,x,1\nb,20,Male,y,999.99\n",
        HEADER "a,10,Female,x,1\nb,20,Male,y,999.99\nc,120,Male,z,1000\n",
        HEADER "b,20,Male,y,999.99\na,10,Female,x,1\nc,0,Other,\"a\nb\",\n"};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        shape_of(tables[0], shapes[i], OPTIONS(.epsilon = "1", .delta = "1e-6"), first);
        for (size_t t = 1; t < COUNT(tables); t++) {
            shape_of(tables[t], shapes[i], OPTIONS(.epsilon = "1", .delta = "1e-6"),
                     other);
            CHECK_STR(other, first);
        }
    }
}

SLOW_TEST(A55_empty_input)
{
    CLAIM("ask.quiet");
    static char first[TEXT_BYTES], other[TEXT_BYTES];
    static const char *const tables[] = {
        HEADER,           "person,age,sex,city,income", HEADER ",,,,\n,,,,\n",
        HEADER "a,,,,\n", HEADER "a,50,Neither,x,1\n",  HEADER "\n\n"};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        shape_of(HEADER "a,10,Female,x,1\n", shapes[i],
                 OPTIONS(.epsilon = "1", .delta = "1e-6"), first);
        CHECK(strstr(first, "left 99999") != NULL); /* and was charged */
        for (size_t t = check_is_long() ? 0 : i % 2; t < COUNT(tables);
             t += check_is_long() ? 1 : 2) {
            shape_of(tables[t], shapes[i], OPTIONS(.epsilon = "1", .delta = "1e-6"),
                     other);
            CHECK_STR(other, first);
        }
    }
    /* Discovered keys: no rows, as of a table in which nobody is enough to be seen. */
    static const char cities[] = "SELECT city, COUNT(*) AS n GROUP BY city";
    shape_of(HEADER "a,10,Female,x,1\n", cities, OPTIONS(.epsilon = "1", .delta = "1e-6"),
             first);
    shape_of(HEADER, cities, OPTIONS(.epsilon = "1", .delta = "1e-6"), other);
    CHECK_STR(other, first);
}

/* One value of one statement, without noise to speak of. */
static int count_of(const char *bytes, const char *query)
{
    query_scene s;
    scrim_result *result = NULL;
    int count = -1;
    if (begin(&s, bytes) &&
        CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "100"), &result),
                     SCRIM_OK))
        count = atoi(scrim_result_cell_at(result, 0, 0, 0)->value);
    scrim_result_free(result);
    query_scene_end(&s);
    return count;
}

FAULT_TEST(A60_lone_quote_end_to_end)
{
    CLAIM("ask.quiet");
    static const char *const rows[] = {"v,\"10,Female,x,1\n", "\"v,10,Female,x,1\n",
                                       "v,10,Female,x,\"\n",  "\"\n",
                                       "v,10,Female\n",       "v,10,Female,x,1,1,1\n",
                                       "v,10,Fe\"male,x,1\n", "v,10,\"Female\"x\",x,1\n"};
    char table[400];
    for (size_t i = 0; i < COUNT(rows); i++) {
        snprintf(table, sizeof table,
                 HEADER
                 "a,10,Female,x,1\n%sb,20,Male,\"y\",2\nc,30,Female,\"q\"\"q\",3\n",
                 rows[i]);
        const int count = count_of(table, "SELECT COUNT(*) AS n");
        if (!CHECK(count == 3 || count == 4))
            CHECK_STR(table, "");
    }
}

/* The order of rows is that of their keys, whatever keys the hashes have. */
SLOW_TEST(A62_hash_keys_do_not_order_rows)
{
    CLAIM("ask.quiet");
    static char table[400000], first[200000], other[200000];
    size_t used = (size_t)snprintf(table, sizeof table, HEADER);
    for (int i = 0; i < 6000; i++)
        used += (size_t)snprintf(table + used, sizeof table - used,
                                 "%d,1,Male,city %d,1\n", i, i % 300);
    for (uint64_t seed = 0; seed < 3; seed++) {
        query_scene s;
        scrim_result *result = NULL;
        sc_tape *tape = NULL;
        if (!begin(&s, table))
            return;
        REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        if (CHECK_STATUS(query_scene_ask(&s, "SELECT city, COUNT(*) AS n GROUP BY city",
                                         OPTIONS(.epsilon = "60", .delta = "1e-3"),
                                         &result),
                         SCRIM_OK)) {
            CHECK_INT(scrim_result_rows(result, 0), 300);
            query_scene_values(result, 0, seed == 0 ? first : other, sizeof first);
            if (seed > 0)
                CHECK_STR(other, first);
        }
        scrim_result_free(result);
        query_scene_end(&s);
        sc_tape_free(tape);
    }
}

/* One of several who ask at once, through one vault. */
typedef struct asker {
    scrim_vault *vault;
    pthread_barrier_t *barrier;
    char query[80];
    scrim_status status;
    bool has_answer;
} asker;

static void *ask_at_once(void *context)
{
    asker *own = context;
    const char *query = own->query;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    own->status = scrim_plan_new(own->vault, "people", &query, 1,
                                 OPTIONS(.epsilon = "0.1"), &plan, NULL, NULL);
    pthread_barrier_wait(own->barrier);
    if (own->status == SCRIM_OK)
        own->status = scrim_query_run(own->vault, plan, &result, NULL);
    own->has_answer = result != NULL;
    scrim_result_free(result);
    scrim_plan_free(plan);
    flint_cleanup(); /* what FLINT keeps for a thread */
    return NULL;
}

TEST(A40_of_those_who_ask_at_once_as_many_are_answered_as_fit)
{
    CLAIM("ask.charged");
    enum { ASKERS = 8, FIT = 5 };
    char policy[1000], left[LEFT_BYTES];
    query_scene s;
    asker askers[ASKERS];
    pthread_t threads[ASKERS];
    pthread_barrier_t barrier;
    size_t answered = 0, refused = 0;
    snprintf(policy, sizeof policy, "%sbudget=epsilon=0.5\n", query_scene_columns);
    if (!query_scene_begin(&s, policy, HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    REQUIRE(pthread_barrier_init(&barrier, NULL, ASKERS) == 0);
    for (unsigned i = 0; i < ASKERS; i++) {
        askers[i] = (asker){.vault = s.vault, .barrier = &barrier};
        snprintf(askers[i].query, sizeof askers[i].query,
                 "SELECT COUNT(*) AS n WHERE age > %u", i);
        REQUIRE(pthread_create(&threads[i], NULL, ask_at_once, &askers[i]) == 0);
    }
    for (unsigned i = 0; i < ASKERS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < ASKERS; i++) {
        answered += askers[i].status == SCRIM_OK;
        refused += askers[i].status == SCRIM_E_BUDGET;
        CHECK(askers[i].has_answer == (askers[i].status == SCRIM_OK));
    }
    CHECK_INT(answered, FIT);
    CHECK_INT(refused, ASKERS - FIT);
    CHECK_STR(query_scene_left(&s, left), "0 0 5");
    pthread_barrier_destroy(&barrier);
    query_scene_end(&s);
}

static uint64_t charges_of(scrim_vault *vault)
{
    scrim_budget budget = {.charges = 0};
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_OK);
    return budget.charges;
}

/* No memory, at each place in turn: nothing was charged, or the charge stays, is told in the same
 * words, and is finished by a later try; and an answer is never shown that is not in the ledger. */
FAULT_TEST(A67_A86_memory_fails_anywhere)
{
    CLAIM("ask.charged");
    CLAIM("ask.told");
    CLAIM("release.told");
    CLAIM("unanswered.memory");
    const char *const queries[] = {
        "SELECT sex, COUNT(*) AS n, MEDIAN(age) AS m GROUP BY sex",
        "SELECT city, SUM(age) AS s GROUP BY city"};
    query_scene s;
    scrim_plan *plan = NULL;
    uint64_t charged = 0, free_of_charge = 0;
    char first[SCRIM_MESSAGE_BYTES] = "";
    if (!begin(&s, HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    REQUIRE_OK(scrim_plan_new(s.vault, "people", queries, 2,
                              OPTIONS(.epsilon = "60", .delta = "1e-6", .workers = 1),
                              &plan, NULL, &s.error));
    uint64_t before = charges_of(s.vault);
    FAULT_LOOP(fault)
    {
        scrim_result *result = NULL;
        scrim_error error;
        const scrim_status status = scrim_query_run(s.vault, plan, &result, &error);
        const bool was_hit = fault_hit();
        const uint64_t after = charges_of(s.vault);
        CHECK(after == before || after == before + 1);
        if (status != SCRIM_OK) {
            CHECK(result == NULL && was_hit);
            CHECK(status == SCRIM_E_MEMORY || status == SCRIM_E_LEDGER ||
                  status == SCRIM_E_ENTROPY);
            if (strstr(error.message, "is charged") != NULL) {
                charged++;
                CHECK_INT(after, 1);
                const bool is_first = first[0] == '\0';
                const bool is_told = strstr(error.message, "has no answer") != NULL;
                CHECK(is_told || strstr(error.message, "is recorded") != NULL);
                if (is_told && status == SCRIM_E_MEMORY && is_first)
                    snprintf(first, sizeof first, "%s", error.message);
                else if (is_told && status == SCRIM_E_MEMORY)
                    CHECK_STR(error.message, first);
            } else {
                CHECK(after == before);
                free_of_charge++;
            }
        } else {
            scrim_result_facts facts;
            scrim_vault_release release = {.id = 0};
            scrim_result_describe(result, &facts);
            CHECK_STATUS(scrim_vault_replay(s.vault, facts.release, &release, &error),
                         SCRIM_OK);
            CHECK_INT(release.state, SCRIM_ENTRY_RELEASED);
            scrim_vault_release_clear(&release);
        }
        scrim_result_free(result);
        before = after;
    }
    CHECK(charged > 0 && free_of_charge > 0);
    CHECK_INT(charges_of(s.vault), 1);
    scrim_plan_free(plan);
    scrim_vault_state state;
    CHECK(scene_verifies(&s.base, &state));
    query_scene_end(&s);
}

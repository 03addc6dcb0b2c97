/* Questions from end to end. Where epsilon is very large there is no noise to speak of: at scale
 * 1/20 a discrete Laplace draw is not 0 with probability below 10^-8. */
#include "check.h"
#include "ledger/release.h"
#include "passages.h"
#include "query/answer/ask.h"
#include "query/plan/plan.h"
#include "query_scene.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define EXACT OPTIONS(.epsilon = "1000", .delta = "1e-6")
#define LARGE_BUDGET "budget=epsilon=100000,delta=0.5\n"

static const char people[] = "person,age,sex,city,income\n"
                             "a,10,Female,Ulm,1\n"
                             "b,20,Male,Ulm,2.5\n"
                             "c,30,Female,Bonn,3\n"
                             "d,40,Other,Ulm,4\n"
                             "e,50,Male,,5\n"
                             "f,,Male,Ulm,6\n";

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[2000];
    snprintf(policy, sizeof policy, "%s%s%s", query_scene_columns, LARGE_BUDGET, lines);
    return query_scene_begin(s, policy, bytes);
}

TEST(ask_answers_by_public_keys)
{
    query_scene s;
    if (begin(&s, "", people)) {
        query_scene_check_values(&s, "SELECT COUNT(*) AS n", EXACT, "6;");
        query_scene_check_values(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex", EXACT,
                                 "Female,2;Male,3;NULL,0;");
        /* of a small range, so that noise is as good as none */
        query_scene_check_values(
            &s,
            "SELECT sex, SUM(CASE WHEN age > 15 THEN 3 ELSE 0 END) AS n "
            "GROUP BY sex",
            EXACT, "Female,3;Male,6;NULL,0;");
        query_scene_check_values(&s,
                                 "SELECT sex, COUNT(*) AS n WHERE age > 15 GROUP BY sex",
                                 EXACT, "Female,1;Male,2;NULL,0;");
        query_scene_check_values(
            &s, "SELECT age > 25 AS old, COUNT(*) AS n GROUP BY age > 25", EXACT,
            "false,2;true,3;NULL,1;");
        query_scene_check_values(&s, "SELECT COUNT(DISTINCT person) AS n", EXACT, "6;");
        query_scene_check_values(
            &s, "SELECT sex, COUNT(*) AS n GROUP BY sex HAVING n > 2", EXACT, "Male,3;");
        query_scene_check_values(
            &s, "SELECT sex, COUNT(*) AS n GROUP BY sex ORDER BY n DESC LIMIT 1", EXACT,
            "Male,3;");
    }
    query_scene_end(&s);
}

/* Many of one city, and one of another: whom nobody hears of. */
static const char *cities(char *text, size_t capacity)
{
    size_t used = (size_t)snprintf(text, capacity, "person,age,sex,city,income\n");
    for (int i = 0; i < 200 && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%d,%d,%s,%s,%d\n", i,
                                 i % 100, i % 2 == 0 ? "Female" : "Male",
                                 i == 7       ? "Lone"
                                 : i % 4 == 0 ? "Ulm"
                                              : "Bonn",
                                 i);
    return text;
}

SLOW_TEST(ask_discovers_keys)
{
    static char text[20000];
    query_scene s;
    if (begin(&s, "", cities(text, sizeof text))) {
        query_scene_check_values(&s, "SELECT city, COUNT(*) AS n GROUP BY city",
                                 OPTIONS(.epsilon = "60", .delta = "1e-9"),
                                 "Bonn,149;Ulm,50;");
        query_scene_check_values(
            &s, "SELECT city, COUNT(DISTINCT person) AS n GROUP BY city",
            OPTIONS(.epsilon = "60", .delta = "1e-9"), "Bonn,149;Ulm,50;");
        query_scene_check_values(&s, "SELECT sex, city, COUNT(*) AS n GROUP BY sex, city",
                                 OPTIONS(.epsilon = "60", .delta = "1e-9"),
                                 "Female,Bonn,50;Female,Ulm,50;Male,Bonn,99;");
        query_scene_check_values(
            &s, "SELECT city, COUNT(*) AS n WHERE age > 110 GROUP BY city",
            OPTIONS(.epsilon = "60", .delta = "1e-9"), "");
    }
    query_scene_end(&s);
    if (begin(&s, "max-groups=4\nmax-rows=2\n", cities(text, sizeof text))) {
        query_scene_check_values(
            &s, "SELECT city, COUNT(DISTINCT person) AS n GROUP BY city",
            OPTIONS(.epsilon = "400", .delta = "1e-9"), "Bonn,149;Ulm,50;");
        query_scene_check_values(
            &s, "SELECT city, COUNT(*) AS n GROUP BY city",
            OPTIONS(.epsilon = "900", .delta = "1e-9", .mechanism = "laplace"),
            "Bonn,149;Ulm,50;");
    }
    query_scene_end(&s);
}

/* A Gaussian is made for a number of values; groups that are discovered may be more. */
TEST(ask_draws_gaussians_for_any_number_of_groups)
{
    static char text[40000], values[4000];
    query_scene s;
    scrim_result *result = NULL;
    size_t used = (size_t)snprintf(text, sizeof text, "person,age,sex,city,income\n");
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,1,Male,c%d,1\n", i,
                                 i % 9);
    if (begin(&s, "max-groups=9\n", text) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT city, COUNT(*) AS n GROUP BY city",
                                     OPTIONS(.epsilon = "50", .delta = "1e-3",
                                             .mechanism = "gaussian"),
                                     &result),
                     SCRIM_OK)) {
        CHECK_INT(scrim_result_rows(result, 0), 9);
        for (size_t r = 0; r < scrim_result_rows(result, 0); r++) {
            const int n = atoi(scrim_result_cell_at(result, 0, r, 1)->value);
            CHECK(n > 80 && n < 142); /* 111, at a standard deviation of about 1 */
        }
        (void)query_scene_values(result, 0, values, sizeof values);
    } else {
        CHECK_STR(s.error.message, "");
    }
    scrim_result_free(result);
    query_scene_end(&s);
}

TEST(ask_has_quantiles_with_ends)
{
    static char text[200000];
    query_scene s;
    scrim_result *result = NULL;
    size_t used = (size_t)snprintf(text, sizeof text, "person,age,sex,city,income\n");
    for (int i = 0; i < 4000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%d,%s,c,%d\n", i,
                                 i % 101, i % 3 == 0 ? "Female" : "Male", i % 1000);
    if (begin(&s, "missing=sex=?\n", text) &&
        CHECK_STATUS(
            query_scene_ask(&s,
                            "SELECT sex, QUANTILE(age, 0.25) AS q1, MEDIAN(age) AS q2, "
                            "QUANTILE(age, 0.75) AS q3, MEDIAN(income) AS m GROUP BY sex",
                            OPTIONS(.epsilon = "30"), &result),
            SCRIM_OK)) {
        /* Another confidence needs no other draw: the surer, the wider. */
        static const int truth[] = {25, 50, 75, 500};
        static const char *const levels[] = {"0.5", "0.95", "0.999999999"};
        scrim_result_facts facts;
        double width = 0;
        scrim_result_describe(result, &facts);
        for (size_t i = 0; i < COUNT(levels); i++) {
            scrim_result *again = NULL;
            REQUIRE_OK(
                scrim_query_replay(s.vault, facts.release, levels[i], &again, &s.error));
            CHECK_INT(scrim_result_rows(again, 0), 2);
            for (size_t r = 0; r < scrim_result_rows(again, 0); r++)
                for (size_t c = 1; c <= 4; c++) {
                    const scrim_result_cell *cell = scrim_result_cell_at(again, 0, r, c);
                    const double value = atof(cell->value), low = atof(cell->low),
                                 high = atof(cell->high), want = truth[c - 1];
                    CHECK(value > want * 0.9 && value < want * 1.1);
                    CHECK(low <= value && value <= high && !cell->is_open);
                    CHECK(low > want * 0.5 && high < want * 1.5);
                    if (i == 2)
                        CHECK(low <= want && want <= high);
                }
            const scrim_result_cell *cell = scrim_result_cell_at(again, 0, 0, 4);
            CHECK(strtod(cell->high, NULL) - strtod(cell->low, NULL) >= width);
            width = strtod(cell->high, NULL) - strtod(cell->low, NULL);
            scrim_result_free(again);
        }
        CHECK(width > 0 && width < 250);
    } else {
        CHECK_STR(s.error.message, "");
    }
    scrim_result_free(result);
    query_scene_end(&s);
}

/* The ledger's entries while rows are being read. */
typedef struct watch {
    const query_scene *scene;
    char left[3 * SCRIM_NUMBER_BYTES];
} watch;

static void look_at_ledger(void *context, uint64_t done, uint64_t total)
{
    watch *w = context;
    (void)done;
    (void)total;
    if (w->left[0] == '\0')
        query_scene_left(w->scene, w->left);
}

/* Nothing of the rows, not even that reading them failed, is had without a charge. */
TEST(ask_A47_rows_are_read_after_the_charge)
{
    CLAIM("ask.charged");
    static char text[3000000];
    query_scene s;
    scrim_result *result = NULL;
    watch w = {.scene = &s};
    size_t used = (size_t)snprintf(text, sizeof text, "person,age,sex,city,income\n");
    for (int i = 0; used + 200 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,1,Male,%0150d,1\n",
                                 i, i);
    if (begin(&s, "", text)) {
        CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "1000", .workers = 1,
                                             .progress = look_at_ledger, .context = &w),
                                     &result),
                     SCRIM_OK);
        CHECK_STR(w.left, "99000 0.5 1");
    }
    scrim_result_free(result);
    query_scene_end(&s);
}

TEST(ask_answers_a_batch_with_one_charge)
{
    static const char *const batch[] = {"SELECT COUNT(*) AS n",
                                        "SELECT sex, COUNT(*) AS s GROUP BY sex",
                                        "SELECT city, COUNT(*) AS n GROUP BY city"};
    static char left[3 * SCRIM_NUMBER_BYTES], values[1000], text[20000];
    query_scene s;
    scrim_result *result = NULL, *again = NULL;
    scrim_result_facts facts;
    if (begin(&s, "", cities(text, sizeof text)) &&
        CHECK_STATUS(query_scene_ask_all(&s, batch, 3, EXACT, &result), SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        CHECK_INT(facts.statements, 3);
        CHECK_INT(facts.is_repeated, 0);
        CHECK_STR(query_scene_values(result, 0, values, sizeof values), "200;");
        CHECK_STR(query_scene_values(result, 1, values, sizeof values),
                  "Female,100;Male,100;NULL,0;");
        CHECK_STR(query_scene_values(result, 2, values, sizeof values),
                  "Bonn,149;Ulm,50;");
        CHECK(strstr(query_scene_left(&s, left), " 1") != NULL);
        CHECK_STATUS(query_scene_ask_all(&s, batch, 3, EXACT, &again), SCRIM_OK);
        scrim_result_describe(again, &facts);
        CHECK_INT(facts.is_repeated, 1);
    } else {
        CHECK_STR(s.error.message, "");
    }
    scrim_result_free(again);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* A statement sees the rows that it would see alone: one of them reads the ages, of which one is
 * missing, and one the cities. */
TEST(ask_keeps_statements_of_a_batch_apart)
{
    static const char *const batch[] = {"SELECT COUNT(*) AS n",
                                        "SELECT COUNT(*) AS n WHERE age > 15",
                                        "SELECT COUNT(*) AS n WHERE city <> 'x'"};
    query_scene s;
    scrim_result *result = NULL;
    char values[100];
    if (begin(&s, "", people) &&
        CHECK_STATUS(query_scene_ask_all(&s, batch, 3, EXACT, &result), SCRIM_OK)) {
        CHECK_STR(query_scene_values(result, 0, values, sizeof values), "6;");
        CHECK_STR(query_scene_values(result, 1, values, sizeof values), "4;");
        CHECK_STR(query_scene_values(result, 2, values, sizeof values), "5;");
    }
    scrim_result_free(result);
    query_scene_end(&s);
}

TEST(ask_reads_only_the_declared_contents)
{
    CLAIM("ask.charged");
    char before[3 * SCRIM_NUMBER_BYTES], after[3 * SCRIM_NUMBER_BYTES];
    const char *query = "SELECT COUNT(*) AS n";
    query_scene s;
    scrim_result *result = NULL;
    scrim_plan *plan = NULL;
    if (!begin(&s, "", people))
        return;
    query_scene_left(&s, before);
    CHECK(query_scene_write(&s, "person,age,sex,city,income\nz,1,Male,x,1\n"));
    CHECK_STATUS(query_scene_ask(&s, query, EXACT, &result), SCRIM_E_INPUT);
    CHECK_STR(query_scene_left(&s, after), before);
    REQUIRE_OK(
        scrim_plan_new(s.vault, "people", &query, 1, EXACT, &plan, NULL, &s.error));
    REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error));
    CHECK_STATUS(scrim_query_run(s.vault, plan, &result, &s.error), SCRIM_E_POLICY);
    CHECK_STR(query_scene_left(&s, after), before);
    query_scene_check_values(&s, query, EXACT, "1;");
    CHECK(unlink(s.table) == 0);
    CHECK_STATUS(query_scene_ask(&s, "SELECT SUM(age) AS other", EXACT, &result),
                 SCRIM_E_INPUT);
    /* An answered question is answered without its source. */
    query_scene_check_values(&s, query, EXACT, "1;");
    scrim_plan_free(plan);
    query_scene_end(&s);
}

/* The same name and version, but other people, whose budget has nothing to do with these rows. */
TEST(ask_A38_a_plan_is_of_the_dataset_that_it_was_made_for)
{
    CLAIM("ask.charged");
    char policy[1000], left[3 * SCRIM_NUMBER_BYTES];
    const char *query = "SELECT COUNT(*) AS n";
    query_scene s, other;
    scrim_result *result = NULL;
    scrim_plan *plan = NULL;
    if (!begin(&s, "", people) || !begin(&other, "", people))
        return;
    REQUIRE_OK(
        scrim_plan_new(s.vault, "people", &query, 1, EXACT, &plan, NULL, &s.error));
    CHECK_STATUS(scrim_query_run(other.vault, plan, &result, &s.error), SCRIM_E_POLICY);
    CHECK_STR(query_scene_left(&other, left), "100000 0.5 0");
    REQUIRE_OK(scrim_vault_remove_dataset(s.vault, "people", &s.error));
    snprintf(policy, sizeof policy,
             "%srows-per-unit=1\n%spopulation=others\nneighbours=add-remove\ncsv=%s\n",
             query_scene_columns, LARGE_BUDGET, s.table);
    REQUIRE_OK(scrim_vault_add_dataset(s.vault, "people", policy, &s.error));
    CHECK_STATUS(scrim_query_run(s.vault, plan, &result, &s.error), SCRIM_E_POLICY);
    CHECK(result == NULL);
    query_scene_check_values(&s, query, EXACT, "6;");
    scrim_plan_free(plan);
    query_scene_end(&other);
    query_scene_end(&s);
}

/* Charged, and then nothing: as if it had been killed. */
TEST(ask_A41_what_has_no_answer_is_not_drawn_again)
{
    CLAIM("ask.charged");
    char left[3 * SCRIM_NUMBER_BYTES];
    const char *query = "SELECT COUNT(*) AS n";
    query_scene s;
    scrim_result *result = NULL;
    scrim_plan *plan = NULL;
    scrim_ledger *ledger = NULL;
    sc_passage *passage = NULL;
    if (!begin(&s, "", people))
        return;
    REQUIRE_OK(
        scrim_plan_new(s.vault, "people", &query, 1, EXACT, &plan, NULL, &s.error));
    REQUIRE_OK(scrim_vault_ledger(s.vault, "people", &ledger, &s.error));
    REQUIRE_OK(passage_open(ledger, plan->question, plan->bundle, &passage, &s.error));
    const uint64_t charge = sc_passage_entry(passage);
    sc_passage_close(passage);
    scrim_ledger_free(ledger);
    CHECK_STATUS(scrim_query_replay(s.vault, charge, NULL, &result, &s.error),
                 SCRIM_E_LEDGER);
    CHECK(result == NULL);
    CHECK_STR(query_scene_left(&s, left), "99000 0.5 1");
    query_scene_check_values(&s, query, EXACT, "6;");
    CHECK_STR(query_scene_left(&s, left), "98000 0.5 2");
    scrim_plan_free(plan);
    query_scene_end(&s);
}

TEST(ask_is_refused_beyond_the_budget)
{
    CLAIM("ask.charged");
    char policy[1000], before[3 * SCRIM_NUMBER_BYTES], after[3 * SCRIM_NUMBER_BYTES];
    query_scene s;
    scrim_result *result = NULL;
    snprintf(policy, sizeof policy, "%sbudget=epsilon=1\n", query_scene_columns);
    if (!query_scene_begin(&s, policy, people))
        return;
    CHECK_STATUS(
        query_scene_ask(&s, "SELECT COUNT(*)", OPTIONS(.epsilon = "0.7"), &result),
        SCRIM_OK);
    scrim_result_free(result);
    query_scene_left(&s, before);
    CHECK_STR(before, "0.3 0 1");
    CHECK_STATUS(
        query_scene_ask(&s, "SELECT SUM(age)", OPTIONS(.epsilon = "0.4"), &result),
        SCRIM_E_BUDGET);
    CHECK(result == NULL);
    CHECK_STR(query_scene_left(&s, after), before);
    query_scene_end(&s);
}

TEST(ask_replays_by_number)
{
    CLAIM("ask.once");
    static char first[2000], again[2000];
    query_scene s;
    scrim_result *result = NULL, *replayed = NULL;
    scrim_result_facts facts;
    uint64_t other = 0;
    if (!begin(&s, "", people))
        return;
    scrim_vault_tell_time(s.vault, 1700000000);
    REQUIRE_OK(query_scene_ask(&s, "SELECT sex, AVG(age) AS a GROUP BY sex",
                               OPTIONS(.epsilon = "1", .confidence = "0.8"), &result));
    scrim_result_describe(result, &facts);
    CHECK_INT(facts.is_repeated, 0);
    CHECK_INT(facts.time, 1700000000);
    scrim_vault_tell_time(s.vault, 1800000000);
    query_scene_show(result, false, first, sizeof first);
    REQUIRE_OK(scrim_query_replay(s.vault, facts.release, NULL, &replayed, &s.error));
    CHECK_STR(query_scene_show(replayed, false, again, sizeof again), first);
    scrim_result_free(replayed);
    REQUIRE_OK(scrim_query_replay(s.vault, facts.release, "0.99", &replayed, &s.error));
    scrim_result_describe(replayed, &facts);
    CHECK_STR(facts.confidence, "0.99");
    CHECK_INT(facts.is_repeated, 1);
    CHECK_INT(facts.time, 1700000000); /* of the release, not of the replay */
    CHECK_STR(scrim_result_cell_at(replayed, 0, 0, 1)->value,
              scrim_result_cell_at(result, 0, 0, 1)->value);
    scrim_result_free(replayed);
    replayed = NULL;
    CHECK_STATUS(scrim_query_replay(s.vault, 99, NULL, &replayed, &s.error),
                 SCRIM_E_PARAM);
    REQUIRE_OK(scene_spend(s.vault, "1", &other, &s.error));
    CHECK_STATUS(scrim_query_replay(s.vault, other, NULL, &replayed, &s.error),
                 SCRIM_E_PARAM);
    CHECK(replayed == NULL);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* Standard input is another table at every question, and is read once. */
TEST(ask_reads_standard_input)
{
    static const char *const apart[] = {"SELECT COUNT(*) AS n", "SELECT SUM(age) AS s"};
    char policy[1000], left[3 * SCRIM_NUMBER_BYTES];
    query_scene s;
    scrim_result *result = NULL;
    snprintf(policy, sizeof policy, "%s%s", query_scene_columns, LARGE_BUDGET);
    if (!query_scene_begin_with(&s, policy, "-"))
        return;
    snprintf(s.table, sizeof s.table, "%s/table.csv", s.base.folder);
    REQUIRE(query_scene_write(&s, people));
    for (int turn = 1; turn <= 2; turn++) {
        char want[16];
        const int file = open(s.table, O_RDONLY);
        REQUIRE(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
        close(file);
        query_scene_check_values(&s, "SELECT COUNT(*) AS n", EXACT, "6;");
        snprintf(want, sizeof want, " %d", turn);
        CHECK(strstr(query_scene_left(&s, left), want) != NULL);
    }
    CHECK_STATUS(query_scene_ask_all(&s, apart, 2, EXACT, &result), SCRIM_E_INPUT);
    CHECK(strstr(query_scene_left(&s, left), " 2") != NULL);
    query_scene_end(&s);
}

/* The same people in a database, in another order and with an index. */
static bool write_database(const char *path)
{
    static const char rows[] =
        "CREATE TABLE t (income TEXT, person TEXT, city TEXT, age, sex TEXT);"
        "INSERT INTO t VALUES ('6','f','Ulm',NULL,'Male'), ('5','e',NULL,50,'Male'),"
        "('4','d','Ulm',40,'Other'), ('3','c','Bonn','30','Female'),"
        "('2.5','b','Ulm',20,'Male'), ('1','a','Ulm',10,'Female');"
        "CREATE INDEX i ON t (age);";
    sqlite3 *database = NULL;
    const bool is_written = sqlite3_open(path, &database) == SQLITE_OK &&
                            sqlite3_exec(database, rows, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_close(database);
    return CHECK(is_written);
}

TEST(ask_reads_a_database)
{
    char policy[1000];
    query_scene s = {.vault = NULL};
    if (!scene_begin(&s.base))
        return;
    snprintf(s.table, sizeof s.table, "%s/people.db", s.base.folder);
    snprintf(policy, sizeof policy,
             "%srows-per-unit=1\n%sneighbours=add-remove\nsqlite=%s\ntable=t\n",
             query_scene_columns, LARGE_BUDGET, s.table);
    if (write_database(s.table) &&
        CHECK_STATUS(scrim_vault_init(s.base.path, NULL, &s.error), SCRIM_OK) &&
        CHECK_STATUS(scrim_vault_open(s.base.path, NULL, &s.vault, &s.error), SCRIM_OK) &&
        CHECK_STATUS(scrim_vault_add_dataset(s.vault, "people", policy, &s.error),
                     SCRIM_OK)) {
        query_scene_check_values(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex", EXACT,
                                 "Female,2;Male,3;NULL,0;");
        query_scene_check_values(&s, "SELECT COUNT(*) AS n WHERE age > 15", EXACT, "4;");
        query_scene_check_values(
            &s, "SELECT age > 25 AS old, COUNT(*) AS n GROUP BY age > 25", EXACT,
            "false,2;true,3;NULL,1;");
    }
    query_scene_end(&s);
}

TEST(ask_answers_about_adult)
{
    static const char policy[] =
        "unit=person_id\ncolumn=age=int[0,120]\ncolumn=education=text\ncolumn=sex=text\n"
        "column=hours_per_week=int[0,100]\nkeys=sex=Female,Male\n"
        "budget=epsilon=3000,delta=1e-3\n";
    char folder[400], path[420], values[4000];
    query_scene s;
    scrim_result *result = NULL;
    REQUIRE(getcwd(folder, sizeof folder) != NULL);
    snprintf(path, sizeof path, "%s/data/adult.csv", folder);
    if (strlen(path) >= sizeof s.table || access(path, R_OK) != 0)
        SKIP("the data are not at hand, or in a folder with a long name");
    if (query_scene_begin_with(&s, policy, path)) {
        query_scene_check_values(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex",
                                 OPTIONS(.epsilon = "40"),
                                 "Female,10771;Male,21790;NULL,0;");
        if (CHECK_STATUS(query_scene_ask(&s,
                                         "SELECT education, COUNT(*) AS n GROUP BY "
                                         "education ORDER BY n DESC LIMIT 3",
                                         OPTIONS(.epsilon = "40", .delta = "1e-9"),
                                         &result),
                         SCRIM_OK))
            CHECK_STR(query_scene_values(result, 0, values, sizeof values),
                      "HS-grad,10501;Some-college,7291;Bachelors,5355;");
        scrim_result_free(result);
    }
    query_scene_end(&s);
}

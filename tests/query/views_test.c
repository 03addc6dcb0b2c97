/* Released answers are free in any dress, and nothing else is (spec/query-semantics.md 2.6). */
#include "base/memory.h"
#include "check.h"
#include "cli/vault/history_writer.h"
#include "query/answer/ask.h"
#include "query/answer/view_record.h"
#include "query_scene.h"
#include "vault/answer_salt.h"
#include "vault/same_question.h"
#include "vault/vault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char policy[] =
    "unit=person\ncolumn=k=int[0,3]\ncolumn=j=int[0,3]\ncolumn=age=int[0,3]\nmissing=k="
    "0\n"
    "missing=j=0\ncolumn=sex=text\nmissing=sex=M\nkeys=sex=F,M\ncolumn=city=text\n"
    "max-groups=2\nmax-rows=2\nbudget=epsilon=100000,delta=0.5\n";

/* Nobody has more rows than count, so that the rows that are kept do not depend on the key of a release. */
static bool begin(query_scene *s)
{
    char text[8192];
    int length = snprintf(text, sizeof text, "person,k,j,age,sex,city\n");
    for (int i = 0; i < 240; i++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length,
                     i % 5 == 0 ? "p%d,%d,%d,,%s,c%d\n" : "p%d,%d,%d,2,%s,c%d\n", i / 2,
                     i % 4, i / 7 % 4, i / 2 % 3 == 0 ? "F" : "M", i / 2 % 2);
    return query_scene_begin(s, policy, text);
}

#define EXACT SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000", .delta = "0.0001")

typedef struct answered {
    bool is_repeated, is_view;
    uint64_t release;
    char text[4096];
} answered;

static answered ask_with(query_scene *s, const char *const *queries, size_t count,
                         const scrim_query_options *options)
{
    answered out = {.release = 0};
    scrim_result *result = NULL;
    scrim_result_facts facts;
    if (!CHECK_STATUS(query_scene_ask_all(s, queries, count, options, &result),
                      SCRIM_OK)) {
        check_fail(__FILE__, __LINE__, "%s: %s", queries[0], s->error.message);
        return out;
    }
    scrim_result_describe(result, &facts);
    out.is_repeated = facts.is_repeated;
    out.is_view = facts.is_view;
    out.release = facts.release;
    query_scene_values(result, 0, out.text, sizeof out.text);
    scrim_result_free(result);
    return out;
}

static answered ask(query_scene *s, const char *query)
{
    return ask_with(s, &query, 1, EXACT);
}

/* Dresses of one measurement, and others. */

SLOW_TEST(another_dress_is_free)
{
    CLAIM("measured.views");
    CLAIM("view-record.one");
    static const struct {
        const char *first, *others[8];
    } cases[] = {
        {"SELECT sex, COUNT(*) AS n, AVG(k) AS a WHERE k > 1 GROUP BY sex",
         {"SELECT AVG(k) AS mean, COUNT(*) AS rows, sex WHERE k > 1 GROUP BY sex",
          "SELECT sex, COUNT(*) AS n, AVG(k) AS a WHERE NOT (k <= 1) GROUP BY sex ORDER "
          "BY a",
          "SELECT sex, AVG(k) AS a WHERE 1 < k GROUP BY sex HAVING a > 0 ORDER BY sex "
          "DESC LIMIT 1",
          "SELECT sex, SUM(k) AS s, COUNT(*) AS n, SUM(k) / COUNT(*) AS r WHERE k IN (2, "
          "3) GROUP BY sex",
          "SELECT COUNT(*) * 2 AS twice, AVG(k) AS a, sex AS which WHERE k >= 2 GROUP BY "
          "sex"}},
        {"SELECT sex, k, COUNT(*) AS n GROUP BY sex, k",
         {"SELECT k, sex, COUNT(*) AS n GROUP BY k, sex",
          "SELECT k, COUNT(*) AS n, sex GROUP BY sex, k ORDER BY n DESC LIMIT 3"}},
        {"SELECT city, COUNT(*) AS n GROUP BY city",
         {"SELECT COUNT(*) AS n, city GROUP BY city HAVING n > 1",
          "SELECT city, COUNT(*) + 1 AS m GROUP BY city"}},
        {"SELECT QUANTILE(k, 0.4) AS m, QUANTILE(k, 0.9) AS q",
         {"SELECT QUANTILE(k, 0.9) AS high, QUANTILE(k, 0.4) AS low"}},
        {"SELECT MAX(k) AS m, COUNT(*) AS n", {"SELECT COUNT(*) AS n, MIN(k) AS low"}},
        {"SELECT COUNT(age) AS n, AVG(age + 1) AS a",
         {"SELECT AVG(age + 1) AS a, COUNT(age) AS n", "SELECT AVG(age + 1) AS a"}},
        {"SELECT AVG(n) AS a FROM (SELECT CLAMP(COUNT(*), 0, 3) AS n GROUP BY person)",
         {"SELECT AVG(n) AS b FROM (SELECT CLAMP(COUNT(*), 0, 3) AS n GROUP BY person)"}},
    };
    query_scene s;
    if (!begin(&s))
        return;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const answered first = ask(&s, cases[i].first);
        CHECK(!first.is_repeated && !first.is_view);
        for (size_t k = 0; cases[i].others[k] != NULL; k++) {
            query_scene fresh;
            const answered view = ask(&s, cases[i].others[k]);
            if (!CHECK(view.is_repeated && view.is_view && view.release == first.release))
                check_fail(__FILE__, __LINE__, "%s", cases[i].others[k]);
            if (!begin(&fresh))
                return;
            /* Almost without noise the view is what the question itself finds. */
            CHECK_STR(view.text, ask(&fresh, cases[i].others[k]).text);
            query_scene_end(&fresh);
        }
        const answered again = ask(&s, cases[i].first);
        CHECK(again.is_repeated && !again.is_view && again.release == first.release);
        CHECK_STR(again.text, first.text);
    }
    query_scene_end(&s);
}

SLOW_TEST(another_measurement_is_charged)
{
    CLAIM("measured.sound");
    static const char *const queries[] = {
        "SELECT city, COUNT(*) AS n GROUP BY city",
        "SELECT city, COUNT(*) AS n GROUP BY city HAVING COUNT(DISTINCT person) >= 5",
        "SELECT city, COUNT(*) AS n GROUP BY city HAVING COUNT(DISTINCT person) >= 6",
        "SELECT city, COUNT(*) AS n WHERE k > 0 GROUP BY city",
        "SELECT city, COUNT(*) FILTER (WHERE k > 0) AS n GROUP BY city",
        "SELECT city, COUNT(*) AS n WHERE age >= 0 GROUP BY city",
        "SELECT city, COUNT(age) AS n GROUP BY city",
        "SELECT city, k, COUNT(*) AS n GROUP BY city, k",
        "SELECT LOWER(city) AS c, COUNT(*) AS n GROUP BY c",
        "SELECT COUNT(*) AS n",
        "SELECT COUNT(*) AS n WHERE k > j",
        "SELECT COUNT(*) AS n WHERE k >= j",
        "SELECT COUNT(*) AS n WHERE k * j > 2",
        "SELECT COUNT(*) AS n WHERE k * j IN (2, 4)",
        "SELECT COUNT(*) AS n WHERE k * j IN (2, 6)",
        "SELECT COUNT(*) AS n WHERE city IN ('c0')",
        "SELECT COUNT(*) AS n WHERE city IN ('c1')",
        "SELECT COUNT(*) AS n WHERE city LIKE 'c%'",
        "SELECT COUNT(*) AS n WHERE city LIKE '%0'",
        "SELECT COUNT(*) FILTER (WHERE k > 0) AS n",
        "SELECT COUNT(*) FILTER (WHERE k > 1) AS n",
        "SELECT COUNT(*) FILTER (WHERE j > 0) AS n",
        "SELECT COUNT(*) WITH RANGE AS n",
        "SELECT COUNT(DISTINCT person) AS n",
        "SELECT SUM(k) AS n",
        "SELECT SUM(k) AS n, COUNT(*) AS m",
        "SELECT SUM(k + 1) AS n",
        "SELECT SUM(j) AS n",
        "SELECT VAR(k) AS v",
        "SELECT MEDIAN(k) AS m",
        "SELECT QUANTILE(k, 0.4) AS m",
        "SELECT MEDIAN(k) AS m, QUANTILE(k, 0.4) AS n",
        "SELECT HISTOGRAM(k, 1) AS h",
        "SELECT HISTOGRAM(k, 2) AS h",
        "SELECT AVG(n) AS a FROM (SELECT CLAMP(COUNT(*), 0, 3) AS n GROUP BY person)",
        "SELECT AVG(n) AS a FROM (SELECT CLAMP(COUNT(*), 0, 2) AS n GROUP BY person)",
        "SELECT AVG(n) AS a FROM (SELECT CLAMP(SUM(k), 0, 3) AS n GROUP BY person)",
    };
    static const scrim_query_options others[] = {
        {.size = sizeof(scrim_query_options), .epsilon = "999", .delta = "0.0001"},
        {.size = sizeof(scrim_query_options), .epsilon = "1000", .delta = "0.0002"},
        {.size = sizeof(scrim_query_options),
         .epsilon = "1000",
         .delta = "0.0001",
         .mechanism = "laplace"},
        {.size = sizeof(scrim_query_options),
         .epsilon = "1000",
         .delta = "0.0001",
         .mechanism = "gaussian"}};
    query_scene s;
    if (!begin(&s))
        return;
    for (size_t i = 0; i < COUNT(queries); i++)
        if (!CHECK(!ask(&s, queries[i]).is_repeated))
            check_fail(__FILE__, __LINE__, "%s", queries[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        CHECK(!ask_with(&s, &queries[9], 1, &others[i]).is_repeated);
    /* Two releases hold the parts of this one; their numbers are not mixed. */
    CHECK(!ask(&s, "SELECT COUNT(*) AS n, COUNT(DISTINCT person) AS p").is_repeated);
    /* Other bounds; and those of the owner, said. */
    CHECK(!ask_with(&s, &queries[9], 1,
                    SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000",
                                  .delta = "0.0001", .max_rows = "1"))
               .is_repeated);
    CHECK(ask_with(&s, &queries[9], 1,
                   SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000",
                                 .delta = "0.0001", .max_groups = "2", .max_rows = "2"))
              .is_repeated);
    /* Bounds that differ in their groups alone, or in their total alone. */
    const char *by_sex = "SELECT sex, COUNT(*) AS n GROUP BY sex";
    static const char *const bounds[][3] = {{"1", "2", NULL},
                                            {"2", "2", "2"},
                                            {"2", "2", "3"},
                                            {"2", "2", NULL},
                                            {"2", "1", NULL}};
    for (size_t i = 0; i < COUNT(bounds); i++)
        CHECK(!ask_with(&s, &by_sex, 1,
                        SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000",
                                      .delta = "0.0001", .max_groups = bounds[i][0],
                                      .max_rows = bounds[i][1],
                                      .max_total_rows = bounds[i][2]))
                   .is_repeated);
    /* Totals that differ in their bound. */
    const char *sum = "SELECT SUM(k) AS n";
    static const char *const totals[] = {"k=1", "k=2"};
    for (size_t i = 0; i < COUNT(totals); i++)
        CHECK(!ask_with(&s, &sum, 1,
                        SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000",
                                      .delta = "0.0001", .max_total = totals[i]))
                   .is_repeated);
    /* The expected rows and the confidence only steer and show. */
    CHECK(ask_with(&s, &queries[9], 1,
                   SCRIM_OPTIONS(scrim_query_options, .epsilon = "1e3", .delta = "1e-4",
                                 .expect = "50", .confidence = "0.8"))
              .is_repeated);
    query_scene_end(&s);
}

SLOW_TEST(a_batch_in_another_order_is_free)
{
    CLAIM("measured.views");
    static const char *const first[] = {"SELECT sex, COUNT(*) AS n GROUP BY sex",
                                        "SELECT SUM(k) AS s"};
    static const char *const second[] = {"SELECT SUM(k) + 1 AS t",
                                         "SELECT COUNT(*) AS m, sex GROUP BY sex"};
    static const char *const mixed[] = {"SELECT SUM(j) AS t",
                                        "SELECT COUNT(*) AS m, sex GROUP BY sex"};
    query_scene s;
    if (!begin(&s))
        return;
    const answered one = ask_with(&s, first, 2, EXACT),
                   two = ask_with(&s, second, 2, EXACT);
    CHECK(!one.is_repeated && two.is_repeated && two.is_view);
    CHECK_INT(two.release, one.release);
    CHECK(!ask_with(&s, mixed, 2, EXACT).is_repeated);
    CHECK(!ask(&s, first[1]).is_repeated);
    query_scene_end(&s);
}

/* Random pairs. A question is what it measures and how it is dressed. */

typedef struct random_measure {
    unsigned filter, keys, aggregates; /* keys and aggregates are sets */
} random_measure;

static uint64_t state;

static unsigned below(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % n);
}

/* Spellings of the same rows; each list is another filter. */
static const char *const filters[][4] = {
    {"", "WHERE k >= 0", "WHERE k IN (0, 1, 2, 3)", "WHERE k > 1 OR k <= 1"},
    {"WHERE k > 1", "WHERE NOT (k < 2)", "WHERE k IN (2, 3)", "WHERE k + 1 >= 3"},
    {"WHERE k > 1 AND j = 0", "WHERE NOT (k <= 1 OR j > 0)", "WHERE j < 1 AND 2 <= k",
     "WHERE CASE WHEN j = 0 THEN k > 1 END"},
    {"WHERE age IS NOT NULL", "WHERE age >= 0", "WHERE age < 2 OR age >= 2",
     "WHERE NOT (age IS NULL)"},
    {"WHERE sex = 'F'", "WHERE sex IN ('F')", "WHERE NOT (sex <> 'F')",
     "WHERE sex IN ('F', 'F') AND k < 4"},
    {"WHERE k > j", "WHERE k > j", "WHERE k > j", "WHERE k > j"},
};

static const char *const keys[] = {"sex", "k", "j"};

/* Aggregates, and the statistics behind each, as bits: rows, units, sums of k and j, squares of k, present ages, the sum of
 * age. */
static const struct {
    const char *text;
    unsigned statistics;
} aggregates[] = {{"COUNT(*)", 1},      {"COUNT(DISTINCT person)", 2}, {"AVG(k)", 1 | 4},
                  {"AVG(j)", 1 | 8},    {"VAR(k)", 1 | 4 | 16},        {"COUNT(age)", 32},
                  {"AVG(age)", 32 | 64}};

static random_measure random_measure_of(void)
{
    return (random_measure){below(COUNT(filters)), below(1 << COUNT(keys)) & below(8),
                            1 + below((1 << COUNT(aggregates)) - 1)};
}

/* Where age is never NULL its rows are all rows. */
static unsigned statistics_of(const random_measure *m)
{
    unsigned all = 0;
    for (unsigned i = 0; i < COUNT(aggregates); i++)
        if (m->aggregates >> i & 1)
            all |= aggregates[i].statistics;
    return m->filter == 3 && all & 32 ? (all & ~32u) | 1 : all;
}

static bool are_same(const random_measure *a, const random_measure *b)
{
    return a->filter == b->filter && a->keys == b->keys &&
           statistics_of(a) == statistics_of(b);
}

static void dress(const random_measure *m, char *text, size_t capacity)
{
    char columns[16][80], groups[80] = "";
    size_t count = 0;
    const unsigned turn = below(8);
    for (unsigned i = 0; i < COUNT(aggregates); i++) {
        if (!(m->aggregates >> i & 1))
            continue;
        snprintf(columns[count], sizeof columns[count],
                 below(3) == 0 ? "%s + %u AS a%zu" : "%s AS b%.0u%zu", aggregates[i].text,
                 below(2) == 0 ? 0 : below(9), count);
        count++;
    }
    for (unsigned i = 0; i < COUNT(keys); i++) {
        const char *key = keys[(i + turn) % COUNT(keys)];
        if (!(m->keys >> ((i + turn) % COUNT(keys)) & 1))
            continue;
        snprintf(columns[count++], sizeof *columns, "%s", key);
        snprintf(groups + strlen(groups), sizeof groups - strlen(groups), "%s%s",
                 groups[0] == '\0' ? " GROUP BY " : ", ", key);
    }
    size_t length = (size_t)snprintf(text, capacity, "SELECT ");
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, capacity - length, "%s%s",
                                   i == 0 ? "" : ", ", columns[(i + turn) % count]);
    length += (size_t)snprintf(text + length, capacity - length, " %s%s",
                               filters[m->filter][below(4)], groups);
    if (below(3) == 0)
        snprintf(text + length, capacity - length, " ORDER BY %zu LIMIT %u",
                 1 + (size_t)below((unsigned)count), 1 + below(5));
}

static void word_of(query_scene *s, const char *query, char *word)
{
    scrim_plan *plan = NULL;
    word[0] = '\0';
    if (!CHECK_STATUS(
            scrim_plan_new(s->vault, "people", &query, 1, EXACT, &plan, NULL, &s->error),
            SCRIM_OK)) {
        check_fail(__FILE__, __LINE__, "%s: %s", query, s->error.message);
        return;
    }
    const sc_text same = sc_same_word(sc_text_of(plan->line));
    snprintf(word, SC_SAME_BYTES, "%.*s", (int)same.bytes, same.start);
    scrim_plan_free(plan);
}

/* One of a pair measures the same as the other, or differs in one thing. */
static random_measure other_of(random_measure m)
{
    const random_measure other = random_measure_of();
    const unsigned which = below(5);
    if (which == 0)
        m.filter = other.filter;
    if (which == 1)
        m.keys = other.keys;
    if (which == 2)
        m.aggregates = 1 + (m.aggregates ^ 1u << below(COUNT(aggregates))) % 127;
    return m;
}

SLOW_TEST(random_pairs_have_one_text_exactly_if_they_measure_the_same)
{
    CLAIM("measured.sound");
    CLAIM("measured.views");
    CLAIM("condition-facts.cells");
    query_scene s;
    size_t same = 0;
    if (!begin(&s))
        return;
    state = check_seed();
    const uint64_t turns = check_count_whole(30, 3000);
    for (uint64_t i = 0; i < turns; i++) {
        const random_measure a = random_measure_of(), b = other_of(a);
        char first[1024], second[1024], words[2][SC_SAME_BYTES];
        dress(&a, first, sizeof first);
        dress(&b, second, sizeof second);
        word_of(&s, first, words[0]);
        word_of(&s, second, words[1]);
        const bool is_same = strcmp(words[0], words[1]) == 0;
        same += is_same;
        if (is_same != are_same(&a, &b))
            CHECK_FAIL("%s\n%s\n%s", first, second,
                       is_same ? "are taken for one" : "differ");
    }
    CHECK(same > turns / 5);
    query_scene_end(&s);
}

/* Record and replay: the answer to one, shown as the other, is what the other finds by itself. */
SLOW_TEST(random_views_show_what_the_question_itself_finds)
{
    CLAIM("measured.sound");
    CLAIM("view-record.one");
    state = check_seed() + 17;
    for (uint64_t i = 0; i < check_count_whole(12, 1000); i++) {
        const random_measure a = random_measure_of(), b = other_of(a);
        char first[1024], second[1024];
        query_scene s, fresh;
        if (!begin(&s))
            return;
        dress(&a, first, sizeof first);
        dress(&b, second, sizeof second);
        const answered one = ask(&s, first), two = ask(&s, second);
        CHECK(!one.is_repeated);
        CHECK_INT(two.is_repeated, are_same(&a, &b));
        query_scene_end(&s);
        if (!begin(&fresh))
            return;
        CHECK_STR(two.text, ask(&fresh, second).text);
        query_scene_end(&fresh);
    }
}

/* Charges in other words. */

SLOW_TEST(a_charge_in_other_words_is_finished_by_its_own)
{
    CLAIM("ask.other");
    static const char *const asked =
        "SELECT sex, COUNT(*) AS n, SUM(k) AS s, SUM(j) AS t "
        "GROUP BY sex";
    query_scene s;
    scrim_plan *plan = NULL;
    sc_asking asking;
    if (!begin(&s))
        return;
    REQUIRE_OK(
        scrim_plan_new(s.vault, "people", &asked, 1, EXACT, &plan, NULL, &s.error));
    sc_asking_init(&asking, s.vault, plan);
    REQUIRE_OK(sc_charged_begin(&asking.charged, &s.error));
    const answered view =
        ask(&s, "SELECT SUM(j) AS u, SUM(k) AS s, COUNT(*) AS n, sex GROUP BY sex");
    CHECK(view.is_repeated && view.is_view);
    CHECK_INT(view.release, 1);
    /* The first finishes, too, and finds the answer that the other has recorded: its own, byte by byte. */
    const scrim_status rows = sc_pass_run(asking.pass, &s.error);
    CHECK_STATUS(sc_charged_end(&asking.charged, rows, &s.error), SCRIM_OK);
    CHECK_INT(sc_passage_standing(asking.charged.passage), SC_ONCE_ANSWERED);
    scrim_vault_release found = {.id = 0};
    REQUIRE_OK(scrim_vault_replay(s.vault, 1, &found, NULL));
    char *record = sc_charged_record_text(&found);
    if (CHECK(record != NULL && asking.charged.record != NULL))
        CHECK_STR(record, asking.charged.record);
    free(record);
    scrim_vault_release_clear(&found);
    sc_charged_clear(&asking.charged);
    sc_asking_clear(&asking);
    scrim_plan_free(plan);
    query_scene_end(&s);
}

TEST(a_charge_of_an_earlier_version_is_found_by_its_words)
{
    CLAIM("same-question.word");
    static const char *const asked = "SELECT COUNT(*) AS n, SUM(k) AS s";
    query_scene s;
    scrim_plan *plan = NULL;
    if (!begin(&s))
        return;
    REQUIRE_OK(
        scrim_plan_new(s.vault, "people", &asked, 1, EXACT, &plan, NULL, &s.error));
    CHECK(strstr(plan->line, " same=") != NULL && strstr(plan->question, "same") == NULL);
    char *line = plan->line;
    scrim_result *result = NULL;
    plan->line = plan->question;
    REQUIRE_OK(scrim_query_run(s.vault, plan, &result, &s.error));
    scrim_result_free(result);
    plan->line = line;
    scrim_plan_free(plan);
    const answered again = ask(&s, asked);
    CHECK(again.is_repeated && !again.is_view && again.release == 1);
    CHECK(!ask(&s, "SELECT COUNT(*) AS m, SUM(k) AS s").is_repeated);
    query_scene_end(&s);
}

TEST(only_the_options_of_a_query_have_the_word)
{
    CLAIM("same-question.word");
    static const char hex[] =
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char line[400], other[400];
    snprintf(line, sizeof line, "query epsilon=1 same=%s : SELECT 1", hex);
    CHECK_INT(sc_same_word(sc_text_of(line)).bytes, SC_SAME_BYTES - 1);
    char *without = sc_same_without(sc_text_of(line));
    if (CHECK(without != NULL))
        CHECK_STR(without, "query epsilon=1 : SELECT 1");
    CHECK(sc_same_is(sc_text_of("query epsilon=1 : SELECT 1"), sc_text_of(line)));
    CHECK(!sc_same_is(sc_text_of("query epsilon=1 : SELECT 2"), sc_text_of(line)));
    CHECK(!sc_same_is(sc_text_of(line), sc_text_of("query epsilon=1 : SELECT 1")));
    snprintf(other, sizeof other, "query epsilon=1 same=%s : SELECT 2", hex);
    CHECK(sc_same_is(sc_text_of(other), sc_text_of(line)));
    other[25] = 'f';
    CHECK(!sc_same_is(sc_text_of(other), sc_text_of(line)));
    free(without);
    static const char *const none[] = {
        "synth epsilon=1 same=%s : SELECT", "query epsilon=1 : SELECT ' same=%s : '",
        "query same=%s epsilon=1 : SELECT", "query epsilon=1 same=%s"};
    for (size_t i = 0; i < COUNT(none); i++) {
        char text[400];
        const char *at = strstr(none[i], "%s");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - none[i]), none[i], hex,
                 at + 2);
        CHECK_INT(sc_same_word(sc_text_of(text)).bytes, 0);
    }
}

/* Shares. */

TEST(a_view_is_booked_on_the_share_of_who_asks)
{
    CLAIM("booked-view.once");
    CLAIM("booked-view.share");
    query_scene s;
    scrim_budget budget;
    scrim_vault_state verified;
    if (!begin(&s))
        return;
    CHECK(!ask(&s, "SELECT COUNT(*) AS n").is_repeated);
    CHECK(!ask(&s, "SELECT SUM(k) AS n").is_repeated);
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "1500", NULL, &s.error));
    /* The analyst who was charged has paid. */
    CHECK(ask(&s, "SELECT SUM(k) AS m").is_repeated);
    sc_identity_set(&s.vault->identity, 4242, "ann");
    CHECK(ask(&s, "SELECT COUNT(*) AS m").is_repeated);
    CHECK(ask(&s, "SELECT COUNT(*) AS other").is_repeated);
    REQUIRE_OK(scrim_vault_budget(s.vault, 0, NULL, &budget, NULL));
    CHECK_STR(budget.spent, "2000");
    CHECK_INT(budget.charges, 2);
    scrim_result *result = NULL;
    CHECK_STATUS(query_scene_ask(&s, "SELECT SUM(k) AS o", EXACT, &result),
                 SCRIM_E_BUDGET);
    scrim_result_free(result);
    /* Another analyst has not paid by what the first one was booked. */
    sc_identity_set(&s.vault->identity, 4343, "bob");
    CHECK(ask(&s, "SELECT COUNT(*) AS m").is_repeated);
    REQUIRE_OK(scrim_vault_budget(s.vault, 0, "bob", &budget, NULL));
    CHECK_STR(budget.spent, "1000");
    REQUIRE_OK(scrim_vault_verify(s.vault, &verified, &s.error));
    query_scene_end(&s);
}

static void check_spent(query_scene *s, const char *analyst, const char *spent)
{
    scrim_budget budget;
    REQUIRE_OK(scrim_vault_budget(s->vault, 0, analyst, &budget, &s->error));
    CHECK_STR(budget.spent, spent);
}

typedef struct seen_answers {
    size_t count;
    uint64_t release;
    char analyst[SCRIM_NAME_BYTES];
} seen_answers;

static scrim_status see_answer(void *context, const scrim_vault_shown *shown)
{
    seen_answers *seen = context;
    seen->count++;
    seen->release = shown->release;
    snprintf(seen->analyst, sizeof seen->analyst, "%s", shown->analyst);
    return SCRIM_OK;
}

/* Asking by the number of a release is no way around it. */
TEST(a_replay_is_booked_on_the_share_of_who_asks)
{
    CLAIM("booked-view.once");
    CLAIM("booked-view.share");
    query_scene s;
    scrim_vault_state verified;
    scrim_result *result = NULL;
    if (!begin(&s))
        return;
    CHECK(!ask(&s, "SELECT COUNT(*) AS n").is_repeated);
    CHECK(!ask(&s, "SELECT SUM(k) AS n").is_repeated);
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "1500", NULL, &s.error));
    REQUIRE_OK(scrim_query_replay(s.vault, 1, NULL, &result, &s.error)); /* its own */
    scrim_result_free(result);
    sc_identity_set(&s.vault->identity, 4242, "ann");
    for (size_t i = 0; i < 2; i++) {
        REQUIRE_OK(scrim_query_replay(s.vault, 1, NULL, &result, &s.error));
        scrim_result_free(result);
        result = NULL;
        check_spent(&s, "ann", "1000");
    }
    CHECK(ask(&s, "SELECT COUNT(*) AS m").is_repeated);
    check_spent(&s, "ann", "1000");
    CHECK_STATUS(scrim_query_replay(s.vault, 2, NULL, &result, &s.error), SCRIM_E_BUDGET);
    CHECK(result == NULL);
    CHECK_STATUS(scrim_vault_view(s.vault, 2, &s.error), SCRIM_E_BUDGET);
    REQUIRE_OK(scrim_vault_view(s.vault, 1, &s.error));
    check_spent(&s, "ann", "1000");
    check_spent(&s, NULL, "2000");
    seen_answers seen = {.count = 0};
    REQUIRE_OK(scrim_vault_shown_answers(s.vault, see_answer, &seen, &s.error));
    CHECK_INT(seen.count, 1);
    CHECK_INT(seen.release, 1);
    CHECK_STR(seen.analyst, "ann");
    REQUIRE_OK(scrim_vault_verify(s.vault, &verified, &s.error));
    query_scene_end(&s);
}

/* A ledger as `scrim ledger export` writes it. */
static scrim_status add_entry(void *context, uint64_t id, const char *bytes, size_t count,
                              const char *hash, const char *answer)
{
    sc_export_add(context, id, bytes, count, hash, answer);
    return SCRIM_OK;
}

static void check_export(query_scene *s, bool has_answers)
{
    static sc_output output;
    sc_export export;
    scrim_head head;
    scrim_vault_state verified;
    sc_output_init(&output, -1);
    REQUIRE_OK(sc_export_check(s->vault, &s->error));
    sc_export_begin(&export, has_answers, &output);
    REQUIRE_OK(scrim_vault_visit(s->vault, 1, add_entry, &export, &s->error));
    REQUIRE_OK(scrim_vault_head(s->vault, 0, &head, &s->error));
    sc_export_end(&export, &head);
    const bool is_owner = scrim_vault_is_owned(s->vault);
    output.bytes[output.used] = '\0';
    CHECK((strstr(output.bytes, "\"answer\"") != NULL) == is_owner);
    CHECK_STATUS(
        scrim_vault_check_export(output.bytes, output.used, NULL, &verified, &s->error),
        has_answers == is_owner ? SCRIM_OK : SCRIM_E_CHECK);
    if (has_answers == is_owner)
        CHECK_INT(verified.lacks_answers, !is_owner);
}

/* Neither is any other way. */
TEST(no_answer_is_shown_before_it_is_booked)
{
    CLAIM("booked-view.all");
    query_scene s;
    scrim_vault_release found = {.id = 0};
    scrim_label *label = NULL;
    if (!begin(&s))
        return;
    CHECK(!ask(&s, "SELECT COUNT(*) AS n").is_repeated);
    check_export(&s, true);
    check_export(&s, false);
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "0", NULL, &s.error));
    sc_identity_set(&s.vault->identity, 4242, "ann");
    s.vault->is_owner = false;
    CHECK_STATUS(scrim_vault_replay(s.vault, 1, &found, &s.error), SCRIM_E_BUDGET);
    REQUIRE_OK(scrim_label_new(s.vault, 1, &label, &s.error));
    CHECK(scrim_label_get(label, "cost.epsilon") != NULL);
    CHECK(scrim_label_record(label) == NULL);
    scrim_label_free(label);
    check_export(&s, false);
    check_export(&s, true);
    s.vault->is_owner = true;
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "1500", NULL, &s.error));
    REQUIRE_OK(scrim_vault_replay(s.vault, 1, &found, &s.error));
    CHECK(found.answer != NULL);
    scrim_vault_release_clear(&found);
    check_spent(&s, "ann", "1000");
    REQUIRE_OK(scrim_label_new(s.vault, 1, &label, &s.error));
    CHECK(scrim_label_record(label) != NULL);
    scrim_label_free(label);
    query_scene_end(&s);
}

/* Two answers that are equal have digests that are not. */
TEST(a_digest_tells_nothing_of_its_answer)
{
    CLAIM("answer-salt.hides");
    static const char line[] = "\nsalt 0123456789abcdef0123456789abcdef";
    char *one = NULL, *two = NULL;
    REQUIRE_OK(sc_answer_salt(sc_text_of("7\ncount 1\n"), &one, NULL));
    REQUIRE_OK(sc_answer_salt(sc_text_of("7\ncount 1\n"), &two, NULL));
    CHECK(strcmp(one, two) != 0);
    CHECK_INT(strlen(one), strlen("7\ncount 1\n") + SC_ANSWER_SALT_BYTES);
    CHECK_INT(sc_answer_unsalted(sc_text_of(one)).bytes, strlen("7\ncount 1\n"));
    sc_free(one);
    sc_free(two);
    /* Records of earlier versions. */
    CHECK_INT(sc_answer_unsalted(sc_text_of("7")).bytes, 1);
    CHECK_INT(sc_answer_unsalted(sc_text_of(line)).bytes, 0);
    CHECK_INT(sc_answer_unsalted(sc_text_of(line + 1)).bytes, strlen(line + 1));
    query_scene s;
    if (!begin(&s))
        return;
    CHECK(!ask(&s, "SELECT COUNT(*) AS n").is_repeated);
    char *recorded = NULL;
    scrim_vault_release found = {.id = 0};
    REQUIRE_OK(sc_vault_recorded(s.vault, 1, &recorded, &s.error));
    REQUIRE(recorded != NULL);
    const sc_text bare = sc_answer_unsalted(sc_text_of(recorded));
    CHECK_INT(strlen(recorded), bare.bytes + SC_ANSWER_SALT_BYTES);
    REQUIRE_OK(scrim_vault_replay(s.vault, 1, &found, &s.error));
    CHECK(strstr(found.note, "salt ") == NULL);
    scrim_vault_release_clear(&found);
    sc_free(recorded);
    query_scene_end(&s);
}

/* People whose rows contribution bounds left out, from end to end: what is charged, recorded, said and repeated, and that
 * neighbours look alike (spec/query-semantics.md 2.5). */
#include "check.h"
#include "neighbour_tables.h"
#include "query/answer/charged.h"
#include "query/answer/result.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "vault/vault_tape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define POLICY                                                                           \
    "unit=who\ncolumn=x=int[0,10]\nmissing=x=0\ncolumn=kind=text\nkeys=kind=a,b\n"       \
    "missing=kind=a\nbudget=epsilon=100000,delta=0.1\n"

static char bytes[400000];

/* 900 people with one row, 90 with eight and 10 with 40: with a total of 5 rows 1,020 - 5 * 100 rows of a hundred people
 * are left out, of ten of them 35 each. */
static void write_people(void)
{
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,x,kind\n");
    for (int i = 0; i < 1000; i++)
        for (int k = 0; k < (i < 900 ? 1 : i < 990 ? 8 : 40); k++)
            used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,%d,%s\n", i,
                                     k % 11, (i + k) % 3 == 0 ? "b" : "a");
}

/* The record of a release; the arena holds it. */
static bool read_record(query_scene *s, uint64_t id, sc_arena *arena, sc_record *out)
{
    scrim_vault_release release = {.id = 0};
    if (!CHECK_STATUS(scrim_vault_replay(s->vault, id, &release, &s->error), SCRIM_OK))
        return false;
    char *text = sc_charged_record_text(&release);
    const char *copy = text == NULL ? NULL : sc_arena_copy(arena, text, strlen(text));
    sc_free(text);
    scrim_vault_release_clear(&release);
    return CHECK(copy != NULL) &&
           CHECK_STATUS(sc_record_read(sc_text_of(copy), arena, out, &s->error),
                        SCRIM_OK);
}

static void add_epsilon(sc_text line, sc_ratio *sum)
{
    scrim_measurement *m = NULL;
    char text[300];
    snprintf(text, sizeof text, "%.*s", (int)line.bytes, line.start);
    if (CHECK_STATUS(scrim_measurement_parse(text, &m, NULL), SCRIM_OK))
        sc_ratio_add(sum, sum, sc_measurement_get(m, "epsilon"));
    scrim_measurement_free(m);
}

/* A release with hardly any noise: the cells, and that all that was drawn adds up to the charge. */
static void check_release(query_scene *s, const char *query, const char *epsilon,
                          const scrim_query_options *options, const char *people)
{
    scrim_result *result = NULL;
    scrim_result_facts facts;
    char got[200] = "";
    sc_arena arena;
    sc_record record;
    sc_ratio sum, want;
    sc_arena_init(&arena);
    sc_ratio_init(&sum);
    sc_ratio_init(&want);
    if (!CHECK_STATUS(query_scene_ask(s, query, options, &result), SCRIM_OK))
        CHECK_FAIL("%s: %s", query, s->error.message);
    if (result == NULL)
        return;
    scrim_result_describe(result, &facts);
    CHECK_STR(facts.cost.epsilon, epsilon);
    if (read_record(s, facts.release, &arena, &record)) {
        const sc_record_statement *own = &record.statements[0];
        for (size_t i = 0; i < own->cut.count; i++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%llu:%lld ",
                     (unsigned long long)own->cut.from[i], (long long)own->cut.people[i]);
        CHECK_STR(got, people);
        for (size_t i = 0; i < own->part_count; i++)
            add_epsilon(own->measurements[i], &sum);
        if (own->cut.count > 0)
            add_epsilon(own->cut.measurement, &sum);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(epsilon), &want, NULL), SCRIM_OK);
        CHECK_INT(sc_ratio_compare(&sum, &want), 0);
        CHECK_INT(scrim_result_cut_at(result, 0) != NULL, own->cut.count > 0);
    }
    scrim_result_free(result);
    sc_ratio_clear(&want);
    sc_ratio_clear(&sum);
    sc_arena_clear(&arena);
}

#define EXACT OPTIONS(.epsilon = "1000")

SLOW_TEST(cut_is_counted_by_the_rows_that_are_left_out)
{
    CLAIM("cut.cells");
    query_scene s;
    write_people();
    if (query_scene_begin(&s, POLICY "max-total-rows=5\n", bytes)) {
        check_release(&s, "SELECT COUNT(*) AS n", "1000", EXACT,
                      "0:900 1:90 6:0 21:10 81:0 ");
        /* Rows that WHERE leaves out take no place: nobody has more than four rows with such an x. */
        check_release(&s, "SELECT COUNT(*) AS n WHERE x = 10", "1000", EXACT,
                      "0:10 1:0 6:0 21:0 81:0 ");
        check_release(&s, "SELECT kind, AVG(x) AS a GROUP BY kind", "1000", EXACT,
                      "0:900 1:90 6:0 21:10 81:0 ");
        check_release(&s, "SELECT COUNT(*) AS n", "1000",
                      OPTIONS(.epsilon = "1000", .cut_share = "0"), "");
        check_release(&s, "SELECT COUNT(*) AS n", "1000",
                      OPTIONS(.epsilon = "1000", .max_total_rows = "40"),
                      "0:1000 1:0 41:0 161:0 641:0 ");
        check_release(&s, "SELECT COUNT(*) AS n", "1000",
                      OPTIONS(.epsilon = "1000", .max_groups = "1", .max_rows = "1"),
                      "0:900 1:0 2:0 5:90 17:10 ");
        check_release(&s, "SELECT COUNT(DISTINCT who) AS n", "1000", EXACT, "");
        /* All rows are in the sum; ten people have 200 and more. */
        check_release(&s, "SELECT SUM(x) AS t", "1000",
                      OPTIONS(.epsilon = "1000", .max_total = "x=40"),
                      "0:990 0:10 1:0 6:0 21:0 81:0 ");
    }
    query_scene_end(&s);
    /* An owner who cuts to one row is told whom: the bound is not the fact that each has one. */
    if (query_scene_begin(&s, POLICY "max-groups=1\nmax-rows=1\n", bytes))
        check_release(&s, "SELECT COUNT(*) AS n", "1000", EXACT,
                      "0:900 1:0 2:0 5:90 17:10 ");
    query_scene_end(&s);
    /* Where each unit has one row nothing can be left out. */
    if (query_scene_begin(&s, POLICY "rows-per-unit=1\n", "who,x,kind\n1,2,a\n2,3,b\n"))
        check_release(&s, "SELECT COUNT(*) AS n", "1000", EXACT, "");
    query_scene_end(&s);
}

TEST(cut_is_said)
{
    query_scene s;
    scrim_result *result = NULL;
    write_people();
    if (query_scene_begin(&s, POLICY "max-total-rows=5\n", bytes)) {
        if (CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n", EXACT, &result),
                         SCRIM_OK)) {
            const scrim_result_cut *cut = scrim_result_cut_at(result, 0);
            CHECK_STR(cut->words, "about 10.00 % of units [9.99, 10.01] had rows left "
                                  "out, at least 300 rows (17.64 %)");
            CHECK_STR(
                scrim_result_kept(result, 0),
                "5 rows per who; about 10.00 % of units [9.99, 10.01] had rows left "
                "out, at least 300 rows (17.64 %)");
            CHECK_STR(cut->rows_low, "300");
            CHECK_STR(cut->people_high, "10.01");
            CHECK_STR(scrim_result_missing(result, 0), cut->caution);
            CHECK(strncmp(cut->caution, "up to 10.01 % of units had rows left out, ",
                          42) == 0);
        }
        scrim_result_free(result);
        result = NULL;
        /* Nothing to be cautious about, and no count of rows beside it. */
        if (CHECK_STATUS(query_scene_ask(
                             &s, "SELECT AVG(x) AS a",
                             OPTIONS(.epsilon = "1000", .max_total_rows = "40"), &result),
                         SCRIM_OK)) {
            const scrim_result_cut *cut = scrim_result_cut_at(result, 0);
            CHECK_STR(cut->words, "about 0.00 % of units [0.00, 0.01] had rows left out");
            CHECK_STR(cut->caution, "");
            CHECK_STR(cut->rows_low, "0");
        }
        scrim_result_free(result);
    }
    query_scene_end(&s);
}

/* An interval of half of all people is not said as if it told something; its numbers are there all the same. */
TEST(cut_is_not_said_where_noise_hides_it)
{
    static const char words[] =
        "too few units, or too low an epsilon, to tell how many had rows left out";
    static const char *const epsilons[] = {"0.1", "0.11", "0.12", "0.13"};
    query_scene s;
    size_t unknown = 0;
    if (query_scene_begin(&s, POLICY "max-total-rows=1\n",
                          "who,x,kind\na,1,a\na,2,b\nb,1,a\n")) {
        /* One answer in some forty says by chance that somebody was cut. */
        for (size_t i = 0; i < COUNT(epsilons); i++) {
            scrim_result *result = NULL;
            if (CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n",
                                             OPTIONS(.epsilon = epsilons[i]), &result),
                             SCRIM_OK) &&
                strcmp(scrim_result_cut_at(result, 0)->people_low, "0.00") == 0) {
                const scrim_result_cut *cut = scrim_result_cut_at(result, 0);
                unknown++;
                CHECK_STR(cut->words, words);
                CHECK_STR(cut->caution, words);
                CHECK_STR(cut->advice, "");
                CHECK(strstr(scrim_result_kept(result, 0), words) != NULL);
                CHECK_STR(scrim_result_missing(result, 0), cut->caution);
                CHECK(strtod(cut->people_high, NULL) >= 50);
            }
            scrim_result_free(result);
        }
        CHECK(unknown > 0);
    }
    query_scene_end(&s);
}

/* Nobody is cut, and the noise hides it: the caution says how many it may be, and not that somebody is. */
TEST(cut_that_may_be_none_is_said_so)
{
    query_scene s;
    sc_tape *tape = NULL;
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,x,kind\n"), told = 0;
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,1,a\n", i);
    if (!query_scene_begin(&s, POLICY "max-total-rows=2\n", bytes))
        return;
    REQUIRE_OK(sc_tape_seeded(11, &tape, NULL));
    sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
    static const char *const epsilons[] = {"1.01", "1.02", "1.03",
                                           "1.04", "1.05", "1.06"};
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        scrim_result *result = NULL;
        char want[200];
        if (CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n",
                                         OPTIONS(.epsilon = epsilons[i]), &result),
                         SCRIM_OK) &&
            strcmp(scrim_result_cut_at(result, 0)->people_low, "0.00") == 0) {
            const scrim_result_cut *cut = scrim_result_cut_at(result, 0);
            told++;
            CHECK(strtod(cut->people_high, NULL) > 2);
            snprintf(want, sizeof want,
                     "this answer cannot tell whether rows were left out (of at most %s "
                     "%% of units)",
                     cut->people_high);
            CHECK_STR(cut->caution, want);
            CHECK_STR(scrim_result_missing(result, 0), want);
            CHECK_STR(cut->words, want);
            CHECK_STR(cut->advice, "");
        }
        scrim_result_free(result);
    }
    CHECK(told > 0);
    query_scene_end(&s);
    sc_tape_free(tape);
}

/* A view is of the same release and says the same of it; another share is another measurement. */
TEST(cut_belongs_to_the_measurement)
{
    query_scene s;
    scrim_result *result = NULL;
    scrim_result_facts facts;
    write_people();
    if (query_scene_begin(&s, POLICY "max-total-rows=5\n", bytes)) {
        static const struct {
            const char *query, *share;
            bool is_free;
        } asked[] = {
            {"SELECT kind, COUNT(*) AS n GROUP BY kind", NULL, false},
            {"SELECT COUNT(*) * 2 AS m, kind GROUP BY kind ORDER BY m", NULL, true},
            {"SELECT kind, COUNT(*) AS n GROUP BY kind", "0.05", true},
            {"SELECT kind, COUNT(*) AS n GROUP BY kind", "0", false},
            {"SELECT COUNT(*) AS m, kind GROUP BY kind", "0", true},
            {"SELECT kind, COUNT(*) AS n GROUP BY kind", "1/10", false}};
        char words[200] = "";
        for (size_t i = 0; i < COUNT(asked); i++) {
            if (!CHECK_STATUS(
                    query_scene_ask(&s, asked[i].query,
                                    OPTIONS(.epsilon = "1", .cut_share = asked[i].share),
                                    &result),
                    SCRIM_OK))
                break;
            const scrim_result_cut *cut = scrim_result_cut_at(result, 0);
            scrim_result_describe(result, &facts);
            CHECK_INT(facts.is_repeated, asked[i].is_free);
            CHECK_INT(cut == NULL,
                      asked[i].share != NULL && strcmp(asked[i].share, "0") == 0);
            if (i == 0)
                snprintf(words, sizeof words, "%s", cut->words);
            if (i == 1 || i == 2)
                CHECK_STR(cut->words, words);
            scrim_result_free(result);
            result = NULL;
        }
    }
    query_scene_end(&s);
}

/* Queries of a batch that cut the same people say the same of them, from one draw, in whatever order they are asked again. */
SLOW_TEST(cut_of_a_batch_is_said_once)
{
    static const char *const queries[] = {
        "SELECT kind, COUNT(*) AS n GROUP BY kind", "SELECT COUNT(*) AS n",
        "SELECT x, COUNT(*) AS n GROUP BY x", "SELECT AVG(x) AS a"};
    const char *const turned[] = {queries[3], queries[2], queries[1], queries[0]};
    query_scene s;
    scrim_result *result = NULL, *view = NULL, *replayed = NULL;
    scrim_result_facts facts, other;
    sc_recorder *recorder = NULL;
    char shown[4000], again[4000];
    write_people();
    if (CHECK_STATUS(sc_recorder_new(NULL, &recorder, NULL), SCRIM_OK) &&
        query_scene_begin(&s, POLICY "max-total-rows=5\n", bytes)) {
        sc_vault_use_recorder(s.vault, recorder);
        if (CHECK_STATUS(query_scene_ask_all(&s, queries, COUNT(queries),
                                             OPTIONS(.epsilon = "4"), &result),
                         SCRIM_OK) &&
            CHECK_STATUS(query_scene_ask_all(&s, turned, COUNT(turned),
                                             OPTIONS(.epsilon = "4"), &view),
                         SCRIM_OK)) {
            /* A number each, a second one of the mean, and two counts of people. */
            CHECK_INT(sc_recorder_count(recorder), 7);
            scrim_result_describe(result, &facts);
            scrim_result_describe(view, &other);
            CHECK(other.is_view && other.release == facts.release);
            for (size_t i = 0; i < COUNT(queries); i++) {
                const scrim_result_cut *cut = scrim_result_cut_at(result, i),
                                       *seen = scrim_result_cut_at(view, 3 - i);
                if (!CHECK(cut != NULL && seen != NULL))
                    break;
                CHECK_STR(seen->people, cut->people);
                CHECK_STR(seen->words, cut->words);
                CHECK_INT(strcmp(cut->people_high,
                                 scrim_result_cut_at(result, 1)->people_high) == 0,
                          i > 0);
            }
            CHECK_STATUS(
                scrim_query_replay(s.vault, facts.release, NULL, &replayed, &s.error),
                SCRIM_OK);
            if (replayed != NULL)
                CHECK_STR(query_scene_show(replayed, false, again, sizeof again),
                          query_scene_show(result, false, shown, sizeof shown));
        }
        scrim_result_free(replayed);
        scrim_result_free(view);
        scrim_result_free(result);
        query_scene_end(&s);
    }
    sc_recorder_free(recorder);
}

/* A question that finds its bounds reads people from its ladder. A record from before rows were told says what it said
 * then. */
TEST(cut_of_records_from_before_is_as_it_was)
{
    query_scene s;
    scrim_result *result = NULL, *old = NULL;
    scrim_result_facts facts;
    scrim_vault_release release = {.id = 0};
    static const char said[] = " had rows left out";
    write_people();
    if (query_scene_begin(&s, POLICY "max-total-rows=5\n", bytes) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "1", .bounds = "auto"), &result),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        CHECK(scrim_result_cut_at(result, 0) != NULL);
        CHECK(scrim_result_cut_at(result, 1) == NULL);
        CHECK_STATUS(scrim_vault_replay(s.vault, facts.release, &release, &s.error),
                     SCRIM_OK);
        char *text = sc_charged_record_text(&release),
             *told = text == NULL ? NULL : strstr(text, "bounds auto cut\n");
        if (CHECK(told != NULL)) {
            const sc_result_origin origin = {.release = facts.release};
            memmove(told + strlen("bounds auto"), told + strlen("bounds auto cut"),
                    strlen(told + strlen("bounds auto cut")) + 1);
            CHECK_STATUS(sc_result_new(sc_text_of(text), NULL, &origin, &old, &s.error),
                         SCRIM_OK);
        }
        if (old != NULL) {
            const char *kept = scrim_result_kept(old, 0);
            CHECK(scrim_result_cut_at(old, 0) == NULL);
            CHECK_STR(kept + strlen(kept) - strlen(said), said);
            CHECK_STR(scrim_result_missing(old, 0), "");
        }
        sc_free(text);
        scrim_vault_release_clear(&release);
    }
    scrim_result_free(old);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* At least the stated number of rows was left out, in 95 of 100 runs, and the share of people is
 * between its ends. */
SLOW_TEST(cut_words_are_true)
{
    CLAIM("cut-reading.rows");
    CLAIM("cut-reading.people");
    static const char *const relations[] = {"add-remove", "replace"};
    const uint64_t runs = check_count(40, 2000);
    const double most = 0.05 * (double)runs + 5 * sqrt(0.0475 * (double)runs);
    write_people();
    for (int turn = 0; turn < 2; turn++) {
        query_scene s;
        char policy[400];
        uint64_t rows = 0, people = 0, told = 0;
        snprintf(policy, sizeof policy, POLICY "max-total-rows=5\nneighbours=%s\n",
                 relations[turn]);
        if (!query_scene_begin(&s, policy, bytes))
            return;
        for (uint64_t run = 0; run < runs; run++) {
            scrim_result *result = NULL;
            scrim_result_facts facts;
            char epsilon[32];
            /* Another cost is another question, of the same rows. */
            snprintf(epsilon, sizeof epsilon, "10.%06llu", (unsigned long long)run + 1);
            if (!CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n",
                                              OPTIONS(.epsilon = epsilon, .workers = 1),
                                              &result),
                              SCRIM_OK))
                break;
            scrim_result_describe(result, &facts);
            CHECK(!facts.is_repeated);
            const scrim_result_cut *cut = scrim_result_cut_at(result, 0);
            const long low = strtol(cut->rows_low, NULL, 10);
            rows += low > 1120 - 500;
            told += low > 100;
            people +=
                strtod(cut->people_low, NULL) > 10 || strtod(cut->people_high, NULL) < 10;
            scrim_result_free(result);
        }
        CHECK((double)rows <= most);
        CHECK((double)people <= most);
        CHECK(turn == 1 || told > runs / 2);
        query_scene_end(&s);
    }
}

/* Neighbours: a person with very many rows, or none. */

enum { SHOWN_BYTES = 20000 };

static void ask(const char *policy, const char *table, const char *query,
                const scrim_query_options *options, sc_recorder *recorder, char *shown)
{
    query_scene s;
    scrim_result *result = NULL;
    sc_tape *tape = NULL;
    shown[0] = '\0';
    if (query_scene_begin(&s, policy, table) &&
        CHECK_STATUS(sc_tape_seeded(9, &tape, NULL), SCRIM_OK)) {
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        sc_vault_use_recorder(s.vault, recorder);
        if (CHECK_STATUS(query_scene_ask(&s, query, options, &result), SCRIM_OK)) {
            const scrim_result_cut *cut = scrim_result_cut_at(result, 0);
            query_scene_show(result, false, shown, SHOWN_BYTES);
            snprintf(shown + strlen(shown), SHOWN_BYTES - strlen(shown), "%s\n%s\n",
                     cut == NULL ? "" : cut->words, cut == NULL ? "" : cut->caution);
        }
    }
    scrim_result_free(result);
    query_scene_end(&s);
    sc_tape_free(tape);
}

/* The input of the count of people may differ by one unit in one cell, or in two; that of rows never goes anywhere. */
static void check_neighbours(const char *bounds, const char *query, size_t rows,
                             size_t instead, const char *noise, int64_t moved)
{
    static char first[100000], second[100000], seen[SHOWN_BYTES], again[SHOWN_BYTES];
    char policy[600];
    sc_recorder *recorder = NULL, *replay = NULL;
    sc_recorder_verdict verdict;
    const bool is_replaced = strstr(bounds, "replace") != NULL;
    size_t a = (size_t)snprintf(first, sizeof first, "who,x,kind\n");
    for (int i = 0; i < 40; i++)
        a += (size_t)snprintf(first + a, sizeof first - a, "p%d,%d,%s\n", i % 13, i % 11,
                              i % 2 == 0 ? "a" : "b");
    memcpy(second, first, a + 1);
    size_t b = a;
    for (size_t i = 0; i < rows; i++)
        a += (size_t)snprintf(first + a, sizeof first - a, "me,%zu,%s\n", i % 11,
                              i % 3 == 0 ? "a" : "b");
    for (size_t i = 0; i < instead; i++)
        b += (size_t)snprintf(second + b, sizeof second - b, "me,%zu,b\n", i % 7);
    snprintf(policy, sizeof policy, POLICY "%s", bounds);
    const scrim_query_options *options =
        OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = noise, .workers = 1);
    REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
    sc_recorder_keep_from(recorder, 2 + (is_replaced ? 1 : 0));
    ask(policy, first, query, options, recorder, seen);
    REQUIRE_OK(sc_recorder_new(recorder, &replay, NULL));
    ask(policy, second, query, options, replay, again);
    CHECK_INT(sc_recorder_count(replay), sc_recorder_count(recorder));
    sc_recorder_compare(recorder, replay, &verdict);
    if (!CHECK(verdict.holds))
        CHECK_FAIL("%s%s: call %zu, %s", bounds, query, verdict.call, verdict.text);
    CHECK_STR(again, seen);
    const size_t last = sc_recorder_count(recorder) - 1;
    const sc_recorder_call *x = sc_recorder_at(recorder, last),
                           *y = sc_recorder_at(replay, last);
    int64_t far = 0;
    for (size_t i = 0; i < x->count && i < y->count; i++)
        far += llabs((long long)(x->input[i] - y->input[i]));
    CHECK_INT(x->count, y->count);
    CHECK_INT(far, moved);
    sc_recorder_free(replay);
    sc_recorder_free(recorder);
}

SLOW_TEST(cut_of_hostile_neighbours_looks_alike)
{
    CLAIM("ask.quiet");
    static const char *const queries[] = {
        "SELECT COUNT(*) AS n", "SELECT kind, COUNT(*) AS n, AVG(x) AS a GROUP BY kind",
        "SELECT kind, SUM(x) AS s GROUP BY kind"};
    static const char *const noises[] = {"laplace", "gaussian"};
    static const char *const bounds[] = {"max-total-rows=5\n",
                                         "max-groups=1\nmax-rows=2\n",
                                         "max-groups=2\nmax-rows=9\nmax-total-rows=4\n"};
    /* All of them with large counts; else some, which have each question, noise and bound. */
    for (size_t i = 0; i < COUNT(queries) * COUNT(noises) * COUNT(bounds);
         i += check_is_long() ? 1 : 5) {
        const char *query = queries[i % COUNT(queries)], *noise = noises[i / 3 % 2],
                   *own = bounds[i / 6];
        char replaced[200];
        snprintf(replaced, sizeof replaced, "%sneighbours=replace\n", own);
        /* The only one who is cut comes or goes, however many rows they have. */
        check_neighbours(own, query, 900, 0, noise, 1);
        check_neighbours(own, query, 1, 0, noise, 1);
        check_neighbours(replaced, query, 900, 1, noise, 2);
        /* With a total of rows alone all rows of either are in a sum, and both are clamped. */
        const bool is_scaled = i % COUNT(queries) == 2 && i / 6 != 1;
        check_neighbours(replaced, query, 900, 30, noise, is_scaled ? 0 : 2);
        check_neighbours(replaced, query, 0, 1, noise, 1);
    }
}

/* Random tables, with people in many groups. */
SLOW_TEST(cut_of_random_neighbours_looks_alike)
{
    CLAIM("ask.quiet");
    static char first[NEIGHBOUR_BYTES], second[NEIGHBOUR_BYTES], seen[SHOWN_BYTES],
        again[SHOWN_BYTES];
    static const char *const queries[] = {
        "SELECT city, COUNT(*) AS n GROUP BY city",
        "SELECT city, COUNT(DISTINCT person) AS n GROUP BY city",
        "SELECT sex, SUM(income) AS s GROUP BY sex", "SELECT AVG(age) AS a"};
    uint64_t seed = check_seed() + 3;
    for (uint64_t turn = 0; turn < check_count(12, 2000); turn++) {
        const bool is_replaced = turn % 2 == 1;
        sc_recorder *recorder = NULL, *replay = NULL;
        sc_recorder_verdict verdict;
        char policy[600];
        neighbour_tables(first, second, false, is_replaced, &seed);
        snprintf(
            policy, sizeof policy,
            "unit=person\ncolumn=age=int[0,120]\ncolumn=sex=text\nkeys=sex=Female,"
            "Male\ncolumn=city=text\ncolumn=income=decimal[0,1000]\nmax-total=income="
            "500\nbudget=epsilon=1000,delta=0.1\nmax-groups=2\nmax-rows=1\n"
            "neighbours=%s\n",
            is_replaced ? "replace" : "add-remove");
        const scrim_query_options *options =
            OPTIONS(.epsilon = "1", .delta = "1e-6", .workers = 1, .cut_share = "1/3");
        const char *query = queries[turn / 2 % COUNT(queries)];
        REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
        sc_recorder_keep_from(recorder, 2 + (is_replaced ? 1 : 0));
        ask(policy, first, query, options, recorder, seen);
        REQUIRE_OK(sc_recorder_new(recorder, &replay, NULL));
        ask(policy, second, query, options, replay, again);
        CHECK_INT(sc_recorder_count(replay), sc_recorder_count(recorder));
        sc_recorder_compare(recorder, replay, &verdict);
        if (!CHECK(verdict.holds))
            CHECK_FAIL("%s: call %zu, %s\n%s%s", query, verdict.call, verdict.text, first,
                       second);
        CHECK_STR(again, seen);
        sc_recorder_free(replay);
        sc_recorder_free(recorder);
    }
}

/* Synthetic records for counting queries from end to end: what is charged, recorded, answered and refused. */
#include "check.h"
#include "faults.h"
#include "query/query_scene.h"
#include "synth/release/synth_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_synth_options, __VA_ARGS__)
#define ASK(list) .queries = (list), .query_count = COUNT(list)
#define POLICY                                                                           \
    "unit=row\ncolumn=age=int[0,99]\ncolumn=sex=text\nkeys=sex=f,m\nmissing=sex=f\n"     \
    "column=kind=text\nkeys=kind=a,b,c\nmissing=kind=c\n"                                \
    "budget=epsilon=100000,delta=0.5\n"

/* A quarter is young, half are women of the kind a, the others are men of the kind b. */
static const char *people(void)
{
    static char text[60000];
    size_t used = (size_t)snprintf(text, sizeof text, "who,age,sex,kind\n");
    for (int i = 0; i < 1000; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "p%d,%d,%s\n", i,
                             i % 4 == 0 ? 20 + i % 10 : 70, i % 2 == 0 ? "f,a" : "m,b");
    return text;
}

static scrim_synth_release *run(query_scene *s, const scrim_synth_options *options)
{
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    if (CHECK_STATUS(scrim_synth_new(s->vault, "people", options, &synth, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(scrim_synth_run(s->vault, synth, &release, &s->error), SCRIM_OK);
    if (release == NULL)
        CHECK_STR(s->error.message, "");
    scrim_synth_free(synth);
    return release;
}

static const char *const asked[] = {"# of whom", "sex=f, age=0..49", "kind=a|c", "",
                                    "sex=m"};
static const char *const in_other_words[] = {"sex=m", "kind=c|a", "age=..49,sex=f",
                                             "sex=m"};
static const char *const others[] = {"sex=f", "kind=a|c"};
static const char *const cut = "age=50";
#define ABOUT .cuts = &cut, .cut_count = 1, .method = "mwem"

TEST(synth_queries_are_charged_once)
{
    CLAIM("synth-plan.question");
    CLAIM("synth-ask.once");
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    if (query_scene_begin(&s, POLICY, people())) {
        scrim_synth_released facts;
        scrim_synth_release *first =
            run(&s, OPTIONS(ABOUT, .epsilon = "3000", ASK(asked)));
        CHECK_STR(query_scene_left(&s, left), "97000 0.5 1");
        scrim_synth_release *again =
            run(&s, OPTIONS(ABOUT, .epsilon = "3000", ASK(in_other_words)));
        CHECK_STR(query_scene_left(&s, left), "97000 0.5 1");
        REQUIRE(first != NULL && again != NULL);
        CHECK_STR(first->record.text, again->record.text);
        CHECK(strstr(first->record.text, "\nquery age=0..49, sex=f\nquery kind=a|c\n"
                                         "query sex=m\nreleased\n") != NULL);
        scrim_synth_release_describe(again, &facts);
        CHECK_INT(facts.release, 1);
        CHECK(facts.is_repeated != 0);
        CHECK_INT(facts.query_count, 3);
        CHECK_INT(facts.marginal_count, 4);
        scrim_synth_release *other =
            run(&s, OPTIONS(ABOUT, .epsilon = "3000", ASK(others)));
        CHECK_STR(query_scene_left(&s, left), "94000 0.5 2");
        scrim_synth_release_free(first);
        scrim_synth_release_free(again);
        scrim_synth_release_free(other);
    }
    query_scene_end(&s);
}

/* Answers of the rows, for both noises; all is known of them, since each is measured. */
TEST(synth_queries_are_answered)
{
    query_scene s;
    if (query_scene_begin(&s, POLICY, people()))
        for (int is_pure = 0; is_pure < 2; is_pure++) {
            static const double shares[] = {0.25, 0.5, 0.5};
            scrim_synth_report *report = NULL;
            scrim_synth_query q;
            scrim_synth_release *release =
                run(&s, OPTIONS(ABOUT, .epsilon = "3000",
                                .delta = is_pure == 1 ? NULL : "1e-6", ASK(asked)));
            REQUIRE(release != NULL);
            CHECK_STATUS(scrim_synth_report_new(release, NULL, &report, &s.error),
                         SCRIM_OK);
            for (size_t i = 0; report != NULL && i < 3; i++) {
                REQUIRE(scrim_synth_report_query_at(report, i, &q) != 0);
                CHECK_STR(q.text, release->record.domain.query_texts[i]);
                CHECK_INT(q.basis, SCRIM_SYNTH_MEASURED);
                CHECK(q.share > shares[i] - 0.05 && q.share < shares[i] + 0.05);
                CHECK(q.low >= 0 && q.high < 0.1);
            }
            CHECK(report == NULL || scrim_synth_report_query_at(report, 3, &q) == 0);
            scrim_synth_report_free(report);
            scrim_synth_release_free(release);
        }
    query_scene_end(&s);
}

/* Records with queries in another spelling, or of another number, are refused. */
TEST(synth_queries_are_read_from_their_one_spelling)
{
    CLAIM("synth-record.back");
    static const struct {
        const char *from, *to;
    } changes[] = {{"query kind=a|c", "query kind=c|a"},
                   {"query kind=a|c", "query kind=x|y"},
                   {"query kind=a|c", "query sex=m##"},
                   {"query kind=a|c\nquery sex=m", "query sex=m\nquery kind=a|c"},
                   {" q2 ", " q3 "}};
    query_scene s;
    if (query_scene_begin(&s, POLICY, people())) {
        scrim_synth_release *release =
            run(&s, OPTIONS(ABOUT, .epsilon = "3000", ASK(asked)));
        REQUIRE(release != NULL);
        for (size_t i = 0; i < COUNT(changes); i++) {
            scrim_synth_release *again = NULL;
            scrim_synth_rows *rows = NULL;
            char *text = strdup(release->record.text);
            REQUIRE(text != NULL);
            char *at = strstr(text, changes[i].from);
            if (CHECK(at != NULL))
                memcpy(at, changes[i].to, strlen(changes[i].to));
            scrim_status status =
                sc_synth_release_new(text, 1, 0, true, &again, &s.error);
            if (status == SCRIM_OK)
                status = scrim_synth_draw(again, NULL, &rows, &s.error);
            CHECK_STATUS(status, SCRIM_E_CHECK);
            scrim_synth_rows_free(rows);
            scrim_synth_release_free(again);
            free(text);
        }
        scrim_synth_release_free(release);
    }
    query_scene_end(&s);
}

/* SmallDB selects among tables by their error on the queries: what they do not ask for is free to be anything. */
SLOW_TEST(synth_queries_are_scores_of_smalldb)
{
    static const char *const two[] = {"sex=f, kind=a", "kind=c"};
    static const char *const eleven[] = {
        "kind=a",        "kind=b",        "kind=c",        "sex=f",
        "sex=m",         "sex=f, kind=a", "sex=f, kind=b", "sex=f, kind=c",
        "sex=m, kind=a", "sex=m, kind=b", "sex=m, kind=c"};
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    if (query_scene_begin(&s, POLICY, people())) {
        scrim_synth_report *report = NULL;
        scrim_synth *synth = NULL;
        scrim_synth_query q;
        scrim_synth_release *release =
            run(&s, OPTIONS(.columns = "sex,kind", .method = "smalldb", .epsilon = "5",
                            ASK(two)));
        REQUIRE(release != NULL);
        REQUIRE_OK(scrim_synth_report_new(release, NULL, &report, NULL));
        REQUIRE(scrim_synth_report_query_at(report, 0, &q) != 0);
        CHECK_STR(q.text, "kind=c");
        CHECK_INT(q.basis, SCRIM_SYNTH_MODEL);
        CHECK(q.share < 0.1);
        REQUIRE(scrim_synth_report_query_at(report, 1, &q) != 0);
        CHECK(q.share > 0.4 && q.share < 0.6);
        scrim_synth_report_free(report);
        scrim_synth_release_free(release);
        CHECK_STATUS(scrim_synth_new(s.vault, "people",
                                     OPTIONS(.columns = "sex,kind", .method = "smalldb",
                                             .epsilon = "5", ASK(eleven)),
                                     &synth, &s.error),
                     SCRIM_E_LIMIT);
        CHECK_STR(s.error.parameter, "queries");
        CHECK_STR(query_scene_left(&s, left), "99995 0.5 1");
    }
    query_scene_end(&s);
}

TEST(synth_queries_are_refused_before_the_charge)
{
    static const char *const bad[] = {"sex=f", "age=20..30"}, *const none[] = {
                                                                  "# nothing"};
    const scrim_synth_options list[] = {
        {.size = sizeof *list, .epsilon = "1", .delta = "1e-6", ASK(asked)},
        {.size = sizeof *list,
         .epsilon = "1",
         .delta = "1e-6",
         .method = "aim",
         ASK(asked)},
        {.size = sizeof *list, ABOUT, .epsilon = "1", .ways = 2, ASK(asked)},
        {.size = sizeof *list, ABOUT, .epsilon = "1", ASK(bad)},
        {.size = sizeof *list, ABOUT, .epsilon = "1", ASK(none)}};
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES];
    if (query_scene_begin(&s, POLICY, people())) {
        for (size_t i = 0; i < COUNT(list); i++) {
            scrim_synth *synth = NULL;
            CHECK_STATUS(scrim_synth_new(s.vault, "people", &list[i], &synth, &s.error),
                         SCRIM_E_PARAM);
            CHECK_STR(s.error.parameter, "queries");
            scrim_synth_free(synth);
        }
        CHECK_STR(query_scene_left(&s, left), "100000 0.5 0");
    }
    query_scene_end(&s);
}

/* Before the charge: how many are measured, and how well. Private keys of another column do not disturb. */
TEST(synth_queries_are_foreseen)
{
    static const char *const key = "word";
    query_scene s;
    scrim_synth_facts facts;
    scrim_synth *synth = NULL;
    static const char text[] = "age,sex,word\n1,f,x\n2,m,y\n3,m,x\n";
    static const char *const about[] = {"sex=f", "age=50.., sex=m"};
    if (query_scene_begin(
            &s,
            "unit=row\ncolumn=age=int[0,99]\ncolumn=sex=text\nkeys=sex=f,m\n"
            "column=word=text\nbudget=epsilon=100,delta=0.5\n",
            text)) {
        REQUIRE_OK(scrim_synth_new(s.vault, "people",
                                   OPTIONS(ABOUT, .epsilon = "1", .delta = "1e-6",
                                           .private_keys = &key, .private_key_count = 1,
                                           ASK(about)),
                                   &synth, &s.error));
        REQUIRE_OK(scrim_synth_describe(s.vault, synth, &facts, NULL));
        CHECK_INT(facts.query_count, 2);
        CHECK_INT(facts.measured_count, 2);
        CHECK(facts.count_error[0] != '\0' && facts.pair_error[0] == '\0');
        scrim_synth_release *release = NULL;
        scrim_synth_rows *rows = NULL;
        CHECK_STATUS(scrim_synth_run(s.vault, synth, &release, &s.error), SCRIM_OK);
        if (release != NULL)
            CHECK_STATUS(scrim_synth_draw(release, NULL, &rows, &s.error), SCRIM_OK);
        scrim_synth_rows_free(rows);
        scrim_synth_release_free(release);
        scrim_synth_free(synth);
    }
    query_scene_end(&s);
}

/* Every allocation of a record with queries, and of its report, fails once. */
FAULT_TEST(synth_queries_survive_without_memory)
{
    query_scene s;
    if (query_scene_begin(&s, POLICY, people())) {
        scrim_status status = SCRIM_OK;
        scrim_synth_release *release =
            run(&s, OPTIONS(ABOUT, .epsilon = "3000", ASK(asked)));
        REQUIRE(release != NULL);
        FAULT_LOOP(plan)
        {
            scrim_synth *synth = NULL;
            status = scrim_synth_new(s.vault, "people",
                                     OPTIONS(ABOUT, .epsilon = "3", ASK(asked)), &synth,
                                     &s.error);
            CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
            scrim_synth_free(synth);
        }
        CHECK_STATUS(status, SCRIM_OK);
        FAULT_LOOP(report)
        {
            scrim_synth_release *again = NULL;
            scrim_synth_report *made = NULL;
            status =
                sc_synth_release_new(release->record.text, 1, 0, true, &again, &s.error);
            if (status == SCRIM_OK)
                status = scrim_synth_report_new(again, NULL, &made, &s.error);
            CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
            scrim_synth_report_free(made);
            scrim_synth_release_free(again);
        }
        CHECK_STATUS(status, SCRIM_OK);
        scrim_synth_release_free(release);
    }
    query_scene_end(&s);
}

/* Synthetic records and bodies that their caller ends while they are drawn: the charge stays, nothing is recorded, and asking
 * again finishes them at no further charge. */
#include "base/cancel.h"
#include "check.h"
#include "query/query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 600
#define POLICY                                                                           \
    "unit=row\ncolumn=age=int[0,99]\ncolumn=hours=int[0,99]\ncolumn=sex=text\n"          \
    "keys=sex=f,m\ncolumn=kind=text\nkeys=kind=a,b,c\n"                                  \
    "budget=epsilon=100000,delta=0.5\n"

static bool begin(query_scene *s)
{
    static char bytes[32 * ROWS];
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "age,hours,sex,kind\n");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)snprintf(bytes + used, sizeof bytes - used, "%d,%d,%c,%c\n",
                                 i % 90, i * 7 % 60, "fm"[i % 2], "abc"[i % 3]);
    return query_scene_begin(s, POLICY, bytes);
}

/* Ends it at the call of this number; 0: never. */
typedef struct patience {
    unsigned calls, last;
} patience;

static int is_over(void *context)
{
    patience *p = context;
    return ++p->calls == p->last;
}

/* A release of one kind, of an epsilon of its own. */
typedef scrim_status release_run(query_scene *s, const char *method, const char *epsilon,
                                 patience *p);

static scrim_status run_synth(query_scene *s, const char *method, const char *epsilon,
                              patience *p)
{
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    scrim_status status = scrim_synth_new(
        s->vault, "people",
        SCRIM_OPTIONS(scrim_synth_options, .method = method, .epsilon = epsilon,
                      .delta = strcmp(method, "mwem") == 0 ? NULL : "1e-6",
                      .columns = strcmp(method, "mwem") == 0 ? "age,sex,kind" : NULL,
                      .workers = 1, .is_cancelled = is_over, .context = p),
        &synth, &s->error);
    if (status == SCRIM_OK)
        status = scrim_synth_run(s->vault, synth, &release, &s->error);
    CHECK((status == SCRIM_OK) == (release != NULL));
    scrim_synth_release_free(release);
    scrim_synth_free(synth);
    return status;
}

static scrim_status run_body(query_scene *s, const char *method, const char *epsilon,
                             patience *p)
{
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    (void)method;
    scrim_status status = scrim_body_fit_new(
        s->vault, "people",
        SCRIM_OPTIONS(scrim_body_fit_options, .columns = "age,hours", .epsilon = epsilon,
                      .direction_count = 32, .workers = 1, .is_cancelled = is_over,
                      .context = p),
        &fit, &s->error);
    if (status == SCRIM_OK)
        status = scrim_body_fit_run(s->vault, fit, &release, &s->error);
    CHECK((status == SCRIM_OK) == (release != NULL));
    scrim_body_release_free(release);
    scrim_body_fit_free(fit);
    return status;
}

static const struct kind {
    const char *method;
    release_run *run;
    unsigned
        least; /* questions that such a release asks its caller, most of them while it draws */
} kinds[] = {{"mst", run_synth, 10},
             {"aim", run_synth, 100},
             {"mwem", run_synth, 100},
             {"body", run_body, 30}};

/* Ended at one of the questions: it is not asked again. Noise decides how many there are, so that only those of the first
 * quarter are surely reached. */
static void check_ended(query_scene *s, const struct kind *k, unsigned last,
                        unsigned number)
{
    char epsilon[32], before[3 * SCRIM_NUMBER_BYTES], after[3 * SCRIM_NUMBER_BYTES];
    patience ends = {.last = last}, goes_on = {.last = 0};
    snprintf(epsilon, sizeof epsilon, "1.%03u", number);
    CHECK_STATUS(k->run(s, k->method, epsilon, &ends), SCRIM_E_STATE);
    CHECK_INT(s->error.reason, SCRIM_REASON_CANCELLED);
    if (strstr(s->error.message, "is charged and has no answer: the query was cancelled; "
                                 "ask the same question again") == NULL)
        CHECK_FAIL("%s, ended at %u: %s", k->method, last, s->error.message);
    CHECK_INT(ends.calls, last);
    (void)query_scene_left(s, before);
    CHECK_STATUS(k->run(s, k->method, epsilon, &goes_on), SCRIM_OK);
    CHECK_STR(query_scene_left(s, after), before);
}

SLOW_TEST(A102_rounds_end_when_the_caller_wants_it)
{
    CLAIM("cancel.latched");
    query_scene s;
    const unsigned times = (unsigned)check_count(3, 40);
    if (!begin(&s))
        return;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        patience whole = {.last = 0};
        if (!CHECK_STATUS(kinds[i].run(&s, kinds[i].method, "1", &whole), SCRIM_OK))
            CHECK_STR(s.error.message, "");
        if (whole.calls < kinds[i].least)
            CHECK_FAIL("%s asks %u times", kinds[i].method, whole.calls);
        for (unsigned k = 0; k < times && whole.calls > times; k++)
            check_ended(&s, &kinds[i], 1 + whole.calls * k / (4 * times),
                        (unsigned)i * times + k + 1);
    }
    query_scene_end(&s);
}

static int is_over_once(void *context)
{
    unsigned *calls = context;
    return (*calls)++ == 0;
}

/* A count that was ended is not whole: if the caller says something else later, it must not be released. */
TEST(A102_a_cancellation_is_latched)
{
    CLAIM("cancel.latched");
    unsigned calls = 0;
    sc_cancel cancel = {.is_cancelled = is_over_once, .context = &calls};
    CHECK(sc_cancel_asks(&cancel));
    CHECK(sc_cancel_asks(&cancel));
    CHECK_STATUS(sc_cancel_check(&cancel, NULL), SCRIM_E_STATE);
    CHECK_INT(calls, 1);
}

/* A model that is fitted again for rows and reports. */
TEST(A102_fits_of_a_release_end_when_the_caller_wants_it)
{
    query_scene s;
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    scrim_synth_rows *rows = NULL;
    scrim_synth_report *report = NULL;
    patience first = {.last = 1}, later = {.last = 5};
    if (!begin(&s))
        return;
    REQUIRE_OK(scrim_synth_new(
        s.vault, "people",
        SCRIM_OPTIONS(scrim_synth_options, .epsilon = "1", .delta = "1e-6", .workers = 1),
        &synth, &s.error));
    REQUIRE_OK(scrim_synth_run(s.vault, synth, &release, &s.error));
    CHECK_STATUS(
        scrim_synth_draw(release,
                         SCRIM_OPTIONS(scrim_synth_row_options, .is_cancelled = is_over,
                                       .context = &first),
                         &rows, &s.error),
        SCRIM_E_STATE);
    CHECK_INT(s.error.reason, SCRIM_REASON_CANCELLED);
    CHECK_STATUS(
        scrim_synth_report_new(release,
                               SCRIM_OPTIONS(scrim_synth_report_options,
                                             .is_cancelled = is_over, .context = &later),
                               &report, &s.error),
        SCRIM_E_STATE);
    CHECK_INT(s.error.reason, SCRIM_REASON_CANCELLED);
    CHECK_INT(first.calls + later.calls, 6);
    scrim_synth_release_free(release);
    scrim_synth_free(synth);
    query_scene_end(&s);
}

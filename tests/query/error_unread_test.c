/* A call that succeeds neither reads nor changes the caller's error, which nobody need have set: `scrim_error error;` is how
 * every header begins. Half of the calls get an error that was never written, for valgrind to see it read. */
#include "check.h"
#include "query/query_scene.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xa5 };

/* An error for one call. */
static scrim_error *new_error(bool is_written)
{
    scrim_error *error = malloc(sizeof *error);
    if (error != NULL && is_written)
        memset(error, POISON, sizeof *error);
    return error;
}

/* Checks that the call succeeded and left its error as it was. */
static void end_error(scrim_error *error, bool is_written, scrim_status status,
                      const char *call)
{
    unsigned char as_before[sizeof *error];
    memset(as_before, POISON, sizeof as_before);
    if (status != SCRIM_OK ||
        (is_written && memcmp(error, as_before, sizeof *error) != 0))
        CHECK_FAIL("%s: status %d, or it changed its error", call, (int)status);
    free(error);
}

#define CALL(call)                                                                       \
    do {                                                                                 \
        scrim_error *error = new_error(is_written);                                      \
        if (CHECK(error != NULL))                                                        \
            end_error(error, is_written, call, #call);                                   \
    } while (0)

static void ask(query_scene *s, bool is_written)
{
    const char *const query = "SELECT COUNT(*) AS n, SUM(age) AS t";
    const scrim_query_options *options =
        SCRIM_OPTIONS(scrim_query_options, .epsilon = is_written ? "1/10" : "1/8");
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_label *label = NULL;
    CALL(scrim_plan_new(s->vault, "people", &query, 1, options, &plan, NULL, error));
    CALL(scrim_query_run(s->vault, plan, &result, error));
    CALL(scrim_label_new(s->vault, 1, &label, error));
    CALL(scrim_label_check(label, error));
    scrim_label_free(label);
    scrim_result_free(result);
    scrim_plan_free(plan);
}

static void release(scrim_ledger *ledger, const scrim_measurement *m, bool is_written)
{
    const int64_t people = 100;
    const scrim_input input = {.integers = &people, .count = 1};
    scrim_answer *answer = NULL;
    scrim_certificate certificate;
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
    CALL(scrim_release(ledger, m, &input, &answer, error));
    CALL(scrim_measurement_certify(m, "0.95", 1, &certificate, error));
    CALL(scrim_answer_interval(answer, 0, &certificate, low, high, error));
    scrim_answer_free(answer);
}

static void run(scrim_ledger *ledger, bool is_written)
{
    scrim_measurement *m = NULL;
    scrim_run *asked = NULL;
    scrim_run_answer answer;
    CALL(scrim_measurement_parse("sparse-vector sensitivity=1 epsilon=1/2 threshold=1000 "
                                 "count=1 neighbours=add-remove",
                                 &m, error));
    CALL(scrim_run_open(ledger, m, &asked, error));
    CALL(scrim_run_ask(asked, 0, &answer, error));
    scrim_run_close(asked);
    scrim_measurement_free(m);
}

static void release_in_both(query_scene *s, bool is_written)
{
    scrim_measurement *m = NULL;
    scrim_ledger *memory = NULL, *vault = NULL;
    CALL(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1/2 neighbours=add-remove", &m, error));
    CALL(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                        .neighbours = SCRIM_ADD_REMOVE, .epsilon = "5"),
                          &memory, error));
    CALL(scrim_vault_ledger(s->vault, "people", &vault, error));
    release(memory, m, is_written);
    release(vault, m, is_written);
    run(memory, is_written);
    run(vault, is_written);
    scrim_ledger_free(vault);
    scrim_ledger_free(memory);
    scrim_measurement_free(m);
}

TEST(errors_are_unread_and_unchanged_where_calls_succeed)
{
    query_scene s;
    if (query_scene_begin(&s,
                          "unit=person\nrows-per-unit=1\ncolumn=age=int[0,120]\n"
                          "neighbours=add-remove\nbudget=epsilon=100\n",
                          "person,age\n1,30\n2,40\n"))
        for (int is_written = 0; is_written < 2; is_written++) {
            ask(&s, is_written);
            release_in_both(&s, is_written);
        }
    query_scene_end(&s);
}

/* A count of people, released so that nobody can tell whether a given person is in it: what it
 * costs and how far it may be off are known before anything is asked, and a ledger refuses what
 * the budget does not hold.
 *
 *     cc -o release_count release_count.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <scrim.h>
#include <stdio.h>

/* Asks for the count once and shows the answer with its interval. */
static scrim_status show_count(scrim_ledger *ledger, const scrim_measurement *count,
                               int64_t people, scrim_error *error)
{
    scrim_certificate within;
    scrim_answer *answer = NULL;
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];

    scrim_status status = scrim_measurement_certify(count, "0.95", 1, &within, error);
    if (status == SCRIM_OK)
        status =
            scrim_release(ledger, count, &(scrim_input){.integers = &people, .count = 1},
                          &answer, error);
    if (status == SCRIM_OK)
        status = scrim_answer_interval(answer, 0, &within, low, high, error);
    if (status == SCRIM_OK)
        printf("about %s people, with probability %s from %s to %s; epsilon %s\n",
               scrim_answer_text(answer, 0), within.confidence, low, high,
               scrim_answer_cost(answer)->epsilon);
    scrim_answer_free(answer);
    return status;
}

int main(void)
{
    scrim_error error;
    scrim_ledger *ledger = NULL;
    scrim_measurement *count = NULL;
    scrim_cost left;
    const int64_t people = 1234; /* private */

    /* Numbers are text, so that 0.1 is 1/10 and ten of them are 1. */
    scrim_status status =
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                       .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1/4"),
                         &ledger, &error);
    if (status == SCRIM_OK)
        status = scrim_measurement_new("laplace",
                                       SCRIM_PARAMETERS({"sensitivity", "1"},
                                                        {"epsilon", "0.1"},
                                                        {"neighbours", "add-remove"}),
                                       &count, &error);
    /* A quarter pays for two answers; the third is refused, and nothing is charged for it. */
    for (int i = 0; i < 3 && status == SCRIM_OK; i++)
        status = show_count(ledger, count, people, &error);
    if (status == SCRIM_E_BUDGET) {
        printf("refused: %s\n", error.message);
        status = SCRIM_OK;
    }
    if (status == SCRIM_OK)
        status = scrim_ledger_left(ledger, &left, &error);
    if (status == SCRIM_OK)
        printf("left in the ledger: epsilon %s\n", left.epsilon);

    scrim_measurement_free(count);
    scrim_ledger_free(ledger);
    if (status != SCRIM_OK)
        fprintf(stderr, "release_count: %s\n", error.message);
    return (int)status / 10;
}

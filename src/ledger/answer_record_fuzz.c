/* Any line is the record of an answer, which is then recorded as a line that says the same, or
 * none. */
#include "base/memory.h"
#include "corpus.h"
#include "ledger/answer_record.h"

#include <stdlib.h>
#include <string.h>

/* The list of a long run takes memory, and nothing is found in it. */
static bool is_long_run(const char *line)
{
    const char *asked = strstr(line, "asked=");
    return asked != NULL && strspn(asked + strlen("asked="), "0123456789") > 4;
}

static void try_line(const scrim_measurement *m, const char *line)
{
    scrim_error error = {.status = SCRIM_OK};
    scrim_answer *answer = NULL, *again = NULL;
    scrim_status status = scrim_answer_parse(m, line, 1, &answer, &error);
    if (status != SCRIM_OK) {
        CHECK_STATUS(status, SCRIM_E_SYNTAX);
        CHECK(answer == NULL && error.message[0] != '\0');
        return;
    }
    char *first = sc_answer_line(answer), *second = NULL;
    if (CHECK(first != NULL) &&
        CHECK_STATUS(scrim_answer_parse(m, first, 1, &again, &error), SCRIM_OK)) {
        second = sc_answer_line(again);
        CHECK_STR(second, first);
    }
    sc_free(second);
    sc_free(first);
    scrim_answer_free(again);
    scrim_answer_free(answer);
}

FUZZ(answer_record)
{
    scrim_measurement *m = NULL;
    char *line = calloc(count + 1, 1);
    if (!CHECK(line != NULL) ||
        !CHECK_STATUS(
            scrim_measurement_parse("laplace sensitivity=1 epsilon=1 grid=0.01 lower=0 "
                                    "upper=1 neighbours=replace",
                                    &m, NULL),
            SCRIM_OK)) {
        free(line);
        return;
    }
    if (count > 0)
        memcpy(line, bytes, count);
    if (!is_long_run(line))
        try_line(m, line);
    scrim_measurement_free(m);
    free(line);
}

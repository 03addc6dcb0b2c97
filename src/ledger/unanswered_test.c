#include "check.h"
#include "ledger/unanswered.h"

#include <string.h>

TEST(A86_a_failure_after_the_charge_is_told)
{
    CLAIM("unanswered.told");
    scrim_error error;
    (void)sc_fail(&error, SCRIM_E_LEDGER, "the disk is full");
    CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_LEDGER, 8, true), SCRIM_E_LEDGER);
    CHECK_INT(error.status, SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 8 is charged and has no answer: the disk is full; ask the same "
              "question again: it is finished at no further charge");
    (void)sc_fail(&error, SCRIM_E_ENTROPY, "no bits");
    CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_ENTROPY, 9, false), SCRIM_E_ENTROPY);
    CHECK_STR(error.message, "release 9 is charged and has no answer: no bits; nothing "
                             "was shown, and the charge stays");
    CHECK_STATUS(sc_answered_fail(&error, SCRIM_E_MEMORY, 7), SCRIM_E_MEMORY);
    CHECK_STR(error.message,
              "release 7 is charged and its answer is recorded: no memory; "
              "replay it: it is shown at no further charge");
    (void)sc_fail(&error, SCRIM_E_LEDGER, "a disk");
    CHECK_STATUS(sc_uncertain_fail(&error, SCRIM_E_LEDGER, 6, true), SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 6 is perhaps charged and has no answer: a disk; ask "
              "the same question again: it is charged once");
    (void)sc_fail(&error, SCRIM_E_LEDGER, "a disk");
    CHECK_STATUS(sc_unanswered_query_fail(&error, SCRIM_E_LEDGER, 7, 3), SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 7 is charged and query 3 of it has no answer: a disk; "
              "nothing of it was shown, and earlier answers are recorded");
    CHECK_STATUS(sc_unanswered_fail(NULL, SCRIM_E_BUSY, 9, false), SCRIM_E_BUSY);
    CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_OK, 10, true), SCRIM_OK);
    CHECK(strstr(error.message, "release 7 ") != NULL);
}

/* Whoever asks for the answer of a past charge reads the same words. */
TEST(A86_a_charge_of_the_past_is_told_alike)
{
    CLAIM("unanswered.told");
    scrim_error error;
    CHECK_STATUS(sc_unrecorded_fail(&error, 8, true, "epsilon", "0.1"), SCRIM_E_LEDGER);
    CHECK_STR(error.message, "release 8 is charged and has no answer yet; ask the same "
                             "question again: it is finished at no further charge");
    CHECK_STATUS(sc_unrecorded_fail(&error, 8, false, "epsilon", "0.1"), SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 8 is charged and has no answer: it ended before one was recorded; "
              "nothing was shown, and the charge of epsilon 0.1 stays");
}

/* However long a reason is, and wherever it is cut, the advice is there. */
TEST(A86_a_long_reason_leaves_room_for_the_advice)
{
    CLAIM("unanswered.told");
    for (size_t bytes = 100; bytes < SCRIM_MESSAGE_BYTES; bytes++) {
        scrim_error error = {.status = SCRIM_E_INPUT};
        for (size_t i = 0; i + 2 < bytes; i += 2)
            memcpy(error.message + i, "\xc3\xa9", 3);
        CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_INPUT, UINT64_MAX, true),
                     SCRIM_E_INPUT);
        CHECK(strncmp(error.message, "release 18446744073709551615 is charged and has ",
                      40) == 0);
        CHECK(strstr(error.message, "at no further charge") != NULL);
    }
}

TEST(A86_memory_after_the_charge_has_one_message)
{
    CLAIM("unanswered.memory");
    static const char *const reasons[] = {"out of memory for a release",
                                          "out of memory for keys", ""};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        scrim_error error;
        (void)sc_fail(&error, SCRIM_E_MEMORY, "%s", reasons[i]);
        CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_MEMORY, 3, true), SCRIM_E_MEMORY);
        CHECK_STR(error.message,
                  "release 3 is charged and has no answer: no memory; ask the same "
                  "question again: it is finished at no further charge");
    }
}

/* The wizard on a pseudo-terminal: leaving it, and going on with the draft. */
#include "check.h"
#include "owner_stage.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* THREATS A68: whoever leaves, by whatever door and at whatever question, leaves the vault as it was;
 * a signal leaves no draft either. */
static void leave(owner_stage *s, size_t questions, const char *door, int number)
{
    char answers[20][128];
    (void)stage_answers(s, answers);
    stage_start(s, "adult", NULL);
    for (size_t i = 0; i < questions; i++) {
        CHECK_INT(stage_wait(s, i + 1), i + 1);
        if (i + 1 < questions)
            stage_answer(s, answers[i]);
    }
    if (door != NULL)
        stage_answer(s, door);
    else
        CHECK(kill(s->owner, number) == 0);
    const int end = stage_finish(s);
    if (number == 0)
        CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 2);
    else
        CHECK(WIFSIGNALED(end) && WTERMSIG(end) == number);
}

static int unlink_draft(const owner_stage *s)
{
    char path[160];
    snprintf(path, sizeof path, "%s/adult.policy", s->folder);
    return unlink(path);
}

SLOW_TEST(A68_wizard_leaves_nothing)
{
    owner_stage s;
    char answers[20][128];
    if (!stage_begin(&s))
        return;
    const size_t count = stage_answers(&s, answers);
    const uint64_t then = stage_entries(&s);
    for (size_t i = 1; i <= count; i++) {
        leave(&s, i, i % 2 == 0 ? "q\n" : "\004", 0);
        stage_shown(&s, i == 1 ? "cancelled; nothing was written"
                               : "your answers are in 'adult.policy'");
        CHECK((unlink_draft(&s) == 0) == (i > 1));
        leave(&s, i, "\003", SIGINT);
        leave(&s, i, NULL, i % 2 == 0 ? SIGTERM : SIGHUP);
        CHECK(unlink_draft(&s) != 0);
    }
    leave(&s, count, "no\n", 0);
    stage_shown(&s, "not added; nothing was written");
    CHECK_INT(stage_entries(&s), then);
    stage_end(&s);
}

/* Somebody who hangs up is a signal as well. */
TEST(A68_wizard_loses_its_terminal)
{
    owner_stage s;
    if (!stage_begin(&s))
        return;
    const uint64_t then = stage_entries(&s);
    stage_start(&s, "adult", NULL);
    CHECK_INT(stage_wait(&s, 1), 1);
    close(s.terminal);
    int end = -1;
    CHECK(waitpid(s.owner, &end, 0) == s.owner);
    CHECK(WIFSIGNALED(end) && WTERMSIG(end) == SIGHUP);
    CHECK_INT(stage_entries(&s), then);
    stage_end(&s);
}

/* A draft names what is missing, and is taken where it was left. */
TEST(wizard_goes_on_with_a_draft)
{
    static const char *const first[] = {"person_id\n", "int\n", "0\n", "q\n"};
    static const owner_turn rest[] = {
        {"int[0,120]", ""}, {"text", ""}, {"Female,Male", ""},
        {"", ""},           {"", ""},     {"1", ""},
        {"y", ""},          {"", ""},     {"", ""},
        {"1", ""},          {"", ""},     {"yes", ""}};
    static const char *const policy[] = {"--policy", "adult.policy", NULL};
    owner_stage s;
    char path[160], text[2048] = "", want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv", s.csv, NULL};
    stage_start(&s, "adult", words);
    for (size_t i = 0; i < COUNT(first); i++) {
        CHECK_INT(stage_wait(&s, i + 1), i + 1);
        stage_answer(&s, first[i]);
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 2);
    stage_shown(&s, "go on with 'scrim dataset add adult --policy adult.policy'");
    snprintf(path, sizeof path, "%s/adult.policy", s.folder);
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK(strstr(text, "# missing: column=age=int[0,LARGEST]\n") != NULL);
    CHECK(strstr(text, "# missing: column=note=TYPE") != NULL);
    CHECK(strstr(text, "# missing: max-total-rows=N, or max-groups=N and max-rows=N, or "
                       "rows-per-unit=1\n") != NULL);
    CHECK(strstr(text, "# missing: budget=epsilon=R,delta=R\n") != NULL);
    CHECK(strstr(text, "\nunit=person_id\n") != NULL);
    stage_start(&s, "adult", policy);
    stage_turns(&s, rest, COUNT(rest));
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=age=int[0,120]\ncolumn=sex=text\n"
             "keys=sex=Female,Male\nrows-per-unit=1\nneighbours=add-remove\n"
             "budget=epsilon=1\n",
             s.csv);
    stage_policy(&s, "adult", want);
    CHECK(unlink(path) == 0);
    stage_end(&s);
}

/* scrim replay of what no transcript can make at will: a charge that ended before it had an
 * answer, and a run that was asked query by query. */
#include "check.h"
#include "cli/terminal/options.h"
#include "cli/verb/verbs.h"
#include "scene.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN                                                                              \
    "sparse-vector sensitivity=1 epsilon=1/2 threshold=1000 count=2 "                    \
    "neighbours=add-remove"

/* The output of the verb, and its status, or its message in place of the output. */
static int replay(const scene *s, uint64_t id, const char *format, char *text,
                  size_t capacity)
{
    char number[24], vault[128];
    int channel[2], status = -1;
    snprintf(number, sizeof number, "%" PRIu64, id);
    snprintf(vault, sizeof vault, "%s", s->path);
    if (!CHECK(pipe(channel) == 0))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        char words[8][16] = {"scrim", "replay", "", "--quiet", "--format", "", "--vault"};
        snprintf(words[5], sizeof words[5], "%s", format);
        char *arguments[] = {words[0], words[1], number,   words[3],
                             words[4], words[5], words[6], vault};
        sc_options options;
        scrim_error error = {.message = ""};
        dup2(channel[1], STDOUT_FILENO);
        scrim_status ended = sc_options_parse(8, arguments, &options, &error);
        if (ended == SCRIM_OK)
            ended = sc_verb_replay.run(&options, &error);
        if (ended != SCRIM_OK)
            dprintf(channel[1], "%s", error.message);
        _exit((int)ended / 10);
    }
    close(channel[1]);
    size_t used = 0;
    for (ssize_t count = 0; used + 1 < capacity; used += (size_t)count)
        if ((count = read(channel[0], text + used, capacity - 1 - used)) <= 0)
            break;
    text[used] = '\0';
    close(channel[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A run that is charged; asks queries unless it is to end at once. */
static uint64_t open_run(const scene *s, bool asks)
{
    scrim_error error = {.message = ""};
    scrim_vault *vault = scene_open(s);
    scrim_measurement *m = NULL;
    scrim_ledger *ledger = NULL;
    scrim_run *run = NULL;
    scrim_run_answer answer;
    uint64_t id = 0;
    if (vault != NULL && scrim_measurement_parse(RUN, &m, &error) == SCRIM_OK &&
        scrim_vault_ledger(vault, "people", &ledger, &error) == SCRIM_OK &&
        scrim_run_open(ledger, m, &run, &error) == SCRIM_OK) {
        id = scrim_run_entry(run);
        CHECK(!asks || (scrim_run_ask(run, 0, &answer, &error) == SCRIM_OK &&
                        scrim_run_ask(run, 1000000, &answer, &error) == SCRIM_OK &&
                        scrim_run_ask(run, 0, &answer, &error) == SCRIM_OK));
    } else if (strstr(error.message, "cannot wipe") == NULL) {
        CHECK_FAIL("no run: %s", error.message);
    }
    scrim_run_close(run); /* tells the vault what was asked, if anything was */
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
    scrim_vault_close(vault);
    return id;
}

TEST(A41_replay_of_a_charge_without_an_answer)
{
    scene s;
    char text[1024], left[SCRIM_NUMBER_BYTES];
    if (!scene_begin_vault(&s, "epsilon=3", false))
        return;
    const uint64_t id = open_run(&s, false);
    if (id == 0)
        SKIP("this system cannot wipe memory in a child process");
    CHECK_INT(replay(&s, id, "csv", text, sizeof text), 5);
    char want[256];
    snprintf(want, sizeof want,
             "release %" PRIu64
             " is charged and has no answer: it ended before one was recorded; nothing "
             "was shown, and the charge of epsilon 0.5 stays",
             id);
    CHECK_STR(text, want);
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STR(scene_left(vault, left), "2.5");
    scrim_vault_close(vault);
    scene_end(&s);
}

TEST(replay_of_a_run_that_was_asked_one_by_one)
{
    scene s;
    char text[1024];
    if (!scene_begin_vault(&s, "epsilon=3", false))
        return;
    const uint64_t id = open_run(&s, true);
    if (id == 0)
        SKIP("this system cannot wipe memory in a child process");
    CHECK_INT(replay(&s, id, "csv", text, sizeof text), 0);
    CHECK_STR(text, "answer,value\nbelow,\nabove,\nbelow,\n");
    CHECK_INT(replay(&s, id, "json", text, sizeof text), 0);
    CHECK(strstr(text, "], \"halted\": false, ") != NULL);
    scene_end(&s);
}

#include "owner_stage.h"

#include "check.h"
#include "cli/terminal/complaint.h"
#include "cli/verb/verbs.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

bool stage_begin(owner_stage *s)
{
    memset(s, 0, sizeof *s);
    snprintf(s->folder, sizeof s->folder, "/tmp/scrim-wizard-XXXXXX");
    if (!CHECK(mkdtemp(s->folder) != NULL))
        return false;
    snprintf(s->vault, sizeof s->vault, "%s/vault", s->folder);
    snprintf(s->csv, sizeof s->csv, "%s/adult.csv", s->folder);
    FILE *file = fopen(s->csv, "w");
    if (file == NULL)
        return CHECK(file != NULL);
    fputs("person_id,age,sex,note\n1,30,Female,canary-4711\n2,41,Male,x\n", file);
    fclose(file);
    return CHECK_STATUS(scrim_vault_init(s->vault, NULL, NULL), SCRIM_OK);
}

void stage_end(owner_stage *s)
{
    char path[160];
    static const char *const names[] = {"vault", "adult.csv", "people.db"};
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", s->folder, names[i]);
        unlink(path);
    }
    CHECK(rmdir(s->folder) == 0); /* and nothing else lies there */
}

/* The child: the verb, on a terminal of its own. */
static _Noreturn void act(const owner_stage *s, const char *name,
                          const char *const *words)
{
    char *argv[32] = {NULL};
    int argc = 0;
    scrim_error error = {.status = SCRIM_OK};
    sc_options options;
    setenv("COLUMNS", "240", 1); /* no message is broken */
    if (chdir(s->folder) != 0)   /* where drafts are kept */
        _exit(98);
    argv[argc++] = strdup("scrim");
    argv[argc++] = strdup("dataset");
    argv[argc++] = strdup("add");
    if (name != NULL)
        argv[argc++] = strdup(name);
    argv[argc++] = strdup("--vault");
    argv[argc++] = strdup(s->vault);
    for (; words != NULL && *words != NULL && argc < 31; words++)
        argv[argc++] = strdup(*words);
    scrim_status status = sc_options_parse(argc, argv, &options, &error);
    if (status == SCRIM_OK)
        status = sc_verb_perform(sc_verb_find("dataset"), &options, &error);
    if (status != SCRIM_OK)
        sc_complaint_print("dataset", &error, "");
    _exit((int)status / 10);
}

void stage_start(owner_stage *s, const char *name, const char *const *words)
{
    struct termios mode;
    s->seen = 0;
    s->shown[0] = '\0';
    s->terminal = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(s->terminal >= 0 && grantpt(s->terminal) == 0 && unlockpt(s->terminal) == 0);
    char *other = ptsname(s->terminal);
    REQUIRE(other != NULL);
    fflush(NULL);
    s->owner = fork();
    REQUIRE(s->owner >= 0);
    if (s->owner > 0)
        return;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < COUNT(numbers); i++)
        signal(numbers[i], SIG_DFL);
    setsid();
    const int end = open(other, O_RDWR); /* becomes the terminal of the session */
    if (end < 0 || tcgetattr(end, &mode) != 0)
        _exit(99);
    mode.c_lflag &= ~(tcflag_t)ECHO;
    mode.c_oflag &= ~(tcflag_t)ONLCR;
    tcsetattr(end, TCSANOW, &mode);
    for (int i = 0; i < 3; i++)
        dup2(end, i);
    close(s->terminal);
    setenv("TERM", "dumb", 1); /* lines as they are: tests/cli/shell.sh has the editor */
    act(s, name, words);
}

size_t stage_wait(owner_stage *s, size_t questions)
{
    size_t asked = 0;
    for (;;) {
        asked = 0;
        for (const char *at = s->shown; (at = strstr(at, "> ")) != NULL; at += 2)
            asked++;
        struct pollfd ready = {.fd = s->terminal, .events = POLLIN};
        if (asked >= questions || s->seen + 1 >= sizeof s->shown ||
            poll(&ready, 1, 20000) != 1)
            return asked;
        const ssize_t got =
            read(s->terminal, s->shown + s->seen, sizeof s->shown - 1 - s->seen);
        if (got <= 0)
            return asked; /* EIO: the other end is closed */
        s->seen += (size_t)got;
        s->shown[s->seen] = '\0';
    }
}

void stage_answer(owner_stage *s, const char *text)
{
    CHECK(write(s->terminal, text, strlen(text)) == (ssize_t)strlen(text));
}

int stage_finish(owner_stage *s)
{
    int end = -1;
    (void)stage_wait(s, SIZE_MAX);
    close(s->terminal);
    CHECK(waitpid(s->owner, &end, 0) == s->owner);
    return end;
}

void stage_shown(const owner_stage *s, const char *words)
{
    if (strstr(s->shown, words) == NULL)
        CHECK_FAIL("'%s' was not shown, but:\n%s", words, s->shown);
}

uint64_t stage_entries(const owner_stage *s)
{
    scrim_vault_state state = {.entries = 0};
    CHECK_STATUS(scrim_vault_check(s->vault, NULL, &state, NULL), SCRIM_OK);
    return state.entries;
}

void stage_policy(const owner_stage *s, const char *name, const char *want)
{
    scrim_vault *vault = NULL;
    char *policy = NULL;
    REQUIRE_OK(scrim_vault_open(s->vault, NULL, &vault, NULL));
    if (CHECK_STATUS(scrim_vault_policy(vault, name, &policy, NULL), SCRIM_OK)) {
        char *contents = strstr(policy, "contents=");
        if (contents != NULL)
            *contents = '\0';
        CHECK_STR(policy, want);
    }
    scrim_vault_text_free(policy);
    scrim_vault_close(vault);
}

void stage_turns(owner_stage *s, const owner_turn *turns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK_INT(stage_wait(s, i + 1), i + 1);
        if (i > 0)
            stage_shown(s, turns[i - 1].reason);
        stage_answer(s, turns[i].answer);
        stage_answer(s, "\n");
    }
    const int end = stage_finish(s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
}

size_t stage_answers(const owner_stage *s, char answers[20][128])
{
    static const char *const rest[] = {
        "person_id", "int",        "0", "120",  "text", "Female,Male",
        "",          "",    /* no note; no table of bounds */
        "60",        "900", /* rows in all, total of age */
        "",          "add-remove", "3", "1e-6", "yes"};
    snprintf(answers[0], 128, "%s\n", s->csv);
    for (size_t i = 0; i < COUNT(rest); i++)
        snprintf(answers[i + 1], 128, "%s\n", rest[i]);
    return COUNT(rest) + 1;
}

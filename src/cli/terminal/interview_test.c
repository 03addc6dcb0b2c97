#include "check.h"
#include "cli/terminal/interview.h"

#include <string.h>
#include <unistd.h>

/* Puts text on standard input and takes what is said from standard error. */
static int begin(const char *text, size_t bytes, int *said)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    CHECK(pipe(in) == 0 && pipe(out) == 0);
    CHECK(write(in[1], text, bytes) == (ssize_t)bytes);
    close(in[1]);
    CHECK(dup2(in[0], STDIN_FILENO) == STDIN_FILENO);
    const int kept = dup(STDERR_FILENO);
    CHECK(dup2(out[1], STDERR_FILENO) == STDERR_FILENO);
    close(out[1]);
    *said = out[0];
    return kept;
}

static void end(int kept, int said, char text[512])
{
    CHECK(dup2(kept, STDERR_FILENO) == STDERR_FILENO);
    const ssize_t got = read(said, text, 511);
    text[got > 0 ? got : 0] = '\0';
    close(said);
}

TEST(interview_reads_lines)
{
    static const char lines[] = "one\n  two words\t\r\n\nlast";
    char answer[SC_ANSWER_BYTES], text[512];
    scrim_error error = {.message = ""};
    int said = -1;
    CHECK(!sc_interview_is_possible() || isatty(STDIN_FILENO) == 1);
    const int kept = begin(lines, sizeof lines - 1, &said);
    CHECK_STATUS(sc_interview_ask(NULL, "a", answer, &error), SCRIM_OK);
    CHECK_STR(answer, "one");
    CHECK_STATUS(sc_interview_ask(NULL, "b", answer, &error), SCRIM_OK);
    CHECK_STR(answer, "two words");
    CHECK_STATUS(sc_interview_ask(NULL, "c", answer, &error), SCRIM_OK);
    CHECK_STR(answer, "");
    /* A line that was not finished was not said. */
    CHECK_STATUS(sc_interview_ask(NULL, "d", answer, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_interview_ask(NULL, "e", answer, &error), SCRIM_E_PARAM);
    end(kept, said, text);
    CHECK_STR(text, "a> b> c> d> \ne> \n");
}

TEST(interview_cuts_what_is_too_long)
{
    static char lines[3 * SC_ANSWER_BYTES];
    char answer[SC_ANSWER_BYTES], text[512];
    scrim_error error;
    int said = -1;
    memset(lines, 'x', sizeof lines);
    lines[sizeof lines - 3] = '\n';
    lines[sizeof lines - 2] = 'y';
    lines[sizeof lines - 1] = '\n';
    const int kept = begin(lines, sizeof lines, &said);
    CHECK_STATUS(sc_interview_ask(NULL, "", answer, &error), SCRIM_OK);
    CHECK_INT(strlen(answer), SC_ANSWER_BYTES - 1);
    CHECK_STATUS(sc_interview_ask(NULL, "", answer, &error), SCRIM_OK);
    CHECK_STR(answer, "y");
    end(kept, said, text);
}

/* THREATS A61: names of columns come from a file. */
TEST(A61_interview_says_nothing_that_steers)
{
    char text[512];
    int said = -1;
    const int kept = begin("", 0, &said);
    sc_interview_say("column %s", "a\033[31m\nb\x7f");
    end(kept, said, text);
    CHECK_STR(text, "column a?[31m?b?\n");
}

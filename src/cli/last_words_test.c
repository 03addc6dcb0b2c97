#include "check.h"
#include "cli/last_words.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that sets its words and gets a signal; what it said, and how it ended. */
static int end_child(int number, bool is_ignored, const char *words, char said[256])
{
    int channel[2], status = -1;
    if (!CHECK(pipe(channel) == 0))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(channel[1], STDERR_FILENO);
        close(channel[0]);
        signal(number, is_ignored ? SIG_IGN : SIG_DFL); /* whatever came from outside */
        sc_last_words_begin();
        sc_last_words_set("%s", "something else\n");
        sc_last_words_set("%s", words);
        raise(number);
        _exit(7);
    }
    close(channel[1]);
    ssize_t count = read(channel[0], said, 255);
    said[count > 0 ? count : 0] = '\0';
    close(channel[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

TEST(last_words_are_said_and_the_signal_ends_it)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};
    char said[256];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int status = end_child(numbers[i], false, "release 12 is charged\n", said);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
        CHECK_STR(said, "release 12 is charged\n");
    }
    /* As nohup has it; a reader who has gone ends us nevertheless. */
    int status = end_child(SIGHUP, true, "words\n", said);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK_STR(said, "");
    status = end_child(SIGPIPE, true, "words\n", said);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    CHECK_STR(said, "words\n");
}

#include "check.h"
#include "cli/terminal/ending_signals.h"
#include "cli/terminal/last_words.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
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
        const struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
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

/* Of all that end a process, and not of a list that somebody has to think of. */
TEST(A88_any_signal_ends_with_the_words)
{
    char said[256];
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (!sc_signal_is_ending(number))
            continue;
        const int status = end_child(number, false, "release 12 is charged\n", said);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number);
        CHECK_STR(said, "release 12 is charged\n");
    }
}

TEST(last_words_of_an_ignored_signal)
{
    char said[256];
    /* As nohup has it; a reader who has gone ends us nevertheless. */
    int status = end_child(SIGHUP, true, "words\n", said);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK_STR(said, "");
    status = end_child(SIGPIPE, true, "words\n", said);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    CHECK_STR(said, "words\n");
}

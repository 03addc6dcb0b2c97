#include "cli/terminal/pager.h"

#include "cli/terminal/process.h"
#include "cli/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_installed(const char *program)
{
    const char *at = getenv("PATH");
    char path[4096];
    while (at != NULL && *at != '\0') {
        const size_t bytes = strcspn(at, ":");
        const int used = snprintf(path, sizeof path, "%.*s/%s", (int)bytes, at, program);
        if (bytes > 0 && (size_t)used < sizeof path && access(path, X_OK) == 0)
            return true;
        at += bytes + (at[bytes] == ':');
    }
    return false;
}

/* The command for a shell; NULL without a pager. An empty $PAGER switches it off. */
static const char *choose_pager(void)
{
    const char *pager = getenv("PAGER");
    if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1 || !sc_terminal_moves() ||
        sc_rights_are_borrowed() || sc_rights_are_lent(NULL))
        return NULL;
    if (pager != NULL)
        return pager[0] == '\0' ? NULL : pager;
    return is_installed("less") ? "less" : NULL;
}

static _Noreturn void become(const char *pager, int input)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    (void)sigaction(SIGINT, &usual, NULL);
    (void)sigaction(SIGPIPE, &usual, NULL);
    (void)dup2(input, STDIN_FILENO);
    (void)setenv("LESS", "FRSX", 0); /* leave if it fits, keep colours, cut lines */
    (void)execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
    _exit(127);
}

/* A reader who leaves early is no error. */
static void feed(int pipe, const char *text, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t written = write(pipe, text, bytes);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            text += written;
            bytes -= (size_t)written;
        }
    }
}

bool sc_pager_show(const char *text, size_t bytes)
{
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    struct sigaction interrupt, broken;
    const char *pager = choose_pager();
    int ends[2], ended = 0;
    if (pager == NULL || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    /* Keys and a closed pipe are the pager's business while it runs. */
    (void)sigaction(SIGINT, &ignored, &interrupt);
    (void)sigaction(SIGPIPE, &ignored, &broken);
    const pid_t child = fork();
    if (child == 0)
        become(pager, ends[0]);
    (void)close(ends[0]);
    if (child > 0)
        feed(ends[1], text, bytes);
    (void)close(ends[1]);
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    (void)sigaction(SIGINT, &interrupt, NULL);
    (void)sigaction(SIGPIPE, &broken, NULL);
    /* 127: the shell has not found it. */
    return child > 0 && !(WIFEXITED(ended) && WEXITSTATUS(ended) >= 126);
}

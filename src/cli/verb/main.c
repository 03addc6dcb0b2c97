/* scrim, the command line: sets up the process and runs the verb. */
#include "cli/verb/verbs.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Data that a process has read are not left on the disk when it crashes, nor shown to a debugger of
 * the same user. A limit of 1 is too small for a file, and the one at which the kernel hands nothing to
 * a program that collects dumps either. */
static void leave_no_core(void)
{
    struct rlimit limit;
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (getrlimit(RLIMIT_CORE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max = limit.rlim_max > 1 ? 1 : limit.rlim_max;
    (void)setrlimit(RLIMIT_CORE, &limit);
}

/* A umask may keep files from others, and never from whoever makes them: a command that is killed
 * while it makes one would block the next. */
static void keep_own_files(void)
{
    (void)umask(umask(0) & 077);
}

/* A file that may not grow is an error like any other, with a status and a reason. */
static void outlive_limits(void)
{
    (void)signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv)
{
    leave_no_core();
    keep_own_files();
    outlive_limits();
#ifdef SCRIM_TESTING
    fputs("NOT PRIVATE: drawn from a chosen seed\n", stderr);
#endif
    return sc_verb_main(argc, argv);
}

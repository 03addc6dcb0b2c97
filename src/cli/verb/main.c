/* scrim, the command line: sets up the process and runs the verb. */
#include "cli/verb/verbs.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* A crash must not leave the data of this process on the disk, and no debugger of the same user may read them. A limit of 1 byte is
 * too small for a core file; and at 1, not at 0, the kernel does not pipe a core to a program that collects them either. */
static void leave_no_core(void)
{
    struct rlimit limit;
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (getrlimit(RLIMIT_CORE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max = limit.rlim_max > 1 ? 1 : limit.rlim_max;
    (void)setrlimit(RLIMIT_CORE, &limit);
}

/* Removes the owner's bits from the umask. Otherwise a command that is killed while it makes a file would leave one that the next
 * command cannot open. */
static void keep_own_files(void)
{
    (void)umask(umask(0) & 077);
}

/* Ignores SIGXFSZ, so that a file beyond the size limit is an error with a message, and not the end of the process. */
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

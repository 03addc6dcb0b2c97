#include "cli/terminal/process.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A number that no user has. */
#define NOBODY ((uid_t)-1)

bool sc_rights_are_borrowed(void)
{
    return getuid() != geteuid() || getgid() != getegid();
}

/* The number of a user, digits alone; NOBODY for any other text. */
static uid_t parse_user(const char *text)
{
    char *end = NULL;
    errno = 0;
    const unsigned long number = strtoul(text, &end, 10);
    const bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    return is_number && number < NOBODY ? (uid_t)number : NOBODY;
}

static uid_t find_user(const char *name)
{
    const struct passwd *user = getpwnam(name);
    return user == NULL ? NOBODY : user->pw_uid;
}

bool sc_rights_are_lent(uid_t *caller)
{
    static const struct {
        const char *variable;
        uid_t (*read)(const char *text);
    } ways[] = {
        {"SUDO_UID", parse_user}, {"PKEXEC_UID", parse_user}, {"DOAS_USER", find_user}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *text = getenv(ways[i].variable);
        const uid_t user = text == NULL ? getuid() : ways[i].read(text);
        if (user == getuid())
            continue;
        if (caller != NULL)
            *caller = user;
        return true;
    }
    return false;
}

#ifdef __GLIBC__
typedef __rlimit_resource_t
    limited; /* getrlimit takes an enumeration there, else an int */
#else
typedef int limited;
#endif

typedef struct caller_limit {
    limited resource;
    const char *shown; /* the letter of the shell's ulimit */
    rlim_t least;
} caller_limit;

scrim_status sc_caller_limits_check(scrim_error *error)
{
    static const caller_limit limits[] = {
        {RLIMIT_AS, "v", RLIM_INFINITY},
        {RLIMIT_DATA, "d", RLIM_INFINITY},
        {RLIMIT_RSS, "m", RLIM_INFINITY},
        {RLIMIT_CPU, "t", RLIM_INFINITY},
        {RLIMIT_FSIZE, "f", RLIM_INFINITY},
        {RLIMIT_RTTIME, "R", RLIM_INFINITY},
        {RLIMIT_STACK, "s", SC_CALLER_STACK_BYTES},
        {RLIMIT_NOFILE, "n", SC_CALLER_FILES},
        {RLIMIT_NPROC, "u", SC_CALLER_PROCESSES},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit set;
        /* RLIM_INFINITY is the largest number, so one comparison is enough. */
        if (getrlimit(limits[i].resource, &set) == 0 && set.rlim_cur < limits[i].least)
            return sc_complaint_fill(error, SCRIM_E_POLICY,
                                     "'ulimit -%s' must be %s to use the vault of "
                                     "another user; nothing was charged",
                                     limits[i].shown,
                                     limits[i].least == RLIM_INFINITY ? "unlimited"
                                                                      : "higher");
    }
    return SCRIM_OK;
}

bool sc_signal_is_ending(int number)
{
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                                 SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};
    /* The C library keeps the signals between SIGSYS and SIGRTMIN for itself. */
    if (number < 1 || number > SIGRTMAX || (number > SIGSYS && number < SIGRTMIN))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (number == others[i])
            return false;
    return true;
}

void sc_ending_signals(sigset_t *set)
{
    sigemptyset(set);
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sc_signal_is_ending(number))
            sigaddset(set, number);
}

/* Holds may be nested; the mask is that from before the first. */
static unsigned depth;
static sigset_t mask_before;

void sc_signal_hold_begin(sc_signal_hold *hold)
{
    sigset_t held;
    sc_ending_signals(&held);
    sigprocmask(SIG_BLOCK, &held, &hold->then);
    if (depth++ == 0)
        mask_before = hold->then;
}

void sc_signal_hold_end(const sc_signal_hold *hold)
{
    depth--;
    sigprocmask(SIG_SETMASK, &hold->then, NULL);
}

bool sc_signal_is_waiting(void)
{
    sigset_t waiting;
    if (depth == 0 || sigpending(&waiting) != 0)
        return false;
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sc_signal_is_ending(number) && sigismember(&waiting, number) == 1 &&
            sigismember(&mask_before, number) == 0)
            return true;
    return false;
}

/* The most bytes of a last message, with the newlines of wrapping. */
#define WORDS_BYTES 1024

/* A signal handler may read only memory that nobody is changing. So a new message is written
 * into the buffer that is not current, and then becomes the current one. */
static char lines[2][WORDS_BYTES];
static volatile sig_atomic_t current;

/* SA_RESETHAND has restored the default action and SA_NODEFER leaves the signal unblocked, so
 * raising it again ends the process. */
static void say_and_end(int number)
{
    const char *line = lines[current];
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written; /* nothing can be done if standard error is gone, too */
    raise(number);
}

void sc_last_words_begin(void)
{
    struct sigaction before,
        action = {.sa_handler = say_and_end, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (!sc_signal_is_ending(number) || sigaction(number, NULL, &before) != 0)
            continue;
        if (before.sa_handler != SIG_IGN || number == SIGPIPE)
            sigaction(number, &action, NULL);
    }
}

void sc_last_words_set(const char *format, ...)
{
    const sig_atomic_t other = 1 - current;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(lines[other], WORDS_BYTES, format, arguments);
    va_end(arguments);
    sc_talk_fold(lines[other],
                 WORDS_BYTES); /* here, because a handler cannot wrap lines */
    current = other;
}

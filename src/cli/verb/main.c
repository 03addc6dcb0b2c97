/* scrim, the command line: takes the arguments apart, finds the verb, reports what
 * failed. */
#include "cli/terminal/advice.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/program.h"
#include "cli/verb/verbs.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

static scrim_status show_version(scrim_error *error)
{
    sc_output output;
    sc_output_init(&output, STDOUT_FILENO);
    sc_output_format(&output, "%s %s\n", SC_PROGRAM, scrim_version());
    return sc_output_finish(&output, error);
}

/* Options without a verb: the version, the overview, or a complaint. */
static scrim_status run_without_verb(const sc_options *options, scrim_error *error)
{
    SC_TRY(sc_options_check(options, SC_OPTION_SET(SCRIM_OPTION_VERSION), NULL, error));
    if (sc_options_has(options, SCRIM_OPTION_VERSION))
        return show_version(error);
    if (sc_options_has(options, SCRIM_OPTION_HELP))
        return sc_help_show(NULL, NULL, error);
    return sc_refuse(error, "missing command; 'scrim help' lists them");
}

int main(int argc, char **argv)
{
    sc_options options;
    scrim_error error = {.status = SCRIM_OK};
    const sc_verb *verb = NULL;
    const char *name;
    leave_no_core();
    keep_own_files();
    outlive_limits();
#ifdef SCRIM_TESTING
    fputs("NOT PRIVATE: drawn from a chosen seed\n", stderr);
#endif
    scrim_status status = sc_options_parse(argc, argv, &options, &error);
    if (options.word_count > 0)
        verb = sc_verb_find(options.words[0]);
    if (status == SCRIM_OK) {
        if (options.word_count == 0)
            status = run_without_verb(&options, &error);
        else if (verb == NULL)
            status = sc_verb_unknown(options.words[0], &error);
        else
            status = sc_verb_perform(verb, &options, &error);
    }
    name = verb == NULL ? NULL : verb->name;
    if (status != SCRIM_OK)
        sc_complaint_print(name, &error, sc_advice(name, &options, &error));
    return (int)status / 10;
}

#include "cli/terminal/progress.h"

#include "cli/terminal/terminal.h"
#include "cli/terminal/text_width.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)
#define PERIOD_NS (SECOND_NS / 4)

static int64_t now_ns(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND_NS + time.tv_nsec;
}

void sc_progress_start(sc_progress *progress, uint64_t total, const char *unit,
                       bool wanted)
{
    progress->wanted = wanted && isatty(STDERR_FILENO) == 1;
    progress->shown = false;
    progress->total = total;
    progress->unit = unit;
    progress->started_ns = progress->wanted ? now_ns() : 0;
    progress->next_ns = progress->started_ns + SECOND_NS;
}

/* "950", "12.3 k", "4.56 M": three digits and a unit. */
static void format_amount(double amount, char text[16])
{
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    size_t unit = 0;
    for (; amount >= 999.5 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        amount /= 1000;
    snprintf(text, 16, "%.3g%s", amount, units[unit]);
}

/* In the place of the last one; a line that a terminal breaks could not be taken away again. */
static void show(const char *line)
{
    sc_terminal terminal;
    sc_terminal_look(STDERR_FILENO, &terminal);
    fprintf(stderr, "\r\033[K%.*s",
            (int)sc_fitting_bytes(line, strlen(line), terminal.columns), line);
}

void sc_progress_update(sc_progress *progress, uint64_t done)
{
    if (!progress->wanted || done == 0 || (progress->total > 0 && done > progress->total))
        return;
    int64_t now = now_ns();
    if (now < progress->next_ns)
        return;
    progress->next_ns = now + PERIOD_NS;
    progress->shown = true;

    double seconds = (double)(now - progress->started_ns) / (double)SECOND_NS;
    double rate = (double)done / seconds, left = (double)(progress->total - done) / rate;
    char line[160], have[16], want[16], speed[16];
    format_amount((double)done, have);
    format_amount((double)progress->total, want);
    format_amount(rate, speed);
    if (progress->total == 0)
        snprintf(line, sizeof line, "%s %s, %s/s", have, progress->unit, speed);
    else if (strcmp(progress->unit, "%") == 0)
        snprintf(line, sizeof line, "%.0f %%, %.0f s left",
                 100 * (double)done / (double)progress->total, left);
    else
        snprintf(line, sizeof line, "%s of %s %s, %s/s, %.0f s left", have, want,
                 progress->unit, speed, left);
    show(line);
}

void sc_progress_told(void *context, uint64_t done, uint64_t total)
{
    sc_progress *progress = context;
    progress->total = total;
    sc_progress_update(progress, done);
}

void sc_progress_end(sc_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

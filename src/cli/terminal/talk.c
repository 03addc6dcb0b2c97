#include "cli/terminal/talk.h"

#include "cli/terminal/line_fold.h"
#include "cli/terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TALK_BYTES 8192

/* How lines are broken; false where they stay as they are. */
static bool look(sc_line_fold *out)
{
    sc_terminal terminal;
    sc_terminal_look(STDERR_FILENO, &terminal);
    *out = (sc_line_fold){
        .columns = terminal.columns, .breaks_words = true, .has_colour = terminal.colour};
    return terminal.is_terminal;
}

static void put(void *context, const char *bytes, size_t count)
{
    (void)context;
    (void)fwrite(bytes, 1, count, stderr);
}

const char *sc_talk_colour(const char *colour)
{
    sc_line_fold fold;
    return look(&fold) && fold.has_colour ? colour : "";
}

void sc_talk(const char *format, ...)
{
    char text[TALK_BYTES];
    sc_line_fold fold;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (look(&fold))
        sc_lines_fold(&fold, text, strlen(text), put, NULL);
    else
        fputs(text, stderr);
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Each byte of `special` inside is escaped. */
static const char *quoted(const char *text, const char *special, char escape,
                          char out[SC_TALK_WORD_BYTES])
{
    size_t used = 0;
    out[used++] = '"';
    for (const char *at = text; *at != '\0' && used < SC_TALK_WORD_BYTES - 4; at++) {
        if (strchr(special, *at) != NULL)
            out[used++] = escape;
        out[used++] = *at;
    }
    out[used++] = '"';
    out[used] = '\0';
    return out;
}

const char *sc_talk_word(const char *word, char out[SC_TALK_WORD_BYTES])
{
    if (word[0] == '\0' || word[strspn(word, LETTERS "=,.:/@+-")] != '\0')
        return quoted(word, "\"\\$`", '\\', out);
    snprintf(out, SC_TALK_WORD_BYTES, "%s", word);
    return out;
}

const char *sc_talk_column(const char *column, char out[SC_TALK_WORD_BYTES])
{
    const bool is_plain = column[0] != '\0' && column[strspn(column, LETTERS)] == '\0' &&
                          strchr("0123456789", column[0]) == NULL;
    if (!is_plain)
        return quoted(column, "\"", '"', out);
    snprintf(out, SC_TALK_WORD_BYTES, "%s", column);
    return out;
}

/* Text that is made; what is beyond its room is thrown away, and counted. */
typedef struct made_text {
    char *text;
    size_t used, capacity;
} made_text;

static void append(void *context, const char *bytes, size_t count)
{
    made_text *made = context;
    if (made->used + count < made->capacity)
        memcpy(made->text + made->used, bytes, count);
    made->used += count;
}

void sc_talk_fold(char *text, size_t capacity)
{
    char buffer[TALK_BYTES];
    made_text made = {buffer, 0, capacity < TALK_BYTES ? capacity : TALK_BYTES};
    sc_line_fold fold;
    if (!look(&fold))
        return;
    sc_lines_fold(&fold, text, strlen(text), append, &made);
    if (made.used >= made.capacity)
        return;
    memcpy(text, buffer, made.used);
    text[made.used] = '\0';
}

/* The bytes of the first characters, or of all of them if there are fewer. */
static size_t bytes_of(const char *text, size_t bytes, size_t characters)
{
    size_t at = 0;
    while (at < bytes && (sc_is_continuation(text[at]) || characters-- > 0))
        at++;
    return at;
}

void sc_talk_caret(const char *text)
{
    sc_line_fold fold;
    size_t columns = look(&fold) ? fold.columns : (size_t)-1, bytes = strcspn(text, "\n");
    const char *carets = text + bytes + (text[bytes] != '\0');
    const size_t before = bytes_of(text, bytes, strspn(carets, " ")),
                 behind = bytes_of(text, bytes, strlen(carets));
    size_t from = 0, place = sc_bytes_width(text, before);
    if (sc_bytes_width(text, bytes) >= columns && place > columns / 2)
        from = sc_fitting_bytes(text, before, place - columns / 2);
    place = sc_bytes_width(text + from, before - from);
    size_t marked = sc_bytes_width(text + before, behind - before);
    marked = marked == 0 ? 1 : marked > columns - place ? columns - place : marked;
    fprintf(stderr, "%.*s\n%*s",
            (int)sc_fitting_bytes(text + from, bytes - from, columns), text + from,
            (int)place, "");
    for (size_t i = 0; i < marked; i++)
        fputc('^', stderr);
    fputc('\n', stderr);
}

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
    progress->wanted = wanted && isatty(STDERR_FILENO) == 1 && sc_terminal_moves();
    progress->shown = false;
    progress->total = total;
    progress->unit = unit;
    progress->started_ns = progress->wanted ? now_ns() : 0;
    progress->next_ns = progress->started_ns + SECOND_NS;
    progress->tell = NULL;
    progress->tell_context = NULL;
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
    if (progress->tell != NULL)
        progress->tell(progress->tell_context, done, progress->total);
    if (progress->tell != NULL || !progress->wanted || done == 0 ||
        (progress->total > 0 && done > progress->total))
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

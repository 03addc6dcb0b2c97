#include "check.h"

#include "runner.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static check_test *first_test, **last_link = &first_test;

/* The state of the test that this process runs. Messages go straight to the descriptor of
 * standard error: stdio would allocate, and an allocation may be the one that must
 * fail. */
static check_settings current = {.seed = 1, .slowness = 1};
static int notes_fd = -1;
static bool noted_checked, has_failed;

void check_register(check_test *test)
{
    *last_link = test;
    last_link = &test->next;
}

check_test *check_first(void)
{
    return first_test;
}

/* The pipe does not block: when it is full, the runner knows enough already. */
static void note(const char *text, size_t bytes)
{
    if (notes_fd >= 0 && write(notes_fd, text, bytes) < 0)
        return;
}

static void note_one(enum check_note kind)
{
    const char text = (char)kind;
    note(&text, 1);
}

static void (*prepare)(void);

void check_prepare(void (*run)(void))
{
    prepare = run;
}

void check_run(const check_test *test, const check_settings *settings, int notes)
{
    const pid_t process = getpid();
    current = *settings;
    notes_fd = notes;
    if (prepare != NULL)
        prepare();
    test->run();
    /* A child that a test forked and forgot to end must not speak for the test. */
    if (getpid() == process)
        note_one(NOTE_ENDED);
}

bool check_has_failed(void)
{
    return has_failed;
}

static void note_checked(void)
{
    if (!noted_checked) {
        noted_checked = true;
        note_one(NOTE_CHECKED);
    }
}

static void note_failed(const char *file, int line)
{
    note_checked();
    note_one(NOTE_FAILED);
    has_failed = true;
    dprintf(STDERR_FILENO, "%s:%d: ", file, line);
}

void check_saw(bool held, const char *text, const char *file, int line)
{
    note_checked();
    if (!held) {
        note_failed(file, line);
        dprintf(STDERR_FILENO, "%s does not hold\n", text);
    }
}

/* Decimal text of its own: the library's is under test. */
static const char *int_text(sc_int128 value, char text[static SC_INT128_BYTES])
{
    char *at = text + SC_INT128_BYTES - 1;
    sc_uint128 rest = value < 0 ? -(sc_uint128)value : (sc_uint128)value;
    *at = '\0';
    do {
        *--at = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    if (value < 0)
        *--at = '-';
    return at;
}

void check_saw_int(sc_int128 got, sc_int128 want, const char *text, const char *file,
                   int line)
{
    note_checked();
    if (got == want)
        return;
    char got_text[SC_INT128_BYTES], want_text[SC_INT128_BYTES];
    note_failed(file, line);
    dprintf(STDERR_FILENO, "%s is %s, not %s\n", text, int_text(got, got_text),
            int_text(want, want_text));
}

static void print_str(const char *text)
{
    if (text == NULL)
        dprintf(STDERR_FILENO, "NULL");
    else
        dprintf(STDERR_FILENO, "\"%s\"", text);
}

bool check_str(const char *got, const char *want, const char *text, const char *file,
               int line)
{
    note_checked();
    if (got == want || (got != NULL && want != NULL && strcmp(got, want) == 0))
        return true;
    note_failed(file, line);
    dprintf(STDERR_FILENO, "%s is ", text);
    print_str(got);
    dprintf(STDERR_FILENO, ", not ");
    print_str(want);
    dprintf(STDERR_FILENO, "\n");
    return false;
}

static void print_bytes(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dprintf(STDERR_FILENO, " %02x", (unsigned)bytes[i]);
}

bool check_bytes(const void *got, const void *want, size_t bytes, const char *text,
                 const char *file, int line)
{
    const unsigned char *a = got, *b = want;
    note_checked();
    size_t at = 0;
    while (at < bytes && a[at] == b[at])
        at++;
    if (at == bytes)
        return true;
    const size_t shown = bytes - at < 16 ? bytes - at : 16;
    note_failed(file, line);
    dprintf(STDERR_FILENO, "%s differs at byte %zu of %zu:", text, at, bytes);
    print_bytes(a + at, shown);
    dprintf(STDERR_FILENO, ", not");
    print_bytes(b + at, shown);
    dprintf(STDERR_FILENO, "\n");
    return false;
}

void check_saw_status(scrim_status got, scrim_status want, const char *text,
                      const char *file, int line)
{
    note_checked();
    if (got == want)
        return;
    note_failed(file, line);
    dprintf(STDERR_FILENO, "%s is %s (%d), not %s (%d)\n", text, scrim_status_name(got),
            (int)got, scrim_status_name(want), (int)want);
}

bool check_near(double got, double want, double relative, const char *text,
                const char *file, int line)
{
    note_checked();
    /* Written so that a NaN on either side fails; equality lets infinities agree. */
    if (got == want || fabs(got - want) <= relative * fabs(want))
        return true;
    note_failed(file, line);
    dprintf(STDERR_FILENO, "%s is %.17g, not %.17g within %g of it\n", text, got, want,
            relative);
    return false;
}

bool check_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    note_failed(file, line);
    va_start(arguments, format);
    vdprintf(STDERR_FILENO, format, arguments);
    va_end(arguments);
    dprintf(STDERR_FILENO, "\n");
    return false;
}

void check_claim(const char *identifier)
{
    /* Shown only when the test fails: the reader learns at once which promise is
     * broken. */
    dprintf(STDERR_FILENO, "defends %s\n", identifier);
}

void check_skip(const char *reason)
{
    char text[512];
    const int length = snprintf(text, sizeof text, "%c%s", NOTE_SKIPPED, reason);
    if (length < 0)
        return;
    const size_t end =
        (size_t)length < sizeof text - 1 ? (size_t)length : sizeof text - 1;
    text[end] = '\n';
    note(text, end + 1);
}

uint64_t check_count(uint64_t quick, uint64_t full)
{
    enum { MANY = 100, FEW = 10 };
    if (current.slowness == 1 || current.is_long || quick < MANY || quick >= full)
        return check_count_whole(quick, full);
    return quick / current.slowness < FEW ? FEW : quick / current.slowness;
}

uint64_t check_count_whole(uint64_t quick, uint64_t full)
{
    return current.is_long ? full : quick;
}

unsigned check_every(unsigned n)
{
    return current.slowness == 1 || current.is_long ? 1 : n;
}

bool check_is_long(void)
{
    return current.is_long;
}

uint64_t check_seed(void)
{
    return current.seed;
}

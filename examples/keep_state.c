/* A device that is asked every day and answers when it is its turn: one report a period, and never more than its lifetime
 * budget.
 *
 *     cc -o keep_state keep_state.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 *     ./keep_state device.state 20410 7      the file, the day, and the version that the device runs
 *
 * Asked again on the same day it sends the same bytes, whatever the value. The file has the device's secret: only the
 * device may read it, and no backup of it goes to another device.
 *
 * The clock was wrong. A report of a day in the future ends the question until that day, so a day that is more than AHEAD
 * days after the last one is refused. Where such a report was made all the same, or the device was off for longer, ask
 * on under another name, such as os.version.2. Do not forget the question: that ends all new ones until that day.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <scrim_local.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Each device reports on one of EVERY days, which its secret decides. */
enum { QUESTIONS = 4, REPORT_BYTES = 8, EVERY = 30, AHEAD = 400 };
#define STATE_BYTES SCRIM_LOCAL_STATE_BYTES(QUESTIONS, REPORT_BYTES)
/* Budgets are in parts of 2^32 of a nat: epsilon 20 for life, at most 2 for one report. */
#define NAT (UINT64_C(1) << 32)

static int load(const char *path, uint8_t *state, size_t bytes)
{
    const int file = open(path, O_RDONLY);
    const int is_whole = file >= 0 && read(file, state, bytes) == (ssize_t)bytes;
    if (file >= 0)
        close(file);
    return is_whole;
}

/* The name of a file is on the disk when its folder is. */
static int sync_folder(const char *path)
{
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", path);
    const int folder = open(dirname(copy), O_RDONLY);
    const int is_synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        close(folder);
    return is_synced;
}

/* Durable: a new file in the old one's place, written to the disk before it has the name; and then the name. */
static int store(const char *path, const uint8_t *state, size_t bytes)
{
    char next[1024];
    snprintf(next, sizeof next, "%s.next", path);
    const int file = open(next, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int is_stored = file >= 0 && write(file, state, bytes) == (ssize_t)bytes;
    is_stored = is_stored && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return is_stored && rename(next, path) == 0 && sync_folder(path);
}

/* Is the day one that the clock can show, by the last one of the question? */
static int is_likely(const uint8_t *state, const char *question, uint64_t day)
{
    uint64_t spent, last;
    return scrim_local_state_question(state, STATE_BYTES, question, &spent, &last) !=
               SCRIM_LOCAL_OK ||
           day <= last + AHEAD;
}

/* Why there is no report, for the log of the device. */
static int stay_silent(scrim_local_status status)
{
    fprintf(stderr, "no report: %s\n", scrim_local_status_name(status));
    return (int)status;
}

/* A number of digits alone, which fits. */
static int read_number(const char *word, uint64_t *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtoull(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0;
}

int main(int count, char **words)
{
    /* Public, and the same for all devices. */
    static const char text[] = "scrim-local/1 question=os.version "
                               "protocol=randomised-response values=12 a=20 b=3\n";
    static uint8_t state[STATE_BYTES], stored[STATE_BYTES];
    uint8_t message[SCRIM_LOCAL_HEADER_BYTES + REPORT_BYTES];
    scrim_local_config config;
    scrim_local_account account;
    const size_t bytes = STATE_BYTES;
    uint64_t day = 0, version = 0;
    if (count != 4 || !read_number(words[2], &day) || !read_number(words[3], &version) ||
        scrim_local_config_parse(text, &config) != SCRIM_LOCAL_OK) {
        fprintf(stderr, "usage: keep_state FILE DAY VERSION\n");
        return 2;
    }
    /* Once in the life of the device. A state that is there but cannot be read is never made anew. */
    if (access(words[1], F_OK) != 0 &&
        (scrim_local_state_init(state, bytes, QUESTIONS, REPORT_BYTES, 20 * NAT, 2 * NAT,
                                &scrim_local_system) != SCRIM_LOCAL_OK ||
         !store(words[1], state, bytes)))
        return 1;
    if (!load(words[1], state, bytes))
        return 1;
    int is_turn = 0;
    scrim_local_status status =
        scrim_local_state_turn(state, bytes, day, EVERY, &is_turn);
    if (status == SCRIM_LOCAL_OK && !is_turn) {
        printf("another day is this device's turn\n");
        return 0;
    }
    if (status == SCRIM_LOCAL_OK && !is_likely(state, config.question, day))
        status = SCRIM_LOCAL_E_PERIOD;
    if (status == SCRIM_LOCAL_OK)
        status = scrim_local_state_prepare(state, bytes, &config, day, version);
    if (status != SCRIM_LOCAL_OK) /* an earlier day, or the budget is spent */
        return stay_silent(status);
    /* Stored before it is sent, and sent from what is stored. */
    if (!store(words[1], state, bytes) || !load(words[1], stored, bytes))
        return 1;
    status = scrim_local_state_send(stored, bytes, &config, day, message);
    if (status != SCRIM_LOCAL_OK)
        return (int)status;
    for (size_t i = 0; i < SCRIM_LOCAL_HEADER_BYTES + scrim_local_report_bytes(&config);
         i++)
        printf("%02x", message[i]);
    printf("\n");
    if (scrim_local_state_read(stored, bytes, &account) == SCRIM_LOCAL_OK)
        printf("spent %.3f of %.0f\n", (double)account.spent / (double)NAT,
               (double)account.cap / (double)NAT);
    return 0;
}

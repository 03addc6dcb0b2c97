/* A device that is asked every day: one report a period, and never more than its lifetime budget.
 *
 *     cc -o keep_state keep_state.c $(pkg-config --cflags --libs scrim)
 *     ./keep_state device.state 20410 7      the file, the day, and the version that the device runs
 *
 * Asked again on the same day it sends the same bytes, whatever the value. The file has the device's secret: only the
 * device may read it, and no backup of it goes to another device.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <scrim_local.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { QUESTIONS = 4, REPORT_BYTES = 8 };
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

/* Durable: a new file in the old one's place, written to the disk before it has the name. */
static int store(const char *path, const uint8_t *state, size_t bytes)
{
    char next[1024];
    snprintf(next, sizeof next, "%s.next", path);
    const int file = open(next, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int is_stored = file >= 0 && write(file, state, bytes) == (ssize_t)bytes;
    is_stored = is_stored && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return is_stored && rename(next, path) == 0;
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
    scrim_local_status status =
        scrim_local_state_prepare(state, bytes, &config, day, version);
    if (status !=
        SCRIM_LOCAL_OK) { /* an earlier day, or the budget is spent: stay silent */
        fprintf(stderr, "no report: %s\n", scrim_local_status_name(status));
        return (int)status;
    }
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

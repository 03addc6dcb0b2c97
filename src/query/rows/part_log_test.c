#include "check.h"
#include "query/rows/part_log.h"

#include <string.h>

#define RECORDS 20000
#define LONG_BYTES 20000

typedef struct reading {
    uint32_t part, next; /* the next number that belongs to the part */
    size_t right, wrong;
} reading;

/* Record i: its number and its length, then that many equal bytes. */
static size_t bytes_of(uint32_t i)
{
    return i % 1000 == 7 ? LONG_BYTES : i % 90;
}

static uint32_t part_of(uint32_t i)
{
    return i % 5 == 0 ? 255 : i % 3;
}

static scrim_status take(void *context, const unsigned char *bytes, size_t count,
                         scrim_error *error)
{
    reading *r = context;
    (void)error;
    for (size_t at = 0; at < count;) {
        uint32_t head[2];
        memcpy(head, bytes + at, sizeof head);
        while (r->next < RECORDS && part_of(r->next) != r->part)
            r->next++;
        bool is_right = head[0] == r->next && head[1] == bytes_of(head[0]);
        for (size_t i = 0; is_right && i < head[1]; i++)
            is_right = bytes[at + sizeof head + i] == (unsigned char)head[0];
        r->right += is_right;
        r->wrong += !is_right;
        if (!is_right)
            break;
        r->next++;
        at += sizeof head + head[1];
    }
    return SCRIM_OK;
}

TEST(part_log_gives_back_what_was_put)
{
    CLAIM("part-log.same");
    static unsigned char body[LONG_BYTES];
    sc_part_log log;
    sc_cipher *cipher = NULL;
    scrim_error error;
    size_t right = 0;
    sc_sealed_file *file = NULL;
    REQUIRE_OK(sc_sealed_file_open(0, &file, &error));
    REQUIRE_OK(sc_part_log_init(&log, file, &error));
    for (uint32_t i = 0; i < RECORDS; i++) {
        const uint32_t head[2] = {i, (uint32_t)bytes_of(i)};
        memset(body, (int)(i & 0xff), head[1]);
        REQUIRE_OK(
            sc_part_log_put(&log, part_of(i), head, sizeof head, body, head[1], &error));
    }
    CHECK(log.most_bytes > 0);
    for (uint32_t part = 0; part < SC_PART_LOG_PARTS; part++) {
        reading r = {.part = part};
        REQUIRE_OK(sc_part_log_read(&log, part, &cipher, take, &r, &error));
        CHECK_INT((long)r.wrong, 0);
        right += r.right;
    }
    CHECK_INT((long)right, RECORDS);
    sc_cipher_close(cipher);
    sc_part_log_clear(&log);
    sc_sealed_file_close(file);
}

#include "check.h"
#include "faults.h"
#include "query/rows/sealed_file.h"
#include "query/rows/unit_spill.h"
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROWS 4000
#define VALUE_BYTES 3

static void name_unit(size_t i, char name[64])
{
    memset(name, 0, 64);
    snprintf(name, 64, i % 11 == 0 ? "canary of unit %zu, which is longer" : "canary%zu",
             i);
}

/* Row i, of which there is one, in one of three parts. */
static bool add_row(sc_unit_rows *rows, size_t i)
{
    char name[64];
    unsigned char values[VALUE_BYTES + SC_UNIT_PADDING];
    name_unit(i, name);
    memset(values, (int)(i % 251), sizeof values);
    return sc_unit_rows_add(rows, (uint64_t)(i % 3) << 56, sc_text_of(name), (uint32_t)i,
                            1 + i % 5, values);
}

/* How many rows of a part are as they were, each counted once. */
static size_t count_rows(const sc_unit_rows *rows, size_t part, bool is_seen[ROWS])
{
    sc_unit_walk walk = sc_unit_walk_begin(rows, SC_UNIT_OF_WORD, part);
    sc_unit_entry entry;
    size_t right = 0;
    while (sc_unit_walk_next(&walk, &entry)) {
        const size_t i = entry.group;
        char name[64];
        if (i >= ROWS || is_seen[i] || i % 3 != part || entry.copies != 1 + i % 5)
            continue;
        is_seen[i] = true;
        name_unit(i, name);
        right += sc_text_is(entry.unit, name) && entry.values[0] == i % 251 &&
                 entry.values[VALUE_BYTES - 1] == i % 251;
    }
    return right;
}

/* A store in a file of its own. */
static scrim_status open_spill(sc_sealed_file **file, sc_unit_spill **spill,
                               scrim_error *error)
{
    const scrim_status status = sc_sealed_file_open(0, file, error);
    return status == SCRIM_OK ? sc_unit_spill_open(*file, spill, error) : status;
}

static void close_spill(sc_sealed_file *file, sc_unit_spill *spill)
{
    sc_unit_spill_close(spill);
    sc_sealed_file_close(file);
}

TEST(unit_spill_gives_back_what_was_put)
{
    CLAIM("unit-spill.same");
    static sc_unit_rows rows;
    static bool is_seen[ROWS];
    sc_sealed_file *file = NULL;
    sc_unit_spill *spill = NULL;
    sc_cipher *cipher = NULL;
    scrim_error error;
    size_t right = 0, entries = 0;
    sc_unit_rows_init(&rows, VALUE_BYTES, 2);
    REQUIRE_OK(open_spill(&file, &spill, &error));
    REQUIRE_OK(sc_cipher_open(&cipher, &error));
    /* Several times, and some rows that stay. */
    for (size_t i = 0; i < ROWS; i++) {
        REQUIRE(add_row(&rows, i));
        if (i % 1000 == 700) {
            REQUIRE_OK(sc_unit_spill_put(spill, &rows, &error));
            CHECK_INT(rows.held_bytes, 0);
        }
    }
    for (size_t part = 0; part < SC_UNIT_PARTS; part++) {
        REQUIRE_OK(sc_unit_spill_load(spill, cipher, part, &rows, &error));
        entries += sc_unit_rows_entries(&rows, part);
        right += count_rows(&rows, part, is_seen);
    }
    CHECK_INT(entries, ROWS);
    CHECK_INT(right, ROWS);
    sc_unit_rows_clear(&rows);
    sc_cipher_close(cipher);
    close_spill(file, spill);
    sc_unit_spill_close(NULL);
}

static int open_without_tmpfile(const char *path, int flags, ...)
{
    (void)path, (void)flags;
    errno = EOPNOTSUPP;
    return -1;
}

/* Everything that is in the open file. */
static char *read_file(int descriptor, size_t *bytes)
{
    struct stat now;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    const int again = open(path, O_RDONLY);
    char *all = NULL;
    if (again >= 0 && fstat(again, &now) == 0) {
        all = malloc((size_t)now.st_size + 1);
        *bytes = (size_t)now.st_size;
        if (all != NULL && read(again, all, *bytes) != (ssize_t)*bytes)
            *bytes = 0;
    }
    if (again >= 0)
        close(again);
    return all;
}

static void check_sealed(const sc_sealed_file *from, sc_unit_spill *spill)
{
    static const char canary[] = "canary";
    static sc_unit_rows rows;
    struct stat file;
    scrim_error error;
    size_t bytes = 0, odd = 0;
    REQUIRE_OK(fstat(sc_sealed_file_descriptor(from), &file) == 0 ? SCRIM_OK
                                                                  : SCRIM_E_INTERNAL);
    CHECK_INT(file.st_nlink, 0);
    CHECK_INT(file.st_mode & 0777, 0600);
    sc_unit_rows_init(&rows, VALUE_BYTES, 2);
    for (size_t i = 0; i < ROWS; i++)
        REQUIRE(add_row(&rows, i));
    REQUIRE_OK(sc_unit_spill_put(spill, &rows, &error));
    char *all = read_file(sc_sealed_file_descriptor(from), &bytes);
    if (CHECK(all != NULL && bytes > (size_t)ROWS * 15)) {
        CHECK(memmem(all, bytes, canary, strlen(canary)) == NULL);
        /* Names are ASCII and most numbers small: as they are, few bytes had the top bit. */
        for (size_t i = 0; i < bytes; i++)
            odd += (unsigned char)all[i] >> 7;
        CHECK(odd > bytes / 2 - bytes / 20 && odd < bytes / 2 + bytes / 20);
    }
    free(all);
    sc_unit_rows_clear(&rows);
}

TEST(a57_unit_spill_is_sealed_and_has_no_name)
{
    CLAIM("unit-spill.sealed");
    sc_sealed_file *file = NULL;
    sc_unit_spill *spill = NULL;
    scrim_error error;
    REQUIRE_OK(open_spill(&file, &spill, &error));
    check_sealed(file, spill);
    close_spill(file, spill);
    system_call.open = open_without_tmpfile;
    const scrim_status status = open_spill(&file, &spill, &error);
    system_call.open = NULL;
    REQUIRE_OK(status);
    check_sealed(file, spill);
    close_spill(file, spill);
}

static size_t count_same(const char *a, const char *b, size_t bytes)
{
    size_t same = 0;
    for (size_t i = 0; i < bytes; i++)
        same += a[i] == b[i];
    return same;
}

/* The same rows twice in a file, and in another file, look like nothing in common. */
TEST(a57_unit_spill_uses_no_keystream_twice)
{
    static sc_unit_rows rows;
    char *all[2] = {NULL, NULL};
    size_t bytes[2] = {0, 0};
    scrim_error error;
    for (int i = 0; i < 2; i++) {
        sc_sealed_file *file = NULL;
        sc_unit_spill *spill = NULL;
        REQUIRE_OK(open_spill(&file, &spill, &error));
        for (int turn = 0; turn < 2; turn++) {
            sc_unit_rows_init(&rows, VALUE_BYTES, 2);
            for (size_t row = 0; row < ROWS; row++)
                REQUIRE(add_row(&rows, row));
            REQUIRE_OK(sc_unit_spill_put(spill, &rows, &error));
            sc_unit_rows_clear(&rows);
        }
        all[i] = read_file(sc_sealed_file_descriptor(file), &bytes[i]);
        close_spill(file, spill);
    }
    if (CHECK(all[0] != NULL && all[1] != NULL && bytes[0] > 0 && bytes[0] == bytes[1])) {
        CHECK(count_same(all[0], all[1], bytes[0]) < bytes[0] / 50);
        /* Bytes that are not written between the two halves make less than a block. */
        const size_t half = (bytes[0] / 2 + 15) / 16 * 16;
        CHECK(count_same(all[0], all[0] + half, bytes[0] - half) < half / 50);
    }
    free(all[0]);
    free(all[1]);
}

/* Fails. */

static int writes_left, failing_errno;

static ssize_t failing_pwrite(int descriptor, const void *bytes, size_t count,
                              off_t offset)
{
    if (writes_left-- > 0) /* and never all at once */
        return system_real.pwrite(descriptor, bytes, count > 100 ? count / 2 : count,
                                  offset);
    errno = failing_errno;
    return failing_errno == 0 ? 0 : -1;
}

static ssize_t failing_pread(int descriptor, void *bytes, size_t count, off_t offset)
{
    if (writes_left-- > 0)
        return system_real.pread(descriptor, bytes, count > 100 ? count / 2 : count,
                                 offset);
    errno = EIO;
    return -1;
}

static scrim_status put_and_load(scrim_error *error)
{
    static sc_unit_rows rows;
    sc_sealed_file *file = NULL;
    sc_unit_spill *spill = NULL;
    sc_cipher *cipher = NULL;
    sc_unit_rows_init(&rows, VALUE_BYTES, 2);
    scrim_status status = open_spill(&file, &spill, error);
    if (status == SCRIM_OK)
        status = sc_cipher_open(&cipher, error);
    for (size_t i = 0; status == SCRIM_OK && i < 200; i++)
        if (!add_row(&rows, i))
            status = SCRIM_E_MEMORY;
    if (status == SCRIM_OK)
        status = sc_unit_spill_put(spill, &rows, error);
    for (size_t part = 0; status == SCRIM_OK && part < 3; part++)
        status = sc_unit_spill_load(spill, cipher, part, &rows, error);
    sc_unit_rows_clear(&rows);
    sc_cipher_close(cipher);
    close_spill(file, spill);
    return status;
}

TEST(a57_unit_spill_says_the_same_whatever_write_fails)
{
    static const int numbers[] = {ENOSPC, EIO, EDQUOT, 0};
    scrim_error first = {.status = SCRIM_OK};
    for (size_t i = 0; i < COUNT(numbers); i++)
        for (int writes = 0;; writes++) {
            scrim_error error = {.status = SCRIM_OK};
            writes_left = writes;
            failing_errno = numbers[i];
            system_call.pwrite = failing_pwrite;
            const scrim_status status = put_and_load(&error);
            system_call.pwrite = NULL;
            if (status == SCRIM_OK) {
                CHECK(writes > 5);
                break;
            }
            CHECK_STATUS(status, SCRIM_E_MEMORY);
            if (i == 0 && writes == 0)
                first = error;
            CHECK(strcmp(error.message, first.message) == 0 && strlen(error.message) > 0);
        }
}

TEST(unit_spill_fails_when_it_cannot_be_read)
{
    for (int reads = 0;; reads++) {
        scrim_error error;
        writes_left = reads;
        system_call.pread = failing_pread;
        const scrim_status status = put_and_load(&error);
        system_call.pread = NULL;
        if (status == SCRIM_OK) {
            CHECK(reads > 3);
            break;
        }
        CHECK_STATUS(status, SCRIM_E_MEMORY);
    }
}

TEST(unit_spill_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        scrim_error error;
        const scrim_status status = put_and_load(&error);
        /* libcrypto does not say why it failed. */
        CHECK(fault_hit() ? status == SCRIM_E_MEMORY || status == SCRIM_E_ENTROPY
                          : status == SCRIM_OK);
    }
}

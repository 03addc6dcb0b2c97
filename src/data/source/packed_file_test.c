#include "check.h"
#include "data/source/csv.h"
#include "data/source/packed_file.h"
#include "data/table/table.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Packs bytes as one member behind those that are there; returns how many there are then. */
static size_t pack(const char *bytes, size_t count, unsigned char *out, size_t used,
                   size_t room)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes,
                       .avail_in = (unsigned)count,
                       .next_out = out + used,
                       .avail_out = (unsigned)(room - used)};
    CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static int file_of(const void *bytes, size_t count)
{
    char path[] = "/tmp/packed_file.XXXXXX";
    const int descriptor = mkstemp(path);
    if (!CHECK(descriptor >= 0))
        return -1;
    unlink(path);
    CHECK(write(descriptor, bytes, count) == (ssize_t)count);
    return descriptor;
}

static scrim_status read_memory(void *context, uint64_t offset, void *to, size_t bytes,
                                scrim_error *error)
{
    (void)error;
    memcpy(to, (const char *)context + offset, bytes);
    return SCRIM_OK;
}

static const sc_source_key test_key = {{{1, 2}, {3, 4}}};

/* The digest of these bytes, by the reader of whole files. */
static sc_source_content digest_of(void *bytes, size_t count)
{
    sc_content_file *file = NULL;
    sc_source_content content = {{0, 0}};
    if (CHECK_STATUS(sc_content_file_new(&test_key, &file, NULL), SCRIM_OK))
        CHECK_STATUS(
            sc_content_file_read(file, count, read_memory, bytes, &content, NULL),
            SCRIM_OK);
    sc_content_file_free(file);
    return content;
}

static uint64_t word(sc_tape *tape)
{
    uint64_t w = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
    return w;
}

/* Reads all, in requests of random sizes; returns the status. */
static scrim_status read_whole(sc_packed_file *file, sc_tape *tape, char *out,
                               size_t room, size_t *count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    size_t got = 1;
    *count = 0;
    while (status == SCRIM_OK && *count < room) {
        size_t wanted = 1 + (size_t)(word(tape) % 70000);
        wanted = wanted < room - *count ? wanted : room - *count;
        got = 0;
        status = sc_packed_file_read(file, out + *count, wanted, &got, error);
        *count += got;
        if (got < wanted)
            break;
    }
    return status;
}

enum { MOST = 600000, ROOM = MOST + 10000 };
static char plain[MOST], read_back[ROOM];
static unsigned char packed[ROOM];

/* Rows that pack well, and bytes that do not. */
static size_t fill_plain(sc_tape *tape, bool is_random)
{
    size_t used = 0;
    for (size_t i = 0; used + 40 < MOST; i++)
        if (is_random) {
            const uint64_t w = word(tape);
            memcpy(plain + used, &w, sizeof w);
            used += sizeof w;
        } else {
            used +=
                (size_t)sprintf(plain + used, "%zu,city %d\n", i, (int)(word(tape) % 9));
        }
    return used;
}

TEST(packed_file_reads_what_was_packed)
{
    CLAIM("packed_file.exact");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (int way = 0; way < 6; way++) {
        const size_t bytes = way < 2 ? (size_t)way : fill_plain(tape, way % 2 == 0);
        size_t used = 0, count = 0;
        /* One member, or several. */
        for (size_t from = 0, part; from < bytes || used == 0; from += part) {
            part = way < 4 ? bytes : 1 + (size_t)(word(tape) % MOST);
            part = part < bytes - from ? part : bytes - from;
            used = pack(plain + from, part, packed, used, ROOM);
        }
        CHECK(sc_packed_file_begins(packed, used));
        const int descriptor = file_of(packed, used);
        sc_packed_file *file = NULL;
        if (!CHECK_STATUS(sc_packed_file_new(descriptor, used, &test_key, &file, NULL),
                          SCRIM_OK))
            continue;
        CHECK_STATUS(read_whole(file, tape, read_back, ROOM, &count, NULL), SCRIM_OK);
        CHECK(count == bytes && memcmp(plain, read_back, bytes) == 0);
        CHECK_INT(sc_packed_file_done(file), used);
        const sc_source_content want = digest_of(packed, used),
                                found = sc_packed_file_content(file);
        CHECK(memcmp(&want, &found, sizeof want) == 0);
        sc_packed_file_free(file);
        close(descriptor);
    }
    sc_tape_free(tape);
}

/* Cut anywhere, changed anywhere, and with something behind it: refused, or what was packed. */
TEST(packed_file_refuses_damage)
{
    CLAIM("packed_file.exact");
    static const char text[] = "id,age\n1,30\n2,40\n1,30\n2,40\n1,30\n2,40\n";
    const size_t used = pack(text, sizeof text - 1, packed, 0, ROOM);
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    size_t refused = 0;
    for (size_t i = 0; i < 2 * used + 3; i++) {
        unsigned char bytes[200];
        size_t count = used, got = 0;
        memcpy(bytes, packed, used);
        if (i < used)
            count = i;
        else if (i < 2 * used)
            bytes[i - used] ^= 0x41;
        else
            bytes[count++] = (unsigned char)("\0x\x1f"[i - 2 * used]);
        const int descriptor = file_of(bytes, count);
        sc_packed_file *file = NULL;
        scrim_error error;
        if (!CHECK_STATUS(sc_packed_file_new(descriptor, count, NULL, &file, NULL),
                          SCRIM_OK))
            continue;
        const scrim_status status = read_whole(file, tape, read_back, ROOM, &got, &error);
        if (status == SCRIM_OK && i > 0) /* a time, or which system has packed it */
            CHECK(i >= used + 4 && i < used + 10 && got == sizeof text - 1 &&
                  memcmp(read_back, text, got) == 0);
        if (status != SCRIM_OK) {
            refused++;
            CHECK_STATUS(status, SCRIM_E_INPUT);
            CHECK_STR(error.message, "the source is a gzip file that is cut or damaged; "
                                     "copy or pack it again");
        }
        sc_packed_file_free(file);
        close(descriptor);
    }
    CHECK(refused + 7 >= 2 * used + 3);
    sc_tape_free(tape);
}

static const sc_schema *schema_of(const char *policy)
{
    const sc_schema *schema = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error),
                      SCRIM_OK))
        CHECK_STR(error.message, "");
    return schema;
}

/* Some 100 MB of nothing in 100 kB. */
FAULT_TEST(packed_file_stops_at_its_declared_size)
{
    CLAIM("packed_file.bounded");
    const sc_schema *schema = schema_of("unit=row\nmax-size=1MiB");
    REQUIRE(schema != NULL);
    memset(plain, 0, MOST);
    size_t used = 0;
    for (int i = 0; i < 100; i++)
        used = pack(plain, MOST, packed, used, ROOM);
    for (int is_version = 0; is_version < 2; is_version++) {
        const int descriptor = file_of(packed, used);
        sc_packed_file *file = NULL;
        scrim_status status = sc_packed_file_new(descriptor, used, NULL, &file, NULL);
        if (!CHECK_STATUS(status, SCRIM_OK))
            continue;
        scrim_error error = {.message = ""};
        size_t got = 0, all = 0;
        sc_packed_file_expect(file, schema, is_version == 1);
        while (status == SCRIM_OK) {
            got = 0;
            status = sc_packed_file_read(file, read_back, 100000, &got, &error);
            all += got;
        }
        CHECK(all <= 1 << 20 && all + 100000 > 1 << 20);
        CHECK_STATUS(status, is_version == 1 ? SCRIM_E_INPUT : SCRIM_E_LIMIT);
        CHECK_INT(error.reason,
                  is_version == 1 ? SCRIM_REASON_CHANGED : SCRIM_REASON_RANGE);
        sc_packed_file_free(file);
        close(descriptor);
    }
    sc_schema_free(schema);
}

/* The rows are those of the file that was packed, for any number of workers, and with records that are longer than a
 * piece and longer than any record may be. */
FAULT_TEST(packed_file_has_the_rows_of_its_csv_file)
{
    CLAIM("csv.any-workers");
    static const char policy[] = "unit=id\ncolumn=x=text";
    const size_t most = (size_t)3 << 20;
    char *bytes = malloc(most);
    unsigned char *small = malloc(most);
    REQUIRE(bytes != NULL && small != NULL);
    size_t used = (size_t)sprintf(bytes, "id,x\n");
    for (size_t i = 0; used + 1500000 < most; i++) {
        used += (size_t)sprintf(bytes + used, "%zu,\"row \"\"%zu\"\n", i, i % 7);
        const size_t longer = i == 500 ? 200000 : i == 900 ? 1100000 : 0;
        if (longer > 0) {
            memset(bytes + used, 'x', longer);
            used += longer;
            bytes[used++] = '\n';
        }
    }
    const size_t packed_bytes = pack(bytes, used, small, 0, most);
    for (unsigned workers = 1; workers < 8; workers += 3) {
        table_rows want, found;
        table_rows_of_csv(&want, policy, bytes, used, workers);
        table_rows_of_csv(&found, policy, (const char *)small, packed_bytes, workers);
        CHECK_STATUS(found.status, SCRIM_OK);
        CHECK(want.count > 1000 && table_rows_equal(&want, &found));
        table_rows_clear(&want);
        table_rows_clear(&found);
    }
    free(bytes);
    free(small);
}

/* Takes every row. */
static scrim_status nothing(void *context, const sc_batch *batch, scrim_error *error)
{
    (void)context;
    (void)batch;
    (void)error;
    return SCRIM_OK;
}

/* Reads a packed file with a version whole. */
static scrim_status scan_file(const sc_schema *schema, scrim_error *error)
{
    const size_t columns[] = {0};
    const sc_batch_request request = {.schema = schema,
                                      .columns = columns,
                                      .column_count = 1,
                                      .content_key = &test_key};
    sc_table *table = NULL;
    void *context = NULL;
    scrim_status status = sc_table_open(&request, &table, error);
    if (status == SCRIM_OK)
        status = sc_table_scan(table, 1, nothing, &context, error);
    sc_table_close(table);
    return status;
}

/* Writes the file; its schema is the caller's, who removes both. */
static const sc_schema *write_file(char path[], const void *bytes, size_t count)
{
    char policy[200];
    const int descriptor = mkstemp(path);
    if (!CHECK(descriptor >= 0))
        return NULL;
    CHECK(write(descriptor, bytes, count) == (ssize_t)count);
    close(descriptor);
    snprintf(policy, sizeof policy, "unit=id\ncolumn=age=int[0,120]\ncsv=%s", path);
    return schema_of(policy);
}

static scrim_status scan(const void *bytes, size_t count, scrim_error *error)
{
    char path[] = "/tmp/packed_scan.XXXXXX";
    const sc_schema *schema = write_file(path, bytes, count);
    const scrim_status status =
        schema == NULL ? SCRIM_E_INTERNAL : scan_file(schema, error);
    sc_schema_free(schema);
    unlink(path);
    return status;
}

/* A version was whole when it was declared: if its file is not, somebody has changed it. */
TEST(packed_file_with_a_version_is_changed_where_it_is_damaged)
{
    CLAIM("packed_file.exact");
    static const char text[] = "id,age\n1,30\n2,40\n";
    const size_t used = pack(text, sizeof text - 1, packed, 0, ROOM);
    scrim_error error = {.message = ""};
    CHECK_STATUS(scan(packed, used, &error), SCRIM_OK);
    /* Behind a header that can be read; the rows are in a member of their own. */
    const size_t both = pack(text, sizeof text - 1, packed, used, ROOM);
    CHECK_STATUS(scan(packed, both, &error), SCRIM_OK);
    memset(read_back, 'x', ROOM);
    memcpy(read_back, "id,age\n", 7);
    const size_t large = pack(read_back, 400000, packed, 0, ROOM);
    for (size_t i = 0; i < 2; i++) {
        if (i == 0)
            packed[large - 5] ^= 1; /* of its checksum */
        CHECK_STATUS(scan(packed, large - i, &error), SCRIM_E_INPUT);
        CHECK_INT(error.reason, SCRIM_REASON_CHANGED);
    }
}

TEST(packed_file_survives_without_memory)
{
    static const char text[] = "id,age\n1,30\n2,40\n";
    const size_t used = pack(text, sizeof text - 1, packed, 0, ROOM);
    char path[] = "/tmp/packed_scan.XXXXXX";
    const sc_schema *schema = write_file(path, packed, used);
    REQUIRE(schema != NULL);
    FAULT_LOOP(fault)
    {
        const scrim_status status = scan_file(schema, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
    }
    sc_schema_free(schema);
    unlink(path);
}

#include "check.h"
#include "data/source/source_content.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(source_stamp_has_one_spelling)
{
    CLAIM("source_stamp.exact");
    static const sc_source_stamp stamps[] = {
        {.is_file = true, .bytes = 0, .modified_ns = 0},
        {.is_file = true, .bytes = 3755, .modified_ns = 1763193600000000001},
        {.is_file = true, .bytes = UINT64_MAX, .modified_ns = INT64_MAX},
        {.is_file = true, .bytes = 7, .modified_ns = INT64_MIN},
        {.is_file = true, .bytes = 1, .modified_ns = -1500000000},
    };
    static const char *const wrong[] = {
        "",
        "bytes=1",
        "bytes=1,modified=1",
        "bytes=1,modified=1.0",
        "bytes=01,modified=1.000000000",
        "bytes=1,modified=-0.000000000",
        "bytes=1,modified=1.000000000 ",
        "bytes=-1,modified=1.000000000",
        "bytes=18446744073709551616,modified=1.000000000",
        "bytes=1,modified=9223372036.854775808",
        "modified=1.000000000,bytes=1",
    };
    char text[SC_SOURCE_STAMP_BYTES];
    sc_source_stamp got = {.is_file = true, .bytes = 7, .modified_ns = 7};
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        sc_source_stamp_format(&stamps[i], text);
        CHECK(sc_source_stamp_parse(sc_text_of(text), &got));
        CHECK(sc_source_stamp_equal(&got, &stamps[i]));
    }
    CHECK_STR(text, "bytes=1,modified=-1.500000000");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (sc_source_stamp_parse(sc_text_of(wrong[i]), &got))
            CHECK_FAIL("'%s' is taken for a stamp", wrong[i]);
}

TEST(source_stamp_differs_by_size_or_time)
{
    CLAIM("source_stamp.exact");
    const sc_source_stamp stamp = {.is_file = true, .bytes = 10, .modified_ns = 20},
                          others[] = {{.is_file = true, .bytes = 11, .modified_ns = 20},
                                      {.is_file = true, .bytes = 10, .modified_ns = 21},
                                      {.is_file = false, .bytes = 10, .modified_ns = 20}};
    CHECK(sc_source_stamp_equal(&stamp, &stamp));
    for (size_t i = 0; i < 3; i++)
        CHECK(!sc_source_stamp_equal(&stamp, &others[i]));
}

TEST(source_stamp_looks_at_a_file)
{
    CLAIM("source_stamp.exact");
    char path[] = "/tmp/scrim-stamp-XXXXXX", pipe[64];
    const struct timespec times[2] = {{5, 6}, {1700000000, 123456789}};
    sc_source_stamp stamp = {.is_file = false, .bytes = 0, .modified_ns = 0};
    scrim_error error = {.message = ""};
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    CHECK(write(file, "a,b\n1,2\n", 8) == 8 && futimens(file, times) == 0);
    close(file);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &stamp, &error), SCRIM_OK);
    CHECK(sc_source_stamp_equal(
        &stamp, &(sc_source_stamp){
                    .is_file = true, .bytes = 8, .modified_ns = 1700000000123456789}));
    unlink(path);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &stamp, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "No such file") != NULL);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of("/tmp"), &stamp, &error), SCRIM_E_INPUT);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(""), &stamp, &error), SCRIM_E_INPUT);
    snprintf(pipe, sizeof pipe, "%s.pipe", path);
    REQUIRE(mkfifo(pipe, 0600) == 0);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(pipe), &stamp, &error), SCRIM_E_INPUT);
    unlink(pipe);
}

/* Size and modification time are put back after each of them, as cp -p and rsync -t do. */
TEST(A107_a_touched_file_is_not_the_same)
{
    CLAIM("source_stamp.touch");
    const struct timespec times[2] = {{5, 6}, {1700000000, 123456789}};
    char path[] = "/tmp/scrim-stamp-XXXXXX", other[64];
    sc_source_stamp before, after;
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    CHECK(write(file, "a,b\n1,2\n", 8) == 8);
    for (int way = 0; way < 5; way++) {
        CHECK(futimens(file, times) == 0);
        CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &before, NULL), SCRIM_OK);
        usleep(20000); /* the clock of files ticks more slowly than others */
        if (way == 1) {
            CHECK(pwrite(file, "3", 1, 4) == 1);
        } else if (way == 2) {
            CHECK(ftruncate(file, 0) == 0 && pwrite(file, "a,b\n1,3\n", 8, 0) == 8);
        } else if (way == 3) {
            CHECK(fchmod(file, 0400) == 0);
        } else if (way == 4) {
            snprintf(other, sizeof other, "%s.new", path);
            const int made = open(other, O_CREAT | O_WRONLY, 0600);
            CHECK(made >= 0 && write(made, "a,b\n1,3\n", 8) == 8 &&
                  futimens(made, times) == 0 && rename(other, path) == 0);
            close(made);
        }
        if (way != 0)
            CHECK(futimens(file, times) == 0);
        CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &after, NULL), SCRIM_OK);
        CHECK(sc_source_stamp_equal(&before, &after));
        CHECK(sc_source_stamp_same(&before, &after) == (way == 0));
    }
    close(file);
    unlink(path);
}

static const sc_source_key key = {{{1, 2}, {3, 4}}};

static bool is_equal(const sc_source_content *a, const sc_source_content *b)
{
    return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

/* The digest of texts as blocks, which come in an order and each in two parts. */
static sc_source_content digest(const sc_source_key *by, const char *const *texts,
                                const size_t *order, size_t count, size_t first)
{
    sc_content_hasher *hasher = NULL;
    sc_content_block *block = NULL;
    sc_source_content sum = {{0, 0}};
    CHECK_STATUS(sc_content_hasher_new(by, &hasher, NULL), SCRIM_OK);
    CHECK_STATUS(sc_content_block_new(hasher, &block, NULL), SCRIM_OK);
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[order[i]];
        const size_t bytes = strlen(text), part = first < bytes ? first : bytes;
        CHECK_STATUS(sc_content_block_begin(block, NULL), SCRIM_OK);
        CHECK_STATUS(sc_content_block_add(block, text, part, NULL), SCRIM_OK);
        CHECK_STATUS(sc_content_block_add(block, text + part, bytes - part, NULL),
                     SCRIM_OK);
        CHECK_STATUS(sc_content_block_end(block, order[i], &sum, NULL), SCRIM_OK);
    }
    sc_content_block_free(block);
    sc_content_hasher_free(hasher);
    return sum;
}

TEST(A107_content_is_all_bytes_in_their_places)
{
    CLAIM("source_content.exact");
    static const char *const texts[] = {"Ann,1\n", "Ann,1\n", "Bob,2\n"},
                             *const others[][3] = {{"Bob,2\n", "Ann,1\n", "Ann,1\n"},
                                                   {"Bob,2\n", "Bob,2\n", "Bob,2\n"},
                                                   {"Ann,1\n", "Ann,1\n", "Bob,3\n"},
                                                   {"Ann,1", "\nAnn,1\n", "Bob,2\n"},
                                                   {"Ann,1\n", "Ann,1\n", "Bob,2\n"},
                                                   {"Ann,1\n", "Ann,1\n", ""}};
    static const size_t order[] = {0, 1, 2}, back[] = {2, 0, 1};
    static const sc_source_key keys[] = {{{{1, 2}, {3, 5}}}, {{{0, 2}, {3, 4}}}};
    const sc_source_content whole = digest(&key, texts, order, 3, 0);
    for (size_t first = 0; first < 7; first++) {
        const sc_source_content again = digest(&key, texts, back, 3, first);
        CHECK(is_equal(&whole, &again));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const sc_source_content other = digest(&key, others[i], order, 3, 0);
        CHECK(is_equal(&whole, &other) == (i == 4));
    }
    for (size_t i = 0; i < 2; i++) {
        const sc_source_content other = digest(&keys[i], texts, order, 3, 0);
        CHECK(whole.words[0] != other.words[0] && whole.words[1] != other.words[1]);
    }
    const sc_source_content fewer = digest(&key, texts, order, 2, 0);
    CHECK(!is_equal(&whole, &fewer));
}

/* A file of some blocks, whose last one is not full. */
typedef struct pretended {
    uint64_t changed; /* the place of another byte */
} pretended;

static scrim_status read_pretended(void *context, uint64_t offset, void *to, size_t bytes,
                                   scrim_error *error)
{
    const pretended *file = context;
    (void)error;
    memset(to, 'a', bytes);
    if (file->changed >= offset && file->changed - offset < bytes)
        ((char *)to)[file->changed - offset] = 'b';
    return SCRIM_OK;
}

TEST(A107_content_of_a_file_is_all_its_blocks)
{
    CLAIM("source_content.exact");
    enum { BLOCK = SC_CONTENT_BLOCK_BYTES };
    static const uint64_t sizes[] = {1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5};
    sc_content_file *file = NULL;
    REQUIRE_OK(sc_content_file_new(&key, &file, NULL));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pretended plain = {.changed = UINT64_MAX};
        sc_source_content whole, other;
        REQUIRE_OK(
            sc_content_file_read(file, sizes[i], read_pretended, &plain, &whole, NULL));
        for (uint64_t at = 0; at < sizes[i]; at += BLOCK / 2 + 1) {
            pretended changed = {.changed = sizes[i] - 1 - at};
            REQUIRE_OK(sc_content_file_read(file, sizes[i], read_pretended, &changed,
                                            &other, NULL));
            CHECK(!is_equal(&whole, &other));
        }
        REQUIRE_OK(sc_content_file_read(file, sizes[i] + 1, read_pretended, &plain,
                                        &other, NULL));
        CHECK(!is_equal(&whole, &other));
    }
    sc_content_file_free(file);
}

TEST(source_encoding_names_what_is_not_utf8)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *encoding; /* NULL: UTF-8 */
    } rows[] = {
        {"", 0, NULL},
        {"id,age", 6, NULL},
        {"id,gr\xc3\xb6\xc3\x9f"
         "e",
         10, NULL},
        {"id,gr\xf6\xdf"
         "e",
         8, "WINDOWS-1252"},
        {"\xff\xfei\0d\0", 6, "UTF-16"},
        {"\xfe\xff\0i\0d", 6, "UTF-16"},
        {"\xff\xfe\0\0i\0\0\0", 8, "UTF-32"},
        {"\0\0\xfe\xff\0\0\0i", 8, "UTF-32"},
        {"i\0d\0", 4, "UTF-16LE"},
        {"\0i\0d", 4, "UTF-16BE"},
        {"i\0\0\0d\0\0\0", 8, "UTF-32LE"},
        {"\0\0\0i", 4, "UTF-32BE"},
        {"\0", 1, "UTF-16BE"},
        {"i\0", 2, "UTF-16LE"},
        {"\xff", 1, "WINDOWS-1252"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *encoding =
            sc_source_encoding((sc_text){rows[i].bytes, rows[i].count});
        CHECK_STR(encoding == NULL ? "UTF-8" : encoding,
                  rows[i].encoding == NULL ? "UTF-8" : rows[i].encoding);
    }
}

TEST(source_kinds_are_told_apart)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *name, *parameter; /* NULL: it may be CSV */
    } rows[] = {
        {"", 0, NULL, NULL},
        {"id,age\n", 7, NULL, NULL},
        {"PAR1,PAR2\n", 10, NULL, NULL},
        {"PAR1\n", 5, NULL, NULL},
        {"BZh9,x\n1,2\n", 11, NULL, NULL},
        {"PKW,x\n", 6, NULL, NULL},
        {"SQLite format 3,x\n", 18, NULL, NULL},
        {"SQLite format 3\0\x10", 17, "a SQLite database", "kind=sqlite"},
        {"PAR1\x15\x04\x15", 7, "a Parquet file", "kind=parquet"},
        {"ARROW1\0\0\xff\xff", 10, "an Arrow file", "kind=arrow"},
        {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", 10, "an Excel workbook",
         "kind=workbook"},
        {"PK\3\4\24\0\6\0\10\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\23\0\0\0"
         "[Content_Types].xml",
         49, "a workbook of a spreadsheet program", "kind=workbook"},
        {"PK\3\4\24\0\0\0\0\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\10\0\0\0"
         "mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK",
         86, "a workbook of a spreadsheet program", "kind=workbook"},
        {"PK\3\4\24\0\0\0\0\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\10\0\0\0"
         "mimetypeapplication/vnd.oasis.opendocument.textPK",
         79, "a zip archive", "kind=archive"},
        {"PK\3\4\24\0\0\0\10\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0a.csv", 35,
         "a zip archive", "kind=archive"},
        {"PK\3\4", 4, "a zip archive", "kind=archive"},
        {"\x1f\x8b\x08", 3, "packed by gzip", "kind=archive"},
        {"\x28\xb5\x2f\xfd\x24", 5, "packed by zstd", "kind=archive"},
        {"\xfd"
         "7zXZ\0\0",
         7, "packed by xz", "kind=archive"},
        {"BZh91AY&SY\x12", 11, "packed by bzip2", "kind=archive"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        scrim_error error = {.message = ""};
        char want[100];
        snprintf(want, sizeof want, "the source is %s, not a CSV file",
                 rows[i].name == NULL ? "" : rows[i].name);
        CHECK_STATUS(
            sc_source_check_kind((sc_text){rows[i].bytes, rows[i].count}, &error),
            rows[i].name == NULL ? SCRIM_OK : SCRIM_E_INPUT);
        if (rows[i].name == NULL)
            continue;
        CHECK_STR(error.message, want);
        CHECK_STR(error.parameter, rows[i].parameter);
    }
}

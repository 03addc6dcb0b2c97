#include "check.h"
#include "data/source/csv_index.h"
#include "data/source/csv_pieces.h"
#include "faults.h"
#include "random/bits_tape.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* An unnamed file with these bytes. */
static int file_of(const char *bytes, size_t count)
{
    char path[] = "/tmp/csv_pieces.XXXXXX";
    const int descriptor = mkstemp(path);
    if (!CHECK(descriptor >= 0))
        return -1;
    unlink(path);
    CHECK(write(descriptor, bytes, count) == (ssize_t)count);
    CHECK(lseek(descriptor, 0, SEEK_SET) == 0);
    return descriptor;
}

/* A pipe that a child fills, now and then in small portions. */
static int stream_of(const char *bytes, size_t count, pid_t *child)
{
    int ends[2];
    if (!CHECK(pipe(ends) == 0))
        return -1;
    *child = fork();
    if (*child == 0) {
        close(ends[0]);
        for (size_t done = 0, turn = 1; done < count; turn++) {
            size_t portion = turn * 7 % 50 + 1;
            portion = portion > count - done ? count - done : portion;
            const ssize_t wrote = write(ends[1], bytes + done, portion);
            if (wrote <= 0)
                _exit(1);
            done += (size_t)wrote;
        }
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

typedef struct sizes {
    size_t piece, record;
} sizes;

/* All pieces after each other, those of a file in the order of their numbers anyway. */
static size_t read_pieces(int descriptor, sc_record_end end, sizes s, char *out,
                          size_t *count)
{
    sc_csv_pieces *pieces = NULL;
    sc_csv_piece piece;
    sc_text header;
    scrim_error error = {.message = ""};
    size_t bytes = 0;
    uint64_t last = 0;
    *count = 0;
    if (!CHECK_STATUS(sc_csv_pieces_of(descriptor, (sc_csv_cut){end, s.piece, s.record},
                                       NULL, &pieces, &header, &error),
                      SCRIM_OK))
        return 0;
    CHECK(sc_text_is(header, "h"));
    sc_csv_piece_init(&piece);
    do {
        if (!CHECK_STATUS(sc_csv_pieces_next(pieces, &piece, &error), SCRIM_OK))
            break;
        CHECK(piece.bytes == 0 || *count == 0 || piece.sequence > last);
        last = piece.sequence;
        memcpy(out + bytes, piece.start, piece.bytes);
        bytes += piece.bytes;
        *count += piece.bytes > 0;
    } while (piece.bytes > 0);
    sc_csv_piece_clear(&piece);
    sc_csv_pieces_close(pieces);
    return bytes;
}

static bool ends_at(const char *bytes, size_t at, sc_record_end end)
{
    return bytes[at] == '\n' &&
           (end == SC_RECORD_LF || (at > 0 && bytes[at - 1] == '\r'));
}

/* The bytes that the pieces should hold: each record, ended, and a quote for one that is surely too long. */
static size_t expected(const char *bytes, size_t count, sc_record_end end, size_t most,
                       char *out)
{
    size_t written = 0, from = 0;
    while (from < count) {
        size_t at = from;
        while (at < count && !ends_at(bytes, at, end))
            at++;
        const size_t whole = at < count ? at + 1 - from : count - from;
        const bool is_too_long = whole > most + 2 - (at == count);
        if (is_too_long) {
            out[written++] = '"';
        } else {
            memcpy(out + written, bytes + from, whole);
            written += whole;
        }
        if (at == count || is_too_long) {
            if (end == SC_RECORD_CRLF)
                out[written++] = '\r';
            out[written++] = '\n';
        }
        from += whole;
    }
    return written;
}

static uint64_t word(sc_tape *tape)
{
    uint64_t w = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
    return w;
}

/* Any bytes, pieces of any size, a file and a stream: nothing is lost, nothing is twice. */
TEST(csv_pieces_are_the_records_of_the_file)
{
    CLAIM("csv.any-workers");
    static const char letters[] = "abc,\"\r\r\n\n";
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t runs = check_count(400, 20000);
    for (uint64_t run = 0; run < runs; run++) {
        char bytes[400] = "h\r\n", want[1000], got[1000];
        const sc_record_end end = run % 2 == 0 ? SC_RECORD_LF : SC_RECORD_CRLF;
        const size_t piece = 1 + word(tape) % 60;
        const sizes s = {piece, piece + 3 + word(tape) % 40};
        const size_t kinds = run % 5 == 0 ? 5 : sizeof letters - 1;
        const size_t count = 3 + word(tape) % (sizeof bytes - 3);
        size_t pieces = 0;
        for (size_t i = 3; i < count; i++)
            bytes[i] = letters[word(tape) % kinds];
        const size_t wanted = expected(bytes + 3, count - 3, end, s.record, want);
        size_t had = read_pieces(file_of(bytes, count), end, s, got, &pieces);
        if (!CHECK_INT(had, wanted) || !CHECK_BYTES(got, want, wanted))
            break;
        CHECK(pieces <= count / s.piece + 1);
        if (run % 4 < 2) {
            pid_t child = 0;
            had = read_pieces(stream_of(bytes, count, &child), end, s, got, &pieces);
            waitpid(child, NULL, 0);
            if (!CHECK_INT(had, wanted) || !CHECK_BYTES(got, want, wanted))
                break;
        }
    }
    sc_tape_free(tape);
}

static scrim_status open_bytes(const char *bytes, size_t count, sc_record_end end,
                               char *header, size_t capacity)
{
    sc_csv_pieces *pieces = NULL;
    sc_text text;
    const scrim_status status = sc_csv_pieces_of(
        file_of(bytes, count), (sc_csv_cut){end, 64, 128}, NULL, &pieces, &text, NULL);
    if (status == SCRIM_OK)
        snprintf(header, capacity, "%.*s", (int)text.bytes, text.start);
    sc_csv_pieces_close(pieces);
    return status;
}

TEST(csv_pieces_find_the_header)
{
    static const struct {
        const char *bytes;
        sc_record_end end;
        const char *header;
    } rows[] = {
        {"a,b\n1,2\n", SC_RECORD_LF, "a,b"},
        {"a,b\r\n1,2\r\n", SC_RECORD_LF, "a,b"},
        {"\xef\xbb\xbf"
         "a\n",
         SC_RECORD_LF, "a"},
        {"a", SC_RECORD_LF, "a"},
        {"a\r", SC_RECORD_LF, "a"},
        {"\n", SC_RECORD_LF, ""},
        {"a\nb\r\nc\r\n", SC_RECORD_CRLF, "a\nb"},
    };
    char header[200];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_STATUS(open_bytes(rows[i].bytes, strlen(rows[i].bytes), rows[i].end, header,
                                sizeof header),
                     SCRIM_OK);
        CHECK_STR(header, rows[i].header);
    }
    char line[200];
    memset(line, 'a', sizeof line);
    CHECK_STATUS(open_bytes("", 0, SC_RECORD_LF, header, sizeof header), SCRIM_E_INPUT);
    CHECK_STATUS(open_bytes(line, 129, SC_RECORD_LF, header, sizeof header),
                 SCRIM_E_INPUT);
    CHECK_STATUS(open_bytes(line, 128, SC_RECORD_LF, header, sizeof header), SCRIM_OK);
}

/* A file that changes while it is read is not read. */
TEST(csv_pieces_notice_a_change)
{
    for (int change = 0; change < 3; change++) {
        char path[] = "/tmp/csv_pieces.XXXXXX";
        const int descriptor = mkstemp(path);
        REQUIRE(descriptor >= 0);
        unlink(path);
        for (int i = 0; i < 100; i++)
            CHECK(write(descriptor, "abcdefgh\n", 9) == 9);
        CHECK(lseek(descriptor, 0, SEEK_SET) == 0);
        sc_csv_pieces *pieces = NULL;
        sc_text header;
        REQUIRE_OK(sc_csv_pieces_of(dup(descriptor), (sc_csv_cut){SC_RECORD_LF, 64, 128},
                                    NULL, &pieces, &header, NULL));
        const sc_source_stamp stamp = sc_csv_pieces_stamp(pieces);
        CHECK(stamp.is_file);
        CHECK_INT(stamp.bytes, 900);
        if (change == 0)
            CHECK(ftruncate(descriptor, 500) == 0);
        else if (change == 1)
            CHECK(pwrite(descriptor, "x\n", 2, 900) == 2);
        else
            CHECK(futimens(descriptor, (struct timespec[]){{1, 0}, {1, 0}}) == 0);
        sc_csv_piece piece;
        scrim_status status = SCRIM_OK;
        sc_csv_piece_init(&piece);
        do
            status = sc_csv_pieces_next(pieces, &piece, NULL);
        while (status == SCRIM_OK && piece.bytes > 0);
        CHECK_STATUS(status, SCRIM_E_INPUT);
        sc_csv_piece_clear(&piece);
        sc_csv_pieces_close(pieces);
        close(descriptor);
    }
}

/* The digest of a file of one long record and some short ones, of which a byte far behind the first piece is another one while
 * that piece is read, and no longer. */
static sc_source_content digest_of_change(bool is_changed)
{
    enum { LONG = 6000, PLACE = 5000, PIECE = 64 };
    static const sc_source_key key = {{{1, 2}, {3, 4}}};
    char bytes[LONG + 20] = "h\n";
    memset(bytes + 2, 'a', LONG);
    memcpy(bytes + 2 + LONG, "\nb\nc\n", 6);
    const int descriptor = file_of(bytes, LONG + 7);
    sc_csv_pieces *pieces = NULL;
    sc_text header;
    sc_csv_piece piece;
    sc_source_content content = {{0, 0}};
    size_t changed = 0;
    if (!CHECK_STATUS(sc_csv_pieces_of(dup(descriptor),
                                       (sc_csv_cut){SC_RECORD_LF, PIECE, 2 * LONG}, &key,
                                       &pieces, &header, NULL),
                      SCRIM_OK))
        return content;
    sc_csv_piece_init(&piece);
    if (is_changed)
        CHECK(pwrite(descriptor, "x", 1, PLACE) == 1);
    CHECK_STATUS(sc_csv_pieces_next(pieces, &piece, NULL), SCRIM_OK);
    for (size_t i = 0; i < piece.bytes; i++)
        changed += piece.start[i] == 'x';
    CHECK_INT(changed, is_changed); /* rows are made of that byte */
    if (is_changed)
        CHECK(pwrite(descriptor, "a", 1, PLACE) == 1);
    /* At the end the time of the change may be noticed, too. */
    while (sc_csv_pieces_next(pieces, &piece, NULL) == SCRIM_OK && piece.bytes > 0)
        continue;
    content = sc_csv_pieces_content(pieces);
    sc_csv_piece_clear(&piece);
    sc_csv_pieces_close(pieces);
    close(descriptor);
    return content;
}

/* Also what is read later to the end of a long record: the digest is that of the copy that rows are made of. */
TEST(A107_digest_is_that_of_the_bytes_of_the_rows)
{
    const sc_source_content plain = digest_of_change(false),
                            again = digest_of_change(false),
                            changed = digest_of_change(true);
    CHECK(memcmp(&plain, &again, sizeof plain) == 0);
    CHECK(memcmp(&plain, &changed, sizeof plain) != 0);
}

TEST(csv_pieces_refuse_what_is_no_file)
{
    sc_csv_pieces *pieces = NULL;
    sc_text header;
    CHECK_STATUS(sc_csv_pieces_open(sc_text_of("tests/missing/file"), SC_RECORD_LF, NULL,
                                    &pieces, &header, NULL),
                 SCRIM_E_INPUT);
    CHECK_STATUS(sc_csv_pieces_open(sc_text_of("/tmp"), SC_RECORD_LF, NULL, &pieces,
                                    &header, NULL),
                 SCRIM_E_INPUT);
    CHECK(pieces == NULL);
}

TEST(csv_pieces_survive_without_memory)
{
    const char bytes[] = "h\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\n";
    FAULT_LOOP(fault)
    {
        sc_csv_pieces *pieces = NULL;
        sc_csv_piece piece;
        sc_text header;
        sc_csv_piece_init(&piece);
        const int descriptor = file_of(bytes, sizeof bytes - 1);
        if (descriptor < 0)
            continue;
        scrim_status status = sc_csv_pieces_of(
            descriptor, (sc_csv_cut){SC_RECORD_LF, 4, 64}, NULL, &pieces, &header, NULL);
        if (status == SCRIM_OK)
            status = sc_csv_pieces_next(pieces, &piece, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_csv_piece_clear(&piece);
        sc_csv_pieces_close(pieces);
    }
}

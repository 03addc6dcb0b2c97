#include "local/collect/collection.h"
#include "local_fleet.h"

#include <string.h>

#define WORDS "randomised-response values=300 a=3 b=1"

static size_t put_header(const sc_sums *sums, uint8_t form, uint8_t *at)
{
    scrim_local_header(&sums->config, at);
    at[3] = form;
    return SCRIM_LOCAL_HEADER_BYTES;
}

/* The same reports as messages and as a batch. */
static size_t put_file(const sc_sums *sums, bool is_batch, const uint16_t *reports,
                       size_t count, uint8_t *out)
{
    size_t bytes = is_batch ? put_header(sums, 1, out) : 0;
    for (size_t i = 0; i < count; i++) {
        bytes += is_batch ? 0 : put_header(sums, 0, out + bytes);
        out[bytes++] = (uint8_t)(reports[i] & 0xff);
        out[bytes++] = (uint8_t)(reports[i] >> 8);
    }
    return bytes;
}

static scrim_status read_in_pieces(sc_sums *sums, const uint8_t *bytes, size_t count,
                                   size_t piece, scrim_error *error)
{
    sc_report_file file;
    scrim_status status = SCRIM_OK;
    sc_report_file_init(&file, sums);
    for (size_t at = 0; status == SCRIM_OK && at < count; at += piece)
        status = sc_report_file_read(&file, bytes + at,
                                     count - at < piece ? count - at : piece, error);
    if (status == SCRIM_OK)
        status = sc_report_file_end(&file, error);
    sc_report_file_clear(&file);
    return status;
}

static const uint16_t sent[] = {0, 299, 299, 300, 5, 65535, 7, 7, 7, 1, 2, 3};

TEST(report_files_of_both_forms_are_the_same_in_any_pieces)
{
    for (int is_batch = 0; is_batch < 2; is_batch++)
        for (size_t piece = 1; piece <= 40; piece++) {
            uint8_t bytes[COUNT(sent) * 18 + 16];
            sc_sums sums = fleet_sums(WORDS);
            const size_t count = put_file(&sums, is_batch, sent, COUNT(sent), bytes);
            CHECK_STATUS(read_in_pieces(&sums, bytes, count, piece, NULL), SCRIM_OK);
            CHECK_INT(sums.reports, 10);
            CHECK_INT(sums.dropped, 2);
            const uint64_t *counts = sc_sums_counts(&sums);
            CHECK_INT(counts[299], 2);
            CHECK_INT(counts[7], 3);
            sc_sums_clear(&sums);
        }
}

/* Two files that were joined. Without the header of the second they are one. */
TEST(report_file_refuses_a_batch_within_a_batch)
{
    CLAIM("report-file.config");
    uint8_t bytes[2 * (COUNT(sent) * 2 + 16)];
    scrim_error error;
    sc_sums sums = fleet_sums(WORDS);
    size_t count = put_file(&sums, true, sent, COUNT(sent), bytes);
    count += put_file(&sums, true, sent, COUNT(sent), bytes + count);
    CHECK_STATUS(read_in_pieces(&sums, bytes, count, 1000, &error), SCRIM_E_INPUT);
    CHECK(strncmp(error.message, "another batch begins at byte 40;", 32) == 0);
    bytes[count / 2 + 3] = 2;
    CHECK_STATUS(read_in_pieces(&sums, bytes, count, 1000, &error), SCRIM_OK);
    sc_sums_clear(&sums);
}

TEST(report_file_refuses_other_configurations_and_short_files)
{
    CLAIM("report-file.config");
    uint8_t bytes[COUNT(sent) * 18 + 16];
    scrim_error error;
    for (int is_batch = 0; is_batch < 2; is_batch++) {
        sc_sums sums = fleet_sums(WORDS),
                other = fleet_sums("randomised-response values=300 a=4 b=1");
        const size_t count = put_file(&sums, is_batch, sent, COUNT(sent), bytes);
        CHECK_STATUS(read_in_pieces(&other, bytes, count, 7, &error), SCRIM_E_INPUT);
        CHECK_STR(error.message, "the report at byte 0 is of another configuration");
        CHECK_STATUS(read_in_pieces(&sums, bytes, count - 1, 7, &error), SCRIM_E_INPUT);
        CHECK(strncmp(error.message, "it ends within a report", 23) == 0);
        CHECK_STATUS(read_in_pieces(&sums, bytes, 15, 7, &error), SCRIM_E_INPUT);
        sc_sums_clear(&other);
        sc_sums_clear(&sums);
    }
    sc_sums sums = fleet_sums(WORDS);
    const size_t count = put_file(&sums, false, sent, COUNT(sent), bytes);
    bytes[(size_t)18 * 3] = 'X';
    CHECK_STATUS(read_in_pieces(&sums, bytes, count, 1000, &error), SCRIM_E_INPUT);
    CHECK(strncmp(error.message, "there is no report at byte 54;", 30) == 0);
    CHECK_STATUS(read_in_pieces(&sums, bytes, 0, 1, NULL), SCRIM_OK);
    sc_sums_clear(&sums);
}

TEST(one_bad_message_leaves_the_collection_as_it_was)
{
    scrim_collection *collection = NULL;
    scrim_collection_facts facts;
    scrim_error error = {.message = ""};
    uint8_t message[SCRIM_LOCAL_HEADER_BYTES + 2], bad[sizeof message + 1] = {0};
    sc_sums sums = fleet_sums(WORDS);
    REQUIRE_OK(scrim_collection_new(fleet_config(WORDS), &collection, &error));
    (void)put_file(&sums, false, sent, 1, message);
    CHECK_STATUS(
        scrim_collection_add_message(collection, message, sizeof message, &error),
        SCRIM_OK);
    for (size_t i = 0; i < SCRIM_LOCAL_HEADER_BYTES; i++) {
        memcpy(bad, message, sizeof message);
        bad[i] ^= 1;
        CHECK_STATUS(
            scrim_collection_add_message(collection, bad, sizeof message, &error),
            SCRIM_E_INPUT);
    }
    CHECK_STATUS(
        scrim_collection_add_message(collection, message, sizeof message - 1, &error),
        SCRIM_E_INPUT);
    CHECK_STATUS(scrim_collection_add_message(collection, bad, sizeof bad, &error),
                 SCRIM_E_INPUT);
    CHECK_STATUS(scrim_collection_add_message(collection, message, 0, &error),
                 SCRIM_E_INPUT);
    CHECK_STATUS(
        scrim_collection_add_message(collection, message, sizeof message, &error),
        SCRIM_OK);
    scrim_collection_describe(collection, &facts);
    CHECK_INT(facts.reports, 2);
    CHECK_INT(facts.dropped, 0);
    /* Not in the middle of a file. */
    CHECK_STATUS(scrim_collection_read(collection, message, 5, &error), SCRIM_OK);
    CHECK_STATUS(
        scrim_collection_add_message(collection, message, sizeof message, &error),
        SCRIM_E_STATE);
    scrim_collection_free(collection);
    sc_sums_clear(&sums);
}

TEST(configurations_are_refused_by_their_first_wrong_word)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"colour=red\n", "'colour=red' begins no configuration"},
        {"scrim-local/1 protocol=randomised-response values=2 a=3 b=1\n",
         "'protocol=randomised-response' of the configuration is not in its place; "
         "question="},
        {"scrim-local/1 question=q\n", "the configuration ends before protocol="},
        {"scrim-local/1 question=q protocol=randomised-response  values=4 a=3 b=1\n",
         "the configuration has two spaces, or one at its end, before values=; one space "
         "stands between words"},
        {"scrim-local/1 question=q protocol=randomized-response values=2 a=3 b=1\n",
         "unknown protocol 'randomized-response'; did you mean randomised-response?"},
        {"scrim-local/1 question=q protocol=magic values=2\n",
         "unknown protocol 'magic'"},
        {"scrim-local/1 question=q protocol=randomised-response a=3 b=1 values=2\n",
         "'a=3' of the configuration is not in its place; values= belongs there"},
        {"scrim-local/1 question=q protocol=randomised-response values=2 a=3 b=01\n",
         "'b=01' of the configuration is not in its place; b= and a whole number "
         "without"},
        {"scrim-local/1 question=q protocol=randomised-response values=2 a=3 b=1 "
         "width=2\n",
         "'width=2' of the configuration is not in its place; the end of the line"},
        {"scrim-local/1 question=q protocol=square-wave values=20 a=3 b=1\n",
         "the configuration ends before width="},
        {"scrim-local/1 question=q protocol=randomised-response values=2 a=3 b=1\r\n",
         "ends with a carriage return"},
        {"scrim-local/1 question=q protocol=randomised-response values=2 a=3 b=3\n",
         "numbers that its protocol does not allow"},
        {"scrim-local/1 question=q protocol=randomised-response values=2 a=99999999999 "
         "b=1\n",
         "above a size limit"},
        {"", "begins no configuration"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_collection *collection = NULL;
        scrim_error error = {.message = ""};
        const scrim_status status =
            scrim_collection_new(cases[i].text, &collection, &error);
        if (!CHECK(status != SCRIM_OK && strstr(error.message, cases[i].want) != NULL))
            CHECK_FAIL("%s", error.message);
        CHECK_STR(error.parameter, "config");
    }
}

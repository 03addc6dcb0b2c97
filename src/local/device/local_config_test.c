#include "base/number/ball.h"
#include "check.h"
#include "local/device/local_config.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_whole(sc_ball *out, uint64_t n)
{
    sc_ball_set_int64(out, (int64_t)(n >> 32));
    sc_ball_mul_power2(out, out, 32);
    sc_ball_add_int64(out, out, (int64_t)(n & UINT32_MAX), 200);
}

/* ln(over/under) 2^32 as a ball, and integers beside it. */
static void check_logarithm(uint64_t over, uint64_t under)
{
    sc_ball truth, part, limit;
    sc_ball_init(&truth);
    sc_ball_init(&part);
    sc_ball_init(&limit);
    set_whole(&truth, over);
    set_whole(&part, under);
    sc_ball_div(&truth, &truth, &part, 200);
    sc_ball_log(&truth, &truth, 200);
    sc_ball_mul_power2(&truth, &truth, 32);
    const uint64_t upper = sl_log_upper(over, under), lower = sl_log_lower(over, under);
    set_whole(&limit, upper);
    CHECK(!sc_ball_is_less(&limit, &truth));
    set_whole(&limit, lower);
    CHECK(!sc_ball_is_less(&truth, &limit));
    CHECK(upper >= lower && upper - lower <= 2);
    sc_ball_clear(&limit);
    sc_ball_clear(&part);
    sc_ball_clear(&truth);
}

TEST(device_logarithms_bound_the_truth)
{
    uint64_t seed = 3, words[2];
    const scrim_local_source source = device_seeded(&seed);
    static const uint64_t pairs[][2] = {{1, 1},
                                        {2, 1},
                                        {3, 2},
                                        {UINT64_MAX, 1},
                                        {UINT32_MAX, 1},
                                        {20, 1},
                                        {UINT64_MAX, UINT64_MAX - 1},
                                        {8, 4}};
    for (size_t i = 0; i < COUNT(pairs); i++)
        check_logarithm(pairs[i][0], pairs[i][1]);
    CHECK_INT(sl_log_upper(7, 7), 0);
    CHECK_INT(sl_log_upper(2, 1), 2977044472); /* 2^32 ln 2 = 2977044471.82 */
    CHECK_INT(sl_log_lower(2, 1), 2977044471);
    for (size_t i = 0; i < 500; i++) {
        CHECK_INT(source.fill(source.context, words, sizeof words), 0);
        const uint64_t a = (words[0] >> (i % 60)) + 1, b = (words[1] >> (i * 7 % 60)) + 1;
        check_logarithm(a > b ? a : b, a > b ? b : a);
    }
}

#define TEXT                                                                             \
    "scrim-local/1 question=os.version-2 protocol=randomised-response values=12 a=20 "   \
    "b=3\n"

TEST(local_config_reads_and_writes)
{
    scrim_local_config config, again = {.protocol = SCRIM_LOCAL_RESPONSE};
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    REQUIRE(scrim_local_config_parse(TEXT, &config) == SCRIM_LOCAL_OK);
    CHECK_STR(config.question, "os.version-2");
    CHECK_INT(config.protocol, SCRIM_LOCAL_RESPONSE);
    CHECK(config.values == 12 && config.a == 20 && config.b == 3 && config.field == 0);
    strcpy(again.question, "os.version-2");
    again.values = 12;
    again.a = 20;
    again.b = 3;
    CHECK_INT(scrim_local_config_format(&again, text), SCRIM_LOCAL_OK);
    CHECK_STR(text, TEXT);
    CHECK_BYTES(&again, &config, sizeof config);
    CHECK_STR(scrim_local_protocol_name(SCRIM_LOCAL_RESPONSE), "randomised-response");
    CHECK(scrim_local_protocol_name(0) == NULL && scrim_local_protocol_name(99) == NULL);
}

/* The hash is that of the text's bytes, computed by another implementation. */
TEST(local_config_is_named_by_its_text)
{
    const scrim_local_config config =
        device_config("randomised-response values=2 a=3 b=1");
    static const uint8_t wanted[32] = {0x85, 0x9e, 0xb3, 0xaa, 0xc4, 0x37, 0x3a, 0x07,
                                       0x98, 0xbf, 0x1a, 0x09, 0x75, 0x23, 0x2c, 0x7a,
                                       0x1f, 0xbb, 0xb7, 0xaf, 0xfd, 0xe7, 0x20, 0xa4,
                                       0xa1, 0x88, 0x12, 0xae, 0xf2, 0x14, 0x25, 0x59};
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    CHECK_BYTES(config.hash, wanted, sizeof wanted);
    scrim_local_header(&config, header);
    CHECK_BYTES(header, "SL\1\0", 4);
    CHECK_BYTES(header + 4, wanted, 12);
}

static void check_refused(const char *text, scrim_local_status wanted)
{
    scrim_local_config config;
    if (scrim_local_config_parse(text, &config) != wanted)
        CHECK_FAIL("%s: not %d", text, (int)wanted);
    else
        CHECK_INT(config.protocol, 0);
}

#define START "scrim-local/1 question=q protocol=randomised-response"

TEST(local_config_refuses_other_texts)
{
    static const char *const texts[] = {
        "",
        "scrim-local/2 question=q protocol=randomised-response values=2 a=3 b=1\n",
        "scrim-local/1 question= protocol=randomised-response values=2 a=3 b=1\n",
        "scrim-local/1 question=Q protocol=randomised-response values=2 a=3 b=1\n",
        "scrim-local/1 question=q protocol=randomised values=2 a=3 b=1\n",
        "scrim-local/1 question=q protocol=randomised-responses values=2 a=3 b=1\n",
        START,
        START " values=2 a=3 b=1\n\n",
        START " values=2 a=3 b=1 \n",
        START " values=2 a=3\n",
        START " values=2 b=1 a=3\n",
        START " values=2  a=3 b=1\n",
        START " values=02 a=3 b=1\n",
        START " values=+2 a=3 b=1\n",
        START " values= a=3 b=1\n",
        START " values=2 a=3 b=1 c=1\n",
        START " values=2 a=3 b=1 epoch=1\n",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        check_refused(texts[i], SCRIM_LOCAL_E_SYNTAX);
}

TEST(local_config_refuses_other_parameters)
{
    check_refused(START " values=1 a=3 b=1\n", SCRIM_LOCAL_E_PARAM);
    check_refused(START " values=0 a=3 b=1\n", SCRIM_LOCAL_E_PARAM);
    check_refused(START " values=2 a=3 b=3\n", SCRIM_LOCAL_E_PARAM);
    check_refused(START " values=2 a=3 b=4\n", SCRIM_LOCAL_E_PARAM);
    check_refused(START " values=2 a=3 b=0\n", SCRIM_LOCAL_E_PARAM);
    check_refused(START " values=2 a=4294967296 b=1\n", SCRIM_LOCAL_E_LIMIT);
    check_refused(START " values=99999999999999999999999 a=3 b=1\n", SCRIM_LOCAL_E_LIMIT);
    check_refused(START " values=4294967295 a=4294967295 b=4294967294\n",
                  SCRIM_LOCAL_E_LIMIT);
}

/* The longest question is read, a longer one and a text above the limit are not. */
TEST(local_config_has_limits)
{
    char text[2 * SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    for (int length = 62; length < 66; length++) {
        snprintf(
            text, sizeof text,
            "scrim-local/1 question=%0*d protocol=randomised-response values=2 a=3 b=1\n",
            length, 7);
        CHECK_INT(scrim_local_config_parse(text, &config),
                  length < 64 ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT);
    }
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    check_refused(text, SCRIM_LOCAL_E_LIMIT);
}

/* A server's mistakes: no protocol, a name that is no name, a member of another protocol. */
TEST(local_config_writes_what_it_reads)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config = device_config("randomised-response values=2 a=3 b=1");
    config.width = 1;
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_E_PARAM);
    config.width = 0;
    config.prefix[3] = 1;
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_E_PARAM);
    config.prefix[3] = 0;
    config.question[0] = 'A';
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_E_PARAM);
    memset(config.question, 'a', sizeof config.question);
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_E_PARAM);
    config = (scrim_local_config){.question = "q", .protocol = 99};
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_E_PARAM);
    CHECK_STR(text, "");
}

/* A member behind the end of its list would be lost in the text. */
TEST(local_config_writes_all_or_nothing)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config =
        device_config("prefix a=3 b=1 text=4 cells=64 prefixes=16,32");
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_OK);
    config.prefix[2] = 1;
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_E_PARAM);
}

/* The number of cells, and in texts of format 1 its logarithm: neither is taken for the other. */
TEST(A104_cells_of_a_configuration_are_their_number)
{
#define WORDS " question=q protocol=text-hashing a=3 b=1 text=1 cells="
    scrim_local_config first, second;
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    REQUIRE(scrim_local_config_parse("scrim-local/2" WORDS "16\n", &second) ==
            SCRIM_LOCAL_OK);
    CHECK_INT(second.cells, 16);
    CHECK_INT(scrim_local_config_format(&second, text), SCRIM_LOCAL_OK);
    CHECK_STR(text, "scrim-local/2" WORDS "16\n");
    REQUIRE(scrim_local_config_parse("scrim-local/1" WORDS "4\n", &first) ==
            SCRIM_LOCAL_OK);
    CHECK_INT(first.cells, 16);
    CHECK(memcmp(first.hash, second.hash, sizeof first.hash) != 0);
    check_refused("scrim-local/2" WORDS "6\n", SCRIM_LOCAL_E_PARAM);
    check_refused("scrim-local/1" WORDS "17\n", SCRIM_LOCAL_E_LIMIT);
    check_refused("scrim-local/1" WORDS "0\n", SCRIM_LOCAL_E_PARAM);
    check_refused("scrim-local/1" WORDS "64\n", SCRIM_LOCAL_E_LIMIT);
    check_refused(
        "scrim-local/2 question=q protocol=randomised-response values=2 a=3 b=1\n",
        SCRIM_LOCAL_E_SYNTAX);
}

/* The cap itself is within the cap; a part in 2^32 above it is not. */
TEST(local_loss_is_held_against_a_cap)
{
    const scrim_local_config config =
        device_config("randomised-response values=2 a=21 b=3");
    CHECK_INT(scrim_local_config_is_within(&config, 7, 1), 1);
    CHECK_INT(scrim_local_config_is_within(&config, 4294967289, 613566756), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 8, 1), 1);
    CHECK_INT(scrim_local_config_is_within(&config, 6, 1), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 7, 0), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 1, 7), 0);
    /* 2^32 ln 7 = 8357620451.147 */
    CHECK_INT(scrim_local_loss(&config), 8357620452);
    const scrim_local_config none = {.protocol = 0};
    CHECK(scrim_local_loss(&none) == UINT64_MAX);
    CHECK_INT(scrim_local_config_is_within(&none, UINT32_MAX, 1), 0);
}

/* A report of rappor loses by its ones and by its zeros: f = 1/2, p = 1/4, q = 1/2 have q* = 7/16 and p* =
 * 5/16, so 7/5 by the ones, 11/9 by the zeros and 77/45 by both. */
TEST(local_loss_of_both_parts_is_held_against_a_cap)
{
    const scrim_local_config config =
        device_config("rappor values=3 text=0 bits=3 hashes=0 cohorts=1 f=2147483648 "
                      "p=1073741824 q=2147483648 epoch=1");
    CHECK_INT(scrim_local_config_is_within(&config, 14, 10), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 76999, 45000), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 77001, 45000), 1);
}

/* The true loss for a target epsilon, as the vector has it: never above the target, and the device says it, rounded up
 * to a part of 2^32. */
static void check_target(const json_t *row, const char *loss, const char *words)
{
    const scrim_local_config config = device_config(words);
    const double two_32 = 4294967296.0, target = strtod(vectors_text(row, "eps"), NULL);
    const double truth = strtod(vectors_text(row, loss), NULL);
    const double said = (double)scrim_local_loss(&config);
    CHECK(said <= target * two_32);
    CHECK(said > truth * two_32 - 1e-4 && said < truth * two_32 + 1 + 1e-4);
}

TEST(local_loss_is_not_above_the_target)
{
    const json_t *rows = vectors_load("local-additions", "rounding");
    REQUIRE(json_array_size(rows) == 6);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const unsigned long long whole = (uint64_t)1 << 32, part = 1 << 20;
        const unsigned long long optimised = vectors_number(row, "OUE_B_of_2_32");
        const unsigned long long symmetric = vectors_number(row, "SUE_B_of_2_32");
        char words[128];
        snprintf(words, sizeof words, "randomised-response values=9 a=%llu b=%llu",
                 (unsigned long long)vectors_number(row, "A_over_2_20"), part);
        check_target(row, "eps_true", words);
        snprintf(words, sizeof words, "optimised-unary values=9 a=%llu b=%llu",
                 whole - optimised, optimised);
        check_target(row, "OUE_eps_true", words);
        snprintf(words, sizeof words, "symmetric-unary values=9 a=%llu b=%llu",
                 whole - symmetric, symmetric);
        check_target(row, "SUE_eps_true", words);
    }
}

/* The newline is added: the text is that of the same configuration. */
TEST(local_config_may_lack_its_newline)
{
    scrim_local_config whole, bare;
    const char *text =
        "scrim-local/1 question=q protocol=randomised-response values=2 a=3 b=1\n";
    char cut[SCRIM_LOCAL_CONFIG_BYTES];
    snprintf(cut, sizeof cut, "%.*s", (int)strlen(text) - 1, text);
    CHECK_INT(scrim_local_config_parse(text, &whole), SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_config_parse(cut, &bare), SCRIM_LOCAL_OK);
    CHECK(memcmp(&whole, &bare, sizeof whole) == 0);
    check_refused("", SCRIM_LOCAL_E_SYNTAX);
    check_refused("\n", SCRIM_LOCAL_E_SYNTAX);
}

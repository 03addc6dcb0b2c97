/* Instructions and addresses of the encoders of numbers, of distances and of permanent answers, with the
 * secret declared undefined. */
#include "check.h"
#include "local_device.h"
#include "secret.h"

static const char *const of_values[] = {
    "bit-flip values=1000 a=3 b=2 chosen=9 epoch=0",
    "bit-flip values=70 a=3 b=1 chosen=70 epoch=1",
    "repeated-unary values=70 a=7 b=1 keep=3221225472 epoch=0",
    "repeated-unary values=70 a=7 b=2 keep=3221225471 epoch=0",
    "rappor values=2 text=0 bits=1 hashes=0 cohorts=1 f=2147483648 p=1 q=3 epoch=1",
    "rappor values=70 text=0 bits=70 hashes=0 cohorts=1 f=2147483648 p=0 q=0 epoch=0",
    "one-bit-mean values=101 a=27 b=10",
    "rounded-bit-mean values=101 a=27 b=10 flip=5 epoch=0",
    "laplace-mean values=101 a=27 b=26 width=5",
    "laplace-mean values=101 a=32 b=31 width=5",
    "condensed-geometric values=101 a=27 b=26",
    "condensed-exponential values=101 a=27 b=26 metric=0",
};

static const char of_texts[] =
    "rappor values=0 text=9 bits=100 hashes=3 cohorts=8 f=2147483648 p=5 q=9 epoch=1";

static void encode_hidden(const scrim_local_config *config,
                          const scrim_local_source *source)
{
    uint8_t report[256];
    for (uint64_t value = 0; value < 10; value++) {
        uint64_t secret = value * 11;
        secret_hide(&secret, sizeof secret);
        CHECK_INT(scrim_local_encode(config, secret, source, report), SCRIM_LOCAL_OK);
    }
}

/* A table of distances: the secret chooses its row. */
static void encode_by_table(const scrim_local_source *source)
{
    static const uint8_t table[] = {2, 5, 5, 5, 5, 4};
    scrim_local_config config = {.question = "q",
                                 .protocol = SCRIM_LOCAL_CONDENSED,
                                 .values = 4,
                                 .a = 6,
                                 .b = 5,
                                 .metric = 1};
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_table_hash(table, sizeof table, config.table_hash);
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_config_table(&config, table, sizeof table), SCRIM_LOCAL_OK);
    encode_hidden(&config, source);
}

TEST(selftest_secret_kept_encoders)
{
    CLAIM("local.secret");
    uint64_t seed = 1, values[3] = {1, 2, 3};
    uint8_t report[256], text[9] = "apple";
    const scrim_local_source source = device_seeded(&seed);
    for (size_t i = 0; i < COUNT(of_values); i++) {
        const scrim_local_config config = device_config(of_values[i]);
        encode_hidden(&config, &source);
    }
    encode_by_table(&source);
    const scrim_local_config texts = device_config(of_texts);
    secret_hide(text, sizeof text);
    CHECK_INT(scrim_local_encode_text(&texts, text, &source, report), SCRIM_LOCAL_OK);
    secret_hide(values, sizeof values);
    CHECK_INT(scrim_local_histogram_vector(values[0], 8, 8, report), SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_sum_vector(values, 3, 5, 4, report), SCRIM_LOCAL_OK);
    CHECK_INT(secret_reports(), 0);
}

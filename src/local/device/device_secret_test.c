/* Instructions and addresses of every encoder, with the secret declared undefined. */
#include "check.h"
#include "local_device.h"
#include "secret.h"

#include <string.h>

static void encode_hidden(const scrim_local_config *config,
                          const scrim_local_source *source, uint64_t value,
                          uint8_t *report)
{
    uint64_t secret = value;
    secret_hide(&secret, sizeof secret);
    CHECK_INT(scrim_local_encode(config, secret, source, report), SCRIM_LOCAL_OK);
}

static void encode_hidden_text(const scrim_local_config *config,
                               const scrim_local_source *source, uint64_t value,
                               uint8_t *report)
{
    uint8_t secret[64];
    memset(secret, (int)value, sizeof secret);
    secret_hide(secret, sizeof secret);
    CHECK_INT(scrim_local_encode_text(config, secret, source, report), SCRIM_LOCAL_OK);
}

static void encode_all_hidden(const char *const *list,
                              void (*encode)(const scrim_local_config *,
                                             const scrim_local_source *, uint64_t,
                                             uint8_t *))
{
    uint8_t report[DEVICE_REPORT_BYTES];
    uint64_t seed = 1;
    const scrim_local_source source = device_seeded(&seed);
    for (; *list != NULL; list++) {
        const scrim_local_config config = device_config(*list);
        for (uint64_t value = 0; value < 20; value++)
            encode(&config, &source, value, report);
    }
}

TEST(selftest_secret_device_encoders)
{
    CLAIM("local.secret");
    encode_all_hidden(device_of_values, encode_hidden);
    encode_all_hidden(device_of_texts, encode_hidden_text);
    CHECK_INT(secret_reports(), 0);
}

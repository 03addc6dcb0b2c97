/* Instructions and addresses of every encoder, with the secret declared undefined. */
#include "check.h"
#include "local_device.h"
#include "secret.h"

static const char *const of_values[] = {
    "randomised-response values=2 a=3 b=1",
    "randomised-response values=1000 a=7747986 b=1048576",
};

TEST(device_encoders_hide_their_secret)
{
    CLAIM("local.secret");
    secret_run("device_encoders_hide");
}

/* The report is secret until it is sent: it must not have steered anything either. */
TEST(selftest_device_encoders_hide_their_secret)
{
    uint8_t report[8192];
    for (size_t i = 0; i < COUNT(of_values); i++) {
        const scrim_local_config config = device_config(of_values[i]);
        uint64_t seed = i;
        const scrim_local_source source = device_seeded(&seed);
        for (uint64_t value = 0; value < 20; value++) {
            uint64_t secret = value;
            secret_hide(&secret, sizeof secret);
            CHECK_INT(scrim_local_encode(&config, secret, &source, report),
                      SCRIM_LOCAL_OK);
        }
    }
    CHECK_INT(secret_reports(), 0);
}

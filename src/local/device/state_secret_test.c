/* Instructions and addresses of a device with a state, with the value declared undefined (A52).
 *
 * The words are a keyed function of the value here, so that a draw which rejects words would be reported:
 * rejected words say nothing, but memcheck cannot know. Protocols with such draws are watched with words of
 * a source, in device_secret_test and kept_secret_test. */
#include "check.h"
#include "local_device.h"
#include "secret.h"

static const char *const words[] = {
    "rounded-bit-mean values=101 a=27 b=10 flip=5 epoch=0",
    "bit-flip values=40 a=3 b=1 chosen=9 epoch=1",
    "repeated-unary values=64 a=3 b=1 keep=3000000000 epoch=0",
    "rappor values=70 text=0 bits=70 hashes=0 cohorts=1 f=2147483648 p=5 q=9 epoch=0",
    "rappor values=0 text=9 bits=100 hashes=3 cohorts=8 f=2147483648 p=5 q=9 epoch=1",
};

TEST(selftest_secret_device_state)
{
    CLAIM("local.secret");
    static uint8_t state[1024], message[64];
    uint64_t seed = 1;
    const scrim_local_source source = device_seeded(&seed);
    const size_t bytes = scrim_local_state_bytes(1, 32);
    for (size_t i = 0; i < COUNT(words); i++) {
        const scrim_local_config config = device_config(words[i]);
        CHECK_INT(scrim_local_state_init(state, bytes, 1, 32, (uint64_t)1 << 40,
                                         (uint64_t)1 << 40, &source),
                  SCRIM_LOCAL_OK);
        for (uint64_t period = 0; period < 5; period++) {
            uint64_t value = period % 2 == 0 ? period * 7 : SCRIM_LOCAL_ABSENT;
            uint8_t text[9] = "apple";
            secret_hide(&value, sizeof value);
            secret_hide(text, sizeof text);
            CHECK_INT(
                config.text == 0
                    ? scrim_local_state_prepare(state, bytes, &config, period, value)
                    : scrim_local_state_prepare_text(state, bytes, &config, period, text),
                SCRIM_LOCAL_OK);
            /* From now on the contents of the state are the device's, and the report is public. */
            secret_show(state, bytes);
            CHECK_INT(scrim_local_state_send(state, bytes, &config, period, message),
                      SCRIM_LOCAL_OK);
        }
    }
    CHECK_INT(secret_reports(), 0);
}

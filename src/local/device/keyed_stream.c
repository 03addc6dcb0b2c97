#include "local/device/keyed_stream.h"

#include "local/device/integers.h"
#include "local/device/sha256.h"
#include "local/device/siphash.h"

#define STREAM_SEED_BYTES (8 + SL_SECRET_BYTES + SCRIM_LOCAL_HASH_BYTES + 8)

static void stream_copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

void sl_stream_init(sl_stream *stream, const uint8_t secret[SL_SECRET_BYTES],
                    sl_purpose purpose, const uint8_t hash[SCRIM_LOCAL_HASH_BYTES],
                    uint64_t period, const uint8_t *value, size_t bytes)
{
    uint8_t seed[STREAM_SEED_BYTES], made[32];
    uint64_t keys[4];
    sl_put(seed, (uint64_t)purpose, 8);
    stream_copy(seed + 8, secret, SL_SECRET_BYTES);
    stream_copy(seed + 8 + SL_SECRET_BYTES, hash, SCRIM_LOCAL_HASH_BYTES);
    sl_put(seed + STREAM_SEED_BYTES - 8, period, 8);
    sl_sha256(seed, sizeof seed, made);
    for (size_t i = 0; i < 4; i++)
        keys[i] = sl_get(made + 8 * i, 8);
    stream->key[0] = sl_siphash(keys, value, bytes);
    stream->key[1] = sl_siphash(keys + 2, value, bytes);
    stream->next = 0;
    sl_wipe(seed, sizeof seed);
    sl_wipe(made, sizeof made);
    sl_wipe(keys, sizeof keys);
}

static int stream_fill(void *context, void *out, size_t bytes)
{
    sl_stream *stream = context;
    uint8_t *to = out;
    while (bytes > 0) {
        uint8_t number[8], word[8];
        const size_t some = bytes < sizeof word ? bytes : sizeof word;
        sl_put(number, stream->next++, sizeof number);
        sl_put(word, sl_siphash(stream->key, number, sizeof number), sizeof word);
        stream_copy(to, word, some);
        to += some;
        bytes -= some;
    }
    return 0;
}

scrim_local_source sl_stream_source(sl_stream *stream)
{
    const scrim_local_source source = {stream_fill, stream};
    return source;
}

/* SHA-256 (FIPS 180-4), for the name of a configuration. */
#ifndef SL_SHA256_H
#define SL_SHA256_H

#include <stddef.h>
#include <stdint.h>

void sl_sha256(const void *message, size_t bytes, uint8_t out[32]);

#endif

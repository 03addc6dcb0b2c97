/* What is left of a secret in memory: how often its bytes stand in what the process can write
 * to, freed memory and old frames included. */
#ifndef REMAINS_H
#define REMAINS_H

#include <stddef.h>

#define REMAINS_BYTES 16

/* Some bytes of a secret, kept so that this copy is not found. */
typedef struct masked {
    unsigned char bytes[REMAINS_BYTES];
} masked;

/* The first REMAINS_BYTES of a secret that is aligned to 4. */
void masked_set(masked *out, const void *secret);
size_t masked_remains(const masked *secret);

#endif

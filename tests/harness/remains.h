/* The remains of a secret in memory: how often its bytes stand in what the process can write
 * to, freed memory and old frames included. */
#ifndef REMAINS_H
#define REMAINS_H

#include <stddef.h>
#include <stdint.h>

#define REMAINS_BYTES 16

/* Some bytes of a secret, kept so that this copy is not found. */
typedef struct masked {
    unsigned char bytes[REMAINS_BYTES];
} masked;

/* The first REMAINS_BYTES of a secret. */
void masked_set(masked *out, const void *secret);
size_t masked_remains(const masked *secret);
/* The same of `bytes` bytes from memory on. */
size_t masked_remains_in(const masked *secret, const void *memory, size_t bytes);

/* Looks at memory as it is freed, from now on: by the library and by tests, not by the libraries that
 * they are linked with. */
void freed_watch(const masked *secret);
/* How often the secret was in it; ends the watch. */
size_t freed_remains(void);
/* How often it was in memory that another file than base/memory.c had wiped, since freed_watch. A frame that is
 * overwritten later by chance does not show whether it was. */
size_t wiped_since(void);

/* Runs a body on a stack of its own, which stays as the body has left it until the next call. */
void remains_run(void (*body)(void *context), void *context);
/* How often the secret is on that stack; and a number of 8 bytes, which nothing else is likely to have. */
size_t stack_remains(const masked *secret);
size_t stack_remains_number(int64_t number);

/* The keys that sc_bits_key_draw has given since the last call of keys_watch, up to 64; and freed_watch
 * of the last of them. */
void keys_watch(void);
size_t keys_drawn(void);
const masked *key_drawn_at(size_t index);

#endif

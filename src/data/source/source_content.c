#include "data/source/source_content.h"

#include "base/mac.h"
#include "base/memory.h"

#include <string.h>

#define WORD_BYTES sizeof(uint64_t)

struct sc_content_hasher {
    sc_mac *mac;
    unsigned char mac_key[SC_MAC_KEY_BYTES];
    sc_hash_key sum_keys[2]; /* of the two words of a sum */
};

struct sc_content_block {
    const sc_content_hasher *hasher;
    sc_mac_state *state;
    uint64_t bytes;
};

struct sc_content_file {
    sc_content_hasher *hasher;
    sc_content_block *block;
    unsigned char *memory;
    const sc_content_watch *watch;
};

void sc_content_watch_tell(const sc_content_watch *watch, uint64_t done, uint64_t total)
{
    if (watch != NULL && watch->progress != NULL)
        watch->progress(watch->context, done, total);
}

static void put_word(unsigned char *out, uint64_t word)
{
    for (size_t i = 0; i < WORD_BYTES; i++)
        out[i] = (unsigned char)(word >> (8 * i));
}

/* The digest has keys of its own, so that no key serves two purposes: word n is the hash of "content" and n under one
 * half of the source's key. */
static uint64_t derive(const sc_source_key *key, size_t n)
{
    unsigned char message[] = "content.";
    message[sizeof message - 2] = (unsigned char)n;
    return sc_hash(&key->halves[n % 2], message, sizeof message - 1);
}

scrim_status sc_content_hasher_new(const sc_source_key *key, sc_content_hasher **out,
                                   scrim_error *error)
{
    sc_content_hasher *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_no_memory(error, "a digest");
    const scrim_status status = sc_mac_open(&new->mac, error);
    if (status != SCRIM_OK) {
        sc_free(new);
        return status;
    }
    for (size_t n = 0; n < SC_MAC_KEY_BYTES / WORD_BYTES; n++)
        put_word(new->mac_key + n *WORD_BYTES, derive(key, n));
    new->sum_keys[0] = (sc_hash_key){derive(key, 4), derive(key, 5)};
    new->sum_keys[1] = (sc_hash_key){derive(key, 6), derive(key, 7)};
    *out = new;
    return SCRIM_OK;
}

void sc_content_hasher_free(sc_content_hasher *hasher)
{
    if (hasher == NULL)
        return;
    sc_mac_close(hasher->mac);
    sc_free_wiped(hasher, sizeof *hasher);
}

scrim_status sc_content_block_new(const sc_content_hasher *hasher, sc_content_block **out,
                                  scrim_error *error)
{
    sc_content_block *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_no_memory(error, "a digest");
    new->hasher = hasher;
    const scrim_status status = sc_mac_state_new(hasher->mac, &new->state, error);
    if (status == SCRIM_OK)
        *out = new;
    else
        sc_free(new);
    return status;
}

void sc_content_block_free(sc_content_block *block)
{
    if (block == NULL)
        return;
    sc_mac_state_free(block->state);
    sc_free(block);
}

static scrim_status check(bool is_done, scrim_error *error)
{
    return is_done ? SCRIM_OK
                   : sc_fail(error, SCRIM_E_INTERNAL,
                             "libcrypto could not compute a digest of the source");
}

scrim_status sc_content_block_begin(sc_content_block *block, scrim_error *error)
{
    block->bytes = 0;
    return check(sc_mac_begin(block->state, block->hasher->mac_key), error);
}

scrim_status sc_content_block_add(sc_content_block *block, const void *bytes,
                                  size_t count, scrim_error *error)
{
    block->bytes += count;
    return check(sc_mac_add(block->state, bytes, count), error);
}

scrim_status sc_content_block_end(sc_content_block *block, uint64_t number,
                                  sc_source_content *sum, scrim_error *error)
{
    unsigned char message[2 * WORD_BYTES + SC_MAC_TAG_BYTES];
    put_word(message, number);
    put_word(message + WORD_BYTES, block->bytes);
    const scrim_status status =
        check(sc_mac_end(block->state, message + 2 * WORD_BYTES), error);
    for (size_t i = 0; status == SCRIM_OK && i < 2; i++)
        sum->words[i] += sc_hash(&block->hasher->sum_keys[i], message, sizeof message);
    sc_wipe(message, sizeof message);
    return status;
}

scrim_status sc_content_file_new(const sc_source_key *key, sc_content_file **out,
                                 scrim_error *error)
{
    sc_content_file *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_no_memory(error, "a digest");
    scrim_status status = sc_content_hasher_new(key, &new->hasher, error);
    if (status == SCRIM_OK)
        status = sc_content_block_new(new->hasher, &new->block, error);
    if (status == SCRIM_OK) {
        new->memory = sc_allocate(SC_CONTENT_BLOCK_BYTES, 1);
        if (new->memory == NULL)
            status = sc_no_memory(error, "a digest");
    }
    if (status == SCRIM_OK)
        *out = new;
    else
        sc_content_file_free(new);
    return status;
}

void sc_content_file_free(sc_content_file *file)
{
    if (file == NULL)
        return;
    sc_content_block_free(file->block);
    sc_content_hasher_free(file->hasher);
    sc_free_wiped(file->memory, SC_CONTENT_BLOCK_BYTES);
    sc_free(file);
}

void sc_content_file_watch(sc_content_file *file, const sc_content_watch *watch)
{
    file->watch = watch;
}

scrim_status sc_content_file_read(sc_content_file *file, uint64_t bytes,
                                  sc_content_read *read, void *context,
                                  sc_source_content *out, scrim_error *error)
{
    sc_source_content sum = {{0, 0}};
    scrim_status status = SCRIM_OK;
    for (uint64_t number = 0, at = 0; status == SCRIM_OK && at < bytes; number++) {
        const size_t count = bytes - at < SC_CONTENT_BLOCK_BYTES ? (size_t)(bytes - at)
                                                                 : SC_CONTENT_BLOCK_BYTES;
        status = read(context, at, file->memory, count, error);
        if (status == SCRIM_OK)
            status = sc_content_block_begin(file->block, error);
        if (status == SCRIM_OK)
            status = sc_content_block_add(file->block, file->memory, count, error);
        if (status == SCRIM_OK)
            status = sc_content_block_end(file->block, number, &sum, error);
        at += count;
        sc_content_watch_tell(file->watch, at, bytes);
    }
    if (status == SCRIM_OK)
        *out = sum;
    return status;
}

#include "random/bits_tape.h"

#include "base/memory.h"

#include <openssl/evp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define BLOCK_WORDS 512

struct sc_tape {
    sc_bits bits; /* first: the handle that samplers hold is a pointer to it */
    sc_bits_supply supply;
    uint64_t word; /* the one that the supply shows */
    scrim_status (*next)(sc_tape *tape, uint64_t *word, scrim_error *error);
    uint64_t bits_given, words_given; /* to the supply; some may be left in it */

    const uint64_t *words; /* a tape of words: `count` of them; a constant tape: one */
    uint64_t *own;         /* the same when they are ours to free */
    size_t count;

    sc_bits *source; /* a recording tape: the source whose words are kept */
    uint64_t *kept;
    size_t capacity;

    EVP_CIPHER_CTX *cipher; /* ChaCha20: a block of keystream, taken from the front */
    unsigned char block[8 * BLOCK_WORDS];
    size_t taken;
};

static uint64_t load_little(const unsigned char bytes[8])
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static scrim_status refill(sc_bits *bits, scrim_error *error)
{
    sc_tape *tape = (sc_tape *)bits;
    uint64_t word;
    scrim_status status = tape->next(tape, &word, error);
    if (status != SCRIM_OK)
        return status;
    tape->word = word;
    tape->bits_given += 64;
    tape->words_given++;
    tape->supply.end = &tape->word + 1;
    tape->supply.left = 1;
    return SCRIM_OK;
}

static sc_tape *tape_new(scrim_status (*next)(sc_tape *, uint64_t *, scrim_error *),
                         scrim_error *error)
{
    sc_tape *tape = sc_allocate(1, sizeof *tape);
    if (tape == NULL) {
        (void)sc_fail(error, SCRIM_E_MEMORY, "tape: no memory");
        return NULL;
    }
    tape->bits.supply = &tape->supply;
    tape->bits.refill = refill;
    tape->next = next;
    return tape;
}

static scrim_status next_played(sc_tape *tape, uint64_t *word, scrim_error *error)
{
    if (tape->words_given == tape->count)
        return sc_fail(error, SCRIM_E_ENTROPY, "tape: it ends after %zu words",
                       tape->count);
    *word = tape->words[tape->words_given];
    return SCRIM_OK;
}

static scrim_status next_constant(sc_tape *tape, uint64_t *word, scrim_error *error)
{
    (void)error;
    *word = *tape->words;
    return SCRIM_OK;
}

static scrim_status next_recorded(sc_tape *tape, uint64_t *word, scrim_error *error)
{
    scrim_status status = sc_bits_word(tape->source, word, error);
    if (status == SCRIM_OK && tape->words_given < tape->capacity)
        tape->kept[tape->words_given] = *word;
    return status;
}

static scrim_status next_chacha(sc_tape *tape, uint64_t *word, scrim_error *error)
{
    if (tape->taken == sizeof tape->block) {
        int made = 0;
        memset(tape->block, 0, sizeof tape->block);
        if (EVP_EncryptUpdate(tape->cipher, tape->block, &made, tape->block,
                              sizeof tape->block) != 1 ||
            made != sizeof tape->block)
            return sc_fail(error, SCRIM_E_ENTROPY, "tape: libcrypto's ChaCha20 failed");
        tape->taken = 0;
    }
    *word = load_little(tape->block + tape->taken);
    tape->taken += 8;
    return SCRIM_OK;
}

scrim_status sc_tape_words(const uint64_t *words, size_t count, sc_tape **out,
                           scrim_error *error)
{
    sc_tape *tape = tape_new(next_played, error);
    if (tape == NULL)
        return SCRIM_E_MEMORY;
    tape->words = words;
    tape->count = count;
    *out = tape;
    return SCRIM_OK;
}

/* The bit number `at` of the bytes and those after it, `count` <= 64 in all. */
static uint64_t bits_at(const unsigned char *bytes, size_t at, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++, at++)
        value |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << i;
    return value;
}

scrim_status sc_tape_bits(const unsigned char *bytes, size_t count, sc_tape **out,
                          scrim_error *error)
{
    unsigned first = (unsigned)(count % 64);
    sc_tape *tape = tape_new(next_played, error);
    if (tape == NULL)
        return SCRIM_E_MEMORY;
    tape->count = count / 64;
    tape->own = sc_allocate(tape->count, sizeof *tape->own);
    if (tape->own == NULL) {
        sc_tape_free(tape);
        return sc_fail(error, SCRIM_E_MEMORY, "tape: no memory for %zu bits", count);
    }
    /* The odd bits go first, into the reservoir, so that the rest are whole words. */
    tape->supply.reservoir = bits_at(bytes, 0, first);
    tape->supply.held = first;
    tape->bits_given = first;
    for (size_t i = 0; i < tape->count; i++)
        tape->own[i] = bits_at(bytes, first + 64 * i, 64);
    tape->words = tape->own;
    *out = tape;
    return SCRIM_OK;
}

scrim_status sc_tape_constant(uint64_t word, sc_tape **out, scrim_error *error)
{
    sc_tape *tape = tape_new(next_constant, error);
    if (tape == NULL)
        return SCRIM_E_MEMORY;
    tape->own = sc_allocate(1, sizeof word);
    if (tape->own == NULL) {
        sc_tape_free(tape);
        return sc_fail(error, SCRIM_E_MEMORY, "tape: no memory");
    }
    *tape->own = word;
    tape->words = tape->own;
    *out = tape;
    return SCRIM_OK;
}

scrim_status sc_tape_chacha(const unsigned char key[32], sc_tape **out,
                            scrim_error *error)
{
    /* libcrypto's IV: the block counter, 4 bytes, and the nonce, 12. */
    static const unsigned char start[16];
    sc_tape *tape = tape_new(next_chacha, error);
    if (tape == NULL)
        return SCRIM_E_MEMORY;
    tape->taken = sizeof tape->block;
    tape->cipher = EVP_CIPHER_CTX_new();
    if (tape->cipher == NULL ||
        EVP_EncryptInit_ex2(tape->cipher, EVP_chacha20(), key, start, NULL) != 1) {
        sc_tape_free(tape);
        return sc_fail(error, SCRIM_E_ENTROPY, "tape: libcrypto has no ChaCha20");
    }
    *out = tape;
    return SCRIM_OK;
}

scrim_status sc_tape_reference(sc_tape **out, scrim_error *error)
{
    unsigned char key[32];
    for (unsigned i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)i;
    return sc_tape_chacha(key, out, error);
}

scrim_status sc_tape_seeded(uint64_t seed, sc_tape **out, scrim_error *error)
{
    unsigned char key[32] = {0};
    for (unsigned i = 0; i < 8; i++)
        key[i] = (unsigned char)(seed >> (8 * i));
    return sc_tape_chacha(key, out, error);
}

scrim_status sc_tape_record(sc_bits *source, uint64_t *words, size_t capacity,
                            sc_tape **out, scrim_error *error)
{
    sc_tape *tape = tape_new(next_recorded, error);
    if (tape == NULL)
        return SCRIM_E_MEMORY;
    tape->source = source;
    tape->kept = words;
    tape->capacity = capacity;
    *out = tape;
    return SCRIM_OK;
}

void sc_tape_free(sc_tape *tape)
{
    if (tape == NULL)
        return;
    EVP_CIPHER_CTX_free(tape->cipher);
    sc_free(tape->own);
    sc_free(tape);
}

sc_bits *sc_tape_bits_of(sc_tape *tape)
{
    return &tape->bits;
}

uint64_t sc_tape_used(const sc_tape *tape)
{
    return tape->bits_given - 64 * tape->supply.left - tape->supply.held;
}

uint64_t sc_tape_words_used(const sc_tape *tape)
{
    bool full = tape->source != NULL && tape->words_given > tape->capacity;
    return full ? tape->capacity : tape->words_given;
}

/* Seeded entropy. */

static atomic_bool is_seeded;
static atomic_uint_least64_t entropy_state;

void sc_entropy_seed(uint64_t seed)
{
    atomic_store(&entropy_state, seed);
    atomic_store(&is_seeded, true);
}

void sc_entropy_release(void)
{
    atomic_store(&is_seeded, false);
}

/* SplitMix64, in place of the kernel's entropy in tests: it makes keys of a cipher, which need
 * only differ. */
bool sc_entropy_fill(void *out, size_t bytes)
{
    unsigned char *to = out;
    if (!atomic_load(&is_seeded))
        return false;
    for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t z = atomic_fetch_add(&entropy_state, UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        memcpy(to + i, &z, bytes - i < sizeof z ? bytes - i : sizeof z);
    }
    return true;
}

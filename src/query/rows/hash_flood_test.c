/* Keys that were prepared against hashes that everybody knows (A62): as good as any others here.
 *
 * A pair of blocks that leads from one state of a hash to the same next one is found for each of
 * twenty places; choosing one of the two at every place makes 2^20 strings with one hash. */
#include "check.h"
#include "query/rows/group.h"
#include "query/rows/key_set.h"
#include "query/rows/unit_table.h"
#include "random/bits_tape.h"

#include <stdio.h>

#define PLACES 20
#define BLOCK 8
#define KEY_BYTES ((size_t)PLACES * BLOCK)

typedef uint32_t known_hash(uint32_t state, const unsigned char *bytes, size_t count);

static uint32_t fnv1a(uint32_t state, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        state = (state ^ bytes[i]) * UINT32_C(16777619);
    return state;
}

static uint32_t djb2(uint32_t state, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        state = state * 33 + bytes[i];
    return state;
}

/* MurmurHash3, 32 bits, without its end, which maps equal states to equal hashes. */
static uint32_t murmur3(uint32_t state, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i + 4 <= count; i += 4) {
        uint32_t word = bytes[i] | (uint32_t)bytes[i + 1] << 8 |
                        (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;
        word *= UINT32_C(0xcc9e2d51);
        word = (word << 15 | word >> 17) * UINT32_C(0x1b873593);
        state ^= word;
        state = (state << 13 | state >> 19) * 5 + UINT32_C(0xe6546b64);
    }
    return state;
}

typedef struct flood {
    known_hash *hash;
    uint32_t start;
    unsigned char blocks[PLACES][2][BLOCK];
} flood;

/* Block number i of those that are tried; all its bytes differ from block to block. */
static void make_block(uint32_t i, unsigned char block[BLOCK])
{
    uint64_t bits = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    bits ^= bits >> 29;
    bits *= UINT64_C(0xbf58476d1ce4e5b9);
    for (size_t j = 0; j < BLOCK; j++, bits <<= 6)
        block[j] = (unsigned char)('0' + (bits >> 58));
}

/* Two blocks that lead to the same state, by their birthdays. */
static uint32_t find_pair(const flood *f, uint32_t state, unsigned char pair[2][BLOCK])
{
    enum { SLOTS = 1 << 20 };
    static uint32_t states[SLOTS], numbers[SLOTS];
    memset(numbers, 0xff, sizeof numbers);
    for (uint32_t i = 0;; i++) {
        make_block(i, pair[1]);
        const uint32_t next = f->hash(state, pair[1], BLOCK);
        uint32_t at = next % SLOTS;
        while (numbers[at] != UINT32_MAX && states[at] != next)
            at = (at + 1) % SLOTS;
        if (numbers[at] != UINT32_MAX) {
            make_block(numbers[at], pair[0]);
            return next;
        }
        states[at] = next;
        numbers[at] = i;
    }
}

static void prepare(flood *f)
{
    uint32_t state = f->start;
    for (size_t i = 0; i < PLACES; i++)
        state = find_pair(f, state, f->blocks[i]);
}

/* Key number i, with what is read behind it; distinct up to 2^PLACES. */
static sc_text flood_key(const flood *f, size_t i, char key[KEY_BYTES + SC_KEY_PADDING])
{
    for (size_t j = 0; j < PLACES; j++)
        memcpy(key + j * BLOCK, f->blocks[j][i >> j & 1], BLOCK);
    return (sc_text){key, KEY_BYTES};
}

/* As long, and not prepared. */
static sc_text plain_key(size_t i, char key[KEY_BYTES + SC_KEY_PADDING])
{
    memset(key, 'x', KEY_BYTES);
    snprintf(key, KEY_BYTES, "%zu", i);
    return (sc_text){key, KEY_BYTES};
}

static sc_value_key draw_key(sc_tape *tape)
{
    sc_value_key key;
    scrim_error error;
    for (size_t i = 0; i < COUNT(key.words); i++)
        CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &key.words[i], &error),
                     SCRIM_OK);
    return key;
}

/* How many keys are looked at to find each of `count` once. From a key to the end of its chain
 * are as many as from its begin to a key, all keys of the chain taken together. */
static uint64_t key_steps(const flood *f, size_t count, const sc_value_key *hash_key)
{
    sc_key_set set;
    scrim_error error;
    uint64_t steps = 0;
    char key[KEY_BYTES + SC_KEY_PADDING] = "";
    if (!CHECK_STATUS(sc_key_set_init(&set, &error), SCRIM_OK))
        return 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = 0;
        const sc_text text = f == NULL ? plain_key(i, key) : flood_key(f, i, key);
        CHECK_STATUS(
            sc_key_set_add(&set, text, sc_value_hash(hash_key, text), &number, &error),
            SCRIM_OK);
        CHECK_INT(number, i);
    }
    for (uint32_t i = 0; i < set.count; i++)
        for (uint32_t at = i; at != SC_KEY_NONE; at = set.entries[at].next)
            steps++;
    sc_key_set_clear(&set);
    return steps;
}

/* The same for units, one row each, all parts together. */
static uint64_t unit_steps(const flood *f, size_t count, const sc_value_key *hash_key)
{
    static const unsigned char no_values[2 * SC_UNIT_PADDING];
    static sc_unit_rows rows;
    const sc_unit_share share = {&rows, NULL};
    sc_unit_table table = {0};
    scrim_error error;
    uint64_t steps = 0, units = 0;
    char key[KEY_BYTES + SC_KEY_PADDING] = "";
    sc_unit_rows_init(&rows, 0, 4);
    for (size_t i = 0; i < count; i++) {
        const sc_text text = f == NULL ? plain_key(i, key) : flood_key(f, i, key);
        CHECK(sc_unit_rows_add(&rows, sc_value_hash(hash_key, text), text, 0, 1,
                               no_values));
    }
    for (size_t part = 0; part < SC_UNIT_PARTS; part++) {
        CHECK_STATUS(sc_unit_table_fill(&table, &share, 1, part, hash_key, &error),
                     SCRIM_OK);
        units += table.unit_count;
        for (size_t i = 0; i < table.unit_count; i++)
            for (size_t at = i; at != UINT32_MAX; at = table.links[at].next)
                steps++;
    }
    CHECK_INT(units, count);
    sc_unit_table_clear(&table);
    sc_unit_rows_clear(&rows);
    return steps;
}

SLOW_TEST(a62_hash_flood_is_no_slower_than_other_keys)
{
    static flood floods[] = {{fnv1a, UINT32_C(2166136261), {{{0}}}},
                             {djb2, 5381, {{{0}}}},
                             {murmur3, 0, {{{0}}}}};
    const size_t count = (size_t)check_count(1 << 12, 1 << PLACES);
    sc_tape *tape = NULL;
    scrim_error error;
    char key[KEY_BYTES + SC_KEY_PADDING] = "";
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (size_t i = 0; i < COUNT(floods); i++) {
        flood *f = &floods[i];
        const sc_value_key hash_key = draw_key(tape);
        size_t unlike = 0;
        prepare(f);
        const uint32_t hash = f->hash(
            f->start, (const unsigned char *)flood_key(f, 0, key).start, KEY_BYTES);
        for (size_t j = 0; j < count; j++)
            unlike += f->hash(f->start, (const unsigned char *)flood_key(f, j, key).start,
                              KEY_BYTES) != hash;
        CHECK_INT(unlike, 0);
        const uint64_t keys = key_steps(f, count, &hash_key),
                       units = unit_steps(f, count, &hash_key);
        CHECK(keys > 0 && keys < 2 * key_steps(NULL, count, &hash_key));
        CHECK(units > 0 && units < 2 * unit_steps(NULL, count, &hash_key));
    }
    sc_tape_free(tape);
}

/* How many units are looked at to find each of `count` once, that differ in the bits of a word from
 * this one on. */
static uint64_t word_steps(unsigned shift, size_t count, const sc_value_key *hash_key)
{
    static const unsigned char no_values[2 * SC_UNIT_PADDING];
    static sc_unit_rows rows;
    const sc_unit_share share = {&rows, NULL};
    sc_unit_table table = {0};
    scrim_error error;
    uint64_t steps = 0;
    sc_unit_rows_init(&rows, 0, 4);
    for (size_t i = 0; i < count; i++) {
        char unit[8 + SC_UNIT_PADDING] = "aaaaaaaa";
        uint64_t word;
        memcpy(&word, unit, sizeof word);
        word += (uint64_t)i << shift;
        memcpy(unit, &word, sizeof word);
        CHECK(sc_unit_rows_add(&rows, 0, (sc_text){unit, 8}, 0, 1, no_values));
    }
    CHECK_STATUS(sc_unit_table_fill(&table, &share, 1, 0, hash_key, &error), SCRIM_OK);
    CHECK_INT(table.unit_count, count);
    for (size_t i = 0; i < table.unit_count; i++)
        for (size_t at = i; at != UINT32_MAX; at = table.links[at].next)
            steps++;
    sc_unit_table_clear(&table);
    sc_unit_rows_clear(&rows);
    return steps;
}

/* Here are as many chains as units: by chance a unit is half a step more away, and at twice the
 * probability one. */
SLOW_TEST(a62_short_units_that_differ_in_few_bits_are_spread)
{
    const size_t count = 1 << 12;
    const uint64_t turns = check_count(20, 1000);
    sc_tape *tape = NULL;
    scrim_error error;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (unsigned shift = 0; shift <= 48; shift += 8) {
        uint64_t steps = 0;
        for (uint64_t i = 0; i < turns; i++) {
            const sc_value_key hash_key = draw_key(tape);
            steps += word_steps(shift, count, &hash_key);
        }
        CHECK(steps < 2 * turns * count);
    }
    sc_tape_free(tape);
}

/* Groups that were discovered, in the order in which they come out. */

#define KEYS 500

static void list_groups(const sc_value_key *hash_key, char (*names)[32], char *list,
                        size_t capacity)
{
    static sc_text units[KEYS], keys[KEYS];
    static uint64_t unit_hashes[KEYS], key_hashes[KEYS];
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    sc_groups groups = {NULL, 0};
    scrim_error error;
    size_t used = 0;
    for (size_t i = 0; i < KEYS; i++) {
        units[i] = keys[i] = sc_text_of(names[i]);
        unit_hashes[i] = key_hashes[i] = sc_value_hash_plain(hash_key, keys[i]);
    }
    const sc_group_plan plan = {
        .has_units = true, .bounds = {1, 1, 0}, .hash_key = *hash_key, .workers = 2};
    const sc_group_rows rows = {.count = KEYS,
                                .units = units,
                                .unit_hashes = unit_hashes,
                                .keys = keys,
                                .key_hashes = key_hashes};
    REQUIRE_OK(sc_tape_seeded(1, &tape, &error));
    REQUIRE_OK(sc_grouping_new(&plan, sc_tape_bits_of(tape), &grouping, &error));
    CHECK_STATUS(sc_grouping_take(grouping, 0, &rows, &error), SCRIM_OK);
    CHECK_STATUS(sc_grouping_finish(grouping, &groups, &error), SCRIM_OK);
    CHECK_INT(groups.count, KEYS);
    for (size_t i = 0; i < groups.count; i++)
        used +=
            (size_t)snprintf(list + used, capacity - used, "%.*s ",
                             (int)groups.groups[i].key.bytes, groups.groups[i].key.start);
    sc_grouping_free(grouping);
    sc_tape_free(tape);
}

TEST(a62_hash_key_never_changes_the_order_of_groups)
{
    static char names[KEYS][32], first[KEYS * 16], again[KEYS * 16];
    sc_tape *tape = NULL;
    scrim_error error;
    for (size_t i = 0; i < KEYS; i++)
        snprintf(names[i], sizeof names[i], "%zu", i * 7919 % 100003);
    REQUIRE_OK(sc_tape_seeded(check_seed() + 1, &tape, &error));
    for (int turn = 0; turn < 8; turn++) {
        const sc_value_key hash_key = draw_key(tape);
        list_groups(&hash_key, names, turn == 0 ? first : again, sizeof first);
        if (turn > 0)
            CHECK(strcmp(first, again) == 0);
    }
    sc_tape_free(tape);
}

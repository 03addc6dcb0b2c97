#include "check.h"
#include "data/value/column.h"
#include "data/value/value.h"
#include "model/grid.h"
#include "random/bits_tape.h"

#include <string.h>

TEST(null_is_no_value_and_behind_all)
{
    CLAIM("null-value.apart");
    CHECK(SC_NULL > (int64_t)1 << SC_GRID_BITS);
    CHECK(sc_text_is_null(sc_null_text()));
    CHECK(!sc_column_is_text(sc_null_text()));
    CHECK(sc_text_compare(sc_null_text(), sc_text_of("\xf4\x8f\xbf\xbf")) > 0);
    CHECK(sc_text_compare(sc_null_text(), sc_text_of("")) > 0);
    CHECK(!sc_text_is_null(sc_text_of("")));
    CHECK(!sc_text_is_null(sc_text_of("NULL")));
    CHECK(!sc_text_is_null(sc_text_of("\xff\xff")));
    for (size_t i = 1; i <= 16; i++)
        CHECK_INT(sc_null_text().start[i], 0);
}

TEST(boolean_words_and_no_others)
{
    CLAIM("boolean.words");
    static const char *const words[][6] = {{"false", "F", "No", "n", "0", " FALSE\t"},
                                           {"true", "T", "yEs", "y", "1", "  True "}};
    static const char *const others[] = {"",    " ",    "2",     "00",  "10",
                                         "-1",  "tru",  "truee", "on",  "off",
                                         "y e", "NULL", "nan",   "yes."};
    for (int64_t value = 0; value < 2; value++)
        for (size_t i = 0; i < COUNT(words[value]); i++) {
            int64_t got = 7;
            CHECK(sc_boolean_read(sc_text_of(words[value][i]), &got));
            CHECK_INT(got, value);
        }
    for (size_t i = 0; i < COUNT(others); i++) {
        int64_t got = 7;
        if (sc_boolean_read(sc_text_of(others[i]), &got))
            CHECK_FAIL("'%s' is taken for a bool", others[i]);
        CHECK_INT(got, 7);
    }
    int64_t got = 7;
    CHECK(!sc_boolean_read((sc_text){"t\0", 2}, &got));
}

/* By the definition: the value of the bytes, and whether that value has this spelling. */
static bool is_character(const unsigned char *at, size_t bytes, size_t *length)
{
    unsigned value = at[0];
    *length = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (*length > bytes || (at[0] >= 0x80 && at[0] < 0xc0) || at[0] >= 0xf8)
        return false;
    if (*length > 1)
        value &= (1u << (7 - *length)) - 1;
    for (size_t i = 1; i < *length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return false;
        value = value << 6 | (at[i] & 0x3f);
    }
    const unsigned least[] = {0, 1, 0x80, 0x800, 0x10000};
    return value >= least[*length] && value <= 0x10ffff &&
           !(value >= 0xd800 && value <= 0xdfff);
}

static bool is_text(const unsigned char *at, size_t bytes)
{
    size_t length = 0;
    for (size_t used = 0; used < bytes; used += length)
        if (!is_character(at + used, bytes - used, &length))
            return false;
    return true;
}

static void compare(const unsigned char *at, size_t bytes)
{
    const sc_text text = {(const char *)at, bytes};
    const bool want = is_text(at, bytes);
    char room[32];
    memset(room, '\xff', sizeof room);
    memcpy(room, at, bytes);
    if (sc_utf8_is_valid(text) != want || sc_utf8_is_valid_plain(text) != want ||
        sc_utf8_is_valid_padded((sc_text){room, bytes}) != want)
        CHECK_FAIL("%zu bytes that begin with %02x %02x", bytes, at[0], at[1]);
}

/* All sequences of 2 bytes behind 0 to 9 letters, and of 3 or 4 with every lead byte. */
SLOW_TEST(utf8_is_what_the_standard_says)
{
    static const unsigned char edges[] = {0x00, 0x01, 0x7f, 0x80, 0x8f, 0x90,
                                          0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    const size_t count = sizeof edges;
    for (size_t letters = 0; letters < 10; letters++) {
        unsigned char text[14];
        memset(text, 'a', sizeof text);
        for (unsigned first = 0; first < 256; first++)
            for (unsigned second = 0; second < 256; second++) {
                text[letters] = (unsigned char)first;
                text[letters + 1] = (unsigned char)second;
                compare(text, letters + 1);
                compare(text, letters + 2);
                compare(text, letters + 3);
            }
    }
    for (unsigned first = 0xc0; first < 256; first++)
        for (size_t i = 0; i < count * count * count; i++) {
            const unsigned char text[] = {(unsigned char)first, edges[i % count],
                                          edges[i / count % count],
                                          edges[i / count / count]};
            compare(text, 3);
            compare(text, 4);
        }
    CHECK(sc_utf8_is_valid((sc_text){"", 0}));
}

/* The texts with bars behind them; "!" for an invalid list. */
static void show(const char *list, char *shown, size_t capacity)
{
    char room[100];
    sc_text rest = sc_text_of(list), item;
    sc_text_sink sink;
    sc_text_sink_init(&sink, shown, capacity);
    while (rest.bytes > 0) {
        if (!sc_text_list_take(&rest, room, &item)) {
            sc_text_put(&sink, sc_text_of("!"));
            return;
        }
        sc_text_put(&sink, item);
        sc_text_put(&sink, sc_text_of("|"));
    }
}

TEST(text_list_has_texts_between_commas)
{
    static const struct {
        const char *list, *shown;
    } rows[] = {
        {"", ""},
        {"a", "a|"},
        {"a,b", "a|b|"},
        {" a , b ", "a|b|"},
        {"a,,b", "a||b|"},
        {"a,", "!"},
        {"\"a,b\",c", "a,b|c|"},
        {"\"a \"\"b\"\"\"", "a \"b\"|"},
        {"\" \"", " |"},
        {"\"\",a", "|a|"},
        {"\"a", "!"},
        {"\"a\"b", "!"},
        {"\"a\",", "!"},
        {"a\"b,c", "a\"b|c|"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char shown[100];
        show(rows[i].list, shown, sizeof shown);
        CHECK_STR(shown, rows[i].shown);
    }
}

static void draw_key(sc_tape *tape, sc_value_key *key)
{
    for (size_t i = 0; i < sizeof key->words / sizeof *key->words; i++)
        CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &key->words[i], NULL), SCRIM_OK);
}

TEST(value_hash_twins_agree)
{
    CLAIM("value-hash.uniform");
    sc_tape *tape = NULL;
    sc_value_key key;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    draw_key(tape, &key);
    const sc_value_hasher hasher = sc_value_hasher_of(&key);
    char text[64];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 37 + 200);
    for (size_t from = 0; from < 8; from++)
        for (size_t bytes = 0; from + bytes + 8 <= sizeof text; bytes++) {
            const sc_text view = {text + from, bytes};
            CHECK(sc_value_hash(&key, view) == sc_value_hash_plain(&key, view));
            if (view.bytes - 1 < SC_VALUE_SHORT) {
                uint64_t word = 0;
                for (size_t j = view.bytes; j-- > 0;)
                    word = word << 8 | (unsigned char)view.start[j];
                CHECK(sc_value_hash_word(&hasher, word, view.bytes) ==
                      sc_value_hash_plain(&key, view));
            }
        }
    sc_tape_free(tape);
}

/* Pairs that a weak hash confuses, over many keys: four bits of each of the two hashes fall on
 * all 256 pairs alike. Chi-square of 255 degrees of freedom: above 400 once in 10^8 runs. */
TEST(value_hash_is_uniform_and_independent)
{
    CLAIM("value-hash.uniform");
    static const char *const pairs[][2] = {
        {"a", "b"},
        {"a", "a\0"},
        {"user1", "user2"},
        {"aaaaaaaaX", "aaaaaaaXX"},
        {"0", "00000000"},
        {"abcdefghijklmnop", "abcdefghijklmnoq"},
        {"aaaaaaaaa", "aaaaaaaa"},
    };
    sc_tape *tape = NULL;
    const uint64_t count = check_count(25600, 256000);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        uint64_t high[256] = {0}, low[256] = {0};
        for (uint64_t i = 0; i < count; i++) {
            sc_value_key key;
            char room[2][32] = {{0}};
            sc_text view[2];
            draw_key(tape, &key);
            for (size_t j = 0; j < 2; j++) {
                const size_t bytes = p == 1 ? j + 1 : sc_text_of(pairs[p][j]).bytes;
                memcpy(room[j], pairs[p][j], bytes);
                view[j] = (sc_text){room[j], bytes};
            }
            const uint64_t a = sc_value_hash(&key, view[0]),
                           b = sc_value_hash(&key, view[1]);
            high[(a >> 60) << 4 | b >> 60]++;
            low[(a & 15) << 4 | (b & 15)]++;
        }
        const double mean = (double)count / 256;
        double chi_high = 0, chi_low = 0;
        for (size_t i = 0; i < 256; i++) {
            chi_high += ((double)high[i] - mean) * ((double)high[i] - mean) / mean;
            chi_low += ((double)low[i] - mean) * ((double)low[i] - mean) / mean;
        }
        CHECK(chi_high < 400);
        CHECK(chi_low < 400);
    }
    sc_tape_free(tape);
}

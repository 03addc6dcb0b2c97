#include "check.h"
#include "faults.h"
#include "query/rows/key_tuple.h"

static const sc_value_key hash_key = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
static const int64_t numbers[] = {INT64_MIN, -256, -255, -1, 0, 1, 255, 256, INT64_MAX};
static const char *const texts[] = {"", "a", "a b", "aa", "b", "ba", "\x7f", "\xc3\xa9"};

/* Tuples in their order: by text, then number, then text. */
#define TUPLES (COUNT(texts) * COUNT(numbers) * COUNT(texts))

static void tuple_of(size_t i, sc_key_part parts[3])
{
    const size_t n = COUNT(numbers), t = COUNT(texts);
    parts[0] = (sc_key_part){true, 0, sc_text_of(texts[i / t / n])};
    parts[1] = (sc_key_part){false, numbers[i / t % n], {NULL, 0}};
    parts[2] = (sc_key_part){true, 0, sc_text_of(texts[i % t])};
}

TEST(key_tuple_strings_are_in_the_order_of_tuples)
{
    CLAIM("key-tuple.order");
    CLAIM("key-tuple.back");
    char before[64], bytes[64];
    size_t before_count = 0;
    unsigned wrong = 0;
    for (size_t i = 0; i < TUPLES; i++) {
        sc_key_part parts[3], back[3] = {{.is_text = true}, {0}, {.is_text = true}};
        tuple_of(i, parts);
        const size_t count = sc_key_tuple_bytes(parts, 3);
        REQUIRE(count <= sizeof bytes);
        sc_key_tuple_write(parts, 3, bytes);
        const size_t common = count < before_count ? count : before_count;
        const int order = i == 0 ? -1 : memcmp(before, bytes, common);
        wrong += order > 0 || (order == 0 && before_count >= count);
        wrong += !sc_key_tuple_read((sc_text){bytes, count}, back, 3) ||
                 !sc_text_equal(back[0].text, parts[0].text) ||
                 back[1].value != parts[1].value ||
                 !sc_text_equal(back[2].text, parts[2].text);
        wrong += sc_key_tuple_read((sc_text){bytes, count - 1}, back, 3);
        wrong += sc_key_tuple_read((sc_text){bytes, count}, back, 2);
        memcpy(before, bytes, count);
        before_count = count;
    }
    CHECK_INT(wrong, 0);
}

static scrim_status make_rows(sc_key_rows *rows, scrim_error *error)
{
    static int64_t values[TUPLES];
    static sc_text first[TUPLES], last[TUPLES];
    const sc_key_column columns[] = {{NULL, first}, {values, NULL}, {NULL, last}};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < TUPLES; i++) {
        sc_key_part parts[3];
        tuple_of(i, parts);
        first[i] = parts[0].text;
        values[i] = parts[1].value;
        last[i] = parts[2].text;
    }
    /* Again and again, of few rows and many. */
    for (size_t turn = 0; status == SCRIM_OK && turn < 4; turn++)
        status = sc_key_rows_make(rows, columns, 3, turn == 0 ? 5 : TUPLES / (4 - turn),
                                  &hash_key, error);
    return status;
}

TEST(key_tuple_rows_are_those_one_by_one)
{
    sc_key_rows rows = {0};
    scrim_error error;
    unsigned wrong = 0;
    REQUIRE_OK(make_rows(&rows, &error));
    for (size_t i = 0; i < TUPLES; i++) {
        sc_key_part parts[3];
        char bytes[64];
        tuple_of(i, parts);
        const sc_text want = {bytes, sc_key_tuple_bytes(parts, 3)};
        sc_key_tuple_write(parts, 3, bytes);
        wrong += !sc_text_equal(rows.keys[i], want) ||
                 rows.hashes[i] != sc_value_hash_plain(&hash_key, want);
    }
    CHECK_INT(wrong, 0);
    sc_key_rows_clear(&rows);
}

TEST(key_tuple_rows_survive_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        sc_key_rows rows = {0};
        scrim_error error;
        const scrim_status status = make_rows(&rows, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_key_rows_clear(&rows);
    }
}

#include "check.h"
#include "mechanism/threshold/item_family.h"
#include "vectors.h"

#include <string.h>

#define BITS 10
#define SET2(a, b) ((uint64_t)(a) << BITS | (uint64_t)(b))
#define SET3(a, b, c) (SET2(a, b) << BITS | (uint64_t)(c))

static void check_next(const uint64_t *sets, size_t count, size_t size,
                       const uint64_t *want, size_t want_count)
{
    sc_item_family family;
    REQUIRE_OK(sc_item_family_next(sets, count, size, BITS, &family, NULL));
    CHECK_INT(family.count, want_count);
    for (size_t i = 0; i < family.count && i < want_count; i++)
        CHECK_INT(family.sets[i], want[i]);
    sc_item_family_clear(&family);
}

TEST(item_family_candidates_have_all_subsets)
{
    CLAIM("item-family.next");
    const uint64_t items[] = {3, 5, 9};
    const uint64_t pairs[] = {SET2(3, 5), SET2(3, 9), SET2(5, 9)};
    check_next(items, 3, 1, pairs, 3);
    check_next(items, 1, 1, NULL, 0);
    check_next(NULL, 0, 1, NULL, 0);
    /* {1,2,3} has all its pairs; {1,2,4} lacks {2,4}, {2,3,5} lacks {3,5}. */
    const uint64_t some[] = {SET2(1, 2), SET2(1, 3), SET2(1, 4), SET2(2, 3), SET2(2, 5)};
    const uint64_t triple = SET3(1, 2, 3);
    check_next(some, 5, 2, &triple, 1);
    const uint64_t triples[] = {SET3(1, 2, 3), SET3(1, 2, 4), SET3(1, 3, 4)};
    check_next(triples, 3, 3, NULL, 0); /* {1,2,3,4} lacks {2,3,4} */
    const uint64_t all[] = {SET3(1, 2, 3), SET3(1, 2, 4), SET3(1, 3, 4), SET3(2, 3, 4)};
    const uint64_t four = SET3(1, 2, 3) << BITS | 4;
    check_next(all, 4, 3, &four, 1);
}

/* Every subset of eight items, against all sets one larger, looked at one by one. */
TEST(item_family_candidates_are_those_of_a_search)
{
    CLAIM("item-family.next");
    const unsigned items = 6;
    for (uint64_t round = 1; round < 200; round++) {
        uint64_t sets[15], want[20];
        size_t count = 0, wanted = 0;
        bool is_in[6][6] = {{false}};
        const uint64_t dice = round * 0x9e3779b97f4a7c15u;
        for (unsigned a = 0; a < items; a++)
            for (unsigned b = a + 1; b < items; b++)
                if (dice >> (8 * a + b) & 1) {
                    is_in[a][b] = true;
                    sets[count++] = SET2(a + 1, b + 1);
                }
        for (unsigned a = 0; a < items; a++)
            for (unsigned b = a + 1; b < items; b++)
                for (unsigned c = b + 1; c < items; c++)
                    if (is_in[a][b] && is_in[a][c] && is_in[b][c])
                        want[wanted++] = SET3(a + 1, b + 1, c + 1);
        check_next(sets, count, 2, want, wanted);
    }
}

TEST(item_family_ends_at_its_room)
{
    CLAIM("item-family.next");
    uint64_t items[300];
    sc_item_family family;
    for (size_t i = 0; i < COUNT(items); i++)
        items[i] = i + 1;
    REQUIRE_OK(sc_item_family_next(items, COUNT(items), 1, BITS, &family, NULL));
    CHECK_INT(family.count, SC_ITEM_FAMILY_MAX);
    CHECK_INT(family.sets[0], SET2(1, 2));
    CHECK_INT(family.item_count, 300);
    CHECK_INT(sc_item_family_most(&family, 4), 6); /* too many items to search */
    CHECK_INT(sc_item_family_most(&family, 1), 0);
    sc_item_family_clear(&family);
}

static sc_item_family family_of(const json_t *candidates, uint64_t *sets, int64_t *items)
{
    sc_item_family family = {.sets = sets, .size = 2, .bits = BITS, .items = items};
    size_t i;
    const json_t *set;
    json_array_foreach(candidates, i, set)
    {
        const json_int_t a = json_integer_value(json_array_get(set, 0));
        const json_int_t b = json_integer_value(json_array_get(set, 1));
        sets[family.count++] = SET2(a + 1, b + 1);
        family.item_count =
            (size_t)b + 1 > family.item_count ? (size_t)b + 1 : family.item_count;
    }
    for (i = 0; i < family.item_count; i++)
        items[i] = (int64_t)i + 1;
    return family;
}

TEST(item_family_holds_as_many_as_the_vectors)
{
    CLAIM("item-family.most");
    const json_t *file = vectors_load("synthetic", "itemset_family");
    uint64_t sets[8];
    int64_t items[8];
    const sc_item_family family =
        family_of(json_object_get(file, "candidates"), sets, items);
    const json_t *row;
    size_t r;
    json_array_foreach(json_object_get(file, "rows"), r, row)
    {
        const json_int_t cap = json_integer_value(json_object_get(row, "cap"));
        const uint64_t most = sc_item_family_most(&family, (uint64_t)cap);
        CHECK_INT(most, json_integer_value(json_object_get(row, "most_in_one")));
        CHECK((json_int_t)most <= json_integer_value(json_object_get(row, "bound")));
    }
    CHECK_INT(r, 3);
    CHECK_INT(sc_item_family_most(&family, 0), 0);
    CHECK_INT(sc_item_family_most(&family, 5), family.count);
}

TEST(item_family_counts_what_a_transaction_holds)
{
    CLAIM("item-family.most");
    const uint64_t triples[] = {SET3(1, 2, 3), SET3(1, 2, 4), SET3(2, 3, 9)};
    uint64_t sets[3];
    const int64_t items[] = {1, 2, 3, 4}, few[] = {1, 2};
    int64_t counts[3] = {0, 5, 0};
    memcpy(sets, triples, sizeof sets);
    const sc_item_family family = {.sets = sets, .count = 3, .size = 3, .bits = BITS};
    sc_item_family_count(&family, items, 4, counts);
    sc_item_family_count(&family, few, 2, counts);
    CHECK_INT(counts[0], 1);
    CHECK_INT(counts[1], 6);
    CHECK_INT(counts[2], 0);
}

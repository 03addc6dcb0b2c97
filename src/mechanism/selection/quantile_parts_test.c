#include "check.h"
#include "exact.h"
#include "mechanism/selection/quantile_law.h"
#include "random/bits_tape.h"

static uint64_t items_between(const int64_t *rows, size_t count, uint64_t first,
                              uint64_t last)
{
    uint64_t items = 0;
    for (size_t i = 0; i < count; i++)
        for (uint64_t part = 0; part < SC_QUANTILE_PARTS; part++) {
            uint64_t cell = (uint64_t)rows[i] * SC_QUANTILE_PARTS + part;
            items += cell >= first && cell <= last;
        }
    return items;
}

/* A part has the items of its cells; a part without cells has no items and stands at its last
 * cell. */
static void check_part(const sc_quantile_part *part, const int64_t *rows, size_t count,
                       bool is_empty)
{
    CHECK(part->first <= part->last);
    if (is_empty) {
        CHECK(part->first == part->last && part->count == 0);
        return;
    }
    CHECK_INT(part->count, items_between(rows, count, part->first, part->last));
    CHECK_INT(part->below,
              part->first == 0 ? 0 : items_between(rows, count, 0, part->first - 1));
}

SLOW_TEST(quantile_parts_are_disjoint_and_hold_their_items)
{
    CLAIM("quantile-parts.disjoint");
    enum { N = 200, HIGH = 40 };
    static const char *const texts[] = {"1/8", "1/4", "1/2", "3/4", "7/8"};
    static int64_t rows[N];
    sc_ratio p[5], epsilon;
    sc_tape *tape = NULL;
    sc_quantile_plan plan;
    for (size_t i = 0; i < 5; i++)
        exact_ratio(texts[i], &p[i]);
    exact_ratio("6", &epsilon);
    const sc_quantile_question question = {.p = p,
                                           .count = 5,
                                           .epsilon = &epsilon,
                                           .neighbours = SCRIM_ADD_REMOVE,
                                           .rows = 1,
                                           .largest = HIGH,
                                           .form = SC_QUANTILE_RECURSIVE};
    REQUIRE_OK(sc_quantile_plan_init(&plan, &question, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t turn = 0; turn < check_count(60, 2000); turn++) {
        sc_quantile_parts parts;
        for (size_t i = 0; i < N; i++) {
            uint64_t word = 0;
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
            rows[i] = (int64_t)(turn % 3 == 0 ? word % 2 * HIGH : word % (HIGH + 1));
        }
        REQUIRE_OK(sc_quantile_parts_init(&parts, &plan,
                                          &(sc_order_rows){rows, N, 0, HIGH}, NULL));
        REQUIRE_OK(sc_quantile_parts_draw(&parts, sc_tape_bits_of(tape), NULL));
        for (size_t node = 0; node < plan.count; node++) {
            const sc_quantile_node *n = &plan.nodes[node];
            const sc_quantile_part *part = &parts.parts[node];
            /* Only a right side may be without cells. */
            bool is_empty = n->lower != SC_QUANTILE_NONE && part->count == 0 &&
                            part->first == part->last;
            check_part(part, rows, N, is_empty);
            CHECK(n->index == 0 || parts.keys[n->index - 1] <= parts.keys[n->index]);
            if (n->left != SC_QUANTILE_NONE && n->right != SC_QUANTILE_NONE) {
                const sc_quantile_part *left = &parts.parts[n->left];
                const sc_quantile_part *right = &parts.parts[n->right];
                CHECK_INT(left->count + right->count, part->count);
                CHECK_INT(left->below + left->count, right->below);
                CHECK(left->first == part->first && right->last == part->last);
                CHECK(right->first == left->last + 1 || left->last == part->last);
                CHECK_INT(left->last / SC_QUANTILE_PARTS, parts.keys[n->index]);
            }
        }
        sc_quantile_parts_clear(&parts);
    }
    sc_tape_free(tape);
    sc_quantile_plan_clear(&plan);
    sc_ratio_clear(&epsilon);
    for (size_t i = 0; i < 5; i++)
        sc_ratio_clear(&p[i]);
}

/* A cut that falls outside the slice is counted by a scan; one inside is looked up. */
TEST(quantile_parts_count_alike_inside_and_outside_the_slice)
{
    const int64_t rows[] = {3, 3, 7, 9, 9, 9, 20};
    const sc_order_rows r = {rows, 7, 0, 30};
    sc_order_slice w;
    REQUIRE_OK(sc_order_slice_init(&w, 7, NULL));
    REQUIRE_OK(sc_order_slice_find(&w, &r, 1, 7, NULL));
    for (uint64_t key = 0; key <= 30; key++) {
        uint64_t below = 77, equal = 77, below_scan = 0, equal_scan = 0;
        bool is_known = sc_order_slice_locate(&w, key, &below, &equal);
        sc_order_count(&r, key, &below_scan, &equal_scan);
        CHECK_INT(is_known, key >= 3 && key <= 20);
        if (is_known) {
            CHECK_INT(below, below_scan);
            CHECK_INT(equal, equal_scan);
        }
    }
    sc_order_slice_clear(&w);
}

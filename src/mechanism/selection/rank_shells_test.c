#include "check.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/selection/rank_shells.h"
#include "random/bits_tape.h"
#include "vectors.h"

enum { ROWS_MAX = 16, CELLS_MAX = 256, RUNGS_MAX = 512 };

/* A small problem, and all of it written out. */
typedef struct problem {
    int64_t rows[ROWS_MAX];
    size_t count;
    int64_t high; /* keys 0 .. high */
    uint64_t parts, first, last;
    uint64_t numerator, denominator;
    bool by_order;
    const char *step;
    uint64_t top;
} problem;

typedef struct written_out {
    sc_uint128 weight[RUNGS_MAX];
    uint64_t level[CELLS_MAX];
} written_out;

/* How many items lie in cells below one. */
static uint64_t items_below(const problem *p, uint64_t cell)
{
    uint64_t items = 0;
    for (size_t i = 0; i < p->count; i++)
        for (uint64_t part = 0; part < p->parts; part++)
            items += (uint64_t)p->rows[i] * p->parts + part < cell;
    return items;
}

/* The score by its definition, cell by cell. */
static void write_out(const problem *p, const sc_ladder *ladder, written_out *out)
{
    sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
    for (uint64_t j = ladder->top + 1; j-- > 0;) {
        out->weight[j] = weight;
        weight = sc_ladder_next(ladder, weight);
    }
    const uint64_t below = items_below(p, p->first);
    const uint64_t count = items_below(p, p->last + 1) - below;
    sc_int128 unit = (sc_int128)p->denominator;
    sc_int128 centre = (sc_int128)p->numerator * count, low = centre, high = centre;
    if (p->by_order) {
        sc_int128 k = (centre + unit - 1) / unit;
        low = k;
        high = k - 1;
        unit = 1;
    }
    for (uint64_t t = p->first; t <= p->last; t++) {
        sc_int128 less = (sc_int128)(items_below(p, t) - below);
        sc_int128 upto = (sc_int128)(items_below(p, t + 1) - below);
        sc_int128 s = 0;
        s = unit * less - high > s ? unit * less - high : s;
        s = low - unit * upto > s ? low - unit * upto : s;
        out->level[t] = s < (sc_int128)ladder->top ? (uint64_t)s : ladder->top;
    }
}

typedef struct made {
    sc_ladder ladder;
    sc_order_slice slice;
    sc_rank_field field;
} made;

static void make(const problem *p, made *m)
{
    sc_ratio step;
    uint64_t first, last;
    exact_ratio(p->step, &step);
    REQUIRE_OK(sc_ladder_init(&m->ladder, &step, p->top, NULL));
    sc_ratio_clear(&step);
    const uint64_t below = items_below(p, p->first);
    m->field = (sc_rank_field){.first = p->first,
                               .last = p->last,
                               .parts = p->parts,
                               .below = below,
                               .count = items_below(p, p->last + 1) - below,
                               .ladder = &m->ladder,
                               .slice = &m->slice};
    if (p->by_order)
        sc_rank_field_set_order(&m->field, p->numerator, p->denominator);
    else
        sc_rank_field_set_share(&m->field, p->numerator, p->denominator);
    size_t width = sc_rank_field_width(p->top, m->field.denominator, p->parts);
    REQUIRE_OK(sc_order_slice_init(&m->slice, width, NULL));
    if (sc_rank_field_rows(&m->field, &first, &last))
        REQUIRE_OK(sc_order_slice_find(&m->slice,
                                       &(sc_order_rows){p->rows, p->count, 0, p->high},
                                       first, last, NULL));
}

static void check_problem(const problem *p)
{
    static made m;
    static written_out w;
    uint64_t seen[CELLS_MAX] = {0}, wrong = 0;
    sc_rank_walk walk;
    sc_rank_shell shell;
    sc_weight_sum total, sum = {{0, 0, 0, 0}}, rest;
    make(p, &m);
    write_out(p, &m.ladder, &w);
    uint64_t level = m.ladder.top + 1;
    sc_rank_walk_start(&walk, &m.field);
    while (sc_rank_walk_next(&walk, &shell)) {
        level--;
        wrong += shell.level != level || shell.weight != w.weight[level];
        for (uint64_t i = 0; i < shell.left + shell.right; i++) {
            uint64_t cell =
                i < shell.left ? shell.low + i : shell.high + (i - shell.left);
            wrong += cell < p->first || cell > p->last || w.level[cell] != level;
            seen[cell % CELLS_MAX]++;
        }
    }
    CHECK_INT(level, 0);
    for (uint64_t t = p->first; t <= p->last; t++) {
        sc_weight_sum one = sc_weight_product(w.weight[w.level[t]], 1);
        wrong += seen[t] != 1;
        sc_weight_sum_add(&sum, &one);
    }
    CHECK_INT(wrong, 0);
    sc_rank_field_total(&m.field, &total);
    CHECK(sc_weight_sum_sub(&total, &sum, &rest) == 0);
    CHECK((rest.words[0] | rest.words[1] | rest.words[2] | rest.words[3]) == 0);
    sc_order_slice_clear(&m.slice);
}

static uint64_t below(sc_tape *tape, uint64_t n)
{
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
    return word % n;
}

/* Fractions in lowest terms, as a plan makes them. */
static const uint64_t shares[][2] = {{1, 2}, {1, 3}, {3, 4}, {9, 10}, {1, 10}, {5, 7}};

SLOW_TEST(rank_shells_hold_every_cell_at_the_level_of_its_score)
{
    CLAIM("rank-shells.exact");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t turn = check_count(4000, 100000); turn > 0; turn--) {
        problem p = {.count = (size_t)below(tape, ROWS_MAX + 1),
                     .high = 1 + (int64_t)below(tape, 15),
                     .parts = turn % 3 == 0 ? 1 + below(tape, 16) : 1,
                     .step = "1/9",
                     .top = 1 + below(tape, 200),
                     .by_order = turn % 3 == 1};
        const uint64_t *share = shares[below(tape, sizeof shares / sizeof *shares)];
        p.numerator = share[0];
        p.denominator = share[1];
        for (size_t i = 0; i < p.count; i++)
            p.rows[i] = (int64_t)below(tape, (uint64_t)p.high + 1);
        p.last = ((uint64_t)p.high + 1) * p.parts - 1;
        if (p.parts > 1) { /* a part of the range, as in a recursive plan */
            p.first = below(tape, p.last + 1);
            p.last -= below(tape, p.last - p.first + 1);
        }
        if (p.by_order && p.count == 0)
            continue;
        check_problem(&p);
    }
    sc_tape_free(tape);
}

/* The k-th item, k = ceil(p n), exactly where p n is whole or nearly so. */
TEST(rank_shells_round_ranks_up_exactly)
{
    static const struct {
        uint64_t numerator, denominator, count, k;
    } cases[] = {{1, 2, 10, 5},
                 {1, 2, 11, 6},
                 {7, 10, 10, 7}, /* 0.7 * 10 is above 7 in doubles */
                 {3, 10, 10, 3},
                 {1, 1000, 1, 1},
                 {999, 1000, 1000, 999},
                 {999, 1000, 1001, 1000},
                 {1, 3, 3000000000, 1000000000},
                 {((uint64_t)1 << 62) - 1, (uint64_t)1 << 62, (uint64_t)1 << 40,
                  (uint64_t)1 << 40},
                 {1, (uint64_t)1 << 62, (uint64_t)1 << 40, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_rank_field field = {.count = cases[i].count};
        sc_rank_field_set_order(&field, cases[i].numerator, cases[i].denominator);
        CHECK_INT(field.low_centre, cases[i].k);
        CHECK_INT(field.high_centre, cases[i].k - 1);
        CHECK_INT(field.denominator, 1);
    }
}

/* A row of the vectors as a problem. */
static void read_problem(json_t *row, problem *p)
{
    json_t *value;
    size_t i;
    const double eps = json_number_value(json_object_get(row, "eps"));
    *p = (problem){.parts = 1, .by_order = true};
    json_array_foreach(json_object_get(row, "x"), i, value)
    {
        REQUIRE(i < ROWS_MAX);
        p->rows[i] = json_integer_value(value);
    }
    p->count = i;
    p->numerator = (uint64_t)json_integer_value(json_object_get(row, "k")); /* of n */
    p->denominator = i;
    p->high = json_integer_value(json_object_get(row, "G"));
    p->last = (uint64_t)p->high;
    p->top = (uint64_t)json_integer_value(json_object_get(row, "cap"));
    p->step = eps == 1.0 ? "1/2" : eps == 0.5 ? "1/4" : "1";
}

static int64_t member(json_t *row, const char *name, uint64_t i)
{
    return json_integer_value(json_array_get(json_object_get(row, name), (size_t)i));
}

/* One shell: its level, the interval inside it and the probability of its cells, where the
 * ladder's floors lose less than 2^-31 a rung. */
static void check_shell(json_t *row, const sc_rank_shell *shell, double total)
{
    for (uint64_t c = 0; c < shell->left + shell->right; c++) {
        uint64_t t = c < shell->left ? shell->low + c : shell->high + (c - shell->left);
        json_t *pmf = json_array_get(json_object_get(row, "pmf"), (size_t)t);
        CHECK_INT(member(row, "level", t), shell->level);
        CHECK_NEAR((double)shell->weight / total, json_number_value(pmf), 1e-8);
    }
    if (shell->level > 0) {
        CHECK_INT(member(row, "level_lo", shell->level - 1), shell->low + shell->left);
        CHECK_INT(member(row, "level_hi", shell->level - 1), shell->high - 1);
    }
}

TEST(rank_shells_are_those_of_the_vectors)
{
    json_t *cases = json_object_get(vectors_load("floating-body", "rank_em"), "cases");
    json_t *row;
    size_t i;
    REQUIRE(json_array_size(cases) == 3);
    json_array_foreach(cases, i, row)
    {
        static made m;
        problem p;
        sc_rank_walk walk;
        sc_rank_shell shell;
        sc_weight_sum total;
        double sum = 0;
        read_problem(row, &p);
        make(&p, &m);
        sc_rank_field_total(&m.field, &total);
        for (int word = SC_WEIGHT_SUM_WORDS - 1; word >= 0; word--)
            sum = sum * 0x1p64 + (double)total.words[word];
        sc_rank_walk_start(&walk, &m.field);
        while (sc_rank_walk_next(&walk, &shell))
            check_shell(row, &shell, sum);
        sc_order_slice_clear(&m.slice);
    }
}

SLOW_TEST(rank_shells_are_drawn_with_their_weights)
{
    CLAIM("rank-shells.exact");
    const problem p = {.rows = {1, 2, 2, 2, 5, 9, 9},
                       .count = 7,
                       .high = 9,
                       .parts = 3,
                       .first = 2,
                       .last = 28,
                       .numerator = 2,
                       .denominator = 5,
                       .step = "1/20",
                       .top = 60};
    static made m;
    static written_out w;
    uint64_t seen[CELLS_MAX] = {0};
    double law[CELLS_MAX] = {0}, sum = 0;
    sc_tape *tape = NULL;
    make(&p, &m);
    write_out(&p, &m.ladder, &w);
    for (uint64_t t = p.first; t <= p.last; t++)
        sum += (double)w.weight[w.level[t]];
    for (uint64_t t = p.first; t <= p.last; t++)
        law[t] = (double)w.weight[w.level[t]] / sum;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = check_count(100000, 1000000); i > 0; i--) {
        uint64_t cell = 0;
        REQUIRE_OK(sc_rank_field_draw(sc_tape_bits_of(tape), &m.field, &cell, NULL));
        REQUIRE(cell < CELLS_MAX);
        seen[cell]++;
    }
    CHECK(laws_chi_square(seen, law, CELLS_MAX) > LAWS_FALSE_ALARM);
    sc_tape_free(tape);
    /* Without bits nothing is drawn. */
    uint64_t cell = 77;
    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
    CHECK_STATUS(sc_rank_field_draw(sc_tape_bits_of(tape), &m.field, &cell, NULL),
                 SCRIM_E_ENTROPY);
    CHECK_INT(cell, 77);
    sc_tape_free(tape);
    sc_order_slice_clear(&m.slice);
}

/* The widest range there is: of rows at both ends and -5, 0, 17 the median alone is at level 0,
 * what lies between its neighbours at level 1, and all the rest at level 3. */
TEST(rank_shells_fit_the_widest_range)
{
    const int64_t far = (int64_t)1 << 62;
    const int64_t rows[] = {-far, -5, 0, 17, far, INT64_MAX, INT64_MIN};
    static made m;
    sc_ratio step;
    uint64_t first, last;
    exact_ratio("10", &step);
    REQUIRE_OK(sc_ladder_init(&m.ladder, &step, 6, NULL));
    sc_ratio_clear(&step);
    m.field = (sc_rank_field){.last = (uint64_t)1 << 63,
                              .parts = 1,
                              .count = 7,
                              .ladder = &m.ladder,
                              .slice = &m.slice};
    sc_rank_field_set_share(&m.field, 1, 2);
    REQUIRE(sc_rank_field_rows(&m.field, &first, &last));
    REQUIRE_OK(sc_order_slice_init(&m.slice, sc_rank_field_width(6, 2, 1), NULL));
    REQUIRE_OK(sc_order_slice_find(&m.slice, &(sc_order_rows){rows, 7, -far, far}, first,
                                   last, NULL));
    sc_uint128 w[7] = {0};
    w[6] = SC_LADDER_TOP_WEIGHT;
    for (int j = 5; j >= 0; j--)
        w[j] = sc_ladder_next(&m.ladder, w[j + 1]);
    sc_weight_sum total, want = sc_weight_product(w[0], 1);
    sc_weight_sum more = sc_weight_product(w[1], 22);
    sc_weight_sum_add(&want, &more);
    more = sc_weight_product(w[3], ((uint64_t)1 << 63) - 22);
    sc_weight_sum_add(&want, &more);
    sc_rank_field_total(&m.field, &total);
    CHECK_BYTES(&total, &want, sizeof total);
    sc_order_slice_clear(&m.slice);
}

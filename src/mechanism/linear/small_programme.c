#include "mechanism/linear/small_programme.h"

#include "base/memory.h"
#include "sampling/uniform.h"

#include <string.h>

void sc_small_tables_count(uint64_t bins, uint64_t rows, sc_integer *out)
{
    SC_OWN(sc_integer, divisor);
    sc_integer_set_int128(out, 1);
    for (uint64_t i = 1; i <= rows; i++) { /* every quotient is a binomial coefficient */
        sc_integer_mul_uint64(out, out, bins - 1 + i);
        sc_integer_set_uint128(&divisor, i);
        sc_integer_divide(out, NULL, out, &divisor);
    }
}

void sc_small_tables_first(int64_t *table, size_t bins, int64_t rows)
{
    for (size_t i = 0; i < bins; i++)
        table[i] = 0;
    table[0] = rows;
}

/* One row of the first bin that has any moves on, and the others of it go back to the beginning. */
bool sc_small_tables_next(int64_t *table, size_t bins)
{
    size_t at = 0;
    while (at < bins && table[at] == 0)
        at++;
    if (at + 1 >= bins)
        return false;
    const int64_t rows = table[at];
    table[at] = 0;
    table[0] = rows - 1;
    table[at + 1]++;
    return true;
}

/* The sums of a query are from 0 to rows times its largest coefficient. */
static uint64_t sums_of(const sc_linear_matrix *matrix, uint64_t rows, size_t query)
{
    int64_t most = 0;
    for (size_t i = 0; i < matrix->bins; i++) {
        const int64_t at = sc_linear_matrix_at(matrix, query, i);
        most = at > most ? at : most;
    }
    return rows * (uint64_t)most + 1;
}

/* 0 where bins times states are too many. */
static size_t classes_of(const sc_linear_matrix *matrix, uint64_t rows)
{
    const uint64_t most = SC_SMALL_PROGRAMME_STATES / (matrix->bins * (rows + 1));
    uint64_t classes = 1;
    for (size_t q = 0; q < matrix->queries && classes <= most; q++)
        classes *= sums_of(matrix, rows, q);
    return classes <= most ? (size_t)classes : 0;
}

static size_t words_of(const sc_linear_matrix *matrix, uint64_t rows)
{
    SC_OWN(sc_integer, tables);
    sc_small_tables_count(matrix->bins, rows, &tables);
    return (sc_integer_bits(&tables) + 63) / 64;
}

bool sc_small_programme_fits(const sc_linear_matrix *matrix, uint64_t rows)
{
    const size_t classes = classes_of(matrix, rows);
    return classes > 0 && matrix->bins * (rows + 1) * classes * words_of(matrix, rows) <=
                              SC_SMALL_PROGRAMME_WORDS;
}

/* Counting. */

static uint64_t *count_at(const sc_small_programme *p, size_t bin, size_t rows,
                          size_t class)
{
    return &p->counts[((bin * (p->rows + 1) + rows) * p->classes + class) * p->words];
}

static bool is_zero(const uint64_t *words, size_t count)
{
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= words[i];
    return any == 0;
}

static void add_words(uint64_t *to, const uint64_t *from, size_t count)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < count; i++) {
        const sc_uint128 sum = (sc_uint128)to[i] + from[i] + carry;
        to[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/* Classes are numbered by the sum of the first query, then of the second, and so on. */
static void set_shifts(sc_small_programme *p)
{
    size_t stride = 1;
    for (size_t q = 0; q < p->matrix->queries; q++) {
        for (size_t i = 0; i < p->matrix->bins; i++)
            p->shifts[i] += stride * (size_t)sc_linear_matrix_at(p->matrix, q, i);
        p->sizes[q] = (size_t)sums_of(p->matrix, p->rows, q);
        stride *= p->sizes[q];
    }
}

/* Tables without rows of this bin, and those with one row of it more. Where there is a table the sums leave room for
 * one row more, so that a shift never runs from one query into the next. */
static void count_bin(sc_small_programme *p, size_t bin)
{
    const size_t layer = (p->rows + 1) * p->classes * p->words;
    if (bin == 0)
        p->counts[0] = 1;
    else
        memcpy(count_at(p, bin, 0, 0), count_at(p, bin - 1, 0, 0),
               layer * sizeof *p->counts);
    for (size_t rows = 0; rows < p->rows; rows++)
        for (size_t class = 0; class + p->shifts[bin] < p->classes; class ++) {
            const uint64_t *from = count_at(p, bin, rows, class);
            if (!is_zero(from, p->words))
                add_words(count_at(p, bin, rows + 1, class + p->shifts[bin]), from,
                          p->words);
        }
}

scrim_status sc_small_programme_new(const sc_linear_matrix *matrix, uint64_t rows,
                                    sc_small_programme *out, scrim_error *error)
{
    sc_small_programme p = {.matrix = matrix,
                            .rows = (size_t)rows,
                            .classes = classes_of(matrix, rows),
                            .words = words_of(matrix, rows)};
    p.shifts = sc_allocate(matrix->bins, sizeof *p.shifts);
    p.sizes = sc_allocate(matrix->queries, sizeof *p.sizes);
    p.counts =
        sc_allocate(matrix->bins * (p.rows + 1) * p.classes * p.words, sizeof *p.counts);
    *out = p;
    if (p.shifts == NULL || p.sizes == NULL || p.counts == NULL) {
        sc_small_programme_free(out);
        return sc_no_memory(error, "a release");
    }
    set_shifts(out);
    for (size_t bin = 0; bin < matrix->bins; bin++)
        count_bin(out, bin);
    return SCRIM_OK;
}

void sc_small_programme_free(sc_small_programme *p)
{
    sc_free(p->shifts);
    sc_free(p->sizes);
    sc_free(p->counts);
    *p = (sc_small_programme){0};
}

void sc_small_programme_count(const sc_small_programme *p, size_t class, sc_integer *out)
{
    sc_integer_set_words(out, count_at(p, p->matrix->bins - 1, p->rows, class), p->words);
}

int64_t sc_small_programme_sum(const sc_small_programme *p, size_t query, size_t class)
{
    size_t rest = class;
    for (size_t q = 0; q < query; q++)
        rest /= p->sizes[q];
    return (int64_t)(rest % p->sizes[query]);
}

/* Choosing a class. */

typedef struct choice {
    const sc_small_programme *programme;
    const sc_ratio *rate;
    const int64_t *scores;
    int64_t best;
    sc_integer digits; /* of U: `places` binary places */
    unsigned places;
} choice;

static bool has_tables(const sc_small_programme *p, size_t class)
{
    return !is_zero(count_at(p, p->matrix->bins - 1, p->rows, class), p->words);
}

static void find_best(choice *c)
{
    c->best = INT64_MIN;
    for (size_t i = 0; i < c->programme->classes; i++)
        if (has_tables(c->programme, i) && c->scores[i] > c->best)
            c->best = c->scores[i];
}

/* count exp(-rate gap) of each class, and of all. */
static void weigh(const choice *c, long bits, sc_ball *weights, sc_ball *sum)
{
    SC_OWN(sc_ball, rate, count);
    SC_OWN(sc_integer, tables);
    sc_ball_set_ratio(&rate, c->rate, bits);
    sc_ball_set_int64(sum, 0);
    for (size_t i = 0; i < c->programme->classes; i++) {
        if (!has_tables(c->programme, i))
            continue;
        sc_small_programme_count(c->programme, i, &tables);
        sc_ball_set_integer(&count, &tables);
        sc_ball_mul_int64(&weights[i], &rate, c->scores[i] - c->best, bits);
        sc_ball_exp(&weights[i], &weights[i], bits);
        sc_ball_mul(&weights[i], &weights[i], &count, bits);
        sc_ball_add(sum, sum, &weights[i], bits);
    }
}

/* The class that certainly holds U; false where the digits leave it open. */
static bool find_class(const choice *c, long bits, sc_ball *weights, size_t *out)
{
    SC_OWN(sc_ball, sum, low, high, below, above);
    SC_OWN(sc_integer, one);
    weigh(c, bits, weights, &sum);
    sc_ball_mul_power2(&sum, &sum, -(long)c->places);
    sc_ball_set_integer(&low, &c->digits);
    sc_integer_set_int128(&one, 1);
    sc_integer_add(&one, &one, &c->digits);
    sc_ball_set_integer(&high, &one);
    sc_ball_mul(&low, &low, &sum, bits);
    sc_ball_mul(&high, &high, &sum, bits);
    for (size_t i = 0; i < c->programme->classes; i++) {
        if (!has_tables(c->programme, i))
            continue;
        sc_ball_add(&above, &below, &weights[i], bits);
        if (sc_ball_is_less_equal(&below, &low) && sc_ball_is_less_equal(&high, &above)) {
            *out = i;
            return true;
        }
        sc_ball_set(&below, &above);
    }
    return false;
}

static scrim_status draw_digits(choice *c, unsigned places, sc_bits *bits,
                                scrim_error *error)
{
    SC_OWN(sc_integer, more);
    for (; c->places < places; c->places += 64) {
        uint64_t word = 0;
        const scrim_status status = sc_bits_word(bits, &word, error);
        if (status != SCRIM_OK)
            return status;
        sc_integer_set_uint128(&more, word);
        sc_integer_shift_left(&c->digits, &c->digits, 64);
        sc_integer_add(&c->digits, &c->digits, &more);
    }
    return SCRIM_OK;
}

static scrim_status choose(choice *c, sc_bits *bits, size_t *out, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    const size_t classes = c->programme->classes;
    sc_ball *weights = sc_balls_new(classes);
    if (weights == NULL)
        return sc_no_memory(error, "a release");
    scrim_status status = SCRIM_OK;
    bool is_found = false;
    for (unsigned places = 128; status == SCRIM_OK && !is_found; places *= 2) {
        status = places > SC_BITS_PATIENCE ? sc_bits_broken(error)
                                           : draw_digits(c, places, bits, error);
        if (status == SCRIM_OK)
            is_found = find_class(c, (long)places + 128, weights, out);
    }
    sc_balls_free(weights, classes);
    return status;
}

/* The table of a class with this rank, from the last bin to the first. */
static void walk(const sc_small_programme *p, size_t class, sc_integer *rank,
                 int64_t *table)
{
    SC_OWN(sc_integer, without);
    size_t bin = p->matrix->bins - 1;
    memset(table, 0, p->matrix->bins * sizeof *table);
    for (size_t rows = p->rows; rows > 0;) {
        sc_integer_set_int128(&without, 0);
        if (bin > 0)
            sc_integer_set_words(&without, count_at(p, bin - 1, rows, class), p->words);
        if (sc_integer_compare(rank, &without) < 0) {
            bin--;
            continue;
        }
        sc_integer_sub(rank, rank, &without);
        table[bin]++;
        class -= p->shifts[bin];
        rows--;
    }
}

scrim_status sc_small_programme_draw(const sc_small_programme *p, const sc_ratio *rate,
                                     const int64_t *scores, sc_bits *bits, int64_t *table,
                                     scrim_error *error)
{
    choice c = {.programme = p, .rate = rate, .scores = scores};
    size_t class = 0;
    SC_OWN(sc_integer, tables, rank);
    sc_integer_init(&c.digits);
    find_best(&c);
    scrim_status status = choose(&c, bits, &class, error);
    sc_integer_clear(&c.digits);
    if (status != SCRIM_OK)
        return status;
    sc_small_programme_count(p, class, &tables);
    status = sc_uniform_integer(bits, &tables, &rank, error);
    if (status == SCRIM_OK)
        walk(p, class, &rank, table);
    return status;
}

/* Place after place: of those left, each is chosen with the same probability. */
scrim_status sc_small_rejection_uniform(size_t bins, uint64_t rows, sc_bits *bits,
                                        int64_t *table, scrim_error *error)
{
    uint64_t chosen = 0;
    size_t bin = 0;
    memset(table, 0, bins * sizeof *table);
    for (uint64_t left = bins + rows - 1; left > 0; left--) {
        uint64_t at = 0;
        const scrim_status status = sc_uniform_64(bits, left, &at, error);
        if (status != SCRIM_OK)
            return status;
        if (at < rows - chosen) {
            table[bin]++;
            chosen++;
        } else {
            bin++;
        }
    }
    return SCRIM_OK;
}

scrim_status sc_small_rejection_draw(const sc_small_rejection *how, sc_bits *bits,
                                     int64_t *table, scrim_error *error)
{
    for (uint64_t turn = 0; turn < SC_SMALL_REJECTION_TURNS; turn++) {
        uint64_t is_kept = 0;
        scrim_status status =
            sc_small_rejection_uniform(how->bins, how->rows, bits, table, error);
        if (status != SCRIM_OK)
            return status;
        const int64_t score = how->score(how->context, table);
        status = sc_gap_weights_flip(bits, how->weights, 0, &score, 1, &is_kept, error);
        if (status != SCRIM_OK || is_kept != 0)
            return status;
    }
    return sc_bits_broken(error);
}

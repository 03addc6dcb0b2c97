#include "local/texts/text_design.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

scrim_status sc_text_design_init(sc_text_design *out, size_t cohorts, size_t bits,
                                 size_t columns, size_t hashes, scrim_error *error)
{
    size_t places;
    if (bits > SC_TEXT_DESIGN_BITS)
        return sc_fail(error, SCRIM_E_LIMIT, "candidates need at most %d bits",
                       SC_TEXT_DESIGN_BITS);
    *out = (sc_text_design){cohorts, bits, columns, hashes, NULL};
    if (!__builtin_mul_overflow(cohorts * hashes, columns, &places))
        out->places = sc_allocate(places, sizeof *out->places);
    if (out->places == NULL)
        return sc_no_memory(error, "candidates");
    for (size_t i = 0; i < places; i++)
        out->places[i] = (uint16_t)bits;
    return SCRIM_OK;
}

void sc_text_design_clear(sc_text_design *design)
{
    sc_free(design->places);
    design->places = NULL;
}

static uint16_t *places_of(const sc_text_design *design, size_t cohort, size_t column)
{
    return design->places + (cohort * design->columns + column) * design->hashes;
}

/* By insertion: there are few hashes. */
void sc_text_design_set(sc_text_design *design, size_t cohort, size_t column,
                        const uint32_t *bits)
{
    uint16_t *places = places_of(design, cohort, column);
    size_t count = 0;
    for (size_t i = 0; i < design->hashes; i++) {
        size_t at = 0;
        while (at < count && places[at] < bits[i])
            at++;
        if (at < count && places[at] == bits[i])
            continue;
        memmove(places + at + 1, places + at, (count - at) * sizeof *places);
        places[at] = (uint16_t)bits[i];
        count++;
    }
    for (; count < design->hashes; count++)
        places[count] = (uint16_t)design->bits;
}

void sc_text_design_column(const sc_text_design *design, size_t column, uint32_t *places)
{
    for (size_t c = 0; c < design->cohorts; c++) {
        const uint16_t *from = places_of(design, c, column);
        for (size_t i = 0; i < design->hashes; i++)
            *places++ = (uint32_t)(c * (design->bits + 1)) + from[i];
    }
}

/* Four sums at once, since additions wait for each other. */
double sc_text_places_sum(const double *of, const uint32_t *places, size_t count)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; lane++)
            sum[lane] += of[places[i + lane]];
    for (; i < count; i++)
        sum[0] += of[places[i]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

__attribute__((always_inline)) static inline void add_cohort(const double *of,
                                                             const uint16_t *place,
                                                             size_t columns,
                                                             size_t hashes, double *out)
{
    for (size_t s = 0; s < columns; s++) {
        double sum = 0;
        for (size_t i = 0; i < hashes; i++)
            sum += of[*place++];
        out[s] += sum;
    }
}

/* Cohort by cohort, so that what is read at random stays in the nearest cache; two hashes are so common
 * that they have a loop of their own. */
void sc_text_design_sums(const sc_text_design *design, const double *of, double *out)
{
    memset(out, 0, design->columns * sizeof *out);
    for (size_t c = 0; c < design->cohorts; c++, of += design->bits + 1)
        if (design->hashes == 2)
            add_cohort(of, places_of(design, c, 0), design->columns, 2, out);
        else
            add_cohort(of, places_of(design, c, 0), design->columns, design->hashes, out);
}

typedef struct fingerprint {
    uint64_t hash;
    size_t column;
} fingerprint;

static int by_hash(const void *a, const void *b)
{
    const fingerprint *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* The hash goes on from cohort to cohort: its own result is the next key. */
static uint64_t hash_of(const sc_text_design *design, const uint64_t *reports,
                        size_t column)
{
    sc_hash_key key = {0, 0};
    for (size_t c = 0; c < design->cohorts; c++)
        if (reports[c] > 0)
            key.k0 = sc_hash(&key, places_of(design, c, column),
                             design->hashes * sizeof *design->places);
    return key.k0;
}

static bool is_same(const sc_text_design *design, const uint64_t *reports, size_t a,
                    size_t b)
{
    const size_t bytes = design->hashes * sizeof *design->places;
    for (size_t c = 0; c < design->cohorts; c++)
        if (reports[c] > 0 &&
            memcmp(places_of(design, c, a), places_of(design, c, b), bytes) != 0)
            return false;
    return true;
}

scrim_status sc_text_design_same(const sc_text_design *design, const uint64_t *reports,
                                 size_t *same, scrim_error *error)
{
    fingerprint *prints = sc_allocate(design->columns, sizeof *prints);
    if (prints == NULL)
        return sc_no_memory(error, "candidates");
    for (size_t s = 0; s < design->columns; s++)
        prints[s] = (fingerprint){hash_of(design, reports, s), s};
    qsort(prints, design->columns, sizeof *prints, by_hash);
    for (size_t i = 0; i < design->columns; i++) {
        const size_t column = prints[i].column;
        same[column] = column;
        for (size_t j = i; j-- > 0 && prints[j].hash == prints[i].hash;)
            if (is_same(design, reports, column, prints[j].column)) {
                same[column] = same[prints[j].column];
                break;
            }
    }
    sc_free(prints);
    return SCRIM_OK;
}

#include "base/memory.h"
#include "check.h"
#include "local/texts/text_decoder.h"
#include "text_scene.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static double number(const json_t *value)
{
    return json_is_string(value) ? strtod(json_string_value(value), NULL)
                                 : json_number_value(value);
}

/* Expected counts in, truth out. */
TEST(text_decoder_solves_the_vector)
{
    const json_t *vector = vectors_load("local-and-accounting", "rappor_decode");
    const json_t *rows = json_object_get(vector, "design_rows_candidates");
    const json_t *counts = json_object_get(vector, "expected_bit_counts");
    const size_t bits = json_array_size(counts), columns = json_array_size(rows);
    const uint64_t reports = vectors_number(vector, "N");
    uint64_t ones[8];
    scrim_local_candidate found[3];
    scrim_local_explained explained;
    sc_text_design design;
    REQUIRE(bits == 8 && columns == 3);
    REQUIRE_OK(sc_text_design_init(&design, 1, bits, columns, 2, NULL));
    for (size_t s = 0; s < columns; s++) {
        uint32_t places[2], set = 0;
        for (uint32_t j = 0; j < bits && set < 2; j++)
            if (json_integer_value(json_array_get(json_array_get(rows, s), j)) == 1)
                places[set++] = j;
        REQUIRE(set == 2);
        sc_text_design_set(&design, 0, s, places);
    }
    for (size_t j = 0; j < bits; j++)
        ones[j] = (uint64_t)number(json_array_get(counts, j));
    const sc_signal_chances chances = sc_signal_chances_of(
        number(json_object_get(vector, "f")), number(json_object_get(vector, "p_if_0")),
        number(json_object_get(vector, "q_if_1")));
    REQUIRE_OK(
        sc_text_decode(&design, &chances, &reports, ones, found, &explained, NULL));
    for (size_t s = 0; s < columns; s++) {
        const double want = number(json_array_get(json_object_get(vector, "truth"), s));
        CHECK_NEAR(found[s].estimate, want, 1e-9);
        CHECK(found[s].is_kept && found[s].same == s);
    }
    CHECK(fabs(explained.unexplained) < 1e-5);
    CHECK_INT(explained.kept, 3);
    sc_text_design_clear(&design);
}

/* Collections of one scene. */
typedef struct collection {
    size_t texts, candidates;
    size_t gap; /* each gap-th text is no candidate; 0: the first ones are candidates */
    size_t cohorts, bits;
    uint64_t devices;
    scene_law law;
    sc_signal_chances chances;
    sc_text_design all, design;
    uint64_t *held, *reports, *ones;
    double *weights;
    scrim_local_candidate *rows;
    scrim_local_explained explained;
} collection;

static bool open_collection(collection *c)
{
    c->held = sc_allocate(c->texts, sizeof *c->held);
    c->weights = sc_allocate(c->texts, sizeof *c->weights);
    c->reports = sc_allocate(c->cohorts, sizeof *c->reports);
    c->ones = sc_allocate(c->cohorts * c->bits, sizeof *c->ones);
    c->rows = sc_allocate(c->candidates, sizeof *c->rows);
    return CHECK(sc_text_design_init(&c->all, c->cohorts, c->bits, c->texts, 2, NULL) ==
                 SCRIM_OK) &&
           CHECK(sc_text_design_init(&c->design, c->cohorts, c->bits, c->candidates, 2,
                                     NULL) == SCRIM_OK);
}

static void close_collection(collection *c)
{
    sc_text_design_clear(&c->all);
    sc_text_design_clear(&c->design);
    sc_free(c->held);
    sc_free(c->weights);
    sc_free(c->reports);
    sc_free(c->ones);
    sc_free(c->rows);
}

static size_t text_of(const collection *c, size_t candidate)
{
    return c->gap == 0 ? candidate : candidate + candidate / (c->gap - 1);
}

/* One collection: the first so many texts are held. */
static bool collect(collection *c, size_t held, uint64_t *seed)
{
    memset(c->held, 0, c->texts * sizeof *c->held);
    scene_weights(c->law, held, c->weights);
    scene_divide(c->devices, c->weights, held, c->held, seed);
    scene_design(&c->all, seed);
    for (size_t cohort = 0; cohort < c->cohorts; cohort++)
        for (size_t s = 0; s < c->candidates; s++)
            memcpy(c->design.places + 2 * (cohort * c->candidates + s),
                   c->all.places + 2 * (cohort * c->texts + text_of(c, s)),
                   2 * sizeof *c->all.places);
    scene_counts(&c->all, c->held, &c->chances, c->reports, c->ones, seed);
    return CHECK(sc_text_decode(&c->design, &c->chances, c->reports, c->ones, c->rows,
                                &c->explained, NULL) == SCRIM_OK);
}

/* How many of the most frequent texts are kept, and in the interval. */
typedef struct coverage {
    double sum, squares; /* of errors in units of the standard error */
    uint64_t seen, covered, missed, wrong;
} coverage;

static void look(const collection *c, size_t held, size_t frequent, coverage *out)
{
    for (size_t s = 0; s < c->candidates; s++) {
        const scrim_local_candidate *row = &c->rows[s];
        out->wrong += row->is_kept && text_of(c, s) >= held;
        if (s >= frequent)
            continue;
        out->missed += !row->is_kept;
        if (!row->is_kept)
            continue;
        const double z = (row->estimate - (double)c->held[text_of(c, s)]) / row->error;
        out->seen++;
        out->covered += fabs(z) < 1.959963984540054;
        out->sum += z;
        out->squares += z * z;
    }
}

/* A fifth of the texts are no candidates, and a sixth of the candidates nobody holds. The bounds are those
 * of the specification; with fewer collections, four standard deviations wider. */
SLOW_TEST(text_decoder_intervals_cover)
{
    CLAIM("local-candidates.cover");
    collection c = {.texts = 20,
                    .candidates = 16,
                    .gap = 5,
                    .cohorts = 10,
                    .bits = 32,
                    .devices = 200000,
                    .law = SCENE_ZIPF,
                    .chances = sc_signal_chances_of(0.25, 0.25, 0.75)};
    coverage seen = {0};
    uint64_t seed = check_seed();
    const uint64_t runs = check_count_whole(100, 2000);
    if (open_collection(&c))
        for (uint64_t run = 0; run < runs && collect(&c, 17, &seed); run++)
            look(&c, 17, 5, &seen);
    const double n = (double)seen.seen, share = (double)seen.covered / n;
    const double wide = check_is_long() ? 0 : 4 * sqrt(0.05 * 0.95 / n);
    CHECK(seen.seen > 4 * runs);
    CHECK(share > 0.93 - wide && share < 0.97 + wide);
    CHECK(fabs(seen.sum / n) < 0.1 + 4 / sqrt(n));
    CHECK_INT(seen.missed, 0);
    /* one false positive in 20 collections is what Bonferroni allows */
    CHECK((double)seen.wrong <= 0.05 * (double)runs + 4 * sqrt(0.05 * (double)runs));
    close_collection(&c);
}

/* Half of the devices hold texts that are no candidates: without a column for them each candidate would be
 * given some. */
TEST(text_decoder_does_not_give_unknown_texts_to_candidates)
{
    collection c = {.texts = 200,
                    .candidates = 12,
                    .cohorts = 16,
                    .bits = 16,
                    .devices = 400000,
                    .law = SCENE_ZIPF,
                    .chances = sc_signal_chances_of(0.25, 0.25, 0.75)};
    coverage seen = {0};
    uint64_t seed = check_seed();
    double unexplained = 0, truth = 0;
    if (open_collection(&c))
        for (uint64_t run = 0; run < 10 && collect(&c, 200, &seed); run++) {
            look(&c, 200, 3, &seen);
            for (size_t s = 0; s < c.texts; s++)
                truth += s >= c.candidates || !c.rows[s].is_kept ? (double)c.held[s] : 0;
            unexplained += c.explained.unexplained;
        }
    CHECK(seen.seen >= 20);
    CHECK(fabs(seen.sum / (double)seen.seen) < 1.2);
    CHECK_NEAR(unexplained, truth, 0.1);
    close_collection(&c);
}

/* Texts that set the same bits are told as one, and nothing is found where nobody answered. */
TEST(text_decoder_has_nothing_to_say)
{
    collection c = {.texts = 5,
                    .candidates = 5,
                    .cohorts = 4,
                    .bits = 8,
                    .chances = sc_signal_chances_of(0.5, 0.25, 0.75)};
    uint64_t seed = check_seed();
    if (open_collection(&c) && collect(&c, 5, &seed)) {
        CHECK_INT(c.explained.kept, 0);
        CHECK(c.explained.unexplained == 0);
        for (size_t s = 0; s < c.candidates; s++)
            CHECK(c.rows[s].estimate == 0 && c.rows[s].p_value == 1);
    }
    close_collection(&c);
}

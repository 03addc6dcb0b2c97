#include "base/memory.h"
#include "check.h"
#include "local/device/set_encoders.h"
#include "local/texts/local_unknown.h"
#include "local_device.h"
#include "query/estimate/noise_sum.h"
#include "scrim/local_unknown.h"
#include "text_scene.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

#define DEVICES 600

/* Counts by products in the field. */
static uint64_t count_of(const scrim_local_config *config, const uint8_t *reports,
                         size_t group, const uint8_t *text)
{
    const size_t bytes = scrim_local_report_bytes(config);
    const size_t tail = config->cells > 256 ? 2 : 1;
    uint64_t count = 0, words[SL_TEXT_WORDS];
    const uint32_t n = sl_text_words(text, config->text, config->prefix[group], words);
    for (size_t i = 0; i < DEVICES; i++) {
        const uint8_t *report = reports + i * bytes;
        uint64_t sum = 0;
        for (uint32_t w = 0; w < n; w++)
            sum ^=
                sl_field_product(device_number(report + 1 + (size_t)8 * w, 8), words[w]);
        count += report[0] == group && sum >> 1 >> (63 - sl_cell_bits(config->cells)) ==
                                           device_number(report + bytes - tail, tail);
    }
    return count;
}

static void encode(const scrim_local_config *config, uint8_t (*texts)[32], size_t count,
                   uint8_t *reports, uint64_t *seed)
{
    const size_t bytes = scrim_local_report_bytes(config);
    const scrim_local_source source = device_seeded(seed);
    for (size_t i = 0; i < DEVICES; i++)
        CHECK_INT(scrim_local_encode_text(config, texts[i * i % count], &source,
                                          reports + i * bytes),
                  SCRIM_LOCAL_OK);
}

/* Every prefix of the first length, and the best of a later one with all their ends, by the definition. */
static void check_two_steps(const char *words, uint64_t *seed)
{
    const scrim_local_config config = device_config(words);
    uint8_t texts[5][32], reports[DEVICES * 40];
    const scrim_local_source source = device_seeded(seed);
    sc_prefix_search found;
    CHECK_INT(source.fill(source.context, texts, sizeof texts), 0);
    encode(&config, texts, 5, reports, seed);
    REQUIRE_OK(sc_prefix_search_run(&config, reports, DEVICES, 3, &found, NULL));
    const uint32_t first = config.prefix[0], last = config.prefix[1];
    CHECK_INT(found.count, (size_t)3 << (last - first));
    CHECK_INT(found.reports[0] + found.reports[1], DEVICES);
    uint64_t least = UINT64_MAX, better = 0;
    for (size_t i = 0; i < found.count; i++) {
        const uint8_t *text = found.candidates[i].text;
        const uint64_t before = count_of(&config, reports, 0, text);
        CHECK_INT(found.candidates[i].count, count_of(&config, reports, 1, text));
        least = before < least ? before : least;
        CHECK(i == 0 || memcmp(found.candidates[i - 1].text, text, 32) < 0);
    }
    /* fewer than three prefixes have more support than the worst that was kept */
    for (uint32_t v = 0; v < (uint32_t)1 << first; v++) {
        uint8_t text[32] = {0};
        for (uint32_t b = 0; b < first; b++)
            text[b / 8] |= (uint8_t)((v >> (first - 1 - b) & 1) << (7 - b % 8));
        better += count_of(&config, reports, 0, text) > least;
    }
    CHECK(better < 3);
    sc_free(found.candidates);
}

SLOW_TEST(prefix_search_counts_equal_cells)
{
    CLAIM("prefix-search.counts");
    uint64_t seed = check_seed();
    check_two_steps("prefix a=20 b=1 text=1 cells=8 prefixes=5,8", &seed);
    check_two_steps("prefix a=54 b=1 text=2 cells=64 prefixes=9,16", &seed);
    check_two_steps("prefix a=400 b=1 text=1 cells=512 prefixes=6,8", &seed);
}

/* Long texts in many steps: the one text that all devices hold has the most support at the end. */
TEST(prefix_search_finds_a_long_text)
{
    const scrim_local_config config = device_config(
        "prefix a=400 b=1 text=12 cells=256 prefixes=6,12,20,33,41,52,60,70,83,96");
    uint8_t text[1][32] = {"hello, world"}, reports[DEVICES * 40];
    uint64_t seed = check_seed();
    sc_prefix_search found;
    encode(&config, text, 1, reports, &seed);
    reports[0] = 10; /* groups are 0 to 9 */
    REQUIRE_OK(sc_prefix_search_run(&config, reports, DEVICES, 4, &found, NULL));
    size_t best = 0;
    for (size_t i = 0; i < found.count; i++)
        best = found.candidates[i].count > found.candidates[best].count ? i : best;
    CHECK_STR((const char *)found.candidates[best].text, "hello, world");
    CHECK_INT(found.dropped, 1);
    sc_free(found.candidates);
}

SLOW_TEST(prefix_search_has_limits)
{
    uint8_t report[40] = {0};
    sc_prefix_search found;
    const scrim_local_config long_first =
        device_config("prefix a=20 b=1 text=4 cells=8 prefixes=21,32");
    CHECK_STATUS(sc_prefix_search_run(&long_first, report, 1, 4, &found, NULL),
                 SCRIM_E_LIMIT);
    const scrim_local_config many =
        device_config("prefix a=20 b=1 text=4 cells=8 prefixes=12,32");
    CHECK_STATUS(sc_prefix_search_run(&many, report, 1, 17, &found, NULL), SCRIM_E_LIMIT);
    REQUIRE_OK(sc_prefix_search_run(&many, report, 0, 1, &found, NULL));
    CHECK_INT(found.count, 1 << 20);
    sc_free(found.candidates);
}

/* e^4, rounded down, over 2^20; the best power of two for the cells. */
#define FOUR "a=57250000 b=1048576"

typedef struct fleet {
    scrim_local_config config;
    size_t devices, texts;
    double power;   /* of the law: weights are rank^-power */
    uint64_t *text; /* by rank, as big-endian numbers of 64 bits */
    uint64_t *held;
    uint8_t *reports;
    uint64_t seed;
} fleet;

static void put_text(uint64_t text, uint8_t out[8])
{
    for (size_t i = 0; i < 8; i++)
        out[i] = (uint8_t)(text >> (56 - 8 * i));
}

/* Texts are random, and each device reports one of them. */
static bool open_fleet(fleet *f, const char *words, size_t devices, size_t texts)
{
    f->config = device_config(words);
    f->devices = devices;
    f->texts = texts;
    f->text = sc_allocate(texts, sizeof *f->text);
    f->held = sc_allocate(texts, sizeof *f->held);
    f->reports = sc_allocate(devices, scrim_local_report_bytes(&f->config));
    return CHECK(f->text != NULL && f->held != NULL && f->reports != NULL);
}

static void report_fleet(fleet *f)
{
    const size_t bytes = scrim_local_report_bytes(&f->config);
    const scrim_local_source source = device_seeded(&f->seed);
    double *weights = sc_allocate(f->texts, sizeof *weights);
    uint8_t text[8], *report = f->reports;
    for (size_t i = 0; i < f->texts; i++) {
        source.fill(source.context, &f->text[i], sizeof *f->text);
        weights[i] = pow((double)i + 1, -f->power);
    }
    scene_divide(f->devices, weights, f->texts, f->held, &f->seed);
    for (size_t i = 0; i < f->texts; i++) {
        put_text(f->text[i], text);
        for (uint64_t d = 0; d < f->held[i]; d++, report += bytes)
            CHECK_INT(scrim_local_encode_text(&f->config, text, &source, report),
                      SCRIM_LOCAL_OK);
    }
    sc_free(weights);
}

static void close_fleet(fleet *f)
{
    sc_free(f->text);
    sc_free(f->held);
    sc_free(f->reports);
}

/* The rank of a text that was found; the number of texts if nobody holds it. */
static size_t rank_of(const fleet *f, const uint8_t *found)
{
    uint8_t text[8];
    for (size_t i = 0; i < f->texts; i++) {
        put_text(f->text[i], text);
        if (memcmp(text, found, sizeof text) == 0)
            return f->held[i] > 0 ? i : f->texts;
    }
    return f->texts;
}

typedef struct findings {
    double recall;          /* share of the `top` most frequent texts that are listed */
    double agreed;          /* share of the first `top` of the list that are among them */
    uint64_t wrong, listed; /* texts that nobody holds; texts */
    uint64_t covered, seen; /* of the ten most frequent */
} findings;

static void look(const fleet *f, const scrim_local_unknown *found, size_t top,
                 findings *out)
{
    size_t count, right = 0, agreed = 0;
    const scrim_local_text *rows = scrim_local_unknown_texts(found, &count);
    for (size_t i = 0; i < count; i++) {
        const size_t rank = rank_of(f, rows[i].text);
        out->wrong += rank == f->texts;
        right += rank < top;
        agreed += i < top && rank < top;
        if (rank < 10) {
            out->seen++;
            out->covered += fabs(rows[i].estimate - (double)f->held[rank]) <
                            1.959963984540054 * rows[i].error;
        }
        CHECK(i == 0 || rows[i - 1].estimate >= rows[i].estimate);
    }
    out->listed += count;
    out->recall += (double)right / (double)top;
    out->agreed += (double)agreed / (double)top;
}

/* The standard error of the share of a text that nobody holds, from the last group. */
static double error_of_share(const fleet *f, const scrim_local_unknown_facts *facts)
{
    const double n = (double)facts->last_group, other = 1 / (double)f->config.cells;
    const double gap = sc_text_report_truth(&f->config) - other;
    return sqrt(other * (1 - other) / n) / gap;
}

/* How many of the first texts are expected to be listed, and the variance of that number: a count is normal. */
static double expect_listed(const fleet *f, const scrim_local_unknown_facts *facts,
                            size_t top, double *variance)
{
    const double z = -sc_normal_quantile(0.05 / (double)facts->candidates);
    const double error = error_of_share(f, facts);
    double sum = 0;
    for (size_t i = 0; i < top; i++) {
        const double share = (double)f->held[i] / (double)f->devices;
        const double chance = erfc((z - share / error) / sqrt(2)) / 2;
        sum += chance;
        *variance += chance * (1 - chance);
    }
    return sum;
}

/* How many of the first `top` of a list are expected to be among the `top` most frequent texts, and the variance of
 * that number: estimates are drawn anew, from the counts that are held and the errors of expect_listed and of who is
 * in the last group. Texts behind the first RANKS are not listed. */
static double expect_agreed(const fleet *f, const scrim_local_unknown_facts *facts,
                            size_t top, double *variance)
{
    enum { DRAWS = 400, RANKS = 100 };
    const double z = -sc_normal_quantile(0.05 / (double)facts->candidates);
    const double error = error_of_share(f, facts);
    double sum = 0, squares = 0, estimates[RANKS];
    uint64_t seed = f->seed, word;
    const scrim_local_source source = device_seeded(&seed);
    for (size_t draw = 0; draw < DRAWS; draw++) {
        size_t agreed = 0;
        for (size_t i = 0; i < RANKS; i++) {
            const double share = (double)f->held[i] / (double)f->devices;
            source.fill(source.context, &word, sizeof word);
            estimates[i] =
                share + sqrt(error * error + share * (1 - share) * f->config.prefixes /
                                                 (double)f->devices) *
                            sc_normal_quantile(((double)(word >> 11) + 0.5) * 0x1p-53);
        }
        for (size_t i = 0; i < top; i++) {
            size_t before = 0;
            for (size_t j = 0; j < RANKS; j++)
                before += estimates[j] > estimates[i];
            agreed += estimates[i] > z * error && before < top;
        }
        sum += (double)agreed / DRAWS;
        squares += (double)(agreed * agreed) / DRAWS;
    }
    *variance += squares - sum * sum;
    return sum;
}

static double f1_of(double recall)
{
    return 2 * recall / (1 + recall);
}

/* The setting of the vector pem_simulation: 10^6 devices, epsilon 4, Zipf 1.1 over 10^5 random texts of 64
 * bits; F1 is of the recall and of the share of the list that somebody holds, which is 1. Without --long a smaller
 * fleet, of a steeper law. As many texts are found as the test alone would let through, less one in twenty for the
 * earlier groups. */
SLOW_TEST(local_unknown_finds_the_most_frequent_texts)
{
    CLAIM("local-unknown.alarm");
    fleet f = {.seed = check_seed(), .power = check_is_long() ? 1.1 : 1.5};
    const uint64_t runs = check_is_long() ? 4 : 1;
    const size_t top = check_is_long() ? 20 : 5;
    findings all = {0};
    double expected = 0, variance = 0, first = 0, first_variance = 0;
    if (open_fleet(&f,
                   "prefix " FOUR " text=8 cells=64 "
                   "prefixes=16,20,24,28,32,36,40,44,48,52,56,60,64",
                   check_count_whole(60000, 1000000), check_count_whole(1000, 100000)))
        for (uint64_t run = 0; run < runs; run++) {
            scrim_local_unknown *found = NULL;
            scrim_local_unknown_facts facts;
            report_fleet(&f);
            REQUIRE_OK(scrim_local_unknown_search(&f.config, f.reports, f.devices, NULL,
                                                  &found, NULL));
            look(&f, found, top, &all);
            scrim_local_unknown_describe(found, &facts);
            expected += expect_listed(&f, &facts, top, &variance);
            first += expect_agreed(&f, &facts, top, &first_variance);
            CHECK_INT(facts.candidates, 1024);
            CHECK(facts.detectable > 0 && facts.detectable < 0.1);
            scrim_local_unknown_free(found);
        }
    const double n = (double)(runs * top), recall = all.recall / (double)runs;
    CHECK_INT(all.wrong, 0);
    if (!(recall >= 0.95 * expected / n - 4 * sqrt(variance) / n))
        CHECK_FAIL("recall %g where %g is expected", recall, expected / n);
    if (check_is_long()) {
        const json_t *simulated = vectors_load("local-additions", "pem_simulation");
        const json_t *row = json_array_get(json_object_get(simulated, "rows"), 0);
        CHECK_INT((int64_t)vectors_number(row, "groups"), f.config.prefixes);
        CHECK(f1_of(recall) >=
              strtod(vectors_text(row, "mean_F1"), NULL) - 4 * sqrt(2 * variance) / n);
    }
    const double agreed = all.agreed / (double)runs;
    if (!(agreed >= (0.95 * first - 4 * sqrt(first_variance)) / n))
        CHECK_FAIL("%g of the first ones agree where %g is expected", agreed, first / n);
    close_fleet(&f);
}

static void check_coverage(const findings *all, uint64_t runs)
{
    const double n = (double)all->seen, share = (double)all->covered / n;
    CHECK(all->seen > 4 * runs);
    CHECK(fabs(share - 0.95) < 0.015 + 4 * sqrt(0.05 * 0.95 / n));
    CHECK((double)all->wrong <= 0.05 * (double)runs + 4 * sqrt(0.05 * (double)runs));
}

/* Estimates from the last group stand for all devices. */
SLOW_TEST(local_unknown_intervals_cover)
{
    CLAIM("local-unknown.cover");
    fleet f = {.seed = check_seed(), .power = 1};
    findings all = {0};
    const uint64_t runs = check_count_whole(30, 1000);
    const scrim_local_unknown_options options = {.size = sizeof options, .keep = 16};
    if (open_fleet(&f, "prefix " FOUR " text=8 cells=64 prefixes=14,24,34,44,54,64", 6000,
                   8))
        for (uint64_t run = 0; run < runs; run++) {
            scrim_local_unknown *found = NULL;
            report_fleet(&f);
            REQUIRE_OK(scrim_local_unknown_search(&f.config, f.reports, f.devices,
                                                  &options, &found, NULL));
            look(&f, found, 8, &all);
            scrim_local_unknown_free(found);
        }
    check_coverage(&all, runs);
    close_fleet(&f);
}

/* The same of a list, a half of which nobody holds: no device is in another group. */
SLOW_TEST(local_unknown_counts_listed_texts)
{
    CLAIM("local-unknown.cover");
    enum { TEXTS = 100 };
    fleet f = {.seed = check_seed(), .power = 1};
    findings all = {0};
    const uint64_t runs = check_count_whole(50, 1000);
    if (open_fleet(&f, "text-hashing " FOUR " text=8 cells=64", 3000, TEXTS / 2))
        for (uint64_t run = 0; run < runs; run++) {
            scrim_local_unknown *found = NULL;
            uint8_t texts[TEXTS * 8];
            report_fleet(&f);
            for (size_t i = 0; i < TEXTS; i++)
                put_text(i < f.texts ? f.text[i] : ~f.text[i - f.texts], texts + 8 * i);
            REQUIRE_OK(scrim_local_unknown_count(&f.config, f.reports, f.devices, texts,
                                                 TEXTS, NULL, &found, NULL));
            look(&f, found, 8, &all);
            scrim_local_unknown_free(found);
        }
    check_coverage(&all, runs);
    close_fleet(&f);
}

/* One text has the detectable share; of the others, half of the kept prefixes' number are as frequent, and the rest
 * are held by one device each. */
static bool is_listed_once(const scrim_local_config *config, size_t devices, double share,
                           uint64_t *seed)
{
    enum { KEPT = 16, OTHERS = 7 };
    const scrim_local_unknown_options options = {.size = sizeof options, .keep = KEPT};
    const scrim_local_source source = device_seeded(seed);
    const size_t bytes = scrim_local_report_bytes(config);
    uint8_t *reports = sc_allocate(devices, bytes), text[OTHERS + 1][32];
    scrim_local_unknown *found = NULL;
    size_t count = 0;
    bool is_listed = false;
    if (!CHECK(reports != NULL))
        return false;
    source.fill(source.context, text, sizeof text);
    for (size_t i = 0; i < devices; i++) {
        const double at = (double)i / (double)devices;
        uint8_t own[32], *held = at < OTHERS * share ? text[i % OTHERS] : own;
        source.fill(source.context, own, sizeof own);
        if (at >= 1 - share)
            held = text[OTHERS];
        CHECK_INT(scrim_local_encode_text(config, held, &source, reports + i * bytes),
                  SCRIM_LOCAL_OK);
    }
    if (CHECK_STATUS(
            scrim_local_unknown_search(config, reports, devices, &options, &found, NULL),
            SCRIM_OK)) {
        const scrim_local_text *rows = scrim_local_unknown_texts(found, &count);
        for (size_t i = 0; i < count; i++)
            is_listed |= memcmp(rows[i].text, text[OTHERS], config->text) == 0;
    }
    scrim_local_unknown_free(found);
    sc_free(reports);
    return is_listed;
}

/* A text of the detectable share is listed in nine of ten collections: four deviations below are a false alarm of
 * 1 in 30,000. */
SLOW_TEST(local_unknown_lists_a_detectable_text)
{
    CLAIM("text-forecast.chance");
    enum { DEVICES_OF_PLAN = 3000 };
    const scrim_local_config config =
        device_config("prefix " FOUR " text=5 cells=64 prefixes=12,16,20,24,28,32,36,40");
    const sc_text_search search = {.config = &config, .keep = 16, .alpha = 0.05};
    const double runs = (double)check_count_whole(80, 2000);
    uint64_t seed = check_seed();
    sc_text_forecast forecast;
    sc_text_forecast_plan(&search, DEVICES_OF_PLAN, &forecast);
    const double share = sc_text_forecast_detectable(&forecast, 0.9);
    double listed = 0;
    for (double run = 0; run < runs; run++)
        listed += is_listed_once(&config, DEVICES_OF_PLAN, share, &seed);
    if (!(listed / runs >= 0.9 - 4 * sqrt(0.09 / runs)))
        CHECK_FAIL("a share of %g is listed in %g of %g runs", share, listed, runs);
    CHECK_NEAR(sc_text_forecast_chance(&forecast, share), 0.9, 0.01);
}

TEST(local_unknown_refuses)
{
    scrim_local_unknown *found = NULL;
    const scrim_local_config prefix =
        device_config("prefix a=3 b=1 text=1 cells=4 prefixes=4,8");
    const scrim_local_config hashing =
        device_config("text-hashing a=3 b=1 text=1 cells=4");
    const scrim_local_unknown_options wrong = {.size = sizeof wrong, .alpha = 1.5};
    CHECK_STATUS(scrim_local_unknown_search(&hashing, NULL, 0, NULL, &found, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_local_unknown_count(&prefix, NULL, 0, NULL, 0, NULL, &found, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_local_unknown_search(&prefix, NULL, 0, &wrong, &found, NULL),
                 SCRIM_E_PARAM);
    CHECK(found == NULL);
    /* nothing comes from nobody */
    REQUIRE_OK(scrim_local_unknown_search(&prefix, NULL, 0, NULL, &found, NULL));
    scrim_local_unknown_facts facts;
    size_t count = 1;
    scrim_local_unknown_texts(found, &count);
    scrim_local_unknown_describe(found, &facts);
    CHECK_INT(count, 0);
    CHECK(facts.detectable == 1);
    scrim_local_unknown_free(found);
}

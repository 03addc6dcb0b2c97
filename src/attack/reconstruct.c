/* Reconstruction: a block of seven people from its published table, and a thousand secret bits from
 * sums. */
#include "attack/attack_kind.h"
#include "attack/bit_sums.h"
#include "attack/block_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_LIMIT 1000000

typedef struct published {
    const char *name, *group;
    unsigned mask, type;
    int count, sum, doubled_median;
} published;

/* The survey's Table 1, in the order in which the attack uses it; cells marked (D) are left out. */
static const published table[] = {
    {"2A", "female", SC_BLOCK_MALE, 0, 4, 134, 60},
    {"2B", "male", SC_BLOCK_MALE, SC_BLOCK_MALE, 3, 132, 60},
    {"1A", "all", 0, 0, 7, 266, 60},
    {"2C", "black", SC_BLOCK_WHITE, 0, 4, 194, 102},
    {"2D", "white", SC_BLOCK_WHITE, SC_BLOCK_WHITE, 3, 72, 48},
    {"4A", "black female", SC_BLOCK_WHITE | SC_BLOCK_MALE, 0, 3, 110, 72},
    {"3B", "married", SC_BLOCK_MARRIED, SC_BLOCK_MARRIED, 4, 216, 102},
};
#define TABLE (sizeof table / sizeof *table)
#define BLACK_FEMALE 5

static void show_published(sc_findings *found)
{
    sc_findings_begin(found, "published", "the published table of the block",
                      (const char *const[]){"statistic", "group", "count", "median_age",
                                            "mean_age", NULL});
    for (size_t i = 0; i < TABLE; i++) {
        sc_findings_put(found, "%s\n%s\n%d\n%g\n%.1f", table[i].name, table[i].group,
                        table[i].count, table[i].doubled_median / 2.0,
                        (double)table[i].sum / table[i].count);
    }
}

/* Statistics from the given number on are known by their count alone; 4A not even by that. */
static void take_statistics(size_t used, sc_block_statistic out[TABLE])
{
    for (size_t i = 0; i < TABLE; i++) {
        out[i] =
            (sc_block_statistic){.types = sc_block_types(table[i].mask, table[i].type),
                                 .count_low = table[i].count,
                                 .count_high = table[i].count,
                                 .sum_low = table[i].sum,
                                 .sum_high = table[i].sum,
                                 .doubled_median = table[i].doubled_median};
        if (i < used)
            continue;
        out[i].sum_low = 0;
        out[i].sum_high = SC_BLOCK_PEOPLE * SC_BLOCK_OLDEST;
        out[i].doubled_median = -1;
        if (i == BLACK_FEMALE) {
            out[i].count_low = 0;
            out[i].count_high = SC_BLOCK_PEOPLE;
        }
    }
}

/* Statistic 1A follows from 2A and 2B. */
static void count_blocks(const sc_attack_scene *scene, sc_block_found *last)
{
    static const struct {
        size_t used;
        const char *names;
    } steps[] = {{2, "2A 2B"},
                 {4, "2A 2B 1A 2C"},
                 {5, "2A 2B 1A 2C 2D"},
                 {6, "2A 2B 1A 2C 2D 4A"},
                 {TABLE, "2A 2B 1A 2C 2D 4A 3B"}};
    sc_findings *found = scene->found;
    sc_findings_begin(found, "statistics", "blocks that agree with the published table",
                      (const char *const[]){"statistics", "blocks", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "statistics used",
                                                 .y_name = "blocks",
                                                 .is_log_y = true,
                                                 .curves = {"blocks that agree"}});
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        sc_block_statistic statistics[TABLE];
        take_statistics(steps[i].used, statistics);
        sc_block_search(statistics, TABLE, UINT64_MAX, last);
        sc_findings_put(found, "%s\n%" PRIu64, steps[i].names, last->count);
        const double blocks = (double)last->count;
        sc_findings_point(found, (double)steps[i].used, &blocks);
        sc_attack_tell(scene, i + 1, sizeof steps / sizeof *steps);
    }
}

static void show_block(sc_findings *found, const sc_block_found *block)
{
    sc_findings_begin(found, "block", "the one block that is left",
                      (const char *const[]){"age", "sex", "race", "status", NULL});
    for (size_t i = 0; i < SC_BLOCK_PEOPLE && block->count > 0; i++) {
        const sc_block_person *person = &block->first[i];
        sc_findings_put(found, "%d", person->age);
        sc_findings_put(found, (person->type & SC_BLOCK_MALE) != 0 ? "male" : "female");
        sc_findings_put(found, (person->type & SC_BLOCK_WHITE) != 0 ? "white" : "black");
        sc_findings_put(found,
                        (person->type & SC_BLOCK_MARRIED) != 0 ? "married" : "single");
    }
}

/* The same block through scrim. */

static const size_t released[] = {0, 3, 5, 6}; /* 2A, 2C, 4A, 3B; the others follow */
#define RELEASED (sizeof released / sizeof *released)

/* One release of integers, with the radius of its 99.9 % intervals. */
static scrim_status release_with_radius(scrim_ledger *ledger, size_t sensitivity,
                                        double epsilon, int64_t values[RELEASED],
                                        int64_t *radius, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_certificate certificate;
    scrim_status status =
        sc_attack_laplace(sensitivity, epsilon, SCRIM_REPLACE, &measurement, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_certify(measurement, "0.999", RELEASED, &certificate,
                                           error);
    if (status == SCRIM_OK)
        status = sc_attack_release(ledger, measurement, values, RELEASED, values, error);
    if (status == SCRIM_OK)
        *radius = strtoll(certificate.radius, NULL, 10);
    scrim_measurement_free(measurement);
    return status;
}

static int between(int64_t value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

/* Seven people, which is public; half of epsilon for the counts, half for the sums. One of them changes each count by 1 and each sum by 125 at most. */
static scrim_status release_block(const sc_attack_scene *scene, double epsilon,
                                  sc_block_statistic out[RELEASED], int64_t *radius,
                                  scrim_error *error)
{
    int64_t counts[RELEASED], sums[RELEASED], count_radius = 0;
    scrim_ledger *ledger = NULL;
    for (size_t i = 0; i < RELEASED; i++) {
        counts[i] = table[released[i]].count;
        sums[i] = table[released[i]].sum;
    }
    scrim_status status = sc_attack_ledger(scene, SCRIM_REPLACE, epsilon, &ledger, error);
    if (status == SCRIM_OK)
        status = release_with_radius(ledger, RELEASED, epsilon / 2, counts, &count_radius,
                                     error);
    if (status == SCRIM_OK)
        status = release_with_radius(ledger, RELEASED * SC_BLOCK_OLDEST, epsilon / 2,
                                     sums, radius, error);
    scrim_ledger_free(ledger);
    for (size_t i = 0; i < RELEASED && status == SCRIM_OK; i++) {
        const published *row = &table[released[i]];
        out[i] = (sc_block_statistic){
            .types = sc_block_types(row->mask, row->type),
            .count_low = between(counts[i] - count_radius, 0, SC_BLOCK_PEOPLE),
            .count_high = between(counts[i] + count_radius, 0, SC_BLOCK_PEOPLE),
            .sum_low = between(sums[i] - *radius, 0, SC_BLOCK_PEOPLE * SC_BLOCK_OLDEST),
            .sum_high = between(sums[i] + *radius, 0, SC_BLOCK_PEOPLE * SC_BLOCK_OLDEST),
            .doubled_median = -1};
    }
    return status;
}

static scrim_status release_blocks(const sc_attack_scene *scene, scrim_error *error)
{
    static const double epsilons[] = {0.1, 1, 10};
    sc_findings *found = scene->found;
    sc_findings_begin(found, "block-released",
                      "the same table through scrim: blocks within all 99.9 % intervals",
                      (const char *const[]){"epsilon", "sum_radius", "blocks", NULL});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 3 && status == SCRIM_OK; i++) {
        sc_block_statistic statistics[RELEASED];
        sc_block_found block;
        int64_t radius = 0;
        status = release_block(scene, epsilons[i], statistics, &radius, error);
        if (status != SCRIM_OK)
            break;
        sc_block_search(statistics, RELEASED, BLOCK_LIMIT, &block);
        sc_findings_put(found, "%g\n%" PRId64, epsilons[i], radius);
        if (block.is_complete)
            sc_findings_put(found, "%" PRIu64, block.count);
        else
            sc_findings_put(found, "over %d", BLOCK_LIMIT);
    }
    return status;
}

/* A thousand bits. */

static double percent(double share)
{
    return 100 * share;
}

static scrim_status recover_from_noise(const sc_attack_scene *scene,
                                       const unsigned char *bits, const int64_t *sums,
                                       double *share_at_four, scrim_error *error)
{
    static const int deviations[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};
    sc_findings *found = scene->found;
    sc_findings_begin(found, "noise",
                      "1,000 bits from 1,024 sums with noise that nobody accounts for",
                      (const char *const[]){"noise_deviation", "recovered_percent",
                                            "expected_percent", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "standard deviation of noise",
                                                 .y_name = "bits recovered, %",
                                                 .is_log_x = true,
                                                 .curves = {"measured", "expected"}});
    for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
        int64_t noisy[SC_BIT_SUMS_QUERIES] = {0};
        char line[60];
        const int deviation = deviations[i];
        snprintf(line, sizeof line, "discrete-gaussian variance=%d",
                 deviation * deviation);
        scrim_status status =
            deviation == 0
                ? SCRIM_OK
                : sc_attack_draw(scene, line, SC_BIT_SUMS_QUERIES, noisy, error);
        if (status != SCRIM_OK)
            return status;
        for (size_t j = 0; j < SC_BIT_SUMS_QUERIES; j++)
            noisy[j] += sums[j];
        const double y[] = {
            percent((double)sc_bit_sums_recovered(noisy, bits) / SC_BIT_SUMS_PEOPLE),
            percent(sc_bit_sums_expected(deviation))};
        if (deviation == 4)
            *share_at_four = y[0] / 100;
        sc_findings_put(found, "%d\n%.1f\n%.1f", deviation, y[0], y[1]);
        if (deviation > 0)
            sc_findings_point(found, deviation, y);
    }
    return SCRIM_OK;
}

static scrim_status recover_from_releases(const sc_attack_scene *scene,
                                          const unsigned char *bits, const int64_t *sums,
                                          double *share_at_one, scrim_error *error)
{
    static const double epsilons[] = {0.1, 1, 10};
    sc_findings *found = scene->found;
    sc_findings_begin(found, "releases",
                      "the same sums through scrim, epsilon for all of them together",
                      (const char *const[]){"epsilon", "noise_deviation",
                                            "recovered_percent", "expected_percent",
                                            "bound_percent", NULL});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 3 && status == SCRIM_OK; i++) {
        int64_t answers[SC_BIT_SUMS_QUERIES];
        const double epsilon = epsilons[i];
        const double deviation = sqrt(2) * SC_BIT_SUMS_QUERIES / 2 / epsilon;
        status =
            sc_attack_release_all(scene, SC_BIT_SUMS_QUERIES / 2, epsilon, SCRIM_REPLACE,
                                  sums, SC_BIT_SUMS_QUERIES, answers, error);
        if (status != SCRIM_OK)
            break;
        const double share =
            (double)sc_bit_sums_recovered(answers, bits) / SC_BIT_SUMS_PEOPLE;
        if (epsilon == 1)
            *share_at_one = share;
        sc_findings_put(found, "%g\n%.0f\n%.1f\n%.1f\n%.1f", epsilon, deviation,
                        percent(share), percent(sc_bit_sums_expected(deviation)),
                        percent(sc_attack_guess_bound(epsilon)));
    }
    return status;
}

static scrim_status run_reconstruct(const sc_attack_scene *scene, scrim_error *error)
{
    unsigned char bits[SC_BIT_SUMS_PEOPLE];
    int64_t sums[SC_BIT_SUMS_QUERIES];
    sc_findings *found = scene->found;
    sc_block_found block;
    double share = 0, noisy_share = 0;
    scrim_status status = sc_attack_flip(scene, SC_BIT_SUMS_PEOPLE, bits, error);
    if (status != SCRIM_OK)
        return status;
    show_published(found);
    count_blocks(scene, &block);
    show_block(found, &block);
    status = release_blocks(scene, error);
    sc_bit_sums_ask(bits, sums);
    if (status == SCRIM_OK)
        status = recover_from_noise(scene, bits, sums, &noisy_share, error);
    if (status == SCRIM_OK)
        status = recover_from_releases(scene, bits, sums, &share, error);
    found->target = "the survey's fictional block of seven people, with seven published "
                    "statistics; then 1,000 simulated people with a secret bit each";
    found->learnt = sc_findings_words(
        found,
        "%" PRIu64 " block agrees with the published table: age, sex, race and marital "
        "status of all seven people. Of 1,000 bits, exact sums give away all, and sums "
        "with noise of deviation 4 still %.1f %%.",
        block.count, percent(noisy_share));
    found->cost = "seven published statistics and a search of milliseconds; 1,024 sums "
                  "and one transform";
    found->stopped = sc_findings_words(
        found,
        "One epsilon for all answers together. At epsilon 1 the attack recovers %.1f %% "
        "of the bits (chance: 50 %%); a guess about one person is right at most %.1f %% "
        "of "
        "the time.",
        percent(share), percent(sc_attack_guess_bound(1)));
    return status;
}

const sc_attack_kind sc_attack_reconstruct = {
    .shown =
        {.name = "reconstruct",
         .summary = "Rebuild a table of people from published statistics",
         .source =
             "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
             "1.3.1, after Garfinkel, Abowd and Martindale 2018; Dinur and Nissim 2003"},
    .run = run_reconstruct,
};

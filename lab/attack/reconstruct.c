/* Reconstruction: a block of seven people from its published table, and a thousand secret bits from
 * sums. */
#include "lab/attack/reconstruct.h"

#include "lab/attack/attack_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The search for blocks. */

/* Eight numbers from 0 to 127 in a word, one byte for each statistic. */
typedef uint64_t bytes8;
#define EVERY_BYTE UINT64_C(0x0101010101010101)
#define TOP_BITS (EVERY_BYTE << 7)

typedef struct search {
    lab_block_statistic
        statistics[LAB_BLOCK_STATISTICS]; /* those that bound ages come first */
    size_t count;                         /* of those that bound ages */
    uint64_t limit, steps;           /* blocks at most, and people yet to be placed */
    bytes8 placed;                   /* people so far, for each statistic */
    bytes8 members[LAB_BLOCK_TYPES]; /* 1 where a person of the type is counted */
    bytes8 count_low, count_high;
    int sum[LAB_BLOCK_STATISTICS];
    int middle[LAB_BLOCK_STATISTICS]; /* the age at the lower middle, once placed */
    lab_block_person people[LAB_BLOCK_MOST];
    unsigned types;
    int size, youngest; /* people in all; and the first age of those who may be married */
    lab_block_found *out;
} search;

unsigned lab_block_types(unsigned mask, unsigned type)
{
    unsigned types = 0;
    for (unsigned t = 0; t < LAB_BLOCK_TYPES; t++)
        if ((t & mask) == (type & mask))
            types |= 1U << t;
    return types;
}

static int placed_of(const search *at, size_t statistic)
{
    return (int)(at->placed >> 8 * statistic & 0xff);
}

/* Is no byte of a above that of b? */
static bool none_above(bytes8 a, bytes8 b)
{
    return (((b | TOP_BITS) - a) & TOP_BITS) == TOP_BITS;
}

/* Do the counts allow a next person of this type? */
static bool counts_allow(const search *at, int depth, unsigned type)
{
    const bytes8 then = at->placed + at->members[type];
    const uint64_t left = (uint64_t)(at->size - depth - 1);
    return none_above(then, at->count_high) &&
           none_above(at->count_low, then + left * EVERY_BYTE);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

typedef struct age_range {
    int low, high;
} age_range;

/* The place of the lower and of the upper middle, counted from 0. */
static int lower_middle(const lab_block_statistic *s)
{
    return (s->count_low - 1) / 2;
}

static int upper_middle(const lab_block_statistic *s)
{
    return s->count_low / 2;
}

/* Bounds the next age by the other people of the group: they follow and are not younger. */
static void bound_for_others(const search *at, size_t i, age_range *range)
{
    const lab_block_statistic *s = &at->statistics[i];
    const int missing = s->count_low - placed_of(at, i);
    if (missing > 0)
        range->high = least(range->high, (s->sum_high - at->sum[i]) / missing);
    if (s->doubled_median < 0)
        return;
    if (placed_of(at, i) <= lower_middle(s))
        range->high = least(range->high, s->doubled_median / 2);
    else if (placed_of(at, i) == upper_middle(s))
        range->high = least(range->high, s->doubled_median - at->middle[i]);
}

/* Bounds the next age if the next person is in the group. */
static void bound_for_member(const search *at, size_t i, int left, age_range *range)
{
    const lab_block_statistic *s = &at->statistics[i];
    const int room = least(left, s->count_high - placed_of(at, i));
    const int needed = most(1, s->count_low - placed_of(at, i));
    range->high = least(range->high, (s->sum_high - at->sum[i]) / needed);
    range->low =
        most(range->low, s->sum_low - at->sum[i] - (room - 1) * LAB_BLOCK_OLDEST);
    if (s->doubled_median < 0)
        return;
    const bool is_upper = placed_of(at, i) == upper_middle(s);
    if (is_upper && placed_of(at, i) == lower_middle(s))
        range->low = most(range->low, (s->doubled_median + 1) / 2);
    else if (is_upper)
        range->low = most(range->low, s->doubled_median - at->middle[i]);
}

static age_range range_of(const search *at, int depth, unsigned type)
{
    const int left = at->size - depth;
    age_range range = {(type & LAB_BLOCK_MARRIED) != 0 ? at->youngest : 0,
                       LAB_BLOCK_OLDEST};
    if (depth > 0) {
        const lab_block_person *last = &at->people[depth - 1];
        range.low = most(range.low, last->age + (type < last->type ? 1 : 0));
    }
    for (size_t i = 0; i < at->count && range.low <= range.high; i++) {
        const bool is_member = (at->statistics[i].types >> type & 1) != 0;
        bound_for_others(at, i, &range);
        if (is_member)
            bound_for_member(at, i, left, &range);
        else if (at->sum[i] + (left - 1) * LAB_BLOCK_OLDEST < at->statistics[i].sum_low)
            range.high = -1; /* too few people are left to reach the sum */
    }
    return range;
}

static void place(search *at, int depth, lab_block_person person)
{
    at->people[depth] = person;
    for (size_t i = 0; i < at->count; i++)
        if ((at->statistics[i].types >> person.type & 1) != 0) {
            if (placed_of(at, i) == lower_middle(&at->statistics[i]))
                at->middle[i] = person.age;
            at->sum[i] += person.age;
        }
    at->placed += at->members[person.type];
}

static void take_back(search *at, lab_block_person person)
{
    at->placed -= at->members[person.type];
    for (size_t i = 0; i < at->count; i++)
        if ((at->statistics[i].types >> person.type & 1) != 0)
            at->sum[i] -= person.age;
}

static bool all_sums_fit(const search *at)
{
    for (size_t i = 0; i < at->count; i++) {
        const lab_block_statistic *s = &at->statistics[i];
        if (at->sum[i] < s->sum_low || at->sum[i] > s->sum_high)
            return false;
    }
    return true;
}

static void keep(search *at)
{
    if (!all_sums_fit(at))
        return;
    if (at->out->count == 0)
        memcpy(at->out->first, at->people, sizeof at->people);
    at->out->count++;
}

static void go_on(search *at, int depth)
{
    if (depth == at->size) {
        keep(at);
        return;
    }
    for (unsigned type = 0; type < at->types; type++) {
        if (!counts_allow(at, depth, type))
            continue;
        const age_range range = range_of(at, depth, type);
        for (int age = range.low;
             age <= range.high && at->out->count < at->limit && at->steps > 0; age++) {
            at->steps--;
            const lab_block_person person = {age, type};
            place(at, depth, person);
            go_on(at, depth + 1);
            take_back(at, person);
        }
    }
}

static bool bounds_ages(const lab_block_statistic *s, int people)
{
    return s->doubled_median >= 0 || s->sum_low > 0 ||
           s->sum_high < people * LAB_BLOCK_OLDEST;
}

static void take_statistic(search *at, size_t place, const lab_block_statistic *s)
{
    at->statistics[place] = *s;
    at->count_low |= (uint64_t)s->count_low << 8 * place;
    at->count_high |= (uint64_t)s->count_high << 8 * place;
    for (unsigned type = 0; type < LAB_BLOCK_TYPES; type++)
        at->members[type] |= (uint64_t)(s->types >> type & 1) << 8 * place;
}

void lab_block_find(const lab_block_question *question, uint64_t limit,
                    lab_block_found *out)
{
    search at = {.limit = limit,
                 .steps = LAB_BLOCK_STEPS,
                 .size = question->people,
                 .youngest = question->youngest,
                 .types = question->types,
                 .out = out};
    size_t last = question->count;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < question->count; i++) {
        const lab_block_statistic *s = &question->statistics[i];
        take_statistic(&at, bounds_ages(s, at.size) ? at.count++ : --last, s);
    }
    go_on(&at, 0);
    out->is_complete = out->count < limit && at.steps > 0;
}

void lab_block_search(const lab_block_statistic *statistics, size_t count, uint64_t limit,
                      lab_block_found *out)
{
    lab_block_find(&(lab_block_question){statistics, count, LAB_BLOCK_PEOPLE,
                                         LAB_BLOCK_MARRIED_FROM, LAB_BLOCK_TYPES},
                   limit, out);
}

/* Sums of bits. */

/* Multiplies by the Hadamard matrix, in place. */
static void transform(int64_t values[LAB_BIT_SUMS_QUERIES])
{
    for (size_t half = 1; half < LAB_BIT_SUMS_QUERIES; half *= 2)
        for (size_t block = 0; block < LAB_BIT_SUMS_QUERIES; block += 2 * half)
            for (size_t i = block; i < block + half; i++) {
                const int64_t left = values[i], right = values[i + half];
                values[i] = left + right;
                values[i + half] = left - right;
            }
}

void lab_bit_sums_ask(const unsigned char bits[LAB_BIT_SUMS_PEOPLE],
                      int64_t sums[LAB_BIT_SUMS_QUERIES])
{
    memset(sums, 0, LAB_BIT_SUMS_QUERIES * sizeof *sums);
    for (size_t i = 0; i < LAB_BIT_SUMS_PEOPLE; i++)
        sums[i + 1] = bits[i];
    transform(sums);
    /* The sum of the bits with sign +: half of the sum of all plus the signed sum. */
    const int64_t all = sums[0];
    for (size_t j = 0; j < LAB_BIT_SUMS_QUERIES; j++)
        sums[j] = (all + sums[j]) / 2;
}

int lab_bit_sums_recovered(const int64_t sums[LAB_BIT_SUMS_QUERIES],
                           const unsigned char bits[LAB_BIT_SUMS_PEOPLE])
{
    int64_t estimates[LAB_BIT_SUMS_QUERIES];
    int right = 0;
    memcpy(estimates, sums, sizeof estimates);
    transform(estimates);
    /* The bit is 2/m times the entry; it is taken for 1 if that exceeds 1/2. */
    for (size_t i = 0; i < LAB_BIT_SUMS_PEOPLE; i++)
        right += (4 * estimates[i + 1] > LAB_BIT_SUMS_QUERIES) == (bits[i] != 0);
    return right;
}

double lab_bit_sums_expected(double deviation)
{
    return deviation <= 0
               ? 1
               : lab_attack_normal(sqrt(LAB_BIT_SUMS_QUERIES) / (4 * deviation));
}

/* The attack on the block. */

#define BLOCK_LIMIT 1000000

typedef struct published {
    const char *name, *group;
    unsigned mask, type;
    int count, sum, doubled_median;
} published;

/* The survey's Table 1, in the order in which the attack uses it; cells marked (D) are left out. */
static const published table[] = {
    {"2A", "female", LAB_BLOCK_MALE, 0, 4, 134, 60},
    {"2B", "male", LAB_BLOCK_MALE, LAB_BLOCK_MALE, 3, 132, 60},
    {"1A", "all", 0, 0, 7, 266, 60},
    {"2C", "black", LAB_BLOCK_WHITE, 0, 4, 194, 102},
    {"2D", "white", LAB_BLOCK_WHITE, LAB_BLOCK_WHITE, 3, 72, 48},
    {"4A", "black female", LAB_BLOCK_WHITE | LAB_BLOCK_MALE, 0, 3, 110, 72},
    {"3B", "married", LAB_BLOCK_MARRIED, LAB_BLOCK_MARRIED, 4, 216, 102},
};
#define TABLE (sizeof table / sizeof *table)
#define BLACK_FEMALE 5

static void show_published(lab_findings *found)
{
    lab_findings_begin(found, "published", "the published table of the block",
                       (const char *const[]){"statistic", "group", "count", "median_age",
                                             "mean_age", NULL});
    for (size_t i = 0; i < TABLE; i++) {
        lab_findings_put(found, "%s\n%s\n%d\n%g\n%.1f", table[i].name, table[i].group,
                         table[i].count, table[i].doubled_median / 2.0,
                         (double)table[i].sum / table[i].count);
    }
}

/* Statistics from `used` on are known by their counts only, and 4A not at all. */
static void take_statistics(size_t used, lab_block_statistic out[TABLE])
{
    for (size_t i = 0; i < TABLE; i++) {
        out[i] =
            (lab_block_statistic){.types = lab_block_types(table[i].mask, table[i].type),
                                  .count_low = table[i].count,
                                  .count_high = table[i].count,
                                  .sum_low = table[i].sum,
                                  .sum_high = table[i].sum,
                                  .doubled_median = table[i].doubled_median};
        if (i < used)
            continue;
        out[i].sum_low = 0;
        out[i].sum_high = LAB_BLOCK_PEOPLE * LAB_BLOCK_OLDEST;
        out[i].doubled_median = -1;
        if (i == BLACK_FEMALE) {
            out[i].count_low = 0;
            out[i].count_high = LAB_BLOCK_PEOPLE;
        }
    }
}

/* Statistic 1A follows from 2A and 2B. */
static void count_blocks(const lab_attack_scene *scene, lab_block_found *last)
{
    static const struct {
        size_t used;
        const char *names;
    } steps[] = {{2, "2A 2B"},
                 {4, "2A 2B 1A 2C"},
                 {5, "2A 2B 1A 2C 2D"},
                 {6, "2A 2B 1A 2C 2D 4A"},
                 {TABLE, "2A 2B 1A 2C 2D 4A 3B"}};
    lab_findings *found = scene->found;
    lab_findings_begin(found, "statistics", "blocks that agree with the published table",
                       (const char *const[]){"statistics", "blocks", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "statistics used",
                                                   .y_name = "blocks",
                                                   .is_log_y = true,
                                                   .curves = {"blocks that agree"}});
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        lab_block_statistic statistics[TABLE];
        take_statistics(steps[i].used, statistics);
        lab_block_search(statistics, TABLE, UINT64_MAX, last);
        lab_findings_put(found, "%s\n%" PRIu64, steps[i].names, last->count);
        const double blocks = (double)last->count;
        lab_findings_point(found, (double)steps[i].used, &blocks);
        lab_attack_tell(scene, i + 1, sizeof steps / sizeof *steps);
    }
}

static void show_block(lab_findings *found, const lab_block_found *block)
{
    lab_findings_begin(found, "block", "the one block that is left",
                       (const char *const[]){"age", "sex", "race", "status", NULL});
    for (size_t i = 0; i < LAB_BLOCK_PEOPLE && block->count > 0; i++) {
        const lab_block_person *person = &block->first[i];
        lab_findings_put(found, "%d", person->age);
        lab_findings_put(found, (person->type & LAB_BLOCK_MALE) != 0 ? "male" : "female");
        lab_findings_put(found,
                         (person->type & LAB_BLOCK_WHITE) != 0 ? "white" : "black");
        lab_findings_put(found,
                         (person->type & LAB_BLOCK_MARRIED) != 0 ? "married" : "single");
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
    const lab_attack_noise noise = {sensitivity, epsilon, SCRIM_REPLACE};
    scrim_status status = lab_attack_laplace(&noise, &measurement, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_certify(measurement, "0.999", RELEASED, &certificate,
                                           error);
    if (status == SCRIM_OK)
        status = lab_attack_release(ledger, measurement, values, RELEASED, values, error);
    if (status == SCRIM_OK)
        *radius = strtoll(certificate.radius, NULL, 10);
    scrim_measurement_free(measurement);
    return status;
}

static int between(int64_t value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

/* The number of people is public. Half of epsilon is for the counts and half for the sums; one person
 * changes each count by at most 1 and each sum by at most 125. */
static scrim_status release_block(double epsilon, lab_block_statistic out[RELEASED],
                                  int64_t *radius, scrim_error *error)
{
    int64_t counts[RELEASED], sums[RELEASED], count_radius = 0;
    scrim_ledger *ledger = NULL;
    for (size_t i = 0; i < RELEASED; i++) {
        counts[i] = table[released[i]].count;
        sums[i] = table[released[i]].sum;
    }
    scrim_status status = lab_attack_ledger(SCRIM_REPLACE, epsilon, &ledger, error);
    if (status == SCRIM_OK)
        status = release_with_radius(ledger, RELEASED, epsilon / 2, counts, &count_radius,
                                     error);
    if (status == SCRIM_OK)
        status = release_with_radius(ledger, RELEASED * LAB_BLOCK_OLDEST, epsilon / 2,
                                     sums, radius, error);
    scrim_ledger_free(ledger);
    for (size_t i = 0; i < RELEASED && status == SCRIM_OK; i++) {
        const published *row = &table[released[i]];
        out[i] = (lab_block_statistic){
            .types = lab_block_types(row->mask, row->type),
            .count_low = between(counts[i] - count_radius, 0, LAB_BLOCK_PEOPLE),
            .count_high = between(counts[i] + count_radius, 0, LAB_BLOCK_PEOPLE),
            .sum_low = between(sums[i] - *radius, 0, LAB_BLOCK_PEOPLE * LAB_BLOCK_OLDEST),
            .sum_high =
                between(sums[i] + *radius, 0, LAB_BLOCK_PEOPLE * LAB_BLOCK_OLDEST),
            .doubled_median = -1};
    }
    return status;
}

static scrim_status release_blocks(lab_findings *found, scrim_error *error)
{
    static const double epsilons[] = {0.1, 1, 10};
    lab_findings_begin(found, "block-released",
                       "the same table through scrim: blocks within all 99.9 % intervals",
                       (const char *const[]){"epsilon", "sum_radius", "blocks", NULL});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 3 && status == SCRIM_OK; i++) {
        lab_block_statistic statistics[RELEASED];
        lab_block_found block;
        int64_t radius = 0;
        status = release_block(epsilons[i], statistics, &radius, error);
        if (status != SCRIM_OK)
            break;
        lab_block_search(statistics, RELEASED, BLOCK_LIMIT, &block);
        lab_findings_put(found, "%g\n%" PRId64, epsilons[i], radius);
        if (block.is_complete)
            lab_findings_put(found, "%" PRIu64, block.count);
        else
            lab_findings_put(found, "over %d", BLOCK_LIMIT);
    }
    return status;
}

/* A thousand bits. */

static double percent(double share)
{
    return 100 * share;
}

static scrim_status recover_from_noise(const lab_attack_scene *scene,
                                       const unsigned char *bits, const int64_t *sums,
                                       double *share_at_four, scrim_error *error)
{
    static const int deviations[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};
    lab_findings *found = scene->found;
    lab_findings_begin(found, "noise",
                       "1,000 bits from 1,024 sums with noise that nobody accounts for",
                       (const char *const[]){"noise_deviation", "recovered_percent",
                                             "expected_percent", NULL});
    lab_findings_draw(found,
                      &(lab_findings_chart){.x_name = "standard deviation of noise",
                                            .y_name = "bits recovered, %",
                                            .is_log_x = true,
                                            .curves = {"measured", "expected"}});
    for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
        int64_t noisy[LAB_BIT_SUMS_QUERIES] = {0};
        char line[60];
        const int deviation = deviations[i];
        snprintf(line, sizeof line, "discrete-gaussian variance=%d",
                 deviation * deviation);
        scrim_status status =
            deviation == 0
                ? SCRIM_OK
                : lab_attack_draw(scene, line, LAB_BIT_SUMS_QUERIES, noisy, error);
        if (status != SCRIM_OK)
            return status;
        for (size_t j = 0; j < LAB_BIT_SUMS_QUERIES; j++)
            noisy[j] += sums[j];
        const double y[] = {
            percent((double)lab_bit_sums_recovered(noisy, bits) / LAB_BIT_SUMS_PEOPLE),
            percent(lab_bit_sums_expected(deviation))};
        if (deviation == 4)
            *share_at_four = y[0] / 100;
        lab_findings_put(found, "%d\n%.1f\n%.1f", deviation, y[0], y[1]);
        if (deviation > 0)
            lab_findings_point(found, deviation, y);
    }
    return SCRIM_OK;
}

static scrim_status recover_from_releases(lab_findings *found, const unsigned char *bits,
                                          const int64_t *sums, double *share_at_one,
                                          scrim_error *error)
{
    static const double epsilons[] = {0.1, 1, 10};
    lab_findings_begin(found, "releases",
                       "the same sums through scrim, epsilon for all of them together",
                       (const char *const[]){"epsilon", "noise_deviation",
                                             "recovered_percent", "expected_percent",
                                             "bound_percent", NULL});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 3 && status == SCRIM_OK; i++) {
        int64_t answers[LAB_BIT_SUMS_QUERIES];
        const double epsilon = epsilons[i];
        const double deviation = sqrt(2) * LAB_BIT_SUMS_QUERIES / 2 / epsilon;
        const lab_attack_noise noise = {LAB_BIT_SUMS_QUERIES / 2, epsilon, SCRIM_REPLACE};
        status =
            lab_attack_release_all(&noise, sums, LAB_BIT_SUMS_QUERIES, answers, error);
        if (status != SCRIM_OK)
            break;
        const double share =
            (double)lab_bit_sums_recovered(answers, bits) / LAB_BIT_SUMS_PEOPLE;
        if (epsilon == 1)
            *share_at_one = share;
        lab_findings_put(found, "%g\n%.0f\n%.1f\n%.1f\n%.1f", epsilon, deviation,
                         percent(share), percent(lab_bit_sums_expected(deviation)),
                         percent(lab_attack_guess_bound(epsilon)));
    }
    return status;
}

static scrim_status run_reconstruct(const lab_attack_scene *scene, scrim_error *error)
{
    if (scene->options->file != NULL)
        return lab_attack_own_table(scene, error);
    unsigned char bits[LAB_BIT_SUMS_PEOPLE];
    int64_t sums[LAB_BIT_SUMS_QUERIES];
    lab_findings *found = scene->found;
    lab_block_found block;
    double share = 0, noisy_share = 0;
    lab_attack_flip(scene, LAB_BIT_SUMS_PEOPLE, bits);
    show_published(found);
    count_blocks(scene, &block);
    show_block(found, &block);
    scrim_status status = release_blocks(found, error);
    lab_bit_sums_ask(bits, sums);
    if (status == SCRIM_OK)
        status = recover_from_noise(scene, bits, sums, &noisy_share, error);
    if (status == SCRIM_OK)
        status = recover_from_releases(found, bits, sums, &share, error);
    found->target = "the survey's fictional block of seven people, with seven published "
                    "statistics; then 1,000 simulated people with a secret bit each";
    found->learnt = lab_findings_words(
        found,
        "%" PRIu64 " block agrees with the published table: age, sex, race and marital "
        "status of all seven people. Of 1,000 bits, exact sums give away all, and sums "
        "with noise of deviation 4 still %.1f %%.",
        block.count, percent(noisy_share));
    found->cost = "seven published statistics and a search of milliseconds; 1,024 sums "
                  "and one transform";
    found->stopped = lab_findings_words(
        found,
        "One epsilon for all answers together. At epsilon 1 the attack recovers %.1f %% "
        "of the bits (chance: 50 %%); a guess about one person is right at most %.1f %% "
        "of "
        "the time.",
        percent(share), percent(lab_attack_guess_bound(1)));
    return status;
}

const lab_attack_kind lab_attack_reconstruct = {
    .name = "reconstruct",
    .summary = "Rebuild a table of people from published statistics",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
              "1.3.1, after Garfinkel, Abowd and Martindale 2018; Dinur and Nissim 2003",
    .takes_file = true,
    .run = run_reconstruct,
};

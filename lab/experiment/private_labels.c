#include "lab/experiment/private_labels.h"

#include "lab/experiment/experiment_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRESH 2000 /* people that the student is tried on */
#define TURN 2.0943951023931953
#define RADIUS 1.5 /* of the circle of class centres; features have deviation 1 */

enum { PEOPLE, TEACHERS, POINTS, LABELS, EPSILON, DELTA, WORDS };

static const lab_word_rule rules[WORDS] = {
    [PEOPLE] = {"people", "5000", "10", "100000", .is_whole = true,
                .domain = "an integer from 10 to 100000"},
    [TEACHERS] = {"teachers", "1000", "1", "10000", .is_whole = true,
                  .domain = "an integer from 1 to 10000, at most people"},
    [POINTS] = {"points", "500", "1", "10000", .is_whole = true,
                .domain = "an integer from 1 to 10000"},
    [LABELS] = {"labels", "10", "1", "10000", .is_whole = true,
                .domain = "an integer from 1 to 10000, at most points"},
    [EPSILON] = {"epsilon", "2", "0.001", "1000",
                 .domain = "a rational from 0.001 to 1000"},
    [DELTA] = {"delta", "1e-6", "1e-30", "1", .is_below_high = true,
               .domain = "a rational from 1e-30 on and below 1"},
};

typedef struct person {
    double at[2];
    unsigned class;
} person;

typedef struct school {
    size_t people, teachers, points, labels;
    double epsilon, delta, threshold_scale, query_scale;
    person *crowd, *public, *fresh;
    unsigned (*votes)[LAB_LABEL_CLASSES];
    int64_t *margins;
    unsigned *winners;
    bool *shown;
    lab_random *random;
    scrim_measurement *sparse, *choice;
    char epsilon_text[LAB_QUANTITY_TEXT_BYTES];
} school;

/* Votes. */

lab_vote lab_vote_of(const unsigned votes[LAB_LABEL_CLASSES])
{
    unsigned winner = 0, second = 0;
    for (unsigned c = 1; c < LAB_LABEL_CLASSES; c++)
        winner = votes[c] > votes[winner] ? c : winner;
    for (unsigned c = 0; c < LAB_LABEL_CLASSES; c++)
        second = c != winner && votes[c] > second ? votes[c] : second;
    const unsigned apart = votes[winner] - second;
    return (lab_vote){winner, apart == 0 ? 0 : (int64_t)(apart - 1) / 2};
}

/* P(Z = z), P(Z >= z) of discrete Laplace noise. */
static double mass_of(double scale, int64_t z)
{
    const double p = exp(-1 / scale);
    return (1 - p) / (1 + p) * pow(p, (double)llabs(z));
}

static double tail_of(double scale, int64_t z)
{
    const double p = exp(-1 / scale);
    return z > 0 ? pow(p, (double)z) / (1 + p) : 1 - pow(p, (double)(1 - z)) / (1 + p);
}

static double tail_of_both(double threshold_scale, double query_scale, int64_t threshold)
{
    const int64_t far = (int64_t)(threshold_scale * 100) + 10;
    double sum =
        2 * tail_of(threshold_scale, far + 1); /* no more than that is left out */
    for (int64_t z = -far; z <= far; z++)
        sum += mass_of(threshold_scale, z) * tail_of(query_scale, threshold + z);
    return sum * (1 + 1e-9);
}

int64_t lab_label_threshold(uint64_t points, double threshold_scale, double query_scale,
                            double delta, double *left)
{
    int64_t low = -1, high = 1; /* above delta at low; enough at high */
    while ((double)points * tail_of_both(threshold_scale, query_scale, high) > delta) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if ((double)points * tail_of_both(threshold_scale, query_scale, middle) > delta)
            low = middle;
        else
            high = middle;
    }
    *left = (double)points * tail_of_both(threshold_scale, query_scale, high);
    return high;
}

/* People, and models that know the mean of each class. */

static void make_people(lab_random *random, person *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned class = (unsigned)lab_random_below(random, LAB_LABEL_CLASSES);
        const double size = sqrt(-2 * log(lab_random_real(random)));
        const double turn = 3 * TURN * lab_random_real(random);
        out[i] = (person){{RADIUS * cos(TURN * class) + size * cos(turn),
                           RADIUS * sin(TURN * class) + size * sin(turn)},
                          class};
    }
}

typedef struct model {
    double at[LAB_LABEL_CLASSES][2];
    size_t count[LAB_LABEL_CLASSES];
} model;

static void learn(model *m, const person *p, unsigned class)
{
    m->at[class][0] += p->at[0];
    m->at[class][1] += p->at[1];
    m->count[class]++;
}

/* The nearest mean among the classes that the model has seen. */
static unsigned guess(const model *m, const person *p)
{
    double nearest = (double)INFINITY;
    unsigned best = 0;
    for (unsigned c = 0; c < LAB_LABEL_CLASSES; c++) {
        if (m->count[c] == 0)
            continue;
        const double x = p->at[0] - m->at[c][0] / (double)m->count[c];
        const double y = p->at[1] - m->at[c][1] / (double)m->count[c];
        if (x * x + y * y < nearest) {
            nearest = x * x + y * y;
            best = c;
        }
    }
    return best;
}

static double right_share(const model *m, const person *people, size_t count)
{
    size_t right = 0;
    for (size_t i = 0; i < count; i++)
        right += guess(m, &people[i]) == people[i].class;
    return (double)right / (double)count;
}

/* Person i belongs to teacher i modulo the number of teachers. */
static void vote(school *s)
{
    memset(s->votes, 0, s->points * sizeof *s->votes);
    for (size_t t = 0; t < s->teachers; t++) {
        model teacher = {.count = {0}};
        for (size_t i = t; i < s->people; i += s->teachers)
            learn(&teacher, &s->crowd[i], s->crowd[i].class);
        for (size_t j = 0; j < s->points; j++)
            s->votes[j][guess(&teacher, &s->public[j])]++;
    }
    for (size_t j = 0; j < s->points; j++) {
        const lab_vote found = lab_vote_of(s->votes[j]);
        s->winners[j] = found.winner;
        s->margins[j] = found.margin;
    }
}

/* Ways to label. */

static void judge(const school *s, lab_label_way *way, double runs)
{
    model student = {.count = {0}};
    size_t shown = 0, right = 0;
    for (size_t j = 0; j < s->points; j++)
        if (s->shown[j]) {
            shown++;
            right += s->winners[j] == s->public[j].class;
            learn(&student, &s->public[j], s -> winners[j]);
        }
    way->shown += (double)shown / runs;
    way->right += shown == 0 ? 0 : (double)right / (double)shown / runs;
    way->student += right_share(&student, s->fresh, FRESH) / runs;
}

static scrim_status open_ledger(const school *s, scrim_ledger **out, scrim_error *error)
{
    return scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                          .neighbours = SCRIM_REPLACE,
                                          .epsilon = s->epsilon_text),
                            out, error);
}

/* Winners whose margin is answered above. */
static scrim_status show_by_margin(school *s, scrim_error *error)
{
    const scrim_input input = {.integers = s->margins, .count = s->points};
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_status status = open_ledger(s, &ledger, error);
    if (status == SCRIM_OK)
        status = scrim_release(ledger, s->sparse, &input, &answer, error);
    memset(s->shown, 0, s->points * sizeof *s->shown);
    for (size_t j = 0; status == SCRIM_OK && j < scrim_answer_count(answer); j++)
        s->shown[j] = scrim_answer_kind_at(answer, j) == SCRIM_ANSWER_ABOVE;
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    return status;
}

/* The first points, by the exponential mechanism; their winners become those that were chosen. */
static scrim_status show_by_choice(school *s, scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    scrim_status status = open_ledger(s, &ledger, error);
    memset(s->shown, 0, s->points * sizeof *s->shown);
    for (size_t j = 0; status == SCRIM_OK && j < s->labels; j++) {
        int64_t votes[LAB_LABEL_CLASSES], chosen = 0;
        scrim_answer *answer = NULL;
        for (size_t c = 0; c < LAB_LABEL_CLASSES; c++)
            votes[c] = s->votes[j][c];
        const scrim_input input = {.integers = votes, .count = LAB_LABEL_CLASSES};
        status = scrim_release(ledger, s->choice, &input, &answer, error);
        if (status == SCRIM_OK && scrim_answer_integer(answer, 0, &chosen)) {
            s->winners[j] = (unsigned)chosen;
            s->shown[j] = true;
        }
        scrim_answer_free(answer);
    }
    scrim_ledger_free(ledger);
    return status;
}

static scrim_status run_once(school *s, double runs, lab_labels *out, scrim_error *error)
{
    model all = {.count = {0}};
    make_people(s->random, s->crowd, s->people);
    make_people(s->random, s->public, s->points);
    make_people(s->random, s->fresh, FRESH);
    for (size_t i = 0; i < s->people; i++)
        learn(&all, &s->crowd[i], s->crowd[i].class);
    out->ways[0].student += right_share(&all, s->fresh, FRESH) / runs;
    vote(s);
    for (size_t j = 0; j < s->points; j++)
        s->shown[j] = true;
    judge(s, &out->ways[1], runs);
    scrim_status status = show_by_margin(s, error);
    if (status == SCRIM_OK)
        judge(s, &out->ways[2], runs);
    if (status == SCRIM_OK)
        status = show_by_choice(s, error);
    if (status == SCRIM_OK)
        judge(s, &out->ways[3], runs);
    return status;
}

/* The mechanisms. */

/* Shares of epsilon for the threshold and the queries as 1 to (2 labels)^(2/3): the sum of the noises is
 * then least. Scales have six digits, rounded up, so that the cost stays within epsilon. */
static scrim_status make_sparse(school *s, lab_labels *out, scrim_error *error)
{
    char threshold[32], first[32], second[32], count[32];
    double left = 0;
    const double ratio = pow(2 * (double)s->labels, 2.0 / 3);
    const double own = s->epsilon / (1 + ratio);
    s->threshold_scale = ceil(1e6 / own + 1) / 1e6;
    s->query_scale = ceil(1e6 * 2 * (double)s->labels / (s->epsilon - own) + 1) / 1e6;
    out->threshold = lab_label_threshold(s->points, s->threshold_scale, s->query_scale,
                                         s->delta, &left);
    out->ways[2].delta = left;
    (void)snprintf(threshold, sizeof threshold, "%" PRId64, out->threshold);
    (void)snprintf(first, sizeof first, "%.6f", s->threshold_scale);
    (void)snprintf(second, sizeof second, "%.6f", s->query_scale);
    (void)snprintf(count, sizeof count, "%zu", s->labels);
    return scrim_measurement_new(
        "generalised-sparse-vector",
        SCRIM_PARAMETERS({"sensitivity", "1"}, {"threshold", threshold},
                         {"threshold-scale", first}, {"query-scale", second},
                         {"count", count}, {"neighbours", "replace"}),
        &s->sparse, error);
}

static scrim_status make_choice(school *s, const lab_word *words, scrim_error *error)
{
    char each[LAB_QUANTITY_TEXT_BYTES];
    LAB_QUANTITY(share);
    (void)lab_quantity_div(&share, &words[EPSILON].value, &words[LABELS].value);
    lab_quantity_format(&share, each);
    return scrim_measurement_new("exponential",
                                 SCRIM_PARAMETERS({"sensitivity", "1"}, {"epsilon", each},
                                                  {"neighbours", "replace"}),
                                 &s->choice, error);
}

static bool has_memory(school *s)
{
    s->crowd = lab_allocate(s->people, sizeof *s->crowd);
    s->public = lab_allocate(s->points, sizeof *s->public);
    s->fresh = lab_allocate(FRESH, sizeof *s->fresh);
    s->votes = lab_allocate(s->points, sizeof *s->votes);
    s->margins = lab_allocate(s->points, sizeof *s->margins);
    s->winners = lab_allocate(s->points, sizeof *s->winners);
    s->shown = lab_allocate(s->points, sizeof *s->shown);
    return s->crowd != NULL && s->public != NULL && s->fresh != NULL &&
           s->votes != NULL && s->margins != NULL && s->winners != NULL &&
           s->shown != NULL;
}

static void clear(school *s)
{
    free(s->crowd);
    free(s->public);
    free(s->fresh);
    free(s->votes);
    free(s->margins);
    free(s->winners);
    free(s->shown);
    lab_random_close(s->random);
    scrim_measurement_free(s->sparse);
    scrim_measurement_free(s->choice);
}

static size_t count_of(const lab_word *word)
{
    int64_t count = 0;
    (void)lab_quantity_int64(&word->value, &count);
    return (size_t)count;
}

static scrim_status read_school(const lab_word *words, school *s, scrim_error *error)
{
    s->people = count_of(&words[PEOPLE]);
    s->teachers = count_of(&words[TEACHERS]);
    s->points = count_of(&words[POINTS]);
    s->labels = count_of(&words[LABELS]);
    s->epsilon = lab_quantity_upper(&words[EPSILON].value);
    s->delta = lab_quantity_upper(&words[DELTA].value);
    (void)snprintf(s->epsilon_text, sizeof s->epsilon_text, "%.63s", words[EPSILON].text);
    if (s->teachers > s->people || s->labels > s->points)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "teachers",
                            "use at most as many teachers as people, and labels as "
                            "points");
    return has_memory(s)
               ? SCRIM_OK
               : lab_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
}

static scrim_status run_all(school *s, const lab_word *words, uint64_t runs,
                            lab_labels *out, scrim_error *error)
{
    static const char *const names[LAB_LABEL_WAYS] = {
        "all people, no privacy", "all votes, no privacy", "margin by sparse vector",
        "each by exponential"};
    scrim_cost cost;
    for (size_t i = 0; i < LAB_LABEL_WAYS; i++)
        out->ways[i].name = names[i];
    scrim_status status = make_sparse(s, out, error);
    if (status == SCRIM_OK)
        status = make_choice(s, words, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_cost(s->sparse, &cost, error);
    if (status == SCRIM_OK)
        status = lab_random_open(&s->random, error);
    for (uint64_t run = 0; run < runs && status == SCRIM_OK; run++)
        status = run_once(s, (double)runs, out, error);
    if (status == SCRIM_OK)
        status = lab_random_check(s->random, error);
    if (status != SCRIM_OK)
        return status;
    out->ways[2].has_cost = out->ways[3].has_cost = true;
    out->ways[2].epsilon = out->ways[3].epsilon = s->epsilon;
    (void)snprintf(out->mechanism, sizeof out->mechanism, "%s",
                   scrim_measurement_text(s->sparse));
    (void)snprintf(out->text, sizeof out->text,
                   "people=%zu teachers=%zu points=%zu labels=%zu epsilon=%s delta=%.63s",
                   s->people, s->teachers, s->points, s->labels, s->epsilon_text,
                   words[DELTA].text);
    return SCRIM_OK;
}

scrim_status lab_labels_run(const char *line, uint64_t runs, lab_labels *out,
                            scrim_error *error)
{
    lab_word words[WORDS];
    lab_labels found = {.threshold = 0};
    school s = {.people = 0};
    scrim_status status = lab_words_read(rules, WORDS, line, words, error);
    if (status == SCRIM_OK)
        status = read_school(words, &s, error);
    if (status == SCRIM_OK)
        status = run_all(&s, words, runs, &found, error);
    if (status == SCRIM_OK)
        *out = found;
    clear(&s);
    lab_words_clear(words, WORDS);
    return status;
}

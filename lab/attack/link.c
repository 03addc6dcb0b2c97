/* Linking: rows without names, joined with a register that has names; then sparse ratings of films. */
#include "lab/attack/attack_scene.h"
#include "lab/attack/public_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sparse ratings of films, simulated. Each person rates RATED films, popular ones more often, with 1 to 5
 * stars on a day. The attacker knows some ratings of one person: stars off by 1, days by two weeks, and
 * one of eight wrong. Each person is scored by the ratings that agree; films that few have rated count
 * more. The best one is named if it stands out by 1.5 deviations of all scores.
 *
 * Reference  Narayanan, Shmatikov, "Robust de-anonymization of large sparse datasets", 2008
 */
#define VIEWERS 5000
#define FILMS 4000
#define RATED 40
#define DAYS 2000
#define DAYS_OFF 14
#define STANDS_OUT 1.5 /* deviations of all scores */
#define WRONG_ONE_IN 8 /* ratings */

typedef struct rating {
    uint16_t film, day;
    uint8_t stars;
} rating;

#define RATINGS ((size_t)VIEWERS * RATED)

typedef struct rating_table {
    rating of[VIEWERS][RATED];
    double weights[FILMS];
    uint32_t begins[FILMS + 1]; /* where the ratings of a film stand below */
    uint32_t by_film[RATINGS];  /* places in `of`, person after person for each film */
    double scores[VIEWERS];
} rating_table;

/* A number below limit, from 16 bits of a word. */
static uint64_t part_of(uint64_t word, unsigned shift, uint64_t limit)
{
    return (word >> shift & 0xffff) * limit >> 16;
}

/* The cube of a uniform number: the first films are popular. */
static uint16_t film_of(uint64_t word)
{
    const double u = (double)(word & 0xffff) / 0x1p16;
    return (uint16_t)(u * u * u * FILMS);
}

static rating rating_of(uint64_t word)
{
    return (rating){.film = film_of(word),
                    .day = (uint16_t)part_of(word, 16, DAYS),
                    .stars = (uint8_t)(1 + part_of(word, 32, 5))};
}

static const rating *rating_at(const rating_table *ratings, size_t place)
{
    return &ratings->of[place / RATED][place % RATED];
}

static void sort_by_film(rating_table *out)
{
    for (size_t i = 0; i < RATINGS; i++)
        out->begins[rating_at(out, i)->film + 1]++;
    for (size_t film = 0; film < FILMS; film++)
        out->begins[film + 1] += out->begins[film];
    uint32_t next[FILMS];
    memcpy(next, out->begins, sizeof next);
    for (size_t i = 0; i < RATINGS; i++)
        out->by_film[next[rating_at(out, i)->film]++] = (uint32_t)i;
}

static void make_ratings(const lab_attack_scene *scene, rating_table *out)
{
    for (size_t person = 0; person < VIEWERS; person++)
        for (size_t i = 0; i < RATED; i++)
            out->of[person][i] = rating_of(lab_random_word(scene->random));
    sort_by_film(out);
    /* A rating of a film counts less if many have rated it. */
    for (size_t film = 0; film < FILMS; film++)
        out->weights[film] =
            1 / log(2 + (double)(out->begins[film + 1] - out->begins[film]));
}

/* The attacker knows ratings of a person, with errors. Ratings are independent, so the first ones
 * are as good as any. */
static void observe(const lab_attack_scene *scene, const rating *own, size_t count,
                    rating *out)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = lab_random_word(scene->random);
        out[i] = own[i];
        const int stars = own[i].stars + (int)part_of(word, 0, 3) - 1;
        const int day = own[i].day + (int)part_of(word, 16, 2 * DAYS_OFF + 1) - DAYS_OFF;
        out[i].stars = (uint8_t)(stars < 1 ? 1 : stars > 5 ? 5 : stars);
        out[i].day = (uint16_t)(day < 0 ? 0 : day);
        if (part_of(word, 32, WRONG_ONE_IN) == 0)
            out[i].film = (uint16_t)part_of(word, 48, FILMS);
    }
}

static bool agree(const rating *a, const rating *b)
{
    return abs(a->stars - b->stars) <= 1 && abs(a->day - b->day) <= DAYS_OFF;
}

/* Only who has rated a film that the attacker knows of can agree. */
static void score_all(rating_table *ratings, const rating *known, size_t count)
{
    memset(ratings->scores, 0, sizeof ratings->scores);
    for (size_t k = 0; k < count; k++) {
        const uint16_t film = known[k].film;
        for (uint32_t i = ratings->begins[film]; i < ratings->begins[film + 1]; i++) {
            const uint32_t place = ratings->by_film[i];
            if (agree(rating_at(ratings, place), &known[k]))
                ratings->scores[place / RATED] += ratings->weights[film];
        }
    }
}

/* The person that the known ratings belong to; VIEWERS if nobody stands out. */
static size_t match(rating_table *ratings, const rating *known, size_t count)
{
    double best = -1, second = -1, sum = 0, squares = 0;
    size_t who = VIEWERS;
    score_all(ratings, known, count);
    for (size_t person = 0; person < VIEWERS; person++) {
        const double score = ratings->scores[person];
        sum += score;
        squares += score * score;
        if (score > best) {
            second = best;
            best = score;
            who = person;
        } else if (score > second) {
            second = score;
        }
    }
    const double mean = sum / VIEWERS;
    const double deviation = sqrt(fmax(squares / VIEWERS - mean * mean, 0));
    return best > 0 && best - second >= STANDS_OUT * deviation ? who : VIEWERS;
}

/* The public table. */

#define REGISTER 1000 /* people of the table; as many are invented */
#define TARGETS 500   /* of each value of the sensitive bit, or fewer */
#define OBSERVED 100  /* viewers whose ratings the attacker knows */

typedef struct linking {
    lab_public_people people;
    uint32_t *codes[LAB_PUBLIC_KNOWN]; /* of the table, then of the register */
    lab_row_classes all;               /* of both */
    struct {
        unsigned set;
        size_t alone;
    } best[LAB_PUBLIC_KNOWN + 1]; /* by number of columns */
} linking;

/* The register: rows of the table, then people whose values come from a different row each. */
static scrim_status make_register(const lab_attack_scene *scene, linking *l,
                                  scrim_error *error)
{
    const size_t rows = l->people.table.rows, all = rows + (size_t)2 * REGISTER;
    if (!lab_row_classes_init(&l->all, all))
        return lab_attack_no_memory(error);
    for (size_t c = 0; c < l->people.count; c++) {
        l->codes[c] = lab_allocate(all, sizeof *l->codes[c]);
        if (l->codes[c] == NULL)
            return lab_attack_no_memory(error);
        memcpy(l->codes[c], l->people.columns[c]->codes, rows * sizeof *l->codes[c]);
    }
    for (size_t i = 0; i < (size_t)2 * REGISTER; i++) {
        size_t row = (size_t)lab_random_below(scene->random, rows);
        for (size_t c = 0; c < l->people.count; c++) {
            l->codes[c][rows + i] = l->codes[c][row];
            if (i >= REGISTER)
                row = (size_t)lab_random_below(scene->random, rows);
        }
    }
    return SCRIM_OK;
}

static void split_by(linking *l, lab_row_classes *classes, unsigned set)
{
    lab_row_classes_join(classes);
    for (size_t c = 0; c < l->people.count; c++)
        if ((set >> c & 1) != 0)
            lab_row_classes_split(classes, l->codes[c]);
}

static const char *name_set(lab_findings *found, const linking *l, unsigned set)
{
    char names[400];
    size_t at = 0;
    for (size_t c = 0; c < l->people.count; c++)
        if ((set >> c & 1) != 0 && at < sizeof names)
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s",
                                   at == 0 ? "" : " ", l->people.columns[c]->name);
    return lab_findings_words(found, "%s", names);
}

/* For each number of columns, the set that leaves most rows alone. */
static scrim_status count_alone(const lab_attack_scene *scene, linking *l,
                                scrim_error *error)
{
    lab_findings *found = scene->found;
    lab_row_classes classes;
    if (!lab_row_classes_init(&classes, l->people.table.rows))
        return lab_attack_no_memory(error);
    const unsigned sets = 1U << l->people.count;
    for (unsigned set = 1; set < sets; set++) {
        const int size = __builtin_popcount(set);
        split_by(l, &classes, set);
        const size_t alone = lab_row_classes_alone(&classes);
        if (l->best[size].set == 0 || alone > l->best[size].alone) {
            l->best[size].set = set;
            l->best[size].alone = alone;
        }
        lab_attack_tell(scene, set, (uint64_t)2 * sets);
    }
    lab_row_classes_clear(&classes);
    lab_findings_begin(
        found, "unique", "rows that no other row agrees with",
        (const char *const[]){"columns", "unique_rows", "unique_percent", "set", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "columns that are known",
                                                   .y_name = "unique rows, %",
                                                   .curves = {"best set of columns"}});
    for (size_t size = 1; size <= l->people.count; size++) {
        const double share =
            100.0 * (double)l->best[size].alone / (double)l->people.table.rows;
        lab_findings_put(found, "%zu\n%zu\n%.1f\n%s", size, l->best[size].alone, share,
                         name_set(found, l, l->best[size].set));
        lab_findings_point(found, (double)size, &share);
    }
    return SCRIM_OK;
}

/* A missing value matches nobody. */
static bool is_whole(const linking *l, unsigned set, size_t row)
{
    for (size_t c = 0; c < l->people.count; c++)
        if ((set >> c & 1) != 0 && l->codes[c][row] == 0)
            return false;
    return true;
}

typedef struct joined {
    size_t right, wrong, ambiguous, none;
} joined;

/* The rows of the table in the class of each person of the register. */
static bool join_register(linking *l, unsigned set, joined *out)
{
    const size_t rows = l->people.table.rows;
    split_by(l, &l->all, set);
    uint32_t *inside = lab_allocate(l->all.count, sizeof *inside);
    if (inside == NULL)
        return false;
    for (size_t row = 0; row < rows; row++)
        inside[l->all.of[row]]++;
    *out = (joined){0};
    for (size_t i = 0; i < (size_t)2 * REGISTER; i++) {
        const uint32_t matches =
            is_whole(l, set, rows + i) ? inside[l->all.of[rows + i]] : 0;
        if (matches == 0)
            out->none++;
        else if (matches > 1)
            out->ambiguous++;
        else if (i < REGISTER)
            out->right++;
        else
            out->wrong++;
    }
    free(inside);
    return true;
}

static scrim_status show_joins(const lab_attack_scene *scene, linking *l, joined *last,
                               scrim_error *error)
{
    lab_findings *found = scene->found;
    lab_findings_begin(
        found, "register",
        "a made-up register: 1,000 people of the table and 1,000 who are not in it",
        (const char *const[]){"columns", "named_right", "named_wrong", "ambiguous",
                              "no_match", NULL});
    for (size_t size = 1; size <= l->people.count; size++) {
        if (!join_register(l, l->best[size].set, last))
            return lab_attack_no_memory(error);
        lab_findings_put(found, "%zu\n%zu\n%zu\n%zu\n%zu", size, last->right, last->wrong,
                         last->ambiguous, last->none);
    }
    return SCRIM_OK;
}

static scrim_status attack_ratings(const lab_attack_scene *scene, double *last,
                                   scrim_error *error)
{
    static const size_t knowledge[] = {1, 2, 3, 4, 6, 8};
    lab_findings *found = scene->found;
    rating_table *ratings = lab_allocate(1, sizeof *ratings);
    if (ratings == NULL)
        return lab_attack_no_memory(error);
    make_ratings(scene, ratings);
    lab_findings_begin(found, "ratings",
                       "5,000 people with 40 film ratings each, some known with errors",
                       (const char *const[]){"ratings_known", "right_percent",
                                             "wrong_percent", "undecided_percent", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "ratings that are known",
                                                   .y_name = "people named, %",
                                                   .curves = {"right", "wrong"}});
    for (size_t k = 0; k < sizeof knowledge / sizeof *knowledge; k++) {
        size_t right = 0, wrong = 0;
        for (size_t person = 0; person < OBSERVED; person++) {
            rating known[8];
            observe(scene, ratings->of[person], knowledge[k], known);
            const size_t who = match(ratings, known, knowledge[k]);
            right += who == person;
            wrong += who != person && who < VIEWERS;
        }
        const double y[] = {100.0 * (double)right / OBSERVED,
                            100.0 * (double)wrong / OBSERVED};
        lab_findings_put(found, "%zu\n%.1f\n%.1f\n%.1f", knowledge[k], y[0], y[1],
                         100 - y[0] - y[1]);
        lab_findings_point(found, (double)knowledge[k], y);
        *last = y[0];
    }
    free(ratings);
    return SCRIM_OK;
}

/* Through scrim: a count of the rows that agree in all columns and have the most frequent sensitive value.
 * A unique row has 0 or 1 there; as many of each are asked for. */
static scrim_status attack_scrim(const lab_attack_scene *scene, linking *l,
                                 double *at_one, scrim_error *error)
{
    static const double epsilons[] = {0.1, 1};
    unsigned char bits[2 * TARGETS];
    size_t taken[2] = {0, 0}, right = 0;
    uint32_t frequent = 0;
    lab_findings *found = scene->found;
    lab_row_classes classes;
    if (!lab_row_classes_init(&classes, l->people.table.rows))
        return lab_attack_no_memory(error);
    lab_row_classes_split(&classes, l->people.sensitive->codes);
    for (size_t row = 0, most = 0; row < l->people.table.rows; row++)
        if (classes.sizes[classes.of[row]] > most) {
            most = classes.sizes[classes.of[row]];
            frequent = l->people.sensitive->codes[row];
        }
    split_by(l, &classes, l->best[l->people.count].set);
    for (size_t row = 0; row < l->people.table.rows; row++) {
        const bool bit = l->people.sensitive->codes[row] == frequent;
        if (classes.sizes[classes.of[row]] == 1 && taken[bit] < TARGETS) {
            bits[taken[0] + taken[1]] = bit;
            taken[bit]++;
        }
    }
    lab_row_classes_clear(&classes);
    const size_t targets = taken[0] + taken[1];
    lab_findings_begin(found, "scrim",
                       "unique rows through scrim: does the person have the most "
                       "frequent sensitive value?",
                       (const char *const[]){"epsilon", "people", "right_percent",
                                             "bound_percent", NULL});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 2 && status == SCRIM_OK && targets > 0; i++) {
        status = lab_attack_guess(epsilons[i], 1, bits, targets, &right, error);
        const double share = 100.0 * (double)right / (double)targets;
        lab_findings_put(found, "%g\n%zu\n%.1f\n%.1f", epsilons[i], targets, share,
                         100 * lab_attack_guess_bound(epsilons[i]));
        *at_one = share;
    }
    return status;
}

static scrim_status run_parts(const lab_attack_scene *scene, linking *l,
                              scrim_error *error)
{
    lab_findings *found = scene->found;
    joined last = {0};
    double named = 0, at_one = 0;
    scrim_status status = lab_public_people_read(scene->options, &l->people, error);
    if (status == SCRIM_OK)
        status = make_register(scene, l, error);
    if (status == SCRIM_OK)
        status = count_alone(scene, l, error);
    if (status == SCRIM_OK)
        status = show_joins(scene, l, &last, error);
    if (status == SCRIM_OK && !scene->options->is_own)
        status = attack_ratings(scene, &named, error);
    if (status == SCRIM_OK)
        status = attack_scrim(scene, l, &at_one, error);
    if (status != SCRIM_OK)
        return status;
    found->cost = "a list of names with a few ordinary facts; one join";
    if (scene->options->is_own) {
        found->target = lab_findings_words(
            found, "a public table of %zu people, and a made-up register with names",
            l->people.table.rows);
        found->learnt = lab_findings_words(
            found,
            "%.1f %% of the rows are unique in %zu columns. The register names %zu of "
            "its "
            "1,000 people of the table, and their %s.",
            100.0 * (double)l->best[l->people.count].alone / (double)l->people.table.rows,
            l->people.count, last.right, l->people.sensitive->name);
        found->stopped = "Answers about groups in place of rows.";
        return SCRIM_OK;
    }
    found->target = lab_findings_words(
        found,
        "a public table of %zu people without names, and a made-up register with names; "
        "then film ratings of 5,000 simulated people",
        l->people.table.rows);
    found->learnt = lab_findings_words(
        found,
        "%.1f %% of the rows are unique in %zu columns. The register names %zu of its "
        "1,000 people of the table, and their %s. Eight ratings with errors name %.1f %% "
        "of the viewers.",
        100.0 * (double)l->best[l->people.count].alone / (double)l->people.table.rows,
        l->people.count, last.right, l->people.sensitive->name, named);
    found->stopped = lab_findings_words(
        found,
        "Answers about groups in place of rows. A unique person's value, counted at "
        "epsilon 1, "
        "is guessed right for %.1f %% (chance: 50 %%), and expected at most %.1f %%.",
        at_one, 100 * lab_attack_guess_bound(1));
    return SCRIM_OK;
}

static scrim_status run_link(const lab_attack_scene *scene, scrim_error *error)
{
    linking *l = lab_allocate(1, sizeof *l);
    if (l == NULL)
        return lab_attack_no_memory(error);
    const scrim_status status = run_parts(scene, l, error);
    for (size_t c = 0; c < LAB_PUBLIC_KNOWN; c++)
        free(l->codes[c]);
    lab_row_classes_clear(&l->all);
    lab_public_table_clear(&l->people.table);
    free(l);
    return status;
}

const lab_attack_kind lab_attack_link = {
    .name = "link",
    .summary = "Name the rows of a table with a register",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, "
              "sections 1.1 and 1.2, after Sweeney 1997 and Narayanan and "
              "Shmatikov 2008",
    .needs_file = true,
    .run = run_link,
};

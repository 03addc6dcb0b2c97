/* Linking: rows without names, joined with a register that has names. */
#include "attack/attack_kind.h"
#include "attack/public_table.h"
#include "attack/ratings.h"
#include "attack/row_classes.h"
#include "sampling/uniform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTER 1000 /* people of the table; as many are invented */
#define TARGETS 500   /* of each value of the sensitive bit, or fewer */
#define VIEWERS 100   /* whose ratings the attacker knows */

typedef struct linking {
    sc_public_people people;
    uint32_t *codes[SC_PUBLIC_KNOWN]; /* of the table, then of the register */
    uint32_t rows[REGISTER];          /* of the table that are in the register */
    sc_row_classes all;               /* of both */
    struct {
        unsigned set;
        size_t alone;
    } best[SC_PUBLIC_KNOWN + 1]; /* by number of columns */
} linking;

/* The register: rows of the table, then people whose values come from a different row each. */
static scrim_status make_register(const sc_attack_scene *scene, linking *l,
                                  scrim_error *error)
{
    const size_t rows = l->people.table.rows, all = rows + (size_t)2 * REGISTER;
    if (!sc_row_classes_init(&l->all, all))
        return sc_attack_no_memory(error);
    for (size_t c = 0; c < l->people.count; c++) {
        l->codes[c] = sc_allocate(all, sizeof *l->codes[c]);
        if (l->codes[c] == NULL)
            return sc_attack_no_memory(error);
        memcpy(l->codes[c], l->people.columns[c]->codes, rows * sizeof *l->codes[c]);
    }
    for (size_t i = 0; i < (size_t)2 * REGISTER; i++)
        for (size_t c = 0; c < l->people.count; c++) {
            uint64_t row = 0;
            if (i < REGISTER && c > 0)
                row = l->rows[i];
            else {
                scrim_status status = sc_uniform_64(scene->noise.bits, rows, &row, error);
                if (status != SCRIM_OK)
                    return status;
            }
            if (i < REGISTER)
                l->rows[i] = (uint32_t)row;
            l->codes[c][rows + i] = l->codes[c][row];
        }
    return SCRIM_OK;
}

static void split_by(linking *l, sc_row_classes *classes, unsigned set)
{
    sc_row_classes_join(classes);
    for (size_t c = 0; c < l->people.count; c++)
        if ((set >> c & 1) != 0)
            sc_row_classes_split(classes, l->codes[c]);
}

static const char *name_set(sc_findings *found, const linking *l, unsigned set)
{
    char names[400];
    size_t at = 0;
    for (size_t c = 0; c < l->people.count; c++)
        if ((set >> c & 1) != 0 && at < sizeof names)
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s",
                                   at == 0 ? "" : " ", l->people.columns[c]->name);
    return sc_findings_words(found, "%s", names);
}

/* For each number of columns, the set that leaves most rows alone. */
static scrim_status count_alone(const sc_attack_scene *scene, linking *l,
                                scrim_error *error)
{
    sc_findings *found = scene->found;
    sc_row_classes classes;
    if (!sc_row_classes_init(&classes, l->people.table.rows))
        return sc_attack_no_memory(error);
    const unsigned sets = 1U << l->people.count;
    for (unsigned set = 1; set < sets; set++) {
        const int size = __builtin_popcount(set);
        split_by(l, &classes, set);
        const size_t alone = sc_row_classes_alone(&classes);
        if (l->best[size].set == 0 || alone > l->best[size].alone) {
            l->best[size].set = set;
            l->best[size].alone = alone;
        }
        sc_attack_tell(scene, set, (uint64_t)2 * sets);
    }
    sc_row_classes_clear(&classes);
    sc_findings_begin(
        found, "unique", "rows that no other row agrees with",
        (const char *const[]){"columns", "unique_rows", "unique_percent", "set", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "columns that are known",
                                                 .y_name = "unique rows, %",
                                                 .curves = {"best set of columns"}});
    for (size_t size = 1; size <= l->people.count; size++) {
        const double share =
            100.0 * (double)l->best[size].alone / (double)l->people.table.rows;
        sc_findings_put(found, "%zu\n%zu\n%.1f\n%s", size, l->best[size].alone, share,
                        name_set(found, l, l->best[size].set));
        sc_findings_point(found, (double)size, &share);
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
    uint32_t *inside = sc_allocate(l->all.count, sizeof *inside);
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
    sc_free(inside);
    return true;
}

static scrim_status show_joins(const sc_attack_scene *scene, linking *l, joined *last,
                               scrim_error *error)
{
    sc_findings *found = scene->found;
    sc_findings_begin(
        found, "register",
        "a made-up register: 1,000 people of the table and 1,000 who are not in it",
        (const char *const[]){"columns", "named_right", "named_wrong", "ambiguous",
                              "no_match", NULL});
    for (size_t size = 1; size <= l->people.count; size++) {
        if (!join_register(l, l->best[size].set, last))
            return sc_attack_no_memory(error);
        sc_findings_put(found, "%zu\n%zu\n%zu\n%zu\n%zu", size, last->right, last->wrong,
                        last->ambiguous, last->none);
    }
    return SCRIM_OK;
}

/* Approximately: ratings. */

static scrim_status match_viewers(const sc_attack_scene *scene, const sc_ratings *ratings,
                                  double *last, scrim_error *error)
{
    static const size_t knowledge[] = {1, 2, 3, 4, 6, 8};
    sc_findings *found = scene->found;
    sc_findings_begin(found, "ratings",
                      "5,000 people with 40 film ratings each, some known with errors",
                      (const char *const[]){"ratings_known", "right_percent",
                                            "wrong_percent", "undecided_percent", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "ratings that are known",
                                                 .y_name = "people named, %",
                                                 .curves = {"right", "wrong"}});
    for (size_t k = 0; k < sizeof knowledge / sizeof *knowledge; k++) {
        size_t right = 0, wrong = 0;
        for (size_t person = 0; person < VIEWERS; person++) {
            sc_rating known[8];
            scrim_status status =
                sc_ratings_observe(scene, ratings, person, knowledge[k], known, error);
            if (status != SCRIM_OK)
                return status;
            const size_t who = sc_ratings_match(ratings, known, knowledge[k]);
            right += who == person;
            wrong += who != person && who < SC_RATINGS_PEOPLE;
        }
        const double y[] = {100.0 * (double)right / VIEWERS,
                            100.0 * (double)wrong / VIEWERS};
        sc_findings_put(found, "%zu\n%.1f\n%.1f\n%.1f", knowledge[k], y[0], y[1],
                        100 - y[0] - y[1]);
        sc_findings_point(found, (double)knowledge[k], y);
        *last = y[0];
    }
    return SCRIM_OK;
}

static scrim_status attack_ratings(const sc_attack_scene *scene, double *last,
                                   scrim_error *error)
{
    sc_ratings *ratings = sc_allocate(1, sizeof *ratings);
    if (ratings == NULL)
        return sc_attack_no_memory(error);
    scrim_status status = sc_ratings_make(scene, ratings, error);
    if (status == SCRIM_OK)
        status = match_viewers(scene, ratings, last, error);
    sc_free(ratings);
    return status;
}

/* Through scrim: a count of the rows that agree in all columns and have the most frequent sensitive value.
 * Of unique rows that is 0 or 1; as many of each are asked for. */
static scrim_status attack_scrim(const sc_attack_scene *scene, linking *l, double *at_one,
                                 scrim_error *error)
{
    static const double epsilons[] = {0.1, 1};
    unsigned char bits[2 * TARGETS];
    size_t taken[2] = {0, 0}, right = 0;
    uint32_t frequent = 0;
    sc_findings *found = scene->found;
    sc_row_classes classes;
    if (!sc_row_classes_init(&classes, l->people.table.rows))
        return sc_attack_no_memory(error);
    sc_row_classes_split(&classes, l->people.sensitive->codes);
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
    sc_row_classes_clear(&classes);
    const size_t targets = taken[0] + taken[1];
    sc_findings_begin(
        found, "scrim",
        "unique rows through scrim: has the person the most frequent sensitive value?",
        (const char *const[]){"epsilon", "people", "right_percent", "bound_percent",
                              NULL});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 2 && status == SCRIM_OK && targets > 0; i++) {
        status = sc_attack_guess(scene, epsilons[i], 1, bits, targets, &right, error);
        const double share = 100.0 * (double)right / (double)targets;
        sc_findings_put(found, "%g\n%zu\n%.1f\n%.1f", epsilons[i], targets, share,
                        100 * sc_attack_guess_bound(epsilons[i]));
        *at_one = share;
    }
    return status;
}

static scrim_status run_parts(const sc_attack_scene *scene, linking *l,
                              scrim_error *error)
{
    sc_findings *found = scene->found;
    joined last = {0};
    double named = 0, at_one = 0;
    scrim_status status = sc_attack_people(scene, &l->people, error);
    if (status == SCRIM_OK)
        status = make_register(scene, l, error);
    if (status == SCRIM_OK)
        status = count_alone(scene, l, error);
    if (status == SCRIM_OK)
        status = show_joins(scene, l, &last, error);
    if (status == SCRIM_OK)
        status = attack_ratings(scene, &named, error);
    if (status == SCRIM_OK)
        status = attack_scrim(scene, l, &at_one, error);
    if (status != SCRIM_OK)
        return status;
    found->target = sc_findings_words(
        found,
        "a public table of %zu people without names, and a made-up register with names; "
        "then film ratings of 5,000 simulated people",
        l->people.table.rows);
    found->learnt = sc_findings_words(
        found,
        "%.1f %% of the rows are unique in %zu columns. The register names %zu of its "
        "1,000 people of the table, and their %s. Eight ratings with errors name %.1f %% "
        "of the viewers.",
        100.0 * (double)l->best[l->people.count].alone / (double)l->people.table.rows,
        l->people.count, last.right, l->people.sensitive->name, named);
    found->cost = "a list of names with a few ordinary facts; one join";
    found->stopped = sc_findings_words(
        found,
        "Answers about groups in place of rows. A unique person's value, counted at "
        "epsilon 1, "
        "is guessed right for %.1f %% (chance: 50 %%), and expected at most %.1f %%.",
        at_one, 100 * sc_attack_guess_bound(1));
    return SCRIM_OK;
}

static scrim_status run_link(const sc_attack_scene *scene, scrim_error *error)
{
    linking *l = sc_allocate(1, sizeof *l);
    if (l == NULL)
        return sc_attack_no_memory(error);
    const scrim_status status = run_parts(scene, l, error);
    for (size_t c = 0; c < SC_PUBLIC_KNOWN; c++)
        sc_free(l->codes[c]);
    sc_row_classes_clear(&l->all);
    sc_public_table_clear(&l->people.table);
    sc_free(l);
    return status;
}

const sc_attack_kind sc_attack_link = {
    .shown = {.name = "link",
              .summary = "Name the rows of a table with a register",
              .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, "
                        "sections 1.1 and 1.2, after Sweeney 1997 and Narayanan and "
                        "Shmatikov 2008",
              .needs_file = 1},
    .run = run_link,
};

/* k-anonymity: generalised tables, what they still disclose, and what two of them disclose together. */
#include "lab/attack/attack_scene.h"
#include "lab/attack/generalise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIALS 20  /* pairs of tables */
#define PEOPLE 600 /* in each of them */
#define SHARED 100 /* in both */
#define TARGETS 1000
#define COMPOSED 4 /* values of k */

static const unsigned widths[] = {5, 10, 20, 40};

static double percent(size_t part, size_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* All nodes for twelve patients, after Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007. */

static const char patients[] = "zip,age,condition\n"
                               "13053,28,Heart\n13068,29,Heart\n13068,21,Viral\n"
                               "13053,23,Viral\n14853,50,Cancer\n14853,55,Heart\n"
                               "14850,47,Viral\n14850,49,Viral\n13053,31,Cancer\n"
                               "13053,37,Cancer\n13068,36,Cancer\n13068,35,Cancer\n";

static bool show_node(lab_findings *found, lab_lattice *lattice, size_t node)
{
    lab_anonymity seen;
    if (!lab_lattice_measure(lattice, node, &seen))
        return false;
    for (size_t i = 0; i < 2; i++)
        lab_findings_put(found, "%s",
                         lattice->ladders[i].words[lab_lattice_level(lattice, node, i)]);
    lab_findings_put(found, "%zu\n%zu\n%zu\n%.3f\n%.1f\n%s", seen.k, seen.classes, seen.l,
                     seen.t, percent(seen.certain, lattice->row_count),
                     lab_lattice_is_minimal(lattice, node, 4)   ? "k=4"
                     : lab_lattice_is_minimal(lattice, node, 2) ? "k=2"
                                                                : "");
    return true;
}

static bool show_nodes(lab_findings *found, const lab_public_table *table)
{
    static const unsigned ages[] = {10, 20, 100};
    lab_ladder ladders[2] = {{0}};
    lab_lattice lattice = {0};
    bool has_memory =
        lab_ladder_of_digits(&ladders[0], &table->columns[0], 3) &&
        lab_ladder_of_numbers(&ladders[1], &table->columns[1], ages, 3) &&
        lab_lattice_init(&lattice, ladders, 2, &table->columns[2], table->rows);
    for (size_t node = 0; node < lattice.node_count && has_memory; node++)
        has_memory = show_node(found, &lattice, node);
    lab_lattice_clear(&lattice);
    lab_ladder_clear(&ladders[0]);
    lab_ladder_clear(&ladders[1]);
    return has_memory;
}

static scrim_status attack_patients(const lab_attack_scene *scene, scrim_error *error)
{
    lab_public_table table;
    lab_findings_begin(scene->found, "patients",
                       "twelve patients: every generalisation of zip code and age",
                       (const char *const[]){"zip", "age", "k", "classes", "l", "t",
                                             "certain_percent", "minimal", NULL});
    scrim_status status = lab_public_table_parse(patients, &table, error);
    if (status != SCRIM_OK)
        return status;
    const bool has_memory = show_nodes(scene->found, &table);
    lab_public_table_clear(&table);
    return has_memory ? SCRIM_OK : lab_attack_no_memory(error);
}

/* The public table. */

typedef struct setting {
    lab_public_people people;
    lab_ladder ladders[LAB_PUBLIC_KNOWN];
} setting;

static scrim_status open_setting(const lab_attack_scene *scene, setting *s,
                                 scrim_error *error)
{
    scrim_status status = lab_public_people_read(scene->options, &s->people, error);
    for (size_t i = 0; i < s->people.count && status == SCRIM_OK; i++)
        if (!lab_ladder_of_numbers(&s->ladders[i], s->people.columns[i], widths,
                                   sizeof widths / sizeof *widths) ||
            !lab_ladder_drop(&s->ladders[i]))
            status = lab_attack_no_memory(error);
    return status;
}

/* The minimal node with most classes. */
static size_t choose_node(lab_lattice *lattice, size_t k, size_t *choices)
{
    size_t chosen = lattice->node_count - 1, most = 0;
    *choices = 0;
    for (size_t node = 0; node < lattice->node_count; node++) {
        if (!lab_lattice_is_minimal(lattice, node, k))
            continue;
        ++*choices;
        lab_lattice_look(lattice, node);
        if (lattice->classes.count > most) {
            most = lattice->classes.count;
            chosen = node;
        }
    }
    return chosen;
}

static const char *name_node(lab_findings *found, const lab_lattice *lattice, size_t node)
{
    char words[400];
    size_t at = 0;
    for (size_t i = 0; i < lattice->count && at < sizeof words; i++) {
        const lab_ladder *ladder = &lattice->ladders[i];
        const size_t level = lab_lattice_level(lattice, node, i);
        if (level + 1 < ladder->levels) /* leave out dropped columns */
            at += (size_t)snprintf(words + at, sizeof words - at, "%s%s%s%s",
                                   at == 0 ? "" : ", ", ladder->column->name,
                                   level == 0 ? "" : " ",
                                   level == 0 ? "" : ladder->words[level]);
    }
    return lab_findings_words(found, "%s", at == 0 ? "all dropped" : words);
}

static scrim_status attack_levels(const lab_attack_scene *scene, const setting *s,
                                  scrim_error *error)
{
    static const size_t wanted[] = {2, 5, 10, 25, 100};
    lab_findings *found = scene->found;
    lab_lattice lattice;
    if (!lab_lattice_init(&lattice, s->ladders, s->people.count, s->people.sensitive,
                          s->people.table.rows))
        return lab_attack_no_memory(error);
    lab_findings_begin(
        found, "levels",
        "the public table: generalised until each class has k rows, and what is left",
        (const char *const[]){"k", "choices", "classes", "l", "t", "homogeneous_percent",
                              "background_percent", "columns_left", NULL});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == SCRIM_OK; i++) {
        size_t choices = 0;
        lab_anonymity seen = {0};
        const size_t node = choose_node(&lattice, wanted[i], &choices);
        if (!lab_lattice_measure(&lattice, node, &seen))
            status = lab_attack_no_memory(error);
        lab_findings_put(
            found, "%zu\n%zu\n%zu\n%zu\n%.3f\n%.2f\n%.2f\n%s", wanted[i], choices,
            seen.classes, seen.l, seen.t, percent(seen.certain, s->people.table.rows),
            percent(seen.nearly, s->people.table.rows), name_node(found, &lattice, node));
    }
    lab_lattice_clear(&lattice);
    return status;
}

/* The rows as they are: node 0 has the exact values of all columns. */
static scrim_status attack_as_is(const lab_attack_scene *scene, const setting *s,
                                 lab_anonymity *seen, scrim_error *error)
{
    lab_findings *found = scene->found;
    lab_lattice lattice;
    size_t nodes = 1;
    for (size_t i = 0; i < s->people.count; i++)
        nodes *= s->ladders[i].levels;
    if (nodes > LAB_LATTICE_NODES)
        return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                            "these columns have more than %d generalisations; name fewer",
                            LAB_LATTICE_NODES);
    if (!lab_lattice_init(&lattice, s->ladders, s->people.count, s->people.sensitive,
                          s->people.table.rows))
        return lab_attack_no_memory(error);
    const bool has_memory = lab_lattice_measure(&lattice, 0, seen);
    const size_t alone = lab_row_classes_alone(&lattice.classes);
    lab_lattice_clear(&lattice);
    lab_findings_begin(found, "rows", "the table as it is",
                       (const char *const[]){"rows", "k", "classes", "l", "t",
                                             "unique_rows", "homogeneous_percent",
                                             "background_percent", NULL});
    lab_findings_put(found, "%zu\n%zu\n%zu\n%zu\n%.3f\n%zu\n%.2f\n%.2f",
                     s->people.table.rows, seen->k, seen->classes, seen->l, seen->t,
                     alone, percent(seen->certain, s->people.table.rows),
                     percent(seen->nearly, s->people.table.rows));
    return has_memory ? SCRIM_OK : lab_attack_no_memory(error);
}

/* Composition: two tables that share people, each k-anonymous by itself. */

/* The shared people come first in both tables; others may be drawn twice. */
static void draw_rows(const lab_attack_scene *scene, size_t rows, size_t from,
                      uint32_t *out)
{
    for (size_t i = from; i < PEOPLE; i++)
        out[i] = (uint32_t)lab_random_below(scene->random, rows);
}

typedef struct published {
    uint32_t rows[PEOPLE], classes[PEOPLE];
} published;

/* Marks the sensitive values in the class of a person that have the mark before it; returns how many. */
static size_t mark_values(const setting *s, const published *table, size_t person,
                          unsigned char *marks, unsigned char mark)
{
    size_t values = 0;
    for (size_t row = 0; row < PEOPLE; row++) {
        const uint32_t value = s->people.sensitive->codes[table->rows[row]];
        if (table->classes[row] == table->classes[person] && marks[value] == mark - 1) {
            marks[value] = mark;
            values++;
        }
    }
    return values;
}

typedef struct composed {
    size_t people, by_one, by_both; /* people whose value is certain */
} composed;

static void count_certain(const setting *s, const published tables[2],
                          unsigned char *marks, composed *out)
{
    for (size_t person = 0; person < SHARED; person++) {
        memset(marks, 0, s->people.sensitive->value_count);
        out->people++;
        out->by_one += mark_values(s, &tables[0], person, marks, 1) == 1;
        out->by_both += mark_values(s, &tables[1], person, marks, 2) == 1;
    }
}

static scrim_status compose_once(const lab_attack_scene *scene, const setting *s,
                                 const size_t *ks, composed *out, unsigned char *marks,
                                 scrim_error *error)
{
    published tables[2];
    draw_rows(scene, s->people.table.rows, 0, tables[0].rows);
    memcpy(tables[1].rows, tables[0].rows, sizeof tables[0].rows);
    draw_rows(scene, s->people.table.rows, SHARED, tables[1].rows);
    for (size_t i = 0; i < COMPOSED; i++) {
        for (size_t which = 0; which < 2; which++) {
            const lab_median_cuts cuts = {.columns = s->people.columns,
                                          .column_count = s->people.count,
                                          .rows = tables[which].rows,
                                          .row_count = PEOPLE,
                                          .k = ks[i]};
            if (lab_median_cuts_make(&cuts, tables[which].classes) == 0)
                return lab_attack_no_memory(error);
        }
        count_certain(s, tables, marks, &out[i]);
    }
    return SCRIM_OK;
}

static scrim_status attack_composition(const lab_attack_scene *scene, const setting *s,
                                       composed *at_two, scrim_error *error)
{
    static const size_t ks[COMPOSED] = {2, 3, 5, 10};
    lab_findings *found = scene->found;
    composed sums[COMPOSED] = {{0}};
    unsigned char *marks = lab_allocate(s->people.sensitive->value_count, 1);
    scrim_status status = SCRIM_OK;
    if (marks == NULL)
        return lab_attack_no_memory(error);
    for (size_t trial = 0; trial < TRIALS && status == SCRIM_OK; trial++) {
        status = compose_once(scene, s, ks, sums, marks, error);
        lab_attack_tell(scene, trial + 1, TRIALS);
    }
    free(marks);
    lab_findings_begin(found, "composition",
                       "people in two tables of 600, each k-anonymous by median cuts",
                       (const char *const[]){"k", "people", "certain_by_one_percent",
                                             "certain_by_two_percent", NULL});
    lab_findings_draw(found,
                      &(lab_findings_chart){.x_name = "k",
                                            .y_name = "certain, %",
                                            .curves = {"two tables", "one table"}});
    for (size_t i = 0; i < COMPOSED; i++) {
        const double y[] = {percent(sums[i].by_both, sums[i].people),
                            percent(sums[i].by_one, sums[i].people)};
        lab_findings_put(found, "%zu\n%zu\n%.1f\n%.1f", ks[i], sums[i].people, y[1],
                         y[0]);
        lab_findings_point(found, (double)ks[i], y);
    }
    *at_two = sums[0];
    return status;
}

/* Two releases of scrim about the same people: their epsilons add up, and so does the bound. */
static scrim_status attack_scrim(const lab_attack_scene *scene, double *last,
                                 scrim_error *error)
{
    static const double epsilons[] = {0.1, 0.5};
    unsigned char bits[TARGETS];
    lab_findings *found = scene->found;
    lab_findings_begin(
        found, "scrim", "two releases of scrim about one bit of the same 1,000 people",
        (const char *const[]){"epsilon_each", "one_release_percent", "bound_of_one",
                              "two_releases_percent", "bound_of_two", NULL});
    scrim_status status = SCRIM_OK;
    lab_attack_flip(scene, TARGETS, bits);
    for (size_t i = 0; i < 2 && status == SCRIM_OK; i++) {
        lab_findings_put(found, "%g", epsilons[i]);
        for (unsigned releases = 1; releases <= 2 && status == SCRIM_OK; releases++) {
            size_t right = 0;
            status =
                lab_attack_guess(epsilons[i], releases, bits, TARGETS, &right, error);
            *last = percent(right, TARGETS);
            lab_findings_put(found, "%.1f\n%.1f", *last,
                             100 * lab_attack_guess_bound(releases * epsilons[i]));
        }
    }
    return status;
}

static scrim_status run_parts(const lab_attack_scene *scene, setting *s,
                              scrim_error *error)
{
    lab_findings *found = scene->found;
    composed two = {0};
    lab_anonymity seen = {0};
    double last = 0;
    scrim_status status = open_setting(scene, s, error);
    if (status == SCRIM_OK)
        status = scene->options->is_own ? attack_as_is(scene, s, &seen, error)
                                        : attack_patients(scene, error);
    if (status == SCRIM_OK)
        status = attack_levels(scene, s, error);
    if (status == SCRIM_OK)
        status = attack_composition(scene, s, &two, error);
    if (status == SCRIM_OK && !scene->options->is_own)
        status = attack_scrim(scene, &last, error);
    if (status != SCRIM_OK)
        return status;
    found->cost = "the columns of the person, and two published tables";
    if (scene->options->is_own) {
        found->target = lab_findings_words(
            found, "a public table of %zu people, as it is and made k-anonymous",
            s->people.table.rows);
        found->learnt = lab_findings_words(
            found,
            "As it is, k is %zu, l is %zu and t is %.3f in these columns. Of people in "
            "two "
            "2-anonymous tables, %.1f %% have a certain %s; in one table %.1f %%.",
            seen.k, seen.l, seen.t, percent(two.by_both, two.people),
            s->people.sensitive->name, percent(two.by_one, two.people));
        found->stopped = "Differential privacy, whose releases add up to a known bound.";
        return SCRIM_OK;
    }
    found->target = lab_findings_words(
        found, "twelve patients, and a public table of %zu people, made k-anonymous",
        s->people.table.rows);
    found->learnt =
        lab_findings_words(found,
                           "Classes with one sensitive value tell it (homogeneity); "
                           "classes with two tell it "
                           "to those who can rule one out (background). Of people in two "
                           "2-anonymous tables, "
                           "%.1f %% have a certain %s; in one table %.1f %%.",
                           percent(two.by_both, two.people), s->people.sensitive->name,
                           percent(two.by_one, two.people));
    found->stopped = lab_findings_words(
        found,
        "k-anonymity is not differential privacy and does not compose. Releases of "
        "epsilon 0.5 add up to 1: two of them are guessed right for %.1f %% (chance: "
        "50 %%), and expected at most %.1f %%.",
        last, 100 * lab_attack_guess_bound(1));
    return SCRIM_OK;
}

static scrim_status run_k_anonymity(const lab_attack_scene *scene, scrim_error *error)
{
    setting *s = lab_allocate(1, sizeof *s);
    if (s == NULL)
        return lab_attack_no_memory(error);
    const scrim_status status = run_parts(scene, s, error);
    for (size_t i = 0; i < LAB_PUBLIC_KNOWN; i++)
        lab_ladder_clear(&s->ladders[i]);
    lab_public_table_clear(&s->people.table);
    free(s);
    return status;
}

const lab_attack_kind lab_attack_k_anonymity = {
    .name = "k-anonymity",
    .summary = "Read sensitive values from k-anonymous tables",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
              "1.1.1, after Samarati and Sweeney 1998; Machanavajjhala et al. 2007; "
              "Ganta, Kasiviswanathan and Smith 2008",
    .needs_file = true,
    .run = run_k_anonymity,
};

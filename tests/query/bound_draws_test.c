/* The owner's table of bounds (dataset check), against answers: over many draws the mean of an
 * answer is the truth less the bias, and its spread is the noise. Three files: orders, most customers with
 * few; the first speeches of a play, whose speakers have hundreds of words; and a few people with most
 * rows. */
#include "check.h"
#include "query_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define EPSILON "2"
/* A right engine is more than ERRORS standard errors away once in two million. The spread of 200
 * draws of Laplace noise is off by a twelfth, as a standard error. */
#define ERRORS 5.0
#define SPREAD_ERROR(draws) sqrt(5.0 / (4.0 * (double)(draws)))

typedef struct told_table {
    const char *name;
    char text[100000];
    size_t used, rows;
    double sum;
} told_table;

static void add_row(told_table *t, int person, int x)
{
    t->used += (size_t)snprintf(t->text + t->used, sizeof t->text - t->used, "%d,%d\n",
                                person, x);
    t->rows++;
    t->sum += x;
}

static void begin_table(told_table *t, const char *name)
{
    *t = (told_table){.name = name};
    t->used = (size_t)snprintf(t->text, sizeof t->text, "who,x\n");
}

static void fill_orders(told_table *t)
{
    begin_table(t, "orders");
    for (int person = 0; person < 1000; person++)
        for (int row = 0; row < 1 + person % 2 + 3 * (person % 7 == 0); row++)
            add_row(t, person, 1 + (person * 37 + row * 11) % 50);
}

static void fill_heavy(told_table *t)
{
    begin_table(t, "a few with most rows");
    for (int person = 0; person < 400; person++)
        for (int row = 0; row < (person < 8 ? 90 : 1); row++)
            add_row(t, person, person < 8 ? 50 : 3);
}

/* Speakers by the order in which they come; x is the length of a word. */
static void fill_play(told_table *t)
{
    static char names[200][64];
    char line[300], speaker[64], word[64];
    int count = 0;
    FILE *file = fopen("data/shakespeare_words.csv", "r");
    begin_table(t, "a play");
    REQUIRE(file != NULL);
    while (t->rows < 6000 && fgets(line, sizeof line, file) != NULL) {
        int person = 0;
        if (sscanf(line, "%*d,%63[^,],%63s", speaker, word) != 2)
            continue;
        while (person < count && strcmp(names[person], speaker) != 0)
            person++;
        if (person == count && count < 200)
            snprintf(names[count++], sizeof names[0], "%s", speaker);
        const int length = (int)strlen(word);
        add_row(t, person, length > 50 ? 50 : length);
    }
    fclose(file);
}

/* The mean and the spread of all answers. */
typedef struct spread {
    double mean, deviation;
} spread;

static bool draw(query_scene *s, const char *what, uint64_t count, spread *out)
{
    double sum = 0, squares = 0, first = 0;
    for (uint64_t i = 0; i < count; i++) {
        char query[100], epsilon[32]; /* another question each time */
        scrim_result *result = NULL;
        snprintf(query, sizeof query, "SELECT %s AS a", what);
        snprintf(epsilon, sizeof epsilon, EPSILON ".%010llu", (unsigned long long)i);
        if (!CHECK_STATUS(query_scene_ask(s, query, OPTIONS(.epsilon = epsilon), &result),
                          SCRIM_OK))
            return false;
        const double value = atof(scrim_result_cell_at(result, 0, 0, 0)->value);
        first = i == 0 ? value : first;
        sum += value - first;
        squares += (value - first) * (value - first);
        scrim_result_free(result);
    }
    const double n = (double)count, mean = sum / n;
    *out = (spread){first + mean, sqrt((squares - n * mean * mean) / (n - 1))};
    return true;
}

static void check_choice(const told_table *t, const scrim_bound_choice *told,
                         const char *policy, uint64_t count)
{
    const bool is_sum = told->column[0] != '\0';
    const double truth = is_sum ? t->sum : (double)t->rows;
    char lines[500];
    query_scene s;
    spread got = {0, 0};
    if (told->max_total[0] != '\0') /* enough rows that the bound of the total decides */
        snprintf(lines, sizeof lines,
                 "%smax-groups=1\nmax-rows=1000000\nmax-total=x=%s\n", policy,
                 told->max_total);
    else
        snprintf(lines, sizeof lines, "%smax-groups=1\nmax-rows=%llu\n", policy,
                 (unsigned long long)told->max_rows);
    if (query_scene_begin(&s, lines, t->text) &&
        draw(&s, is_sum ? "SUM(x)" : "COUNT(*)", count, &got)) {
        /* For a sum the choice of rows is random too, which the answers' own spread has. */
        const double deviation =
            got.deviation > told->noise ? got.deviation : told->noise;
        const double off = got.mean - (truth - told->bias);
        if (check_is_long())
            printf("# %s, %s, max-rows %llu, max-total %s: bias %.1f, found %.1f; noise "
                   "%.2f, found "
                   "%.2f\n",
                   t->name, is_sum ? "sum" : "count", (unsigned long long)told->max_rows,
                   told->max_total, told->bias, truth - got.mean, told->noise,
                   got.deviation);
        if (fabs(off) > ERRORS * deviation / sqrt((double)count) + 1e-6)
            CHECK_FAIL("%s: the bias is off by %g", t->name, off);
        if (check_is_long() && (!is_sum || told->max_total[0] != '\0'))
            CHECK(fabs(got.deviation / told->noise - 1) < ERRORS * SPREAD_ERROR(count));
        if (check_is_long() && is_sum)
            CHECK(got.deviation > told->noise * (1 - ERRORS * SPREAD_ERROR(count)));
    }
    query_scene_end(&s);
}

static void check_table(told_table *t)
{
    static const char policy[] = "unit=who\ncolumn=x=int[0,50]\nmissing=x=0\n"
                                 "budget=epsilon=1000000\n";
    const uint64_t count = check_count_whole(8, 200);
    char lines[500];
    query_scene s;
    scrim_bound_choices told = {.count = 0};
    snprintf(lines, sizeof lines, "%smax-groups=1\nmax-rows=1\nmax-total=x=70\n", policy);
    if (query_scene_begin(&s, lines, t->text) &&
        CHECK_STATUS(scrim_vault_bound_choices(
                         s.vault, "people",
                         SCRIM_OPTIONS(scrim_bound_options, .epsilon = EPSILON), &told,
                         &s.error),
                     SCRIM_OK)) {
        size_t looked = 0;
        for (size_t i = 0; i < told.count; i++)
            if (told.choices[i].max_groups == 1 &&
                (told.choices[i].max_rows == 2 || told.choices[i].max_rows == 5 ||
                 told.choices[i].max_total[0] != '\0')) {
                check_choice(t, &told.choices[i], policy, count);
                looked++;
            }
        CHECK_INT(looked, 6); /* also the declared total, and the best one */
        scrim_bound_choices_clear(&told);
    }
    query_scene_end(&s);
}

SLOW_TEST(bound_table_tells_what_answers_show)
{
    CLAIM("bound-table.kept");
    static told_table table;
    fill_orders(&table);
    check_table(&table);
    fill_heavy(&table);
    check_table(&table);
    fill_play(&table);
    check_table(&table);
}

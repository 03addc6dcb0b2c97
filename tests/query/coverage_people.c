#include "coverage_people.h"

#include "check.h"
#include "query/estimate/noise_sum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 400
#define FIELDS_MAX 16

/* Where the declared columns stand in the published table. */
typedef struct layout {
    const char *path;
    size_t unit, sex, level;
    struct {
        size_t place;
        double low, high, step;
    } columns[PEOPLE_COLUMNS];
    const char *policy;
} layout;

static const layout layouts[] = {
    [PEOPLE_ADULT] = {"data/adult.csv",
                      0,
                      10,
                      4,
                      {{1, 17, 90, 1}, {13, 20, 60, 1}, {3, 0, 500000, 1}},
                      "unit=who\ncolumn=age=int[17,90]\ncolumn=pay=int[20,60]\n"
                      "column=weight=int[0,500000]\nmissing=weight=0\ncolumn=sex="
                      "text\nkeys=sex=Female,Male\ncolumn=level=text\n"
                      "missing=age=17\nmissing=pay=20\nmissing=sex=Male\n"
                      "missing=level=?\n"},
    [PEOPLE_PUMS] = {"data/pums.csv",
                     6,
                     1,
                     2,
                     {{0, 18, 93, 1}, {4, 0, 100000, 10}, {4, 0, 100000, 10}},
                     "unit=who\ncolumn=age=int[18,93]\ncolumn=pay=decimal[0,100000]/10\n"
                     "column=weight=decimal[0,100000]/10\nmissing=weight=0\n"
                     "column=sex=text\nkeys=sex=0,1\ncolumn=level=text\n"
                     "missing=age=18\nmissing=pay=0\nmissing=sex=0\nmissing=level=0\n"},
};

const char *people_policy(people_table table)
{
    return layouts[table].policy;
}

static people_group *group_of(people *p, people_by by, const char *key, size_t room)
{
    people_group *group = p->groups[by];
    while (group < p->groups[by] + p->group_count[by] && strcmp(group->key, key) != 0)
        group++;
    if (group < p->groups[by] + p->group_count[by])
        return group;
    if (!CHECK(p->group_count[by] < PEOPLE_GROUPS && strlen(key) < sizeof group->key))
        return NULL;
    snprintf(group->key, sizeof group->key, "%s", key);
    for (int c = 0; c < PEOPLE_COLUMNS; c++)
        group->sorted[c] = calloc(room > 0 ? room : 1, sizeof *group->sorted[c]);
    if (!CHECK(group->sorted[PEOPLE_AGE] != NULL && group->sorted[PEOPLE_PAY] != NULL &&
               group->sorted[PEOPLE_WEIGHT] != NULL))
        return NULL;
    p->group_count[by]++;
    return group;
}

/* Half up to the grid, then into the range. */
static double declared(double x, double low, double high, double step)
{
    return fmin(fmax(floor(x / step + 0.5) * step, low), high);
}

static bool take_row(people *p, const layout *at, char **fields, size_t room)
{
    const char *keys[] = {
        [PEOPLE_ALL] = "",
        [PEOPLE_BY_SEX] = fields[at->sex],
        [PEOPLE_BY_LEVEL] = fields[at->level],
    };
    double values[PEOPLE_COLUMNS];
    for (int c = 0; c < PEOPLE_COLUMNS; c++)
        values[c] =
            declared(strtod(fields[at->columns[c].place], NULL), at->columns[c].low,
                     at->columns[c].high, at->columns[c].step);
    for (int by = 0; by < PEOPLE_BYS; by++) {
        people_group *group = group_of(p, (people_by)by, keys[by], room);
        if (group == NULL)
            return false;
        for (int c = 0; c < PEOPLE_COLUMNS; c++) {
            group->sorted[c][group->count] = values[c];
            group->sum[c] += values[c];
        }
        group->count++;
    }
    p->count++;
    return true;
}

static size_t split(char *line, char **fields)
{
    size_t count = 0;
    for (char *word = strtok(line, ",\n"); word != NULL && count < FIELDS_MAX;
         word = strtok(NULL, ",\n"))
        fields[count++] = word;
    return count;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void finish_group(people_group *group)
{
    for (int c = 0; c < PEOPLE_COLUMNS; c++) {
        const double mean = group->sum[c] / (double)group->count;
        qsort(group->sorted[c], group->count, sizeof *group->sorted[c], by_value);
        for (size_t i = 0; i < group->count; i++)
            group->square_distances[c] +=
                (group->sorted[c][i] - mean) * (group->sorted[c][i] - mean);
    }
}

static size_t lines_of(FILE *file)
{
    char line[LINE_BYTES];
    size_t count = 0;
    while (fgets(line, sizeof line, file) != NULL)
        count++;
    rewind(file);
    return count;
}

bool people_begin(people *p, people_table table, const char *path)
{
    const layout *at = &layouts[table];
    char line[LINE_BYTES], *fields[FIELDS_MAX];
    *p = (people){.count = 0};
    FILE *from = fopen(at->path, "r"), *to = fopen(path, "w");
    bool is_whole = CHECK(from != NULL && to != NULL);
    if (is_whole) {
        const size_t room = lines_of(from);
        is_whole = fgets(line, sizeof line, from) != NULL;
        fputs("who,age,pay,weight,sex,level\n", to);
        while (is_whole && fgets(line, sizeof line, from) != NULL) {
            is_whole =
                CHECK(split(line, fields) > at->unit) && take_row(p, at, fields, room);
            if (is_whole)
                fprintf(to, "%s,%s,%s,%s,%s,%s\n", fields[at->unit],
                        fields[at->columns[PEOPLE_AGE].place],
                        fields[at->columns[PEOPLE_PAY].place],
                        fields[at->columns[PEOPLE_WEIGHT].place], fields[at->sex],
                        fields[at->level]);
        }
    }
    if (from != NULL)
        fclose(from);
    if (to != NULL)
        is_whole &= CHECK(fclose(to) == 0);
    for (int by = 0; by < PEOPLE_BYS; by++)
        for (size_t i = 0; i < p->group_count[by]; i++)
            finish_group(&p->groups[by][i]);
    return is_whole;
}

void people_end(people *p)
{
    for (int by = 0; by < PEOPLE_BYS; by++)
        for (size_t i = 0; i < p->group_count[by]; i++)
            for (int c = 0; c < PEOPLE_COLUMNS; c++)
                free(p->groups[by][i].sorted[c]);
}

void people_expect(const people_group *group, char text[PEOPLE_EXPECT_BYTES])
{
    snprintf(text, PEOPLE_EXPECT_BYTES, "%zu,age=%.4f:%.4f", group->count,
             people_mean(group, PEOPLE_AGE),
             sqrt(people_variance(group, PEOPLE_AGE, false)));
}

const char *people_column_name(people_column column)
{
    static const char *const names[] = {
        [PEOPLE_AGE] = "age", [PEOPLE_PAY] = "pay", [PEOPLE_WEIGHT] = "weight"};
    return names[column];
}

/* The share of rows at or below a value. */
static double share_at(const people_group *group, people_column column, double value)
{
    size_t count = 0;
    while (count < group->count && group->sorted[column][count] <= value)
        count++;
    return (double)count / (double)group->count;
}

void people_expect_about(const people_group *group, people_column column, double p,
                         double far, char text[PEOPLE_EXPECT_BYTES])
{
    const double at = people_quantile(group, column, p);
    const double low = sc_normal_quantile(share_at(group, column, at - far)),
                 high = sc_normal_quantile(share_at(group, column, at + far));
    const double deviation = 2 * far / (high - low);
    snprintf(text, PEOPLE_EXPECT_BYTES, "%zu,%s=%.4f:%.4f", group->count,
             people_column_name(column), at - far - low * deviation, deviation);
}

const people_group *people_find(const people *p, people_by by, const char *key)
{
    for (size_t i = 0; i < p->group_count[by]; i++)
        if (strcmp(p->groups[by][i].key, key) == 0)
            return &p->groups[by][i];
    return NULL;
}

double people_quantile(const people_group *group, people_column column, double share)
{
    /* A share times a count that is a whole number may come out a little above it. */
    const double rank = ceil(share * (double)group->count * (1 - 1e-12));
    return group->sorted[column][rank < 1 ? 0 : (size_t)rank - 1];
}

double people_mean(const people_group *group, people_column column)
{
    return group->sum[column] / (double)group->count;
}

double people_variance(const people_group *group, people_column column, bool is_sample)
{
    return group->square_distances[column] / ((double)group->count - (is_sample ? 1 : 0));
}

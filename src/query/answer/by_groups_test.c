#include "check.h"
#include "query/answer/by_groups.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PEOPLE 7
#define CITIES 3
#define ROWS 5

/* The amounts of each person in each city. */
typedef struct town {
    int amounts[PEOPLE][CITIES][ROWS];
    int rows[PEOPLE][CITIES];
} town;

static uint64_t roll(sc_tape *tape, uint64_t sides)
{
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
    return word % sides;
}

static void fill(town *t, sc_tape *tape)
{
    memset(t, 0, sizeof *t);
    for (size_t p = 0; p < PEOPLE; p++)
        for (size_t c = 0; c < CITIES; c++) {
            t->rows[p][c] = (int)roll(tape, ROWS + 1);
            for (int r = 0; r < t->rows[p][c]; r++)
                t->amounts[p][c][r] = (int)roll(tape, 150) - 50;
        }
}

/* Values beyond the range are clamped, unreadable ones are not there, and so are rows of nobody. */
static void write_town(const town *t, const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs("who,city,amount\n,Ulm,7\n", file);
    for (int p = 0; p < PEOPLE; p++)
        for (int c = 0; c < CITIES; c++)
            for (int r = 0; r < t->rows[p][c]; r++) {
                fprintf(file, "p%d,c%d,", p, c);
                fprintf(file, t->amounts[p][c][r] == 0 ? "none\n" : "%d\n",
                        t->amounts[p][c][r]);
            }
    CHECK(fclose(file) == 0);
}

static double clamped(int amount)
{
    return amount < -20 ? -20 : amount > 80 ? 80 : amount;
}

/* The mean over all sets of `limit` of `count` rows, of what they add up to. */
static double mean_of_rows(const int *amounts, int count, int limit, bool is_count)
{
    double all = 0, sets = 0;
    for (unsigned set = 0; set < 1U << count; set++) {
        if (__builtin_popcount(set) != (limit < count ? limit : count))
            continue;
        sets++;
        for (int r = 0; r < count; r++)
            if ((set >> r & 1) != 0)
                all += is_count ? 1 : clamped(amounts[r]);
    }
    return all / sets;
}

/* A bound of totals, as max-total has it. */
static void read_total(const char *text, double *low, double *high)
{
    char *end = NULL;
    *high = strtod(text, &end);
    *low = *end == ',' ? *high : -*high;
    *high = *end == ',' ? strtod(end + 1, NULL) : *high;
}

static double clamped_total(const int *amounts, int count, const char *bound)
{
    double low = 0, high = 0, sum = 0;
    read_total(bound, &low, &high);
    for (int r = 0; r < count; r++)
        sum += clamped(amounts[r]);
    return fmin(fmax(sum, low), high);
}

/* The rows of a person in a city: the mean over all sets of `groups` of their cities, and of
 * `rows` rows in each, or of all rows with a bound of their total. */
static double mean_kept(const town *t, size_t p, size_t city, int groups, int rows,
                        const char *total, bool is_count)
{
    double all = 0, sets = 0;
    unsigned there = 0;
    for (size_t c = 0; c < CITIES; c++)
        there |= (unsigned)(t->rows[p][c] > 0) << c;
    const int most = __builtin_popcount(there);
    for (unsigned set = 0; set < 1U << CITIES; set++) {
        if ((set & ~there) != 0 ||
            __builtin_popcount(set) != (groups < most ? groups : most))
            continue;
        sets++;
        if ((set >> city & 1) == 0)
            continue;
        all += total[0] != '\0'
                   ? clamped_total(t->amounts[p][city], t->rows[p][city], total)
                   : mean_of_rows(t->amounts[p][city], t->rows[p][city], rows, is_count);
    }
    return all / sets;
}

/* The sums of all, and what is kept of them, without signs; what is lost of either sign. */
typedef struct shares {
    double all, kept, lost[2];
} shares;

static shares shares_of(const town *t, const scrim_bound_choice *choice)
{
    const bool is_count = choice->column[0] == '\0';
    char total[SCRIM_TOTAL_BYTES + 48];
    shares s = {.all = 0};
    /* A sum by itself clamps the total of several rows in place of choosing them. */
    snprintf(total, sizeof total, "%s", choice->max_total);
    if (!is_count && choice->max_rows > 1)
        snprintf(total, sizeof total, "%.0f,%.0f", -20 * (double)choice->max_rows,
                 80 * (double)choice->max_rows);
    for (size_t p = 0; p < PEOPLE; p++)
        for (size_t c = 0; c < CITIES; c++) {
            const double all = mean_kept(t, p, c, CITIES, ROWS, "", is_count),
                         kept = mean_kept(t, p, c, (int)choice->max_groups,
                                          (int)choice->max_rows, total, is_count);
            s.all += fabs(all);
            s.kept += all < 0 ? -kept : kept;
            s.lost[all < 0] += all - kept;
        }
    return s;
}

static int groups_of(const town *t)
{
    int count = 0;
    for (size_t c = 0; c < CITIES; c++) {
        int rows = 0;
        for (size_t p = 0; p < PEOPLE; p++)
            rows += t->rows[p][c];
        count += rows > 0;
    }
    return count;
}

static void check_close(double got, double want)
{
    if (!CHECK(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        CHECK_FAIL("%.12g, not %.12g", got, want);
}

/* The table of the request, whose schema is freed, by these keys. */
static scrim_status look_by(sc_bound_request *request, const char *by,
                            scrim_bound_choices *out, scrim_error *error)
{
    sc_by_keys keys;
    sc_bound_groups groups;
    sc_arena arena;
    sc_arena_init(&arena);
    scrim_status status =
        sc_by_keys_read(sc_text_of(by), request->schema, &arena, &keys, error);
    if (status == SCRIM_OK && keys.count > 0) {
        sc_by_groups_of(&keys, &groups);
        request->groups = &groups;
    }
    if (status == SCRIM_OK)
        status = sc_bound_table(request, out, error);
    request->groups = NULL;
    sc_schema_free(request->schema);
    sc_arena_clear(&arena);
    return status;
}

static scrim_status look(const char *path, const char *relation, const char *by,
                         unsigned workers, scrim_bound_choices *out)
{
    char policy[400];
    scrim_error error;
    sc_ratio epsilon;
    sc_bound_request request = {.workers = workers};
    snprintf(policy, sizeof policy,
             "unit=who\ncolumn=city=text\nmissing=city=?\ncolumn=amount=int[-20,80]\n"
             "max-total=amount=-30,90\n%sneighbours=%s\ncsv=%s\n",
             strcmp(relation, "replace") == 0 ? "missing=amount=0\n" : "", relation,
             path);
    sc_ratio_init(&epsilon);
    scrim_status status = sc_ratio_parse(sc_text_of("0.5"), &epsilon, &error);
    request.epsilon = &epsilon;
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, &request.schema, &error);
    if (status == SCRIM_OK)
        status = look_by(&request, by, out, &error);
    if (status != SCRIM_OK)
        CHECK_FAIL("%s", error.message);
    sc_ratio_clear(&epsilon);
    return status;
}

/* The most that a row, or a total, adds. */
static double most_of(const scrim_bound_choice *choice)
{
    double low = 0, high = 0;
    if (choice->column[0] == '\0')
        return 1;
    read_total(choice->max_total, &low, &high);
    return choice->max_total[0] == '\0' ? 80 : fmax(-low, high);
}

static void check_choice(const town *t, const scrim_bound_choice *choice, double times)
{
    const shares want = shares_of(t, choice);
    const double rows = choice->max_total[0] == '\0' ? (double)choice->max_rows : 1,
                 l1 = times * (double)choice->max_groups * rows * most_of(choice);
    check_close(choice->kept, want.all == 0 ? 1 : want.kept / want.all);
    check_close(choice->bias, (fabs(want.lost[0]) + fabs(want.lost[1])) / groups_of(t));
    check_close(choice->noise, sqrt(2) * l1 / 0.5);
    check_close(choice->error, hypot(choice->bias, choice->noise));
}

/* No other total has a smaller error. */
static void check_best_total(const town *t, const scrim_bound_choice *choice,
                             double times)
{
    for (int ten = 1; ten <= 1000; ten *= 10)
        for (int digit = 1; digit <= 5; digit++) {
            scrim_bound_choice other = {.max_groups = choice->max_groups,
                                        .column = "amount"};
            snprintf(other.max_total, sizeof other.max_total, "%d", digit * ten);
            const shares want = shares_of(t, &other);
            const double noise =
                sqrt(2) * times * (double)choice->max_groups * most_of(&other) / 0.5;
            CHECK(choice->error <=
                  (1 + 1e-9) *
                      hypot((fabs(want.lost[0]) + fabs(want.lost[1])) / groups_of(t),
                            noise));
        }
}

/* Against all sets of groups and rows that bounding can choose, written out. */
TEST(bound_table_has_the_mean_over_all_choices)
{
    CLAIM("bound-table.kept");
    char path[] = "/tmp/bound_table.XXXXXX";
    const int descriptor = mkstemp(path);
    CHECK(descriptor >= 0 && close(descriptor) == 0);
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t turn = 0; turn < check_count(8, 200); turn++) {
        town t;
        scrim_bound_choices choices = {.choices = NULL};
        fill(&t, tape);
        write_town(&t, path);
        const char *relation = turn % 2 == 0 ? "add-remove" : "replace";
        if (look(path, relation, "city", 1 + (unsigned)turn % 3, &choices) != SCRIM_OK)
            break;
        size_t best = 0, declared = 0, totals = 0;
        for (size_t i = 0; i < choices.count; i++) {
            const scrim_bound_choice *choice = &choices.choices[i];
            const bool is_total = choice->max_total[0] != '\0';
            check_choice(&t, choice, turn % 2 == 0 ? 1 : 2);
            if (is_total && !choice->is_declared)
                check_best_total(&t, choice, turn % 2 == 0 ? 1 : 2);
            if (choice->is_declared)
                CHECK_STR(choice->max_total, "-30,90");
            CHECK(is_total ? choice->max_rows == 0 : !choice->is_declared);
            best += choice->is_best != 0;
            declared += choice->is_declared != 0;
            totals += is_total;
        }
        CHECK(declared > 0 && totals >= declared && totals <= 2 * declared);
        CHECK_INT(best, 2);
        scrim_bound_choices_clear(&choices);
    }
    sc_tape_free(tape);
    unlink(path);
}

/* Without groups a person's rows are one group, whose width counts under replace; a column that is
 * not there, and units that are rows, are refused. */
TEST(bound_table_without_groups)
{
    CLAIM("bound-table.kept");
    char path[] = "/tmp/bound_table.XXXXXX";
    const int descriptor = mkstemp(path);
    static const char table[] = "who,city,amount\na,x,10\na,y,30\nb,x,-5\n";
    CHECK(descriptor >= 0 &&
          write(descriptor, table, sizeof table - 1) == sizeof table - 1 &&
          close(descriptor) == 0);
    scrim_bound_choices choices = {.choices = NULL};
    CHECK_STATUS(look(path, "replace", "", 1, &choices), SCRIM_OK);
    if (CHECK_INT(choices.count, 6)) {
        check_close(choices.choices[0].kept, 2.0 / 3);
        check_close(choices.choices[1].kept, 1);
        CHECK_STR(choices.choices[4].max_total, "-30,90");
        check_close(choices.choices[4].kept, 1);
        check_close(choices.choices[4].noise, sqrt(2) * 120 / 0.5);
        check_close(choices.choices[5].bias, 35);
        check_close(choices.choices[5].noise, sqrt(2) * 2 / 0.5);
        check_close(choices.choices[2].bias, 20);
        check_close(choices.choices[2].noise, sqrt(2) * 100 / 0.5);
        CHECK_INT(choices.choices[3].max_rows, 2);
    }
    scrim_bound_choices_clear(&choices);
    unlink(path);
}

/* A column is unread where there are rows and no cell of it is read, whoever reads them. */
SLOW_TEST(bound_table_tells_a_column_that_cannot_be_read)
{
    static const struct {
        const char *table, *relation;
        size_t unread;
    } cases[] = {{"who,city,amount\na,x,1\na,y,x\n", "add-remove", 0},
                 {"who,city,amount\na,x,\"1,5\"\nb,y,x\n", "add-remove", 1},
                 {"who,city,amount\na,x,\"1,5\"\nb,y,x\n", "replace", 1}, /* a default */
                 {"who,city,amount\na,x,\n", "add-remove", 1},
                 {"who,city,amount\na,x,0\n", "add-remove", 0},
                 {"who,city,amount\n", "add-remove", 0}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (unsigned workers = 1; workers <= 3; workers++) {
            char path[] = "/tmp/bound_table.XXXXXX";
            const int descriptor = mkstemp(path);
            const ssize_t bytes = (ssize_t)strlen(cases[i].table);
            CHECK(descriptor >= 0 &&
                  write(descriptor, cases[i].table, (size_t)bytes) == bytes &&
                  close(descriptor) == 0);
            scrim_bound_choices choices = {.choices = NULL};
            CHECK_STATUS(look(path, cases[i].relation, "", workers, &choices), SCRIM_OK);
            CHECK(choices.count >= 2);
            if (CHECK_INT(choices.unread_count, cases[i].unread) && cases[i].unread > 0)
                CHECK_STR(choices.unread[0], "amount");
            scrim_bound_choices_clear(&choices);
            unlink(path);
        }
}

/* Columns that are neither keys nor sums, in the order of the schema. */
TEST(bound_table_lists_all_that_cannot_be_read)
{
    char path[] = "/tmp/bound_table.XXXXXX", policy[400];
    const int descriptor = mkstemp(path);
    static const char table[] = "who,day,at,old,new,n,note\n"
                                "a,31.01.2025,x,maybe,yes,1,y\n"
                                "b,28.02.2025,2025-01-01,perhaps,,z,\n";
    CHECK(descriptor >= 0 &&
          write(descriptor, table, sizeof table - 1) == sizeof table - 1 &&
          close(descriptor) == 0);
    static const struct {
        const char *by, *format, *unread;
    } cases[] = {{"", "YYYY-MM-DD", "day old "},
                 {"day,note", "YYYY-MM-DD", "day old "},
                 {"", "DD.MM.YYYY", "at old "}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_bound_choices choices = {.choices = NULL};
        char unread[200] = "";
        sc_bound_request request = {.workers = 2};
        snprintf(policy, sizeof policy,
                 "unit=who\ncolumn=day=date[2025-01-01,2025-12-31]\n"
                 "column=at=timestamp[2025-01-01,2025-12-31]\nzone=UTC\ncolumn=old=bool\n"
                 "column=new=bool\ncolumn=n=int[0,9]\ncolumn=note=text\n"
                 "date-format=%s\ncsv=%s\n",
                 cases[i].format, path);
        REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, NULL));
        CHECK_STATUS(look_by(&request, cases[i].by, &choices, NULL), SCRIM_OK);
        for (size_t k = 0, at = 0; k < choices.unread_count; k++)
            at += (size_t)snprintf(unread + at, sizeof unread - at, "%s ",
                                   choices.unread[k]);
        CHECK_STR(unread, cases[i].unread);
        scrim_bound_choices_clear(&choices);
    }
    unlink(path);
}

/* NULL is a group like another; a key that is not public is in none, and takes no place. */
TEST(bound_table_has_null_as_a_group)
{
    CLAIM("bound-table.kept");
    CLAIM("by-groups.query");
    char path[] = "/tmp/bound_table.XXXXXX", policy[200];
    const int descriptor = mkstemp(path);
    static const char table[] = "who,city\na,x\na,\na,z\nb,y\n";
    CHECK(descriptor >= 0 &&
          write(descriptor, table, sizeof table - 1) == sizeof table - 1 &&
          close(descriptor) == 0);
    scrim_bound_choices choices = {.choices = NULL};
    sc_bound_request request = {.workers = 1};
    snprintf(policy, sizeof policy, "unit=who\ncolumn=city=text\nkeys=city=x,y\ncsv=%s\n",
             path);
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, NULL));
    CHECK_STATUS(look_by(&request, "city", &choices, NULL), SCRIM_OK);
    if (CHECK_INT(choices.count, 2)) {
        check_close(choices.choices[0].kept, 2.0 / 3);
        check_close(choices.choices[0].bias, 1.0 / 3);
        CHECK_INT(choices.choices[1].max_groups, 2);
        check_close(choices.choices[1].kept, 1);
    }
    scrim_bound_choices_clear(&choices);
    unlink(path);
}

static scrim_status look_at_days(const char *path, const char *by,
                                 scrim_bound_choices *out)
{
    char policy[300];
    sc_bound_request request = {.workers = 2};
    snprintf(policy, sizeof policy,
             "unit=who\ncolumn=day=date[2025-01-01,2025-12-31]\n"
             "column=month=int[1,12]\ncolumn=x=int[0,9]\ncsv=%s\n",
             path);
    const scrim_status status =
        sc_schema_parse(sc_text_of(policy), NULL, &request.schema, NULL);
    return status == SCRIM_OK ? look_by(&request, by, out, NULL) : status;
}

/* An expression makes the groups that a column of its values makes, NULL among them, and max-groups ends at
 * their number. */
TEST(bound_table_groups_by_an_expression)
{
    CLAIM("by-groups.query");
    char path[] = "/tmp/bound_table.XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    scrim_bound_choices by_day = {.choices = NULL}, by_month = {.choices = NULL};
    fputs("who,day,month,x\na,never,,3\n", file);
    for (int i = 0; i < 500; i++)
        fprintf(file, "p%d,2025-%02d-%02d,%d,%d\n", i % 7 * (i % 3), 1 + i % 12,
                1 + i % 28, 1 + i % 12, i % 10);
    CHECK(fclose(file) == 0);
    CHECK_STATUS(look_at_days(path, "MONTH(day)", &by_day), SCRIM_OK);
    CHECK_STATUS(look_at_days(path, "month", &by_month), SCRIM_OK);
    if (CHECK_INT(by_day.count, by_month.count) && CHECK(by_day.count > 20))
        for (size_t i = 0; i < by_day.count; i++) {
            const scrim_bound_choice *a = &by_day.choices[i], *b = &by_month.choices[i];
            CHECK(a->max_groups <= 13 && a->max_groups == b->max_groups);
            CHECK_INT(a->max_rows, b->max_rows);
            check_close(a->kept, b->kept);
            check_close(a->bias, b->bias);
        }
    CHECK_INT(by_day.choices[by_day.count - 1].max_groups, 13);
    scrim_bound_choices_clear(&by_day);
    scrim_bound_choices_clear(&by_month);
    unlink(path);
}

#include "check.h"
#include "passages.h"
#include "plans.h"
#include "query/answer/noisy.h"
#include "query/rows/quantile_rings.h"
#include "random/bits_tape.h"
#include "recorder.h"

#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define VALUES 4

/* A group made of these ages, which are its rows. */
typedef struct made_group {
    sc_text key;
    int64_t ages[VALUES]; /* in increasing order */
    size_t count;
    size_t units; /* whose rows they are; 0: a unit each */
} made_group;

static size_t units_of(const made_group *group)
{
    return group->units == 0 ? group->count : group->units;
}

/* A draw of all parts of a plan's statement, recorded. */
typedef struct drawing {
    plan_scene scene;
    scrim_ledger *ledger;
    sc_recorder *recorder;
    sc_passage *passage;
    sc_noisy noisy;
    const sc_planned_statement *statement;
} drawing;

static scrim_status draw(drawing *d, const made_group *made, size_t count)
{
    static sc_group list[8];
    static sc_int128 sums[8][4], squares[8][4];
    static uint64_t present[8][4];
    static const int64_t *lists[8][4];
    const sc_statistics *statistics = &d->statement->statistics;
    for (size_t g = 0; g < count; g++) {
        for (size_t v = 0; v < statistics->value_count; v++) {
            const sc_int128 centre = statistics->groups[v].centre;
            sums[g][v] = squares[g][v] = 0;
            present[g][v] = made[g].count;
            for (size_t i = 0; i < made[g].count; i++) {
                sums[g][v] += made[g].ages[i] - centre;
                squares[g][v] += (made[g].ages[i] - centre) * (made[g].ages[i] - centre);
            }
            lists[g][v] = made[g].count == 0 ? NULL : made[g].ages;
        }
        list[g] = (sc_group){.key = made[g].key,
                             .rows = made[g].count,
                             .units = units_of(&made[g]),
                             .present = present[g],
                             .sums = sums[g],
                             .squares = squares[g],
                             .lists = lists[g]};
    }
    return sc_noisy_draw(&d->noisy, d->passage, &(sc_groups){list, count}, NULL);
}

/* Replays what of has recorded; NULL: records. */
static bool drawing_begin_as(drawing *d, const char *query,
                             const scrim_query_options *options, const sc_recorder *of)
{
    memset(d, 0, sizeof *d);
    if (!plan_begin(&d->scene, "budget=epsilon=5000,delta=0.5\n") ||
        !plan_ask(&d->scene, query, options))
        return false;
    d->statement = &d->scene.plan->statements[0];
    return CHECK_STATUS(sc_recorder_new(of, &d->recorder, NULL), SCRIM_OK) &&
           CHECK_STATUS(scrim_vault_ledger(d->scene.vault, "adult", &d->ledger, NULL),
                        SCRIM_OK) &&
           (sc_ledger_use_recorder(d->ledger, d->recorder), true) &&
           CHECK_STATUS(sc_noisy_init(&d->noisy, d->statement, 0, NULL), SCRIM_OK) &&
           CHECK_STATUS(passage_open(d->ledger, d->scene.plan->question,
                                     d->scene.plan->bundle, &d->passage, NULL),
                        SCRIM_OK);
}

static bool drawing_begin(drawing *d, const char *query,
                          const scrim_query_options *options)
{
    return drawing_begin_as(d, query, options, NULL);
}

static void drawing_end(drawing *d)
{
    sc_noisy_clear(&d->noisy);
    sc_passage_close(d->passage);
    scrim_ledger_free(d->ledger);
    sc_recorder_free(d->recorder);
    plan_end(&d->scene);
}

/* A statistic of some ages, by its definition. */
static sc_int128 defined(const sc_group_statistic *statistic, const made_group *group)
{
    sc_int128 sum = 0;
    if (statistic->kind == SC_STATISTIC_UNITS)
        return (sc_int128)units_of(group);
    for (size_t i = 0; i < group->count; i++) {
        const sc_int128 x = group->ages[i] - (sc_int128)statistic->centre;
        sum += statistic->kind == SC_STATISTIC_SUM       ? x
               : statistic->kind == SC_STATISTIC_SQUARES ? x * x - statistic->offset
                                                         : 1;
    }
    return sum;
}

/* A call of numbers of all rows: exact before, as in the rows behind. */
static void check_numbers(const drawing *d, const sc_recorder_call *call,
                          const made_group *const *rows, size_t row_count)
{
    const sc_group_statistic *statistic =
        &d->statement->statistics.list[d->statement->parts[call->part].statistic];
    CHECK_INT(call->count, d->noisy.row_count);
    for (size_t r = 0; r < row_count && r < call->count; r++) {
        CHECK_INT(call->input[r], defined(statistic, rows[r]));
        CHECK_INT(d->noisy.rows[r].numbers[statistic->first], call->values[r]);
    }
}

TEST(noisy_numbers_come_from_their_parts)
{
    CLAIM("noisy.parts");
    static const made_group groups[] = {{{"Female", 7}, {3, 60, 100}, 3, 2},
                                        {{"Male", 5}, {0}, 0, 0}};
    const made_group *const rows[] = {&groups[0], &groups[1]};
    drawing d;
    if (drawing_begin(
            &d,
            "SELECT sex, COUNT(*) AS n, COUNT(DISTINCT person_id) AS u, AVG(age) "
            "AS a, VAR(age) AS v, SUM(age) AS s, SUM(age) WITH RANGE AS r GROUP "
            "BY sex",
            OPTIONS(.epsilon = "1", .delta = "1e-6")) &&
        CHECK_STATUS(draw(&d, groups, 2), SCRIM_OK)) {
        size_t seen = 0;
        CHECK_INT(sc_recorder_count(d.recorder), d.statement->part_count);
        for (size_t i = 0; i < sc_recorder_count(d.recorder); i++) {
            const sc_recorder_call *call = sc_recorder_at(d.recorder, i);
            check_numbers(&d, call, rows, COUNT(rows));
            CHECK(call->keys == NULL);
            seen |= (size_t)1 << call->part;
        }
        CHECK_INT(seen, ((size_t)1 << d.statement->part_count) - 1);
        CHECK_INT(d.noisy.row_count, 2);
        CHECK(sc_text_equal(d.noisy.rows[0].key, groups[0].key));
        CHECK(sc_text_equal(d.noisy.rows[1].key, groups[1].key));
    }
    drawing_end(&d);
}

/* The rows of a group in the rings about its quantiles, and noise on each of them. */
static void check_around(const drawing *d, const sc_group_statistic *statistic,
                         const made_group *group, size_t row,
                         const sc_recorder_call *call)
{
    const sc_int128 *numbers = d->noisy.rows[row].numbers;
    int64_t ends[SC_RINGS_MOST + 1];
    const size_t rings =
        sc_rings_of(0, 120, numbers + statistic[-1].first, statistic[-1].count, ends);
    CHECK_INT(call->count, rings);
    for (size_t i = 0; i < statistic->count; i++) {
        int64_t within = 0;
        for (size_t k = 0; k < group->count && i < rings; k++)
            within += group->ages[k] >= ends[i] && group->ages[k] < ends[i + 1];
        if (i < rings)
            CHECK_INT(call->input[i], within);
        CHECK_INT(numbers[statistic->first + i], i < rings ? call->values[i] : 0);
    }
}

/* Quantiles: the list of each group by itself, and as many numbers as there are ps; then the rows
 * around them. */
TEST(noisy_quantiles_are_drawn_group_by_group)
{
    CLAIM("noisy.parts");
    static const made_group groups[] = {{{"Female", 7}, {3, 60, 100}, 3, 2},
                                        {{"Male", 5}, {80, 81, 82, 83}, 4, 4}};
    drawing d;
    if (drawing_begin(
            &d, "SELECT sex, QUANTILE(age, 0.25) AS q, MEDIAN(age) AS m GROUP BY sex",
            OPTIONS(.epsilon = "1")) &&
        CHECK_STATUS(draw(&d, groups, 2), SCRIM_OK)) {
        size_t around = 0;
        for (size_t i = 0; i < sc_recorder_count(d.recorder); i++) {
            const sc_recorder_call *call = sc_recorder_at(d.recorder, i);
            const sc_group_statistic *statistic =
                &d.statement->statistics.list[d.statement->parts[call->part].statistic];
            if (statistic->kind == SC_STATISTIC_AROUND) {
                check_around(&d, statistic, &groups[around], around, call);
                around++;
                continue;
            }
            const size_t row = call->count == 4;
            CHECK_INT(call->count, groups[row].count);
            for (size_t k = 0; k < call->count; k++)
                CHECK_INT(call->input[k], groups[row].ages[k]);
            CHECK_INT(call->answers, 2);
            for (size_t k = 0; k < 2; k++)
                CHECK_INT(d.noisy.rows[row].numbers[statistic->first + k],
                          call->values[k]);
        }
        CHECK_INT(around, 2);
    }
    drawing_end(&d);
}

/* Histograms: every bucket of the range, group by group; what is shown of it and nothing else. */
TEST(noisy_histograms_have_every_bucket)
{
    CLAIM("noisy.parts");
    static const made_group groups[] = {{{"Female", 7}, {3, 60, 60, 100}, 4, 4},
                                        {{"Male", 5}, {0}, 0, 0}};
    drawing d;
    if (drawing_begin(&d, "SELECT sex, MAX(age), MIN(age, 50), RANGE(age) GROUP BY sex",
                      OPTIONS(.epsilon = "1000", .delta = "0.4")) &&
        (sc_recorder_disturb(d.recorder, 3), true) &&
        CHECK_STATUS(draw(&d, groups, 2), SCRIM_OK)) {
        CHECK_INT(sc_recorder_count(d.recorder), 4);
        size_t shown = 0;
        for (size_t i = 0; i < sc_recorder_count(d.recorder); i++) {
            const sc_recorder_call *call = sc_recorder_at(d.recorder, i);
            const sc_drawn_part *part = &d.statement->parts[call->part];
            const sc_group_statistic *statistic =
                &d.statement->statistics.list[part->statistic];
            const size_t row = i % 2;
            const sc_record_bars *bars =
                &d.noisy.rows[row].histograms[statistic->histogram];
            size_t at = 0;
            CHECK_INT(call->count, part->width == 1 ? 121 : 3);
            for (size_t place = 0; place < call->count; place++) {
                sc_int128 held = 0;
                for (size_t k = 0; k < groups[row].count; k++)
                    held += groups[row].ages[k] / part->width == (int64_t)place;
                CHECK_INT(call->input[place], held);
                if (call->values[place] == 0)
                    continue;
                CHECK(at < bars->count && bars->bars[at].place == place);
                CHECK(bars->bars[at++].count == (int64_t)call->values[place]);
            }
            CHECK_INT(at, bars->count);
            shown += at;
        }
        CHECK(shown > 0);
    }
    drawing_end(&d);
}

#define MANY 6000

/* Two groups of `count` rows each, of all ages. */
static scrim_status draw_many(drawing *d, size_t count)
{
    static int64_t ages[MANY];
    static const int64_t *const lists[] = {ages};
    sc_int128 sum = 0;
    for (size_t i = 0; i < count; i++) {
        ages[i] = (int64_t)(120 * i / count);
        sum += ages[i] - d->statement->statistics.groups[0].centre;
    }
    const uint64_t present = count;
    const sc_group list[] = {
        {{"Female", 7}, count, count, &present, &sum, &sum, NULL, lists, NULL},
        {{"Male", 5}, count, count, &present, &sum, &sum, NULL, lists, NULL}};
    return sc_noisy_draw(&d->noisy, d->passage, &(sc_groups){list, COUNT(list)}, NULL);
}

/* Tables that are no neighbours at all: a call that is not the recorded one is refused, so that no
 * parameter, no ring about a quantile and no number of draws comes from data. */
TEST(noisy_A34_parameters_come_from_what_was_released)
{
    CLAIM("noisy.parts");
    static const char query[] = "SELECT sex, MEDIAN(age) AS m, QUANTILE(age, 0.9) AS q, "
                                "AVG(age) AS a GROUP BY sex";
    static const size_t others[] = {MANY, 2000, 1, 0};
    drawing first, other;
    if (drawing_begin(&first, query, OPTIONS(.epsilon = "2")) &&
        CHECK_STATUS(draw_many(&first, 3000), SCRIM_OK)) {
        size_t around = 0;
        for (size_t i = 0; i < sc_recorder_count(first.recorder); i++)
            around +=
                first.statement->statistics
                    .list[first.statement->parts[sc_recorder_at(first.recorder, i)->part]
                              .statistic]
                    .kind == SC_STATISTIC_AROUND;
        CHECK_INT(around, 2);
        for (size_t i = 0; i < COUNT(others); i++) {
            if (drawing_begin_as(&other, query, OPTIONS(.epsilon = "2"), first.recorder))
                CHECK_STATUS(draw_many(&other, others[i]), SCRIM_OK);
            CHECK_INT(sc_recorder_count(other.recorder),
                      sc_recorder_count(first.recorder));
            drawing_end(&other);
        }
    }
    drawing_end(&first);
}

/* A group that is not kept is in no draw but the first. */
static void check_kept(const char *query, const scrim_query_options *options)
{
    static const made_group groups[] = {
        {{"a", 2}, {5, 6, 7, 8}, 4, 2},
        {{"lone", 5}, {117, 118, 119}, 3, 1}, /* one unit's rows are no group */
        {{"z", 2}, {1, 2}, 2, 2}};
    const made_group *const rows[] = {&groups[0], &groups[2]};
    drawing d;
    if (drawing_begin(&d, query, options)) {
        sc_recorder_keep_from(d.recorder, 2);
        if (CHECK_STATUS(draw(&d, groups, 3), SCRIM_OK)) {
            REQUIRE(d.noisy.row_count == 2);
            CHECK(sc_text_equal(d.noisy.rows[0].key, groups[0].key));
            CHECK(sc_text_equal(d.noisy.rows[1].key, groups[2].key));
            for (size_t i = 0; i < sc_recorder_count(d.recorder); i++) {
                const sc_recorder_call *call = sc_recorder_at(d.recorder, i);
                const size_t statistic = d.statement->parts[call->part].statistic;
                if (statistic == SC_STATISTIC_NONE) {
                    CHECK_INT(call->count, 3);
                    for (size_t g = 0; g < 3; g++) {
                        CHECK_INT(call->input[g], units_of(&groups[g]));
                        CHECK(sc_text_equal(call->keys[g], groups[g].key));
                    }
                } else {
                    check_numbers(&d, call, rows, COUNT(rows));
                    CHECK(sc_text_equal(call->keys[1], groups[2].key));
                }
            }
        }
    }
    drawing_end(&d);
}

TEST(noisy_rows_are_what_was_kept)
{
    CLAIM("noisy.kept");
    check_kept("SELECT city, COUNT(*) AS n, SUM(age) AS s GROUP BY city",
               OPTIONS(.epsilon = "1", .delta = "1e-6"));
    check_kept("SELECT city, COUNT(DISTINCT person_id) AS n GROUP BY city",
               OPTIONS(.epsilon = "1", .delta = "1e-6"));
}

/* The same rows in a CSV file and in a frame: synthetic records and bodies have one record with one tape, and the owner's
 * check finds the same. */
#include "check.h"
#include "faults.h"
#include "feed_cells.h"
#include "feed_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCHES 8

/* A table as a file, and as batches. */
typedef struct world {
    char folder[40], csv[60];
    char policies[2][1500]; /* of the CSV file, of the frame */
    feed_cells cells;
    arrow_batch batches[BATCHES];
    const struct ArrowArray *arrays[BATCHES];
    scrim_frame frame;
} world;

static void cut(world *w, size_t count)
{
    const size_t step = w->cells.rows / count + 1;
    w->frame =
        (scrim_frame){.size = sizeof w->frame, .batches = w->arrays, .batch_count = 0};
    for (size_t from = 0; w->frame.batch_count < count; from += step) {
        arrow_batch *batch = &w->batches[w->frame.batch_count];
        const size_t at = from < w->cells.rows ? from : w->cells.rows,
                     rest = w->cells.rows - at;
        if (!arrow_batch_make(batch, w->cells.columns, FEED_COLUMNS, at,
                              rest < step ? rest : step, from % 3))
            return;
        w->arrays[w->frame.batch_count++] = &batch->array;
    }
    w->frame.schema = &w->batches[0].schema;
}

static void uncut(world *w)
{
    while (w->frame.batch_count > 0)
        arrow_batch_clear(&w->batches[--w->frame.batch_count]);
}

static bool world_begin(world *w, sc_bits *bits, size_t rows, bool has_units,
                        const char *form)
{
    *w = (world){.frame = {.size = 0}};
    snprintf(w->folder, sizeof w->folder, "/tmp/frame_same.XXXXXX");
    if (!CHECK(mkdtemp(w->folder) != NULL))
        return false;
    snprintf(w->csv, sizeof w->csv, "%s/rows.csv", w->folder);
    const char *unit = has_units ? "unit=p\nmax-groups=2\nmax-rows=3\n" : "unit=row\n";
    snprintf(w->policies[0], sizeof *w->policies, "%s%s%scsv=%s", unit, feed_cells_policy,
             form, w->csv);
    snprintf(w->policies[1], sizeof *w->policies, "%s%s%slive=yes", unit,
             feed_cells_policy, form);
    return feed_cells_make(&w->cells, bits, rows) && feed_cells_csv(&w->cells, w->csv);
}

static void world_end(world *w)
{
    feed_cells_clear(&w->cells);
    unlink(w->csv);
    rmdir(w->folder);
}

static uint64_t run_synth(feed_scene *s, const scrim_frame *frame, unsigned workers,
                          uint64_t which)
{
    static const char *const cuts[] = {"x=25", "d=2020-01-01,2020-06-01"};
    static const char *const keys[] = {"t"};
    const scrim_synth_options *options =
        which % 2 == 0
            ? SCRIM_OPTIONS(scrim_synth_options, .epsilon = "3", .delta = "1e-6",
                            .columns = "x,b,d,k", .cuts = cuts, .cut_count = 2,
                            .workers = workers, .frame = frame)
            : SCRIM_OPTIONS(scrim_synth_options, .epsilon = "3", .delta = "1e-2",
                            .columns = "k,t,b", .private_keys = keys,
                            .private_key_count = 1, .workers = workers, .frame = frame);
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    scrim_synth_released facts = {.release = 0};
    if (scrim_synth_new(s->vault, "rows", options, &synth, &s->error) == SCRIM_OK &&
        scrim_synth_run(s->vault, synth, &release, &s->error) == SCRIM_OK)
        scrim_synth_release_describe(release, &facts);
    scrim_synth_release_free(release);
    scrim_synth_free(synth);
    return facts.release;
}

static uint64_t run_body(feed_scene *s, const scrim_frame *frame, unsigned workers,
                         uint64_t which)
{
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    scrim_body_released facts = {.release = 0};
    const scrim_body_fit_options *options =
        SCRIM_OPTIONS(scrim_body_fit_options, .epsilon = "4", .columns = "x,y",
                      .method = which % 2 == 0 ? NULL : "depth", .expected_units = 50,
                      .workers = workers, .frame = frame);
    if (scrim_body_fit_new(s->vault, "rows", options, &fit, &s->error) == SCRIM_OK &&
        scrim_body_fit_run(s->vault, fit, &release, &s->error) == SCRIM_OK)
        scrim_body_release_describe(release, &facts);
    scrim_body_release_free(release);
    scrim_body_fit_free(fit);
    return facts.release;
}

/* The record of a release from the file, or from a frame of `batches` batches. */
static char *ask(world *w, size_t batches, uint64_t seed, unsigned workers,
                 uint64_t which)
{
    feed_scene s;
    char *record = NULL;
    uint64_t release = 0;
    const scrim_frame *frame = batches == 0 ? NULL : &w->frame;
    if (batches > 0)
        cut(w, batches);
    if (feed_scene_begin(&s, w->policies[batches > 0], seed))
        release = which % 4 < 2 ? run_synth(&s, frame, workers, which)
                                : run_body(&s, frame, workers, which);
    if (release != 0)
        record = feed_scene_record(&s, release);
    else
        CHECK_FAIL("%zu batches of %llu: %s", batches, (unsigned long long)which,
                   s.error.message);
    feed_scene_end(&s);
    uncut(w);
    return record;
}

static void compare(world *w, uint64_t which)
{
    char *expected = ask(w, 0, which + 1, 1, which);
    for (size_t i = 0; i < 3; i++) {
        static const size_t counts[] = {1, 3, BATCHES};
        char *record = ask(w, counts[i], which + 1, (unsigned)i + 1, which);
        if (CHECK(expected != NULL && record != NULL))
            CHECK_STR(record, expected);
        free(record);
    }
    free(expected);
}

SLOW_TEST(frame_gives_the_record_of_a_file)
{
    CLAIM("arrow-frame.same");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(10, 400);
    for (uint64_t i = 0; i < count; i++) {
        world w;
        /* Once in a while there are enough rows for several blocks and threads. */
        const size_t rows = i % 16 == 9 ? 13000 : i % 7 * 15;
        if (world_begin(&w, sc_tape_bits_of(tape), rows, i % 3 != 0, ""))
            compare(&w, i);
        world_end(&w);
    }
    sc_tape_free(tape);
}

/* The owner's check. Only the numbering of rows differs: a file has a header. */

static bool inspect(world *w, size_t batches, unsigned workers, scrim_inspection *out)
{
    feed_scene s;
    if (batches > 0)
        cut(w, batches);
    const bool is_done =
        feed_scene_begin(&s, w->policies[batches > 0], 0) &&
        CHECK_STATUS(
            scrim_vault_inspect(s.vault, "rows",
                                SCRIM_OPTIONS(scrim_inspect_options, .workers = workers,
                                              .frame = batches > 0 ? &w->frame : NULL),
                                out, &s.error),
            SCRIM_OK);
    feed_scene_end(&s);
    uncut(w);
    return is_done;
}

static void check_line(const scrim_inspected *a, const scrim_inspected *b)
{
    CHECK_STR(scrim_finding_name(a->finding), scrim_finding_name(b->finding));
    CHECK_STR(a->column, b->column);
    CHECK_STR(a->effect, b->effect);
    if (!CHECK_INT(a->count, b->count))
        CHECK_FAIL("%s of %s", scrim_finding_name(a->finding), a->column);
    CHECK_INT(a->is_right, b->is_right);
    CHECK_INT(a->folded, b->folded);
    if (CHECK_INT(a->row_count, b->row_count))
        for (size_t i = 0; i < a->row_count; i++)
            CHECK_INT(a->rows[i] + 1, b->rows[i]);
}

SLOW_TEST(frame_is_checked_as_a_file_is)
{
    CLAIM("arrow-frame.raw");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(40, 1000);
    for (uint64_t i = 0; i < count; i++) {
        world w;
        scrim_inspection file = {.count = 0}, frame = {.count = 0};
        const size_t rows = i % 16 == 9 ? 9000 : i % 7 * 9;
        if (world_begin(&w, sc_tape_bits_of(tape), rows, i % 3 != 0, "") &&
            inspect(&w, 0, 1, &file) &&
            inspect(&w, 1 + i % 4, 1 + (unsigned)i % 3, &frame) &&
            CHECK_INT(frame.count, file.count))
            for (size_t k = 0; k < file.count; k++)
                check_line(&frame.lines[k], &file.lines[k]);
        scrim_inspection_clear(&file);
        scrim_inspection_clear(&frame);
        world_end(&w);
    }
    sc_tape_free(tape);
}

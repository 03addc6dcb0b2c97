#include "body_scene.h"
#include "check.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "scrim.h"
#include "solve/solid_handle.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct scene {
    scrim_body *body;
    scrim_solid *solid;
} scene;

/* x and y from 2.5 to 7.5 and from -2.5 to 2.5, by the public functions alone. */
static bool scene_open(scene *s)
{
    static char text[8192];
    scrim_body *made = scene_square();
    *s = (scene){0};
    if (made == NULL)
        return false;
    CHECK(scrim_body_format(made, text, sizeof text) < sizeof text);
    scrim_body_free(made);
    return CHECK_STATUS(scrim_body_read(text, strlen(text), &s->body, NULL), SCRIM_OK) &&
           CHECK_STATUS(scrim_solid_new(s->body, &s->solid, NULL), SCRIM_OK);
}

static void scene_close(scene *s)
{
    scrim_solid_free(s->solid);
    scrim_body_free(s->body);
}

TEST(solid_view_speaks_in_columns)
{
    scene s;
    double x[2], y[2], value, normal[2], offset;
    size_t direction = 9, count = 0;
    const double *corners;
    scrim_projection projection;
    scrim_minimum minimum;
    scrim_center center;
    scrim_volume volume;
    unsigned char is_redundant[4];
    if (scene_open(&s)) {
        REQUIRE_OK(
            scrim_solid_project(s.solid, (const double[]){9, 4}, y, &projection, NULL));
        CHECK_NEAR(y[0], 7.5, 1e-12);
        CHECK_NEAR(y[1], 2.5, 1e-12);
        CHECK_NEAR(projection.distance, hypot(0.15, 0.15), 1e-12);
        CHECK_INT((int64_t)projection.active_count, 2);
        CHECK_NEAR(scrim_solid_excess(s.solid, (const double[]){9, 0}, &direction), 0.15,
                   1e-12);
        CHECK_INT((int64_t)direction, 0);
        REQUIRE_OK(
            scrim_solid_support(s.solid, (const double[]){1, -1}, &value, x, NULL));
        CHECK_NEAR(value, 10, 1e-12);
        REQUIRE_OK(scrim_solid_minimise(s.solid, "(x-9)^2 - y", 0, x, &minimum, NULL));
        CHECK_NEAR(minimum.value, 2.25 - 2.5, 1e-9);
        REQUIRE_OK(scrim_solid_center(s.solid, "steiner", x, &center, NULL));
        CHECK_NEAR(x[0], 5, 1e-12);
        CHECK_NEAR(center.lipschitz, 4 / acos(-1), 1e-12);
        CHECK_STATUS(scrim_solid_center(s.solid, "mean", x, &center, NULL),
                     SCRIM_E_PARAM);
        REQUIRE_OK(scrim_solid_volume(s.solid, &volume, NULL));
        CHECK_NEAR(volume.share, 0.25, 1e-12);
        CHECK_NEAR(volume.volume, 0.25, 1e-12);
        REQUIRE_OK(scrim_solid_shadow(s.solid, 1, 0, &corners, &count, NULL));
        CHECK_INT((int64_t)count, 4);
        for (size_t i = 0; i < count; i++)
            CHECK_NEAR(fabs(corners[2 * i]), 2.5, 1e-12);
        CHECK_STATUS(scrim_solid_shadow(s.solid, 0, 2, &corners, &count, NULL),
                     SCRIM_E_PARAM);
        REQUIRE_OK(scrim_solid_redundant(s.solid, is_redundant, NULL));
        CHECK_INT(is_redundant[0] + is_redundant[1] + is_redundant[2] + is_redundant[3],
                  0);
        CHECK_INT(scrim_body_half_space_at(s.body, 1, normal, &offset), 1);
        CHECK_NEAR(normal[0], -0.1, 1e-12);
        CHECK_NEAR(offset, -0.25, 1e-12);
        CHECK_INT(scrim_body_half_space_at(s.body, 4, normal, &offset), 0);
    }
    scene_close(&s);
}

TEST(solid_view_compares_like_with_like)
{
    scene s, other = {0};
    double direction[2];
    scrim_solid_gap gap;
    if (scene_open(&s) && scene_open(&other)) {
        REQUIRE_OK(scrim_solid_compare(s.solid, other.solid, direction, &gap, NULL));
        CHECK(gap.lower < 1e-12 && gap.upper < 1e-12);
        sc_ratio_set_int64(&other.body->columns[0].scale, 11);
        CHECK_STATUS(scrim_solid_compare(s.solid, other.solid, direction, &gap, NULL),
                     SCRIM_E_PARAM);
    }
    scene_close(&s);
    scene_close(&other);
}

TEST(solid_view_draws_points_inside)
{
    scene s;
    static double points[2 * 3000];
    size_t direction;
    scrim_sample_facts facts;
    if (scene_open(&s)) {
        REQUIRE_OK(scrim_solid_sample(
            s.solid, SCRIM_OPTIONS(scrim_sample_options, .count = 3000, .workers = 3),
            points, &facts, NULL));
        CHECK(facts.thinning == 4 && facts.correlation < 0.3);
        for (size_t i = 0; i < 3000; i++)
            CHECK(scrim_solid_excess(s.solid, points + 2 * i, &direction) <= 1e-12);
        CHECK_STATUS(scrim_solid_sample(s.solid,
                                        SCRIM_OPTIONS(scrim_sample_options, .count = 0),
                                        points, &facts, NULL),
                     SCRIM_E_PARAM);
        CHECK_STATUS(scrim_solid_sample(s.solid, &(scrim_sample_options){.count = 1},
                                        points, &facts, NULL),
                     SCRIM_E_PARAM);
        CHECK_STATUS(scrim_solid_sample(s.solid,
                                        SCRIM_OPTIONS(scrim_sample_options, .count = 1,
                                                      .weight = "log(x - 5)"),
                                        points, &facts, NULL),
                     SCRIM_E_PARAM);
    }
    scene_close(&s);
}

typedef struct heard {
    uint64_t calls, done, total;
} heard;

static void hear(void *context, uint64_t done, uint64_t total)
{
    heard *h = context;
    CHECK(done > h->done && done <= total);
    *h = (heard){h->calls + 1, done, total};
}

/* Told in steps of some points; an older caller's options have nobody to tell. */
SLOW_TEST(solid_view_tells_how_many_points_there_are)
{
    scene s;
    static double points[2 * 3000];
    scrim_sample_facts facts;
    if (scene_open(&s))
        for (unsigned workers = 1; workers < 4; workers++) {
            heard h = {.calls = 0};
            scrim_sample_options asked =
                *SCRIM_OPTIONS(scrim_sample_options, .count = 3000, .workers = workers,
                               .progress = hear, .context = &h);
            CHECK_STATUS(scrim_solid_sample(s.solid, &asked, points, &facts, NULL),
                         SCRIM_OK);
            /* Others may have taken every part before this thread goes on. */
            CHECK(h.calls == 0 || h.total == 3000);
            CHECK(workers > 1 ||
                  (h.calls == 3000 / 256 && h.done == (uint64_t)(3000 / 256) * 256));
            h = (heard){.calls = 0};
            asked.size = offsetof(scrim_sample_options, progress);
            CHECK_STATUS(scrim_solid_sample(s.solid, &asked, points, &facts, NULL),
                         SCRIM_OK);
            CHECK_INT((int64_t)h.calls, 0);
        }
    scene_close(&s);
}

/* The same seed gives the same points. */
TEST(solid_view_draws_from_its_tape)
{
    scene s;
    double points[2][20];
    scrim_sample_facts facts;
    if (scene_open(&s))
        for (size_t i = 0; i < 2; i++) {
            sc_tape *tape = NULL;
            REQUIRE_OK(sc_tape_seeded(5, &tape, NULL));
            sc_solid_use_bits(s.solid, sc_tape_bits_of(tape));
            CHECK_STATUS(scrim_solid_sample(
                             s.solid, SCRIM_OPTIONS(scrim_sample_options, .count = 10),
                             points[i], &facts, NULL),
                         SCRIM_OK);
            sc_tape_free(tape);
        }
    CHECK_BYTES(points[0], points[1], sizeof points[0]);
    scene_close(&s);
}

TEST(solid_view_survives_without_memory)
{
    scene s;
    if (scene_open(&s)) {
        double x[2], points[20];
        scrim_minimum minimum;
        scrim_sample_facts facts;
        FAULT_LOOP(fault)
        {
            const scrim_status status =
                scrim_solid_minimise(s.solid, "abs(x) + y", 0, x, &minimum, NULL);
            CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        }
        FAULT_LOOP(again)
        {
            const scrim_status status = scrim_solid_sample(
                s.solid, SCRIM_OPTIONS(scrim_sample_options, .count = 10), points, &facts,
                NULL);
            CHECK(status == SCRIM_OK || fault_hit());
        }
    }
    scene_close(&s);
}

/* q 0.9: under add-remove a row moves a rank by 0.9, under replace by 1; a unit's rows add up. */
TEST(rank_error_needs_a_cost)
{
    const double of_row = 2 / 0.25 * log(65 * 4 / 0.05);
    scene s;
    if (scene_open(&s)) {
        CHECK_NEAR(scrim_body_rank_error(s.body, 0.05), 0.9 * of_row, 1e-12);
        s.body->max_rows = 5;
        CHECK_NEAR(scrim_body_rank_error(s.body, 0.05), 4.5 * of_row, 1e-11);
        CHECK_STATUS(sc_body_set_text(s.body, SC_BODY_NEIGHBOURS, "replace", NULL),
                     SCRIM_OK);
        CHECK_NEAR(scrim_body_rank_error(s.body, 0.05), 5 * of_row, 1e-11);
        CHECK(isinf(scrim_body_rank_error(s.body, 0)));
        sc_ratio_set_int64(&s.body->epsilon_each, 0);
        CHECK(isinf(scrim_body_rank_error(s.body, 0.05)));
    }
    scene_close(&s);
}

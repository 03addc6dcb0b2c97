#include "check.h"
#include "faults.h"
#include "scrim.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

/* Places out of "place:mass place:mass"; texts lie in the buffer. */
typedef struct places {
    char text[512];
    scrim_place list[16];
    size_t count;
} places;

static void split(const char *text, places *out)
{
    char *rest = NULL;
    out->count = 0;
    snprintf(out->text, sizeof out->text, "%s", text);
    for (char *word = strtok_r(out->text, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        char *colon = strchr(word, ':');
        if (colon != NULL)
            *colon = '\0';
        out->list[out->count++] =
            (scrim_place){.place = word, .mass = colon == NULL ? NULL : colon + 1};
    }
}

/* The exact text, or the name of the status. */
static const char *distance(const char *kind, const char *a, const char *b,
                            const scrim_distance_options *options)
{
    static scrim_distance found;
    static char refused[32];
    scrim_error error = {SCRIM_OK, ""};
    places x, y;
    split(a, &x);
    split(b, &y);
    scrim_status status = scrim_distance_between(kind, x.list, x.count, y.list, y.count,
                                                 options, &found, &error);
    if (status == SCRIM_OK)
        return found.exact;
    CHECK_INT(error.status, status);
    CHECK(error.message[0] != '\0');
    snprintf(refused, sizeof refused, "status %d", (int)status);
    return refused;
}

#define WITH(...) SCRIM_OPTIONS(scrim_distance_options, __VA_ARGS__)

TEST(distance_of_every_kind_from_text)
{
    CHECK_STR(distance("tv", "0 7:2", "1:2 7", NULL), "2/3");
    CHECK_STR(distance("wasserstein", "0 7:2", "1:2 7", NULL), "6");
    CHECK_STR(distance("wasserstein", "0 7:2", "1:2 7", WITH(.loss = "1/3")), "1");
    CHECK_STR(distance("wasserstein", "0 7:2", "1:2 7", WITH(.is_average = 1)), "7/3");
    CHECK_STR(distance("hausdorff", "0 5 10", "0 10", NULL), "5");
    CHECK_STR(distance("drop", "1:3 5:2", "1:2 5:2", NULL), "0.2");
    CHECK_STR(distance("drop", "1:3 5:2", "1:4", NULL), "inf");
    CHECK_STR(distance("move", "1:3 5:2", "1:4 5", NULL), "4");
    CHECK_STR(distance("drop-move", "2 3", "1 5", WITH(.eta = "3/2")), "3");
    CHECK_STR(distance("drop-move", "2 3", "1 5", NULL), "2");
}

/* Numbers of any form have a common step; a length is told in their unit, a share is not. */
TEST(distance_counts_in_a_common_step)
{
    CHECK_STR(distance("wasserstein", "0.1", "1/3", NULL), "7/30");
    CHECK_STR(distance("wasserstein", "1e-3 2^-4", "0", WITH(.is_average = 1)),
              "0.03175");
    CHECK_STR(distance("hausdorff", "-1/7", "1/7", NULL), "2/7");
    CHECK_STR(distance("tv", "1/3:1/3 0.5:2/3", "0.5", NULL), "1/3");
    CHECK_STR(distance("drop-move", "0.5 0.25", "0.75", WITH(.eta = "4")), "1.5");
    CHECK_STR(distance("drop", "0.5 0.25", "0.5", NULL), "0.5");
    /* Spaces at the ends are no part of a number, and a mass of 0 is none. */
    CHECK_STR(distance("move", "5:1 6:0", "\t5:1", NULL), "0");
}

TEST(distance_of_points_and_of_names)
{
    static const scrim_step ring[] = {{"n", "e", "1/2"}, {"e", "s", "1/2"},
                                      {"s", "w", "1/2"}, {"w", "n", "1/2"},
                                      {"n", "s", "1"},   {"e", "w", "1"}};
    static const scrim_step slope[] = {{"a", "b", "1"}, {"b", "a", "5"}, {"c", "c", "0"}};
    CHECK_STR(distance("wasserstein", "0,0 1,1:3", "0,1:2 2,2:2", WITH(.dimensions = 2)),
              "2");
    CHECK_STR(distance("wasserstein", "0,0 1,1:3", "0,1:2 2,2:2",
                       WITH(.dimensions = 2, .norm = "max")),
              "1");
    CHECK_STR(distance("tv", "0,0 0,1 0,0", "0,0:3", WITH(.dimensions = 2)), "1/3");
    CHECK_STR(distance("drop", "0,0 0,1 0,0", "0,0:2", WITH(.dimensions = 2)), "1/3");
    CHECK_STR(distance("hausdorff", "0.5,0,0", "0,0.25,1", WITH(.dimensions = 3)),
              "1.75");
    CHECK_STR(distance("wasserstein", "n e", "s:2", WITH(.steps = ring, .step_count = 6)),
              "1");
    CHECK_STR(distance("wasserstein", "n e", "s:2",
                       WITH(.steps = ring, .step_count = 6, .is_average = 1)),
              "0.75");
    CHECK_STR(distance("move", "a", "b", WITH(.steps = slope, .step_count = 3)), "1");
    CHECK_STR(distance("move", "b", "a", WITH(.steps = slope, .step_count = 3)), "5");
    CHECK_STR(distance("move", "c", "a", WITH(.steps = slope, .step_count = 3)), "inf");
    CHECK_STR(distance("tv", "d", "a", WITH(.steps = slope, .step_count = 3)),
              "status 60");
}

TEST(distance_refuses_what_it_cannot_read)
{
    CHECK_STR(distance("taxi", "0", "0", NULL), "status 20");
    CHECK_STR(distance(NULL, "0", "0", NULL), "status 20");
    CHECK_STR(distance("tv", "0", "0", WITH(.loss = "0.1")), "status 20");
    CHECK_STR(distance("drop", "0", "0", WITH(.is_average = 1)), "status 20");
    CHECK_STR(distance("move", "0", "0", WITH(.eta = "1")), "status 20");
    CHECK_STR(distance("wasserstein", "0", "0", WITH(.loss = "1.5")), "status 20");
    CHECK_STR(distance("wasserstein", "0", "0", WITH(.loss = "nan")), "status 20");
    CHECK_STR(distance("wasserstein", "0", "0", WITH(.loss = "-1")), "status 20");
    CHECK_STR(distance("drop-move", "0", "0", WITH(.eta = "-1")), "status 20");
    CHECK_STR(distance("tv", "0", "0", WITH(.norm = "2")), "status 20");
    CHECK_STR(distance("tv", "0", "0", WITH(.dimensions = 9)), "status 21");
    CHECK_STR(distance("tv", "0", "0", &(scrim_distance_options){.size = 0}),
              "status 20");
    CHECK_STR(distance("tv", "x", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0:x", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0:-1", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0,1", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0", "", NULL), "status 60");
    CHECK_STR(distance("tv", "0:1/2", "0", NULL), "status 60");
    CHECK_STR(distance("move", "0:1/2", "0:1/2", NULL), "status 60");
    CHECK_STR(distance("tv", "1e30", "0", NULL), "status 21");
    CHECK_STR(distance("tv", "0:4e18 1:4e18", "0", NULL), "status 21");
    CHECK_STR(distance("tv", "1e-30", "0", NULL), "status 21");
}

TEST(distance_kinds_are_listed)
{
    static const char *const names[] = {"tv",   "wasserstein", "hausdorff",
                                        "drop", "move",        "drop-move"};
    for (size_t i = 0; i < COUNT(names); i++) {
        REQUIRE(scrim_distance_kind_at(i) != NULL);
        CHECK_STR(scrim_distance_kind_at(i)->name, names[i]);
    }
    CHECK(scrim_distance_kind_at(COUNT(names)) == NULL);
}

TEST(distance_survives_every_missing_allocation)
{
    static const scrim_step steps[] = {{"a", "b", "1"}, {"b", "c", "5"}};
    places x, y;
    scrim_distance found;
    split("a b", &x);
    split("c b", &y);
    FAULT_LOOP(fault)
    {
        scrim_status status = scrim_distance_between(
            "wasserstein", x.list, x.count, y.list, y.count,
            WITH(.steps = steps, .step_count = 2, .is_average = 1), &found, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
    CHECK_STR(found.exact, "3");
    split("0,1 2,3", &x);
    split("5,1", &y);
    FAULT_LOOP(fault)
    {
        scrim_status status =
            scrim_distance_between("wasserstein", x.list, x.count, y.list, y.count,
                                   WITH(.dimensions = 2), &found, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
    CHECK_STR(found.exact, "5");
}

#include "check.h"
#include "experiment/errata/working_distance.h"

#include <string.h>

TEST(working_lines)
{
    static sc_working w;
    SC_BALL_SCOPE(balls);
    sc_working_init(&w);
    sc_working_input(&w, "n = 3", "elements");
    sc_working_step(&w, "half = n/2", "half of them");
    sc_working_claimed(&w, "half", "claim");
    sc_working_say(&w, SC_WORKING_TRUE, "truth", "%s", "unknown");
    sc_working_distance(&w, SC_WORKING_STEP, "d", "wasserstein",
                        SC_PLACES({"0", "1"}, {"2", "1"}), SC_PLACES({"1", "1"}), NULL,
                        "distance");
    CHECK(!w.is_spoilt);
    CHECK_INT(w.count, 5);
    CHECK_STR(w.lines[1].value, "1.5");
    CHECK_STR(w.lines[1].formula, "half = n/2");
    CHECK_STR(w.lines[3].value, "unknown");
    CHECK_STR(w.lines[4].value, "1");
    CHECK(w.lines[2].has_number && !w.lines[3].has_number);
    CHECK_INT(sc_working_integer(&w, "n"), 3);
    sc_working_clear(&w);
}

/* A formula that cannot be computed is told, and nothing is added behind it. */
TEST(working_spoilt)
{
    static sc_working w;
    SC_BALL_SCOPE(balls);
    sc_working_init(&w);
    sc_working_step(&w, "n = 1/0", "none");
    sc_working_step(&w, "m = 1", "one");
    CHECK(w.is_spoilt);
    CHECK_STR(w.fault, "n = 1/0");
    CHECK_INT(w.count, 1);
    sc_working_clear(&w);
    sc_working_init(&w);
    for (int i = 0; i <= SC_WORKING_LINES; i++)
        sc_working_step(&w, "1", "one too many");
    CHECK(w.is_spoilt);
    sc_working_clear(&w);
    sc_working_init(&w);
    sc_working_distance(&w, SC_WORKING_STEP, "d", "elsewhere", SC_PLACES({"0", "1"}),
                        SC_PLACES({"1", "1"}), NULL, "no kind");
    CHECK(w.is_spoilt);
    sc_working_clear(&w);
}

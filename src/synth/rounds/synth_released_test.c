#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "synth/rounds/synth_released.h"

#include <stdio.h>
#include <string.h>

static const char *const text =
    "synth 1\nmethod aim\nneighbours replace\nmax-rows 3\ncolumns 2,3\ncompressed no\n"
    "absent 2\nfit 60,30,400,30\npasses 0,0\ninherited 2\ncap 131072\ntotal "
    "1099511627776\nstep 0 1 0 0 0 "
    "gaussian "
    "640 -5,7\n"
    "step 1 3 4294967295 6 3 gaussian 1 1,2,3,4,-274877906944,274877906944\n"
    "step 2 q17 1 1 2 laplace 128 -9\n";

TEST(synth_released_reads_back)
{
    CLAIM("synth-released.back");
    sc_synth_released r;
    char *again = NULL;
    sc_synth_released_init(&r);
    REQUIRE_OK(sc_synth_released_read(sc_text_of(text), &r, NULL));
    CHECK_INT(r.method, SC_SYNTH_AIM);
    CHECK_INT(r.neighbours, SCRIM_REPLACE);
    CHECK_INT(r.rows, 3);
    CHECK_INT(r.columns.count, 2);
    CHECK_INT(r.columns.sizes[1], 3);
    CHECK_INT(r.total, (int64_t)1 << 40);
    CHECK_INT(r.absent, 2);
    CHECK_INT(r.inherited, 2);
    CHECK_INT(r.cap, 131072);
    CHECK_INT(r.round_fit.iterations, 60);
    CHECK_INT(r.fit.growth_percent, 30);
    CHECK_INT(r.count, 3);
    CHECK_INT(r.steps[0].counts[0], -5);
    CHECK_INT(r.steps[1].rate, 4294967295);
    CHECK_INT(r.steps[1].move, 6);
    CHECK_INT(r.steps[1].candidates, 3);
    CHECK_INT(r.steps[1].counts[5], SC_SYNTH_NOISY_MAX);
    CHECK_INT(r.steps[1].counts[4], -SC_SYNTH_NOISY_MAX);
    CHECK(r.steps[2].is_query && r.steps[2].query == 17);
    CHECK_INT(r.steps[2].noise, SC_SYNTH_LAPLACE);
    REQUIRE_OK(sc_synth_released_write(&r, &again, NULL));
    CHECK_STR(again, text);
    sc_free(again);
    sc_synth_released_clear(&r);
}

/* Any change of one byte is refused, or is another release with that text. */
TEST(synth_released_refuses_other_texts)
{
    CLAIM("synth-released.back");
    char changed[800];
    const size_t bytes = strlen(text);
    for (size_t i = 0; i < bytes; i++)
        for (int k = 0; k < 4; k++) {
            static const char marks[] = {'0', ' ', '\n', 'x'};
            sc_synth_released r;
            char *again = NULL;
            snprintf(changed, sizeof changed, "%s", text);
            changed[i] = marks[k];
            sc_synth_released_init(&r);
            if (sc_synth_released_read(sc_text_of(changed), &r, NULL) != SCRIM_OK) {
                CHECK_INT(r.count, 0);
                continue;
            }
            CHECK_STATUS(sc_synth_released_write(&r, &again, NULL), SCRIM_OK);
            CHECK_STR(again, changed);
            sc_free(again);
            sc_synth_released_clear(&r);
        }
    static const char *const others[] = {
        "",
        "synth 2\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 2\nfit 0,0,1,1\npasses 0,0\ninherited 0\ncap 0\ntotal 1\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 0\nfit 0,0,1000001,1\npasses 0,0\ninherited 0\ncap 0\ntotal 1\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 0\nfit 0,0,1,1\npasses 0,0\ninherited 1\ncap 0\ntotal 1\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 0\ncompressed "
        "no\nabsent 0\nfit 0,0,1,1\npasses 0,0\ninherited 0\ncap 0\ntotal 1\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 0\nfit 0,0,1,1\npasses 0,0\ninherited 0\ncap 0\ntotal 0\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 0\nfit 0,0,1,1\npasses 0,0\ninherited 0\ncap 0\ntotal 1\nstep 0 2 0 "
        "0 0 gaussian 1 1,2\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 0\nfit 0,0,1,1\npasses 0,0\ninherited 0\ncap 0\ntotal 1\nstep 0 1 0 "
        "0 0 gaussian 0 "
        "1,2\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 0\nfit 0,0,1,1\npasses 0,0\ninherited 0\ncap 0\ntotal 1\nstep 0 1 0 "
        "0 0 gaussian 1 1,274877906945\n",
        "synth 1\nmethod mst\nneighbours add-remove\nmax-rows 1\ncolumns 2\ncompressed "
        "no\nabsent 0\nfit 0,0,1,1\npasses 0,0\ninherited 0\ncap 0\ntotal 1\nstep 0 1 0 "
        "0 0 gaussian 1 1,-274877906945\n"};
    for (size_t i = 0; i < COUNT(others); i++) {
        sc_synth_released r;
        sc_synth_released_init(&r);
        CHECK_STATUS(sc_synth_released_read(sc_text_of(others[i]), &r, NULL),
                     SCRIM_E_CHECK);
    }
}

TEST(synth_released_survives_a_lack_of_memory)
{
    int shown = 0;
    FAULT_LOOP(fault)
    {
        sc_synth_released r;
        sc_synth_released_init(&r);
        const scrim_status status = sc_synth_released_read(sc_text_of(text), &r, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        shown += status == SCRIM_OK;
        sc_synth_released_clear(&r);
    }
    CHECK_INT(shown, 1);
}

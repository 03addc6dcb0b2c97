#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "synth/rounds/aim.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/synth_released.h"
#include "synth_scene.h"

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

static const sc_synth_columns columns = {.count = 3, .sizes = {6, 2, 3}};
static const sc_round_unit single = {SCRIM_ADD_REMOVE, 1};

/* Values 4 and 5 of the first column are rare. */
static sc_records *table(void)
{
    uint32_t codes[3 * 400];
    for (uint32_t i = 0; i < 400; i++) {
        codes[(size_t)3 * i] = i % 100 == 0 ? 4 : i % 4;
        codes[3 * i + 1] = codes[(size_t)3 * i] / 2 % 2;
        codes[3 * i + 2] = (i / 4) % 3;
    }
    return synth_records(&columns, codes, 400);
}

static scrim_status run(sc_rounds *rounds, bool is_aim)
{
    sc_mst_plan mst;
    sc_aim_plan aim;
    sc_mst_plan_init(&mst);
    sc_aim_plan_init(&aim);
    const scrim_status status =
        is_aim ? sc_aim_run(rounds, &aim, NULL) : sc_mst_run(rounds, &mst, NULL);
    sc_aim_plan_clear(&aim);
    sc_mst_plan_clear(&mst);
    return status;
}

/* The counts of all columns together. */
static size_t counts_of(const sc_synth_released *r, const sc_released_options *options,
                        int64_t out[36])
{
    sc_recoding recoding;
    sc_synth_columns recoded;
    sc_synth_model *model = NULL;
    size_t cells = 0;
    sc_recoding_init(&recoding);
    if (CHECK_STATUS(sc_released_model(r, options, &recoding, &model, NULL), SCRIM_OK)) {
        sc_recoding_columns(&recoding, &recoded);
        cells = (size_t)sc_clique_cells(&recoded, 7);
        CHECK_STATUS(sc_synth_model_counts(model, 7, out, NULL), SCRIM_OK);
    }
    sc_synth_model_free(model);
    sc_recoding_clear(&recoding);
    return cells;
}

TEST(released_model_is_the_same_from_its_text)
{
    CLAIM("released-model.same");
    for (int is_aim = 0; is_aim < 2; is_aim++) {
        synth_scene s;
        sc_synth_released read;
        char *written = NULL;
        int64_t first[36] = {0}, second[36] = {0};
        sc_records *records = table();
        REQUIRE(records != NULL && synth_scene_open(&s, records, &single, "1", 9));
        REQUIRE_OK(run(&s.rounds, is_aim == 1));
        REQUIRE_OK(sc_synth_released_write(&s.released, &written, NULL));
        sc_synth_released_init(&read);
        REQUIRE_OK(sc_synth_released_read(sc_text_of(written), &read, NULL));
        const sc_released_options options = {.zero_count = 0};
        const size_t cells = counts_of(&s.released, &options, first);
        CHECK_INT(cells, is_aim == 1 ? 36 : 5 * 2 * 3); /* compressed */
        CHECK_INT(counts_of(&read, &options, second), cells);
        int64_t sum = 0;
        for (size_t i = 0; i < cells; i++) {
            CHECK_INT(second[i], first[i]);
            sum += first[i];
        }
        CHECK(llabs(sum - s.released.total) <= 20);
        sc_synth_released_clear(&read);
        sc_free(written);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

/* No row of the model is in an impossible cell; a merged cell is impossible where all that it stands for is. */
TEST(released_model_keeps_structural_zeros)
{
    CLAIM("released-model.same");
    bool is_impossible[12] = {false};    /* of columns 0 and 1 */
    is_impossible[1] = true;             /* (0, 1) */
    is_impossible[(size_t)2 * 4] = true; /* (4, 0), but (5, 0) is possible */
    const sc_synth_zero zero = {3, is_impossible};
    const sc_released_options options = {.zeros = &zero, .zero_count = 1};
    synth_scene s;
    int64_t counts[36] = {0};
    sc_records *records = table();
    REQUIRE(records != NULL && synth_scene_open(&s, records, &single, "1/100", 9));
    REQUIRE_OK(run(&s.rounds, false));
    const size_t cells = counts_of(&s.released, &options, counts);
    CHECK(cells > 6);
    CHECK_INT(counts[3] + counts[4] + counts[5], 0);
    int64_t rare = 0;
    for (size_t i = cells - 6; i < cells - 3; i++)
        rare += counts[i];
    CHECK(rare >= 0);
    synth_scene_close(&s);
    sc_records_free(records);
}

TEST(released_model_refuses_other_numbers)
{
    synth_scene s;
    sc_recoding recoding;
    sc_synth_model *model = NULL;
    sc_weight_model *weights = NULL;
    const sc_released_options options = {.zero_count = 0};
    sc_records *records = table();
    REQUIRE(records != NULL && synth_scene_open(&s, records, &single, "1", 9));
    REQUIRE_OK(run(&s.rounds, false));
    sc_recoding_init(&recoding);
    CHECK_STATUS(sc_released_weights(&s.released, &options, &weights, NULL),
                 SCRIM_E_CHECK);
    s.released.steps[4].cells--;
    CHECK_STATUS(sc_released_model(&s.released, &options, &recoding, &model, NULL),
                 SCRIM_E_CHECK);
    s.released.steps[4].cells++;
    s.released.steps[0].clique = 2;
    sc_recoding_clear(&recoding);
    CHECK_STATUS(sc_released_model(&s.released, &options, &recoding, &model, NULL),
                 SCRIM_E_CHECK);
    s.released.method = SC_SYNTH_MWEM;
    CHECK_STATUS(sc_released_model(&s.released, &options, &recoding, &model, NULL),
                 SCRIM_E_CHECK);
    CHECK(model == NULL && weights == NULL);
    synth_scene_close(&s);
    sc_records_free(records);
}

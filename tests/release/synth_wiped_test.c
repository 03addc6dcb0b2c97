/* Rows as they become records, and values as keys are selected: nothing of them stays on the stack or in memory that is
 * given back. */
#include "check.h"
#include "query/query_scene.h"
#include "random/bits_tape.h"
#include "remains.h"
#include "synth/release/record_reader.h"

#include <stdio.h>
#include <string.h>

typedef struct coding {
    scrim_synth *synth;
    sc_record_reader reader;
    scrim_status status;
} coding;

static void code_rows(void *context)
{
    coding *k = context;
    k->status = sc_record_reader_code(&k->reader, &k->synth->domain, NULL, NULL);
}

/* A row of four columns: its codes side by side, and a value of it with the place of a text behind it. */
TEST(synth_reader_leaves_no_row_on_the_stack)
{
    CLAIM("records.wiped");
    CLAIM("record-reader.room");
    static const uint32_t codes[] = {123, 181, 163, 139};
    static const int64_t value[] = {1234567891, 0};
    const char *const cuts[] = {"a=10000000", "b=1", "c=1", "d=1"};
    const void *const secrets[] = {codes, value};
    query_scene s;
    sc_tape *tape = NULL;
    static const char row[] = "1234567891,181,163,139\n";
    char text[1000] = "a,b,c,d\n";
    for (size_t i = 0, at = strlen(text); i < 20; i++, at += sizeof row - 1)
        memcpy(text + at, row, sizeof row);
    REQUIRE_OK(sc_tape_seeded(3, &tape, NULL));
    if (query_scene_begin(&s,
                          "unit=row\ncolumn=a=int[0,2000000000]\ncolumn=b=int[0,199]\n"
                          "column=c=int[0,199]\ncolumn=d=int[0,199]\n"
                          "budget=epsilon=1,delta=0.1\n",
                          text)) {
        for (size_t i = 0; i < COUNT(secrets); i++) {
            coding k = {.synth = NULL};
            sc_charged_room room = {.bytes = 0};
            masked secret;
            masked_set(&secret, secrets[i]);
            REQUIRE_OK(scrim_synth_new(s.vault, "people",
                                       SCRIM_OPTIONS(scrim_synth_options, .epsilon = "1",
                                                     .delta = "1e-6", .cuts = cuts,
                                                     .cut_count = COUNT(cuts)),
                                       &k.synth, &s.error));
            k.reader.synth = k.synth;
            REQUIRE_OK(sc_record_reader_open(&k.reader, &(sc_pass_options){0},
                                             sc_tape_bits_of(tape), &room, &s.error));
            REQUIRE_OK(sc_record_reader_take(&k.reader, &s.error));
            /* The room counts 8 bytes and four codes of a byte for each row that the source can have. */
            CHECK(room.bytes >= sc_pass_room_bytes(k.reader.pass) +
                                    12 * sc_pass_most_different_rows(k.reader.pass));
            REQUIRE_OK(sc_pass_run(k.reader.pass, &s.error));
            freed_watch(&secret);
            remains_run(code_rows, &k);
            CHECK_STATUS(k.status, SCRIM_OK);
            sc_record_reader_close(&k.reader);
            CHECK_INT(freed_remains(), 0);
            CHECK_INT(stack_remains(&secret), 0);
            scrim_synth_free(k.synth);
        }
    }
    query_scene_end(&s);
    sc_tape_free(tape);
}

typedef struct releasing {
    query_scene scene;
    scrim_synth *synth;
    scrim_synth_release *release;
    scrim_status status;
} releasing;

static void release_rows(void *context)
{
    releasing *r = context;
    r->status = scrim_synth_run(r->scene.vault, r->synth, &r->release, &r->scene.error);
}

/* A value that one person has is nowhere once a release without it is made. */
SLOW_TEST(synth_private_keys_that_are_not_kept_are_wiped)
{
    CLAIM("found-keys.mechanism");
    const char *job = "job";
    static char text[20000];
    releasing r = {.synth = NULL};
    masked secret;
    masked_set(&secret, "distinguishment of one");
    size_t used = (size_t)snprintf(text, sizeof text, "job,sex\n");
    for (int i = 0; i < 300; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s,f\n",
                                 i == 150 ? "distinguishment of one" : "clerk");
    if (query_scene_begin(&r.scene,
                          "unit=row\ncolumn=job=text\ncolumn=sex=text\nkeys=sex=f,m\n"
                          "budget=epsilon=1000,delta=0.1\n",
                          text)) {
        memset(text, 0, sizeof text);
        REQUIRE_OK(scrim_synth_new(r.scene.vault, "people",
                                   SCRIM_OPTIONS(scrim_synth_options, .epsilon = "10",
                                                 .delta = "1e-6", .private_keys = &job,
                                                 .private_key_count = 1),
                                   &r.synth, &r.scene.error));
        freed_watch(&secret);
        remains_run(release_rows, &r);
        CHECK_STATUS(r.status, SCRIM_OK);
        CHECK_INT(freed_remains(), 0);
        CHECK_INT(stack_remains(&secret), 0);
        scrim_synth_release_free(r.release);
        scrim_synth_free(r.synth);
    }
    query_scene_end(&r.scene);
}

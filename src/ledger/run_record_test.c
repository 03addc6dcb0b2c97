#include "base/memory.h"
#include "check.h"
#include "ledger/run_record.h"

#include <string.h>

TEST(run_record_reads_back_what_it_wrote)
{
    CLAIM("run-record.line");
    static const struct {
        sc_run_piece piece;
        const char *text;
    } all[] = {
        {{.mark = SC_MARK_BELOW}, "below"},
        {{.mark = SC_MARK_ABOVE}, "above"},
        {{.mark = SC_MARK_ABOVE_VALUE, .value = -4}, "above=-4"},
        {{.mark = SC_MARK_ABOVE_VALUE, .value = 0}, "above=0"},
        {{.mark = SC_MARK_BELOW, .has_halted = true}, "below halted"},
        {{.mark = SC_MARK_ABOVE_VALUE, .value = SC_INT128_MIN, .has_halted = true},
         "above=-170141183460469231731687303715884105728 halted"},
    };
    sc_run_record written = {0}, read = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[SC_RUN_PIECE_BYTES];
        sc_run_piece back;
        sc_run_piece_format(&all[i].piece, text);
        CHECK_STR(text, all[i].text);
        REQUIRE(sc_run_piece_read(sc_text_of(text), &back));
        CHECK(back.mark == all[i].piece.mark && back.value == all[i].piece.value &&
              back.has_halted == all[i].piece.has_halted);
        REQUIRE(sc_run_record_reserve(&written) && sc_run_record_reserve(&read));
        sc_run_record_add(&written, &all[i].piece);
        sc_run_record_add(&read, &back);
    }
    char *one = sc_run_record_line(&written), *two = sc_run_record_line(&read);
    REQUIRE(one != NULL && two != NULL);
    CHECK_STR(one, two);
    CHECK_STR(one, "asked=6 above=2,3=-4,4=0,6=-170141183460469231731687303715884105728 "
                   "halted");
    sc_free(one);
    sc_free(two);
    sc_run_record_clear(&written);
    sc_run_record_clear(&read);
}

TEST(run_record_takes_no_other_piece)
{
    static const char *const wrong[] = {
        "",          "Below",      "below ",
        "above=",    "above=+4",   "above=04",
        "above=1.0", "above=1/2",  "above=-0",
        "below=1",   "halted",     "above halted ",
        " above",    "above stop", "above=170141183460469231731687303715884105728"};
    sc_run_piece piece;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!sc_run_piece_read(sc_text_of(wrong[i]), &piece));
}

#include "check.h"
#include "cli/sheet/remainder_view.h"

#include <string.h>

TEST(remainder_view_names_the_share_and_the_whole_budget)
{
    char text[SC_REMAINDER_BYTES];
    scrim_remainder left = {.whole = "2.1", .whole_delta = "0"};
    CHECK(!sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "");
    strcpy(left.share, "1.7");
    CHECK(sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "epsilon 1.7 of your share, 2.1 of the whole budget");
    strcpy(left.whole_delta, "0.000002");
    CHECK(sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "epsilon 1.7 of your share; epsilon 2.1, delta 2e-6 of the whole "
                    "budget");
    strcpy(left.share_delta, "0.000001");
    CHECK(sc_remainder_format("rho", &left, text));
    CHECK_STR(text, "rho 1.7, delta 1e-6 of your share; rho 2.1, delta 2e-6 of the whole "
                    "budget");
    strcpy(left.share, "");
    strcpy(left.share_delta, "0.000001");
    CHECK(sc_remainder_format("epsilon", &left, text));
    CHECK_STR(text, "delta 1e-6 of your share; epsilon 2.1, delta 2e-6 of the whole "
                    "budget");
}

TEST(remainder_view_json_has_both_limits)
{
    static sc_output output;
    sc_json json;
    scrim_remainder left = {.whole = "2.1", .whole_delta = "0"};
    sc_output_init(&output, -1);
    sc_json_init(&json, &output);
    sc_json_object(&json, NULL);
    sc_remainder_json(&json, &left);
    strcpy(left.share, "1/3");
    sc_remainder_json(&json, &left);
    sc_json_end(&json);
    output.bytes[output.used] = '\0';
    CHECK_STR(output.bytes, "{\"share_left\": \"1/3\", \"share_left_delta\": null, "
                            "\"whole_left\": \"2.1\", \"whole_left_delta\": \"0\"}\n");
}

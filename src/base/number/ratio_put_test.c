#include "base/number/ratio.h"
#include "check.h"

TEST(ratio_put_writes_a_name_and_a_number)
{
    char text[32], few[8];
    sc_text_sink sink;
    sc_ratio x;
    sc_ratio_init(&x);
    sc_ratio_set_quotient(&x, -1, 3);
    sc_text_sink_init(&sink, text, sizeof text);
    sc_ratio_put(&sink, " rho=", &x);
    sc_ratio_put(&sink, "", &x);
    CHECK_STR(text, " rho=-1/3-1/3");
    CHECK_INT(sink.length, 13);
    /* Where there is no room it is counted. */
    sc_text_sink_init(&sink, few, sizeof few);
    sc_ratio_put(&sink, " rho=", &x);
    CHECK_STR(few, " rho=-1");
    CHECK_INT(sink.length, 9);
    sc_ratio_clear(&x);
}

#include "base/number/ratio_put.h"

void sc_ratio_put(sc_text_sink *sink, const char *before, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    (void)sc_ratio_format(x, text, sizeof text);
    sc_text_put(sink, sc_text_of(before));
    sc_text_put(sink, sc_text_of(text));
}

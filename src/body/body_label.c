/* The label that a body carries in its file: what was released, what it estimates, and what it cost. */
#include "body/body_record.h"

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_number(sc_text_sink *sink, uint64_t number)
{
    char text[SC_INT128_BYTES];
    (void)sc_int128_format((sc_int128)number, text);
    put(sink, text);
}

static void put_upper(sc_text_sink *sink, const sc_ratio *x)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_cost_put_upper(x, text);
    sc_cost_say(text, true);
    put(sink, text);
}

/* Is it sure that the exact body is not empty? q > 1 - 1/(d + 1). */
static bool is_never_empty(const sc_body *b)
{
    SC_OWN(sc_ratio, least, all);
    sc_ratio_set_int64(&least, (int64_t)b->dimension);
    sc_ratio_set_int64(&all, (int64_t)b->dimension + 1);
    sc_ratio_div(&least, &least, &all);
    return sc_ratio_compare(&b->q, &least) > 0;
}

static void put_label(const sc_body *b, sc_text_sink *sink)
{
    put(sink, "Dataset ");
    put(sink, b->texts[SC_BODY_DATASET]);
    put(sink, ", version ");
    put_number(sink, b->version);
    put(sink, ", release ");
    put_number(sink, b->release);
    put(sink, ".\nPrivacy: epsilon ");
    put_upper(sink, &b->epsilon);
    if (sc_ratio_sign(&b->delta) > 0) {
        put(sink, ", delta ");
        put_upper(sink, &b->delta);
    }
    put(sink, ", neighbours ");
    put(sink, b->texts[SC_BODY_NEIGHBOURS]);
    put(sink, ", at most ");
    put_number(sink, b->max_rows);
    put(sink, b->max_rows == 1 ? " row" : " rows");
    put(sink, " of a unit. Each of ");
    put_number(sink, b->row_count);
    put(sink, " directions has epsilon ");
    put_upper(sink, &b->epsilon_each);
    put(sink, ", composed ");
    put(sink, b->texts[SC_BODY_COMPOSITION]);
    put(sink, ".\nIt estimates the region that these directions (");
    put(sink, b->texts[SC_BODY_KIND]);
    put(sink, ") cut: each half-space holds about a share q of the rows. The region "
              "of all directions lies inside of it.\n");
    put(sink, "Values were clamped to the declared ranges, and rows with a missing "
              "value lie at the lower end of every direction.\n");
    if (!is_never_empty(b))
        put(sink, "With this q the region may be empty for some data.\n");
}

scrim_status sc_body_label_write(sc_body *b, scrim_error *error)
{
    char text[2048];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    put_label(b, &sink);
    return sc_body_set_text(b, SC_BODY_LABEL, text, error);
}

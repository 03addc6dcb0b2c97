#include "query/label/label_synth.h"

#include "query/label/label_line.h"

#include <string.h>

static const char word[] = "synth ";

bool sc_label_is_synth(sc_text measurement)
{
    return measurement.bytes >= sizeof word - 1 &&
           memcmp(measurement.start, word, sizeof word - 1) == 0;
}

scrim_status sc_label_synth_read(sc_label_maker *m, scrim_error *error)
{
    return sc_label_line_read(m, error);
}

scrim_status sc_label_synth_put(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement;
    const sc_text method = sc_label_told(line, "method");
    const bool is_pure = sc_label_told(line, "rho").bytes == 0;
    size_t number = 0;
    (void)error;
    sc_label_put_number(m->label, "mechanism.1.question", 1);
    if (sc_text_is(method, "smalldb"))
        sc_label_put(m->label, "mechanism.1.what",
                     sc_text_of("one selection by the exponential mechanism among all "
                                "tables of a size; it costs as much as"));
    else
        sc_label_print(
            m->label, "mechanism.1.what",
            "selections by %s and counts with %s noise, in rounds of %.*s; each "
            "takes its cost out of the total, and all together cost at most as "
            "much as",
            is_pure ? "permute-and-flip" : "the exponential mechanism",
            is_pure ? "discrete Laplace" : "discrete Gaussian", (int)method.bytes,
            method.start);
    sc_label_put(m->label, "mechanism.1.line", sc_text_of(m->parts[0].line));
    sc_label_put_number(m->label, "mechanism.1.copies", 1);
    for (size_t i = 0; i < m->schema->column_count; i++)
        if (sc_label_is_named(line, m->schema->columns[i].name))
            sc_label_put_column(m, ++number, &m->schema->columns[i]);
    sc_label_put_unprotected(m);
    sc_label_put(m->label, "post-processing.1",
                 sc_text_of("a model is fitted to the noisy counts, and rows are drawn "
                            "from it; both are computed from what was released"));
    sc_label_put(m->label, "accuracy.statement",
                 sc_text_of("measured counts have intervals, which a report of the "
                            "rows shows; all else is known from the model only"));
    return SCRIM_OK;
}

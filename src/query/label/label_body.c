#include "query/label/label_line.h"
#include "query/label/label_part.h"

static const char body_word[] = "floating-body", point_word[] = "deep-point";

static bool begins(sc_text measurement, const char *word)
{
    sc_text rest = measurement, first;
    return sc_text_word(&rest, &first) && sc_text_is(first, word);
}

bool sc_label_is_body(sc_text measurement)
{
    return begins(measurement, body_word) || begins(measurement, point_word);
}

scrim_status sc_label_body_read(sc_label_maker *m, scrim_error *error)
{
    return sc_label_line_read(m, error);
}

scrim_status sc_label_body_put(sc_label_maker *m, scrim_error *error)
{
    const char *line = m->source->release.measurement;
    const sc_text count = sc_label_told(line, "count"), q = sc_label_told(line, "q"),
                  kind = sc_label_told(line, "directions");
    const bool is_point = begins(sc_text_of(line), point_word);
    size_t number = 0;
    (void)error;
    sc_label_put_number(m->label, "mechanism.1.question", 1);
    if (is_point)
        sc_label_print(m->label, "mechanism.1.what",
                       "one selection by the exponential mechanism on depth over %.*s "
                       "public directions (%.*s); it costs as much as",
                       (int)count.bytes, count.start, (int)kind.bytes, kind.start);
    else
        sc_label_print(m->label, "mechanism.1.what",
                       "a quantile at %.*s in each of %.*s public directions (%.*s), by "
                       "the exponential mechanism on ranks; all together cost as much as",
                       (int)q.bytes, q.start, (int)count.bytes, count.start,
                       (int)kind.bytes, kind.start);
    sc_label_put(m->label, "mechanism.1.line", sc_text_of(m->parts[0].line));
    sc_label_put_number(m->label, "mechanism.1.copies", 1);
    for (size_t i = 0; i < m->schema->column_count; i++)
        if (sc_label_is_named(line, m->schema->columns[i].name))
            sc_label_put_column(m, ++number, &m->schema->columns[i]);
    sc_label_put_unprotected(m);
    sc_label_put(m->label, "post-processing.1",
                 sc_text_of("all geometry of a body is computed from the released "
                            "quantiles"));
    sc_label_put(m->label, "accuracy.statement",
                 sc_text_of("ranks of quantiles have a bound, which the plan of the "
                            "release shows; a body is that of its directions"));
    return SCRIM_OK;
}

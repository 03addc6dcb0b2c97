#include "query/plan_select.h"

#include "mechanism/catalogue.h"
#include "mechanism/threshold/kept_size.h"

#define LINE_BYTES 1024

static const char *const names[SC_PLAN_CHOICES] = {
    "partition-selection", "threshold-laplace", "threshold-gaussian"};
/* The first of them shows no counts. */
#define SHOWING 1

bool sc_plan_select_shows(const sc_plan_statement *s)
{
    if (s->keys_kind != SC_PLAN_DISCOVERED || s->max_groups == 1)
        return false;
    for (size_t i = 0; i < s->statistics.count; i++)
        if (s->statistics.list[i].kind == SC_STATISTIC_UNITS)
            return true;
    return false;
}

static void put_ratio(sc_text_sink *line, const char *key, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    sc_text_put(line, sc_text_of(key));
    sc_text_put(line, sc_text_of(text));
}

static scrim_status make(const char *name, const sc_plan_statement *s,
                         scrim_neighbours neighbours, const sc_ratio *epsilon,
                         const sc_ratio *delta, scrim_measurement **out,
                         scrim_error *error)
{
    char text[LINE_BYTES];
    sc_text_sink line;
    sc_ratio groups;
    sc_ratio_init(&groups);
    sc_ratio_set_int64(&groups, (int64_t)s->max_groups);
    sc_text_sink_init(&line, text, sizeof text);
    sc_text_put(&line, sc_text_of(name));
    put_ratio(&line, " epsilon=", epsilon);
    put_ratio(&line, " delta=", delta);
    put_ratio(&line, " max-groups=", &groups);
    sc_text_put(&line, sc_text_of(" neighbours="));
    sc_text_put(&line, sc_text_of(scrim_neighbours_name(neighbours)));
    sc_ratio_clear(&groups);
    return scrim_measurement_parse(text, out, error);
}

static bool set_sizes(sc_plan_choice *choice)
{
    sc_ratio p, twenty;
    sc_ratio_init(&p);
    sc_ratio_init(&twenty);
    sc_ratio_set_int64(&p, 10);
    sc_ratio_set_int64(&twenty, 20);
    sc_ratio_div(&p, &p, &twenty);
    bool is_known = sc_threshold_kept_size(choice->measurement, &p, &choice->half);
    sc_ratio_set_int64(&p, 19);
    sc_ratio_div(&p, &p, &twenty);
    is_known = is_known && sc_threshold_kept_size(choice->measurement, &p, &choice->most);
    sc_ratio_clear(&twenty);
    sc_ratio_clear(&p);
    return is_known;
}

scrim_status sc_plan_select(const sc_plan_statement *s, scrim_neighbours neighbours,
                            const sc_ratio *epsilon, const sc_ratio *delta,
                            sc_plan_choice *choices, size_t *count,
                            scrim_measurement **made, scrim_error *error)
{
    const bool must_show = sc_plan_select_shows(s);
    sc_plan_choice *best = NULL;
    scrim_status status = SCRIM_OK;
    *count = 0;
    for (size_t i = 0; i < SC_PLAN_CHOICES; i++) {
        /* Of one group a unit nothing is better than the first. */
        if (sc_catalogue_find(sc_text_of(names[i]), NULL) == NULL ||
            (i > 0 && *count > 0 && s->max_groups == 1))
            continue;
        sc_plan_choice *choice = &choices[*count];
        status = make(names[i], s, neighbours, epsilon, delta, &made[*count], error);
        if (status == SCRIM_E_LIMIT)
            continue; /* perhaps another one can */
        if (status != SCRIM_OK)
            return status;
        *choice = (sc_plan_choice){.measurement = made[(*count)++]};
        if (!set_sizes(choice))
            return sc_fail(error, SCRIM_E_LIMIT,
                           "no group is large enough to be kept at this epsilon and "
                           "delta; choose larger ones");
        if ((i >= SHOWING || !must_show) && (best == NULL || choice->half < best->half))
            best = choice;
    }
    if (best == NULL)
        return status == SCRIM_OK
                   ? sc_fail(error, SCRIM_E_INTERNAL, "no way to choose keys")
                   : status;
    best->is_chosen = true;
    return SCRIM_OK;
}

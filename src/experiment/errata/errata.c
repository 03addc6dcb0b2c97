#include "experiment/errata/erratum.h"

#include <stdlib.h>
#include <string.h>

static const scrim_document documents[] = {
    {"000",
     "Extending the Foundations of Differential Privacy: Robustness and Flexibility",
     "anonymous draft"},
    {"001", "Flexible Accuracy for Differential Privacy",
     "Aman Bansal, Rahul Chunduru, Deepesh Data, Manoj Prabhakaran"},
    {"002", "Differential Privacy: Ideas, Concepts and Advances", "Saswat Das"},
    {"003",
     "Archimedes Meets Privacy: On Privately Estimating Quantiles in High Dimensions "
     "Under Minimal Assumptions, appendices A to F",
     "Omri Ben-Eliezer, Dan Mikulincer, Ilias Zadik"},
    {"004",
     "Suppression Strikes Back: On the Interaction of Thresholding and Differential "
     "Privacy",
     "Xi Wu, Wentao Wu, Chen Zeng, Jeffrey F. Naughton"},
};

static const char *const kinds[] = {"false",     "loose",    "gap",
                                    "ambiguous", "typo",     "misleading",
                                    "unproved",  "unusable", "unreadable"};

static const sc_errata_section *const sections[] = {
    &sc_errata_robustness,
    &sc_errata_histogram,
    &sc_errata_foundations,
    &sc_errata_mechanisms,
    &sc_errata_sparse,
    &sc_errata_local,
    &sc_errata_renyi,
    &sc_errata_microdata,
    &sc_errata_floating,
    &sc_errata_threshold,
    NULL,
};

const scrim_document *scrim_document_at(size_t index)
{
    return index < sizeof documents / sizeof *documents ? &documents[index] : NULL;
}

const scrim_document *scrim_document_find(const char *number)
{
    const scrim_document *document;
    for (size_t i = 0; (document = scrim_document_at(i)) != NULL; i++)
        if (strcmp(document->number, number) == 0)
            return document;
    return NULL;
}

const char *scrim_erratum_kind_at(size_t index)
{
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

static const sc_erratum *row_at(size_t index)
{
    for (size_t i = 0; sections[i] != NULL; i++) {
        if (index < sections[i]->count)
            return &sections[i]->rows[index];
        index -= sections[i]->count;
    }
    return NULL;
}

const sc_erratum *sc_erratum_find(unsigned number)
{
    const sc_erratum *row;
    for (size_t i = 0; (row = row_at(i)) != NULL; i++)
        if (row->facts.number == number)
            return row;
    return NULL;
}

void sc_erratum_work(const sc_erratum *erratum, sc_working *w)
{
    static void (*const add[])(sc_working * w, const char *formula, const char *what) = {
        [SC_WORKING_INPUT] = sc_working_input,
        [SC_WORKING_STEP] = sc_working_step,
        [SC_WORKING_CLAIMED] = sc_working_claimed,
        [SC_WORKING_TRUE] = sc_working_true};
    if (erratum->run != NULL)
        erratum->run(w);
    for (const sc_erratum_step *s = erratum->steps; s != NULL && s->what != NULL; s++)
        if (s->formula != NULL)
            add[s->part](w, s->formula, s->what);
        else
            sc_working_say(w, s->part, s->what, "%s", s->said);
}

const scrim_erratum *scrim_erratum_at(size_t index)
{
    const sc_erratum *row = row_at(index);
    return row == NULL ? NULL : &row->facts;
}

const scrim_erratum *scrim_erratum_find(unsigned number)
{
    const sc_erratum *row = sc_erratum_find(number);
    return row == NULL ? NULL : &row->facts;
}

struct scrim_erratum_report {
    sc_working working;
    scrim_erratum_line lines[SC_WORKING_LINES];
};

static void fill_lines(scrim_erratum_report *report)
{
    for (size_t i = 0; i < report->working.count; i++) {
        const sc_working_line *line = &report->working.lines[i];
        report->lines[i] = (scrim_erratum_line){
            .part = sc_working_part_name(line->part),
            .what = line->what,
            .formula = line->formula,
            .value = line->value,
        };
    }
}

scrim_status scrim_erratum_run(unsigned number, scrim_erratum_report **out,
                               scrim_error *error)
{
    const sc_erratum *row = sc_erratum_find(number);
    if (row == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "number",
                           "no erratum has the number %u", number);
    if (!row->runs)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "number",
                           "erratum %u has no counterexample to compute", number);
    scrim_erratum_report *report = malloc(sizeof *report);
    if (report == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for an erratum");
    SC_BALL_SCOPE(scope);
    sc_working_init(&report->working);
    sc_erratum_work(row, &report->working);
    if (report->working.is_spoilt) {
        const scrim_status status =
            sc_fail(error, SCRIM_E_INTERNAL, "erratum %u: cannot compute '%s'", number,
                    report->working.fault);
        scrim_erratum_report_free(report);
        return status;
    }
    fill_lines(report);
    *out = report;
    return SCRIM_OK;
}

const scrim_erratum_line *scrim_erratum_line_at(const scrim_erratum_report *report,
                                                size_t index)
{
    return index < report->working.count ? &report->lines[index] : NULL;
}

void scrim_erratum_report_free(scrim_erratum_report *report)
{
    if (report == NULL)
        return;
    sc_working_clear(&report->working);
    free(report);
}

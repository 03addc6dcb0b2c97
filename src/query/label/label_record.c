#include "base/status.h"
#include "base/text_copy.h"
#include "query/answer/result.h"
#include "query/label/label.h"

#include <string.h>

static const char *get(const scrim_label *label, const char *key)
{
    const char *value = scrim_label_get(label, key);
    return value == NULL ? "" : value;
}

static scrim_status fail_absent(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_STATE, "the label has no record of the answer");
}

static bool is_query(const scrim_label *label)
{
    return strcmp(get(label, "release.kind"), "query") == 0;
}

/* 0 where a label, which may be anything, does not say it. */
static uint64_t number_of(const scrim_label *label)
{
    uint64_t id = 0;
    return sc_text_uint64(sc_text_of(get(label, "release.number")), &id) ? id : 0;
}

scrim_status scrim_label_result(const scrim_label *label, scrim_result **out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "label out", label, out);
    const sc_result_origin origin = {.release = number_of(label), .is_repeated = true};
    if (label->record == NULL)
        return fail_absent(error);
    if (!is_query(label))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                           "the release is not the answer of a query");
    return sc_result_new(sc_text_of(label->record), NULL, &origin, out, error);
}

/* A terminated copy; NULL without memory. */
scrim_status scrim_label_release(const scrim_label *label, scrim_vault_release *out,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "label out", label, out);
    sc_text answer, note = {NULL, 0};
    if (label->record == NULL)
        return fail_absent(error);
    if (is_query(label))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                           "the release is the answer of a query");
    answer = sc_text_of(label->record);
    const bool has_note = sc_text_split(answer, '\n', &answer, &note);
    memset(out, 0, sizeof *out);
    out->id = number_of(label);
    out->state = SCRIM_ENTRY_RELEASED;
    out->measurement = sc_text_copy(sc_text_of(get(label, "release.question.1")));
    out->answer = sc_text_copy(answer);
    out->note = has_note ? sc_text_copy(note) : NULL;
    if (out->measurement != NULL && out->answer != NULL &&
        (!has_note || out->note != NULL))
        return SCRIM_OK;
    scrim_vault_release_clear(out);
    return sc_no_memory(error, "what was released");
}

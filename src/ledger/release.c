#include "ledger/release.h"

#include "base/memory.h"
#include "base/reserve.h"
#include "ledger/answer_record.h"
#include "ledger/bundle.h"
#include "ledger/draw.h"
#include "model/data_number.h"
#include "random/bits_system.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

scrim_status sc_release_check(const scrim_measurement *m, size_t count,
                              scrim_error *error)
{
    const sc_domain *domain = &m->domain;
    if (!m->is_for_data)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "measurement",
            "this measurement is a model; make it for data, with neighbours");
    if (m->mechanism->draw == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "%s is not released in one piece", m->mechanism->entry.name);
    if (m->mechanism->input_is_rows && m->cost.neighbours == SCRIM_ADD_REMOVE)
        return SCRIM_OK;
    if (count < domain->count_min || count > domain->count_max) {
        if (domain->count_max == SIZE_MAX)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "input",
                               "%s takes at least %zu values", m->mechanism->entry.name,
                               domain->count_min);
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "size",
                           "%s was made for %zu values; size=N says another number",
                           m->mechanism->entry.name, domain->count_max);
    }
    return SCRIM_OK;
}

scrim_status sc_release_bits_open(const scrim_ledger *ledger, sc_bits **out,
                                  scrim_error *error)
{
    if (ledger->bits == NULL)
        return sc_bits_system_open(out, error);
    *out = ledger->bits;
    return SCRIM_OK;
}

void sc_release_bits_close(const scrim_ledger *ledger, sc_bits *bits)
{
    if (bits != NULL && bits != ledger->bits)
        sc_bits_system_close(bits);
}

scrim_status sc_release_keyed_open(const scrim_ledger *ledger, const sc_bits_key *key,
                                   sc_bits_stream stream, sc_bits **out,
                                   scrim_error *error)
{
    if (ledger->bits == NULL)
        return sc_bits_keyed_open(key, stream, out, error);
    *out = ledger->bits;
    return SCRIM_OK;
}

void sc_release_keyed_close(const scrim_ledger *ledger, sc_bits *bits)
{
    if (bits != ledger->bits)
        sc_bits_keyed_close(bits);
}

/* One release under way. */
typedef struct single {
    scrim_ledger *ledger;
    const scrim_measurement *m;
    int64_t *steps; /* the input in its domain, where it had to be brought there */
    sc_private_input input;
    sc_draw draw;
    sc_bits *bits;
    uint64_t entry;
} single;

/* Rounding could add a step to the change of each value, and nobody has paid for that. */
static scrim_status refuse_rounding(const scrim_measurement *m, scrim_error *error)
{
    if (sc_measurement_has(m, "size"))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "whole",
            "%s: rounding can add to the sensitivity of these values; add whole=yes if "
            "each is an integer by definition, such as a count, or grid=STEP size=N",
            m->mechanism->entry.name);
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "whole",
        "%s: rounding can add to the sensitivity of these values; add whole=yes if each "
        "is a whole multiple of the grid's step by definition, such as a count",
        m->mechanism->entry.name);
}

/* Exactly one array, unless there is nothing in it. */
static scrim_status check_arrays(const scrim_input *input, scrim_error *error)
{
    int given =
        (input->integers != NULL) + (input->reals != NULL) + (input->texts != NULL);
    if (given > 1 || (given == 0 && input->count > 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "input",
                           "an input must have exactly one of integers, reals and texts");
    return SCRIM_OK;
}

scrim_status sc_release_check_input(const scrim_measurement *m, const scrim_input *input,
                                    scrim_error *error)
{
    const sc_given how = input->integers != NULL ? SC_GIVEN_INTEGERS
                         : input->reals != NULL  ? SC_GIVEN_REALS
                                                 : SC_GIVEN_TEXTS;
    scrim_status status = check_arrays(input, error);
    if (status == SCRIM_OK)
        status = sc_release_check(m, input->count, error);
    if (status == SCRIM_OK && !sc_domain_takes(&m->domain, how, input->count))
        status = refuse_rounding(m, error);
    return status;
}

static scrim_status get_memory(single *p, const scrim_input *input, scrim_error *error)
{
    size_t answers = p->m->mechanism->answer_count(p->m, input->count);
    p->draw.capacity = answers;
    p->draw.values = sc_allocate(answers, sizeof *p->draw.values);
    p->draw.marks = sc_allocate(answers, sizeof *p->draw.marks);
    bool as_it_is = p->m->mechanism->clamps_itself && input->integers != NULL;
    if (!as_it_is)
        p->steps = sc_allocate(input->count, sizeof *p->steps);
    if (!sc_reserve_is_ready() || p->draw.values == NULL || p->draw.marks == NULL ||
        (!as_it_is && p->steps == NULL))
        return sc_no_memory(error, "a release");
    return SCRIM_OK;
}

/* Brings values into the places that the mechanism defines for them. */
static void bring_to_places(const scrim_measurement *m, const scrim_input *input,
                            int64_t *steps)
{
    SC_OWN(sc_ratio, value);
    for (size_t i = 0; i < input->count; i++) {
        const bool is_number =
            input->reals != NULL
                ? sc_grid_value_of_double(input->reals[i], &value)
                : sc_data_number_exact(sc_text_of(input->texts[i]), &value);
        steps[i] = m->mechanism->place(m, i, is_number ? &value : NULL);
    }
}

void sc_release_bring(const scrim_measurement *m, const scrim_input *input,
                      int64_t *steps)
{
    if (m->mechanism->place != NULL && input->integers == NULL) {
        bring_to_places(m, input, steps);
        return;
    }
    for (size_t i = 0; i < input->count; i++) {
        if (input->integers != NULL)
            steps[i] = sc_domain_clamp(&m->domain, input->integers[i]);
        else if (input->reals != NULL)
            steps[i] = sc_domain_of_double(&m->domain, input->reals[i]);
        else
            steps[i] = sc_domain_of_text(&m->domain, sc_text_of(input->texts[i]));
    }
}

static void bring_into_domain(single *p, const scrim_input *input)
{
    p->input.count = input->count;
    p->input.values = p->steps != NULL ? p->steps : input->integers;
    if (p->steps != NULL)
        sc_release_bring(p->m, input, p->steps);
}

/* After the charge: whatever fails from here on, it stays. */
static scrim_status draw_and_record(single *p, scrim_answer **out, scrim_error *error)
{
    scrim_answer *answer = NULL;
    char *line = NULL;
    scrim_status status = sc_gate_draw(&(sc_draw_site){p->ledger, SIZE_MAX, 1}, p->m,
                                       p->bits, &p->input, &p->draw, error);
    if (status == SCRIM_OK)
        status = sc_answer_new(p->m, &p->draw, p->entry, &answer, error);
    if (status == SCRIM_OK)
        status = sc_ledger_charged(p->ledger, &p->m->cost, &answer->cost, error);
    if (status == SCRIM_OK && (line = sc_answer_line(answer)) == NULL)
        status = sc_no_memory(error, "an answer");
    if (status == SCRIM_OK)
        status = p->ledger->functions->record(p->ledger, p->entry, line, error);
    sc_free(line);
    if (status == SCRIM_OK)
        *out = answer;
    else
        scrim_answer_free(answer);
    return sc_unanswered_fail(error, status, p->entry, false);
}

static void leave(single *p)
{
    sc_free_wiped(p->draw.values, p->draw.capacity * sizeof *p->draw.values);
    sc_free(p->draw.marks);
    sc_free_wiped(p->steps, p->input.count * sizeof *p->steps);
    sc_release_bits_close(p->ledger, p->bits);
}

/* Are its queries asked in a run? */
static bool is_asked_later(const scrim_measurement *m, size_t count)
{
    return m->mechanism->pose != NULL && m->mechanism->answer_count(m, count) == 0;
}

scrim_status scrim_release(scrim_ledger *ledger, const scrim_measurement *m,
                           const scrim_input *input, scrim_answer **out,
                           scrim_error *error)
{
    SC_REQUIRE(error, "ledger measurement input out", ledger, m, input, out);
    single p = {.ledger = ledger, .m = m};
    scrim_status status = sc_release_check_input(m, input, error);
    if (status == SCRIM_OK && is_asked_later(m, input->count))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "coefficients",
                             "%s has no queries yet; give coefficients or workload, or "
                             "ask them one by one in an interactive run",
                             m->mechanism->entry.name);
    if (status == SCRIM_OK)
        status = get_memory(&p, input, error);
    if (status == SCRIM_OK)
        status = sc_release_bits_open(ledger, &p.bits, error);
    if (status == SCRIM_OK) {
        bring_into_domain(&p, input);
        const sc_charge charge = {.line = m->text, .costs = &m->cost, .count = 1};
        status = ledger->functions->charge(ledger, &charge, &p.entry, error);
    }
    if (status == SCRIM_OK)
        status = draw_and_record(&p, out, error);
    leave(&p);
    return status;
}

/* Several parts under one charge. */

struct sc_passage {
    scrim_ledger *ledger;
    const sc_bundle *bundle; /* whose parts are paid for: by the charge, or out of */
    sc_allowance *allowance; /* if there is one */
    size_t first; /* the number of the bundle's first part: others were taken before */
    sc_bits *bits;
    uint64_t entry;
    bool is_once;
    sc_once_standing standing;
    bool is_recorded;
    size_t drawn; /* within an allowance: each draw is a part of its own */
};

/* The charge: the costs of the bundle with their declaration, or the total of the allowance; and
 * the parts by which others know the same release. Both texts are freed by the caller. */
static scrim_status describe_charge(const sc_passage *p, sc_charge *charge,
                                    char **declaration, char **parts, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (p->allowance != NULL) { /* no bundle is taken yet */
        charge->costs = sc_allowance_cost(p->allowance);
        charge->count = 1;
        return p->is_once ? sc_allowance_parts(p->allowance, parts, error) : SCRIM_OK;
    }
    charge->joint = sc_bundle_joint(p->bundle);
    charge->costs = sc_bundle_costs(p->bundle, &charge->count);
    if (charge->joint != NULL)
        status = sc_declared_write(p->bundle, declaration, error);
    if (status == SCRIM_OK && p->is_once)
        status = sc_declared_parts(p->bundle, parts, error);
    return status;
}

static scrim_status charge_passage(sc_passage *p, const char *question, sc_bits_key *key,
                                   scrim_error *error)
{
    sc_charge charge = {.line = question};
    sc_once once = {.key = *key};
    char *declaration = NULL, *parts = NULL;
    scrim_status status = describe_charge(p, &charge, &declaration, &parts, error);
    charge.declaration = declaration;
    once.parts = parts;
    if (p->is_once)
        charge.once = &once;
    if (status == SCRIM_OK)
        status = p->ledger->functions->charge(p->ledger, &charge, &p->entry, error);
    if (status == SCRIM_OK) {
        p->standing = once.standing;
        *key = once.key;
    }
    sc_wipe(&once.key, sizeof once.key);
    sc_free(parts);
    sc_free(declaration);
    return status;
}

/* what is copied: ledger, what is charged and is_once are set. */
static scrim_status open_passage(const sc_passage *what, const char *question,
                                 sc_bits_key *key, sc_passage **out, scrim_error *error)
{
    sc_passage *p = sc_reserve_is_ready() ? sc_allocate(1, sizeof *p) : NULL;
    if (p == NULL)
        return sc_no_memory(error, "a release");
    *p = *what;
    scrim_status status =
        sc_release_keyed_open(p->ledger, key, SC_BITS_DRAWS, &p->bits, error);
    if (status == SCRIM_OK)
        status = charge_passage(p, question, key, error);
    if (status == SCRIM_OK && p->standing == SC_ONCE_JOINED && p->bits != p->ledger->bits)
        sc_bits_keyed_restart(p->bits, key, SC_BITS_DRAWS);
    if (status == SCRIM_OK)
        *out = p;
    else
        sc_passage_close(p);
    return status;
}

scrim_status sc_passage_open(scrim_ledger *ledger, const char *question,
                             const sc_bundle *bundle, sc_bits_key *key, bool is_once,
                             sc_passage **out, scrim_error *error)
{
    if (!sc_bundle_is_fixed(bundle))
        return sc_fail(error, SCRIM_E_INTERNAL, "the parts of a release are not fixed");
    const sc_passage what = {.ledger = ledger, .bundle = bundle, .is_once = is_once};
    return open_passage(&what, question, key, out, error);
}

scrim_status sc_passage_open_within(scrim_ledger *ledger, const char *question,
                                    sc_allowance *allowance, sc_bits_key *key,
                                    bool is_once, sc_passage **out, scrim_error *error)
{
    if (!sc_allowance_is_fresh(allowance))
        return sc_fail(error, SCRIM_E_INTERNAL, "an allowance was charged before");
    const sc_passage what = {
        .ledger = ledger, .allowance = allowance, .is_once = is_once};
    return open_passage(&what, question, key, out, error);
}

sc_once_standing sc_passage_standing(const sc_passage *p)
{
    return p->standing;
}

uint64_t sc_passage_entry(const sc_passage *p)
{
    return p->entry;
}

/* Is it the measurement that was charged? */
static bool is_planned(const scrim_measurement *m, const scrim_measurement *planned)
{
    return m->mechanism == planned->mechanism && m->is_for_data == planned->is_for_data &&
           strcmp(m->text, planned->text) == 0;
}

/* All of it public; what fails here is a mistake of the caller. */
static scrim_status check_draw(const sc_passage *p, const scrim_measurement *m,
                               const sc_private_input *input, const sc_draw *out,
                               scrim_error *error)
{
    if (p->is_recorded || p->standing == SC_ONCE_ANSWERED || p->standing == SC_ONCE_OTHER)
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "a draw came after the end of its release");
    if (!m->is_for_data || m->mechanism->draw == NULL)
        return sc_fail(error, SCRIM_E_INTERNAL, "a part cannot be drawn");
    if (input->wide != NULL && !m->mechanism->takes_wide)
        return sc_fail(error, SCRIM_E_INTERNAL, "%s takes no wide values",
                       m->mechanism->entry.name);
    const size_t answers = m->mechanism->answer_count(m, input->count);
    const bool is_apart = answers == input->count; /* an answer to each value by itself */
    if (!m->mechanism->input_is_rows &&
        (input->count > m->domain.count_max ||
         (input->count < m->domain.count_min && !is_apart)))
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "a part has more values than it was made for");
    if (out->capacity < answers)
        return sc_fail(error, SCRIM_E_INTERNAL, "no room for the draws");
    return SCRIM_OK;
}

/* The input within its domain, and the memory that it took. */
typedef struct inside {
    sc_private_input input;
    void *memory;
    size_t bytes;
} inside;

static scrim_status clamp_input(const scrim_measurement *m, const sc_private_input *input,
                                inside *out, scrim_error *error)
{
    const sc_domain *domain = &m->domain;
    *out = (inside){.input = *input};
    if (input->count == 0 ||
        (input->wide != NULL ? !domain->has_ends : m->mechanism->clamps_itself))
        return SCRIM_OK;
    const size_t each = input->wide != NULL ? sizeof(sc_int128) : sizeof(int64_t);
    out->memory = sc_allocate(input->count, each);
    if (out->memory == NULL)
        return sc_no_memory(error, "a release");
    out->bytes = input->count * each;
    sc_int128 *wide = out->memory;
    int64_t *steps = out->memory;
    for (size_t i = 0; i < input->count; i++) {
        if (input->wide != NULL)
            wide[i] = sc_domain_clamp_wide(domain, input->wide[i]);
        else
            steps[i] = sc_domain_clamp(domain, input->values[i]);
    }
    if (input->wide != NULL)
        out->input.wide = wide;
    else
        out->input.values = steps;
    return SCRIM_OK;
}

/* The memory is had before the cost is taken, and the cost before the first bit. */
static scrim_status draw_at(sc_passage *p, const sc_draw_site *site,
                            const scrim_measurement *m, const sc_private_input *input,
                            sc_draw *out, scrim_error *error)
{
    inside cut = {.memory = NULL};
    scrim_status status = check_draw(p, m, input, out, error);
    if (status == SCRIM_OK)
        status = clamp_input(m, input, &cut, error);
    if (status == SCRIM_OK && p->bundle == NULL)
        status = sc_allowance_take(p->allowance, m, error);
    if (status == SCRIM_OK)
        status = sc_gate_draw(site, m, p->bits, &cut.input, out, error);
    if (status != SCRIM_OK) {
        sc_wipe(out->values, out->capacity * sizeof *out->values);
        out->count = 0;
    }
    sc_free_wiped(cut.memory, cut.bytes);
    return status;
}

static scrim_status refuse_draw(sc_draw *out, scrim_error *error)
{
    sc_wipe(out->values, out->capacity * sizeof *out->values);
    out->count = 0;
    return sc_fail(error, SCRIM_E_INTERNAL, "a draw was not charged");
}

scrim_status sc_passage_draw(sc_passage *p, size_t part, const scrim_measurement *m,
                             const sc_private_input *input, sc_draw *out,
                             scrim_error *error)
{
    if (p->bundle == NULL || part >= sc_bundle_count(p->bundle) ||
        !is_planned(m, sc_bundle_measurement(p->bundle, part)))
        return refuse_draw(out, error);
    const sc_draw_site site = {p->ledger, p->first + part,
                               sc_bundle_copies(p->bundle, part)};
    return draw_at(p, &site, m, input, out, error);
}

scrim_status sc_passage_draw_within(sc_passage *p, const scrim_measurement *m,
                                    const sc_private_input *input, sc_draw *out,
                                    scrim_error *error)
{
    if (p->allowance == NULL || p->bundle != NULL)
        return refuse_draw(out, error);
    const sc_draw_site site = {p->ledger, p->drawn++, 1};
    return draw_at(p, &site, m, input, out, error);
}

scrim_status sc_passage_take_parts(sc_passage *p, const sc_bundle *bundle,
                                   scrim_error *error)
{
    if (p->allowance == NULL || !sc_bundle_is_fixed(bundle))
        return sc_fail(error, SCRIM_E_INTERNAL, "the parts of a release are not fixed");
    SC_TRY(sc_allowance_take_parts(p->allowance, bundle, error));
    p->first += p->bundle == NULL ? p->drawn : sc_bundle_count(p->bundle);
    p->bundle = bundle;
    return SCRIM_OK;
}

scrim_status sc_passage_record(sc_passage *p, const char *text, scrim_error *error)
{
    const sc_ledger_functions *f = p->ledger->functions;
    bool is_first = true;
    if (p->is_recorded || p->standing == SC_ONCE_ANSWERED || p->standing == SC_ONCE_OTHER)
        return sc_fail(error, SCRIM_E_INTERNAL, "a release was recorded twice");
    p->is_recorded = true;
    const scrim_status status =
        p->is_once && f->record_once != NULL
            ? f->record_once(p->ledger, p->entry, text, &is_first, error)
            : f->record(p->ledger, p->entry, text, error);
    if (status == SCRIM_OK && !is_first)
        p->standing = SC_ONCE_ANSWERED;
    return status;
}

void sc_passage_close(sc_passage *p)
{
    if (p == NULL)
        return;
    sc_release_keyed_close(p->ledger, p->bits);
    sc_free(p);
}

#define UNANSWERED "charged and has no answer"
#define FINISH "; ask the same question again: it is finished at no further charge"

/* A reason that is too long ends early, not the advice. */
static scrim_status reword(scrim_error *error, scrim_status status, uint64_t release,
                           const char *what, const char *advice)
{
    char begin[128];
    if (status == SCRIM_OK || error == NULL)
        return status;
    const scrim_error cause = *error;
    const char *reason = status == SCRIM_E_MEMORY ? "no memory" : cause.message;
    const int used =
        snprintf(begin, sizeof begin, "release %" PRIu64 " is %s: ", release, what);
    const size_t room = SCRIM_MESSAGE_BYTES - (size_t)used - strlen(advice) - 1;
    return sc_fail_again(error, status, &cause, "%s%.*s%s", begin, (int)room, reason,
                         advice);
}

scrim_status sc_unanswered_fail(scrim_error *error, scrim_status status, uint64_t release,
                                bool can_finish)
{
    /* A version whose source has changed is closed. */
    const bool is_closed =
        status != SCRIM_OK && error != NULL && error->reason == SCRIM_REASON_CHANGED;
    return reword(error, status, release, UNANSWERED,
                  can_finish && !is_closed ? FINISH
                                           : "; nothing was shown, and the charge stays");
}

scrim_status sc_unrecorded_fail(scrim_error *error, uint64_t release, bool can_finish,
                                const char *unit, const char *amount)
{
    char what[64];
    snprintf(what, sizeof what, "release %" PRIu64 " is " UNANSWERED, release);
    return can_finish ? sc_fail(error, SCRIM_E_LEDGER, "%s yet" FINISH, what)
                      : sc_fail(error, SCRIM_E_LEDGER,
                                "%s: it ended before one was recorded; nothing was "
                                "shown, and the charge of %s %s stays",
                                what, unit, amount);
}

scrim_status sc_uncertain_fail(scrim_error *error, scrim_status status, uint64_t release,
                               bool can_finish)
{
    return reword(error, status, release, "perhaps " UNANSWERED,
                  can_finish ? "; ask the same question again: it is charged once"
                             : "; nothing was shown; the ledger shows whether it is "
                               "charged");
}

scrim_status sc_unanswered_query_fail(scrim_error *error, scrim_status status,
                                      uint64_t release, uint64_t query)
{
    char what[64];
    snprintf(what, sizeof what, "charged and query %" PRIu64 " of it has no answer",
             query);
    return reword(error, status, release, what,
                  "; nothing of it was shown, and earlier answers are recorded");
}

scrim_status sc_answered_fail(scrim_error *error, scrim_status status, uint64_t release)
{
    return reword(error, status, release, "charged and its answer is recorded",
                  "; replay it: it is shown at no further charge");
}

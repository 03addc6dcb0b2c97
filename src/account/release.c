#include "account/release.h"

#include "account/answer_record.h"
#include "base/memory.h"
#include "random/bits_system.h"

scrim_status sc_release_check(const scrim_measurement *m, size_t count,
                              scrim_error *error)
{
    const sc_domain *domain = &m->domain;
    if (!m->is_for_data)
        return sc_fail(error, SCRIM_E_PARAM,
                       "this measurement is a model; make it for data, with neighbours");
    if (m->mechanism->draw == NULL)
        return sc_fail(error, SCRIM_E_PARAM, "%s is not released in one piece",
                       m->mechanism->entry.name);
    if (m->mechanism->input_is_rows && m->cost.neighbours == SCRIM_ADD_REMOVE)
        return SCRIM_OK;
    if (count < domain->count_min || count > domain->count_max) {
        if (domain->count_max == SIZE_MAX)
            return sc_fail(error, SCRIM_E_PARAM, "%s takes at least %zu values",
                           m->mechanism->entry.name, domain->count_min);
        return sc_fail(error, SCRIM_E_PARAM,
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

/* One release under way. */
typedef struct passage {
    scrim_ledger *ledger;
    const scrim_measurement *m;
    int64_t *steps; /* the input in its domain, where it had to be brought there */
    sc_input input;
    sc_draw draw;
    sc_bits *bits;
    uint64_t entry;
} passage;

/* Exactly one array, unless there is nothing in it; of a kind that was declared. */
static scrim_status check_input(const scrim_measurement *m, const scrim_input *input,
                                scrim_error *error)
{
    int given =
        (input->integers != NULL) + (input->reals != NULL) + (input->texts != NULL);
    if (given > 1 || (given == 0 && input->count > 0))
        return sc_fail(error, SCRIM_E_PARAM,
                       "an input has integers, reals or texts, exactly one of them");
    if (input->reals != NULL && m->domain.is_whole)
        return sc_fail(error, SCRIM_E_PARAM,
                       "%s was made for integers; grid=... declares the step that reals "
                       "are rounded to",
                       m->mechanism->entry.name);
    return SCRIM_OK;
}

static scrim_status get_memory(passage *p, const scrim_input *input, scrim_error *error)
{
    size_t answers = p->m->mechanism->answer_count(p->m, input->count);
    p->draw.capacity = answers;
    p->draw.values = sc_allocate(answers, sizeof *p->draw.values);
    p->draw.marks = sc_allocate(answers, sizeof *p->draw.marks);
    bool as_it_is = p->m->mechanism->clamps_itself && input->integers != NULL;
    if (!as_it_is)
        p->steps = sc_allocate(input->count, sizeof *p->steps);
    if (p->draw.values == NULL || p->draw.marks == NULL ||
        (!as_it_is && p->steps == NULL))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a release");
    return SCRIM_OK;
}

static void bring_into_domain(passage *p, const scrim_input *input)
{
    const sc_domain *domain = &p->m->domain;
    p->input.count = input->count;
    p->input.values = p->steps != NULL ? p->steps : input->integers;
    if (p->steps == NULL)
        return;
    for (size_t i = 0; i < input->count; i++) {
        if (input->integers != NULL)
            p->steps[i] = sc_domain_clamp(domain, input->integers[i]);
        else if (input->reals != NULL)
            p->steps[i] = sc_grid_of_double(&domain->grid, input->reals[i]);
        else
            p->steps[i] = sc_domain_of_text(domain, sc_text_of(input->texts[i]));
    }
}

/* After the charge: whatever fails from here on, it stays. */
static scrim_status draw_and_record(passage *p, scrim_answer **out, scrim_error *error)
{
    scrim_answer *answer = NULL;
    char *line = NULL;
    scrim_status status =
        p->m->mechanism->draw(p->m, p->bits, &p->input, &p->draw, error);
    if (status == SCRIM_OK)
        status = sc_answer_new(p->m, &p->draw, p->entry, &answer, error);
    if (status == SCRIM_OK && (line = sc_answer_line(answer)) == NULL)
        status = sc_fail(error, SCRIM_E_MEMORY, "no memory for an answer");
    if (status == SCRIM_OK)
        status = p->ledger->functions->record(p->ledger, p->entry, line, error);
    sc_release(line);
    if (status == SCRIM_OK)
        *out = answer;
    else
        scrim_answer_free(answer);
    return status;
}

static void leave(passage *p)
{
    sc_release_wiped(p->draw.values, p->draw.capacity * sizeof *p->draw.values);
    sc_release(p->draw.marks);
    sc_release_wiped(p->steps, p->input.count * sizeof *p->steps);
    sc_release_bits_close(p->ledger, p->bits);
}

scrim_status scrim_release(scrim_ledger *ledger, const scrim_measurement *m,
                           const scrim_input *input, scrim_answer **out,
                           scrim_error *error)
{
    passage p = {.ledger = ledger, .m = m};
    scrim_status status = check_input(m, input, error);
    if (status == SCRIM_OK)
        status = sc_release_check(m, input->count, error);
    if (status == SCRIM_OK)
        status = get_memory(&p, input, error);
    if (status == SCRIM_OK)
        status = sc_release_bits_open(ledger, &p.bits, error);
    if (status == SCRIM_OK) {
        bring_into_domain(&p, input);
        status = ledger->functions->charge(ledger, m->text, &m->cost, 1, &p.entry, error);
    }
    if (status == SCRIM_OK)
        status = draw_and_record(&p, out, error);
    leave(&p);
    return status;
}

#include "model/lipschitz.h"

static const sc_lipschitz_operation table[] = {
    {"map", SC_LIPSCHITZ_FREE, "each row becomes a row, by itself"},
    {"bucket", SC_LIPSCHITZ_FREE, "a value of each row becomes that of its bucket"},
    {"recode", SC_LIPSCHITZ_FREE, "a value of each row becomes another by a fixed list"},
    {"clamp", SC_LIPSCHITZ_FREE, "a value of each row is brought into a fixed range"},
    {"truncate", SC_LIPSCHITZ_FREE,
     "each row is shortened by a rule, or by coins of its unit"},
    {"filter", SC_LIPSCHITZ_FREE, "rows that a predicate of the row holds for are kept"},
    {"join", SC_LIPSCHITZ_FREE,
     "each row meets at most one row of a public table, whose key is unique"},
    {"union", SC_LIPSCHITZ_FREE, "tables are put together, each row of them used once"},
    {"group", SC_LIPSCHITZ_FREE, "rows are grouped by a key of the row"},
    {"expand", SC_LIPSCHITZ_EXPANDS, "each row becomes at most a fixed number of rows"},
    {"union-all", SC_LIPSCHITZ_EXPANDS,
     "tables are put together, each row used at most a fixed number of times"},
    {"top-rows", SC_LIPSCHITZ_REFUSED, "which rows come first depends on all the others"},
    {"distinct", SC_LIPSCHITZ_REFUSED,
     "whether a row is the only one of its kind depends on the rows of other units"},
    {"drop-rare", SC_LIPSCHITZ_REFUSED,
     "whether a value is rare depends on all rows, and one row brings all of its kind "
     "back"},
    {"normalise", SC_LIPSCHITZ_REFUSED,
     "a total depends on all rows, and every row changes with it"},
    {"sample-size", SC_LIPSCHITZ_REFUSED,
     "a sample of fixed size keeps a row in the place of another"},
};

#define OPERATIONS (sizeof table / sizeof *table)

const sc_lipschitz_operation *sc_lipschitz_at(size_t index)
{
    return index < OPERATIONS ? &table[index] : NULL;
}

static const sc_lipschitz_operation *find(sc_text name)
{
    size_t i = 0;
    while (i < OPERATIONS && !sc_text_is(name, table[i].name))
        i++;
    return sc_lipschitz_at(i);
}

static scrim_status fail_unknown(sc_text name, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(name, quote);
    return sc_fail(error, SCRIM_E_POLICY,
                   "'%s' is not in the table of operations whose effect on neighbours is "
                   "known, and is refused",
                   quote);
}

/* The constant of one step. */
static scrim_status constant_of(const sc_lipschitz_step *step, uint64_t *out,
                                scrim_error *error)
{
    const sc_lipschitz_operation *found = find(step->name);
    if (found == NULL)
        return fail_unknown(step->name, error);
    switch (found->kind) {
    case SC_LIPSCHITZ_REFUSED:
        return sc_fail(error, SCRIM_E_POLICY, "%s is refused: %s", found->name,
                       found->meaning);
    case SC_LIPSCHITZ_EXPANDS:
        if (step->rows == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "rows",
                               "%s: give the most rows that one row becomes",
                               found->name);
        *out = step->rows;
        return SCRIM_OK;
    case SC_LIPSCHITZ_FREE:
        break;
    }
    if (step->rows > 1)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rows",
                           "%s makes one row out of a row, not several", found->name);
    *out = 1;
    return SCRIM_OK;
}

scrim_status sc_lipschitz_chain(const sc_lipschitz_step *steps, size_t count,
                                uint64_t *out, scrim_error *error)
{
    uint64_t all = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t one = 1;
        scrim_status status = constant_of(&steps[i], &one, error);
        if (status != SCRIM_OK)
            return status;
        if (one > SC_LIPSCHITZ_MAX / all)
            return sc_fail(
                error, SCRIM_E_LIMIT,
                "one row becomes more than 1048576 rows, which leaves no guarantee");
        all *= one;
    }
    *out = all;
    return SCRIM_OK;
}

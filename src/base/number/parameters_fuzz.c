/* Whatever bytes parse as a line of parameters must print, and the print must parse to the
 * same values; what does not parse leaves no value behind and a message fit to be shown. */
#include "base/number/parameters.h"
#include "corpus.h"

#include <string.h>

static const char *const words[] = {"add-remove", "replace", NULL};

/* One of each kind and of each bound. */
static const sc_parameter_rule list[] = {
    {.name = "scale",
     .above = "0",
     .limit_low = "2^-60",
     .limit_high = "2^60",
     .domain = "a rational above 0"},
    {.name = "p",
     .optional = true,
     .at_least = "0",
     .at_most = "1",
     .domain = "a rational from 0 to 1"},
    {.name = "bound",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "-100",
     .below = "100",
     .domain = "an integer from -100 to 99"},
    {.name = "neighbours",
     .kind = SC_PARAMETER_WORD,
     .optional = true,
     .words = words,
     .domain = "add-remove or replace"},
    {.name = "q",
     .kind = SC_PARAMETER_RATIONALS,
     .optional = true,
     .at_least = "0",
     .at_most = "1",
     .domain = "rationals from 0 to 1"},
};
#define LINE_BYTES ((COUNT(list) + SC_PARAMETER_ITEMS) * (SC_RATIO_TEXT_BYTES + 16))

static void check_message(const scrim_error *error, scrim_status status)
{
    sc_text rest = sc_text_of(error->message);
    CHECK_STATUS(error->status, status);
    CHECK(rest.bytes > 0);
    while (rest.bytes > 0) {
        const size_t bytes = sc_text_character(rest);
        if (!CHECK(bytes > 0))
            return;
        rest = (sc_text){rest.start + bytes, rest.bytes - bytes};
    }
}

static void check_round_trip(const sc_parameters *first)
{
    static char text[LINE_BYTES], again[LINE_BYTES];
    sc_text name, rest;
    sc_parameters second;
    sc_parameters_init(&second, list, COUNT(list));
    const size_t length = sc_parameters_format(first, "law", text, sizeof text);
    CHECK(length < sizeof text && length == strlen(text));
    CHECK(sc_parameters_line(sc_text_of(text), &name, &rest) && sc_text_is(name, "law"));
    CHECK_STATUS(sc_parameters_parse(&second, rest, NULL), SCRIM_OK);
    for (size_t i = 0; i < COUNT(list); i++) {
        CHECK(first->given[i] == second.given[i]);
        CHECK(sc_ratio_compare(&first->value[i], &second.value[i]) == 0);
        if (!CHECK(first->item_count[i] == second.item_count[i]))
            continue;
        for (size_t j = 0; j < first->item_count[i]; j++)
            CHECK(sc_ratio_compare(&first->items[i][j], &second.items[i][j]) == 0);
    }
    /* Printed text is canonical: it prints as itself. */
    CHECK_INT(sc_parameters_format(&second, "law", again, sizeof again), length);
    CHECK_STR(again, text);
    sc_parameters_clear(&second);
}

FUZZ(parameters)
{
    scrim_error error = {.status = SCRIM_OK};
    sc_text name, rest;
    sc_parameters parameters;
    if (!sc_parameters_line((sc_text){(const char *)bytes, count}, &name, &rest))
        return;
    sc_parameters_init(&parameters, list, COUNT(list));
    const scrim_status status = sc_parameters_parse(&parameters, rest, &error);
    if (status == SCRIM_OK) {
        CHECK(sc_parameters_get(&parameters, "scale") != NULL);
        check_round_trip(&parameters);
    } else {
        check_message(&error, status);
        for (size_t i = 0; i < COUNT(list); i++)
            CHECK(!parameters.given[i]);
    }
    sc_parameters_clear(&parameters);
}

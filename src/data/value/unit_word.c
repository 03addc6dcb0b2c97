#include "data/value/unit_word.h"

#include <string.h>

/* With their plural; each may be followed by one of the ends. */
static const char *const nouns[][2] = {{"account", "accounts"},
                                       {"author", "authors"},
                                       {"client", "clients"},
                                       {"customer", "customers"},
                                       {"device", "devices"},
                                       {"employee", "employees"},
                                       {"household", "households"},
                                       {"member", "members"},
                                       {"participant", "participants"},
                                       {"patient", "patients"},
                                       {"person", "people"},
                                       {"player", "players"},
                                       {"pupil", "pupils"},
                                       {"resident", "residents"},
                                       {"respondent", "respondents"},
                                       {"speaker", "speakers"},
                                       {"student", "students"},
                                       {"subscriber", "subscribers"},
                                       {"user", "users"},
                                       {"visitor", "visitors"},
                                       {"worker", "workers"}};

static char small(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool begins_with(sc_text text, const char *word)
{
    const size_t bytes = strlen(word);
    for (size_t i = 0; i < bytes; i++)
        if (i >= text.bytes || small(text.start[i]) != word[i])
            return false;
    return true;
}

static const char *const ends[] = {"",    "_id", " id",     "id",
                                   "-id", "_no", "_number", "_key"};

static bool is_of(sc_text name, const char *noun)
{
    const size_t bytes = strlen(noun);
    if (!begins_with(name, noun))
        return false;
    const sc_text end = {name.start + bytes, name.bytes - bytes};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (end.bytes == strlen(ends[i]) && begins_with(end, ends[i]))
            return true;
    return false;
}

const char *sc_unit_word(sc_text column, bool is_many)
{
    if (column.bytes == 0)
        return is_many ? "rows" : "row";
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (is_of(column, nouns[i][0]))
            return nouns[i][is_many];
    return is_many ? "units" : "unit";
}

#include "dialects.h"

#include "row_oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void dialects_clear(dialects *d)
{
    for (int i = 0; i < DIALECTS; i++)
        d->texts[i][0] = '\0';
    d->is_for_sqlite = d->has_sqlite;
}

unsigned dialects_below(const dialects *d, unsigned n)
{
    return (unsigned)row_random(d->seed, n);
}

bool dialects_chance(const dialects *d, unsigned n)
{
    return row_random(d->seed, n) == 0;
}

__attribute__((format(printf, 3, 0))) static void put(dialects *d, dialect which,
                                                      const char *format, va_list list)
{
    const size_t used = strlen(d->texts[which]);
    vsnprintf(d->texts[which] + used, DIALECT_BYTES - used, format, list);
}

void dialects_put(dialects *d, const char *format, ...)
{
    for (int i = 0; i < DIALECTS; i++) {
        va_list list;
        va_start(list, format);
        put(d, (dialect)i, format, list);
        va_end(list);
    }
}

void dialects_put_in(dialects *d, dialect which, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put(d, which, format, list);
    va_end(list);
}

void dialects_put_each(dialects *d, const char *const each[DIALECTS])
{
    for (int i = 0; i < DIALECTS; i++)
        dialects_put_in(d, (dialect)i, "%s", each[i]);
}

void dialects_put_texts(dialects *d, const dialect_texts *texts)
{
    for (int i = 0; i < DIALECTS; i++)
        dialects_put_in(d, (dialect)i, "%s", texts->in[i]);
}

dialects_mark dialects_here(const dialects *d)
{
    dialects_mark mark;
    for (int i = 0; i < DIALECTS; i++)
        mark.at[i] = strlen(d->texts[i]);
    return mark;
}

void dialects_take_back(dialects *d, const dialects_mark *mark, dialect_texts *out)
{
    for (int i = 0; i < DIALECTS; i++) {
        snprintf(out->in[i], DIALECT_BYTES, "%s", d->texts[i] + mark->at[i]);
        d->texts[i][mark->at[i]] = '\0';
    }
}

void dialects_put_extreme(dialects *d, bool is_least, const dialect_texts *a,
                          const dialect_texts *b)
{
    static const dialect native[] = {IN_SCRIM, IN_POSTGRES};
    for (size_t i = 0; i < 2; i++)
        dialects_put_in(d, native[i], "%s(%s, %s)", is_least ? "LEAST" : "GREATEST",
                        a->in[native[i]], b->in[native[i]]);
    dialects_put_in(d, IN_SQLITE, "COALESCE(%s(%s, %s), %s, %s)",
                    is_least ? "MIN" : "MAX", a->in[IN_SQLITE], b->in[IN_SQLITE],
                    a->in[IN_SQLITE], b->in[IN_SQLITE]);
}

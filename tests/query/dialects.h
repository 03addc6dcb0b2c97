/* One question in the words of scrim, of SQLite and of PostgreSQL, made at random piece by piece. */
#ifndef DIALECTS_H
#define DIALECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIALECT_BYTES = 30000 };

typedef enum dialect { IN_SCRIM, IN_SQLITE, IN_POSTGRES, DIALECTS } dialect;

typedef struct dialect_texts {
    char in[DIALECTS][DIALECT_BYTES];
} dialect_texts;

typedef struct dialects {
    char texts[DIALECTS][DIALECT_BYTES];
    uint64_t *seed;
    bool has_units;     /* does a column say whose a row is? */
    bool has_sqlite;    /* does it answer at all, of these rows? */
    bool has_postgres;  /* may there be what SQLite does otherwise? */
    bool is_for_sqlite; /* nothing of the kind is in it */
} dialects;

/* An empty question. */
void dialects_clear(dialects *d);
unsigned dialects_below(const dialects *d, unsigned n);
/* true once in n times. */
bool dialects_chance(const dialects *d, unsigned n);

/* In all of them alike, in one, or in each its own. */
__attribute__((format(printf, 2, 3))) void dialects_put(dialects *d, const char *format,
                                                        ...);
__attribute__((format(printf, 3, 4))) void dialects_put_in(dialects *d, dialect which,
                                                           const char *format, ...);
void dialects_put_each(dialects *d, const char *const each[DIALECTS]);
void dialects_put_texts(dialects *d, const dialect_texts *texts);

typedef struct dialects_mark {
    size_t at[DIALECTS];
} dialects_mark;

/* Text that was written since the mark is taken back as texts of its own. */
dialects_mark dialects_here(const dialects *d);
void dialects_take_back(dialects *d, const dialects_mark *mark, dialect_texts *out);

/* LEAST and GREATEST pass over NULL; SQLite's min and max do not. */
void dialects_put_extreme(dialects *d, bool is_least, const dialect_texts *a,
                          const dialect_texts *b);

#endif

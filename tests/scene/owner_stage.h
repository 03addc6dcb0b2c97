/* An owner at 'scrim dataset add': the wizard runs in a child whose terminal is our other end, in a
 * folder with a vault and adult.csv. */
#ifndef OWNER_STAGE_H
#define OWNER_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct owner_stage {
    char folder[64];
    char vault[96];
    char csv[96];
    int terminal; /* our end */
    pid_t owner;  /* the child */
    size_t seen;
    char shown[65536]; /* all that the owner was shown */
} owner_stage;

bool stage_begin(owner_stage *s);
/* Removes the folder, in which nothing else may lie. */
void stage_end(owner_stage *s);

/* Begins 'scrim dataset add NAME WORDS'; name and words may be NULL. */
void stage_start(owner_stage *s, const char *name, const char *const *words);
/* Reads until `questions` questions were asked, or the child is gone. */
size_t stage_wait(owner_stage *s, size_t questions);
void stage_answer(owner_stage *s, const char *text);
/* How the child ended; all it said is read first. */
int stage_finish(owner_stage *s);

/* Answers one after the other, each with what is shown before the next question; the dataset is
 * added at the end. */
typedef struct owner_turn {
    const char *answer, *reason;
} owner_turn;
void stage_turns(owner_stage *s, const owner_turn *turns, size_t count);
/* The answers of an owner who knows what they want; the number of questions is theirs. */
size_t stage_answers(const owner_stage *s, char answers[20][128]);

/* Checks. */
void stage_shown(const owner_stage *s, const char *words);
void stage_policy(const owner_stage *s, const char *name, const char *want);
/* The entries of the vault. */
uint64_t stage_entries(const owner_stage *s);

#endif

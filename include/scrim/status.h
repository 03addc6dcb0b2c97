/* Versions, status codes and the caller-owned error. */
#ifndef SCRIM_STATUS_H
#define SCRIM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define SCRIM_VERSION_MAJOR 0
#define SCRIM_VERSION_MINOR 1
#define SCRIM_VERSION_PATCH 0
#define SCRIM_VERSION "0.1.0"

#if defined(__FAST_MATH__)
#error "scrim must not be compiled with -ffast-math or a part of it"
#endif

#define SCRIM_API __attribute__((visibility("default")))
#define SCRIM_MUST_USE __attribute__((warn_unused_result))

/* Values are pinned and never reused. A status divided by ten is the exit status of the
 * command line. */
typedef enum scrim_status {
    SCRIM_OK = 0,
    SCRIM_E_INTERNAL = 10, /* an invariant did not hold */
    SCRIM_E_ENTROPY = 11,  /* no random bits: nothing is released, the charge stays */
    SCRIM_E_MEMORY = 12,   /* no memory */
    SCRIM_E_PARAM = 20,    /* a parameter outside its domain */
    SCRIM_E_LIMIT = 21,    /* legal, but above a size limit */
    SCRIM_E_STATE = 22,    /* a call out of order */
    SCRIM_E_SYNTAX = 23,   /* text that does not parse */
    SCRIM_E_POLICY = 30,   /* refused: not on the allow-list, no right, above a cap */
    SCRIM_E_BUDGET = 40,   /* the charge does not fit */
    SCRIM_E_LEDGER = 50,   /* the store is missing, damaged or not writable */
    SCRIM_E_BUSY = 51,     /* a lock was not had in time */
    SCRIM_E_INPUT = 60,    /* a source, header or version that cannot be used */
    SCRIM_E_CHECK = 70     /* a verification that was asked for did not hold */
} scrim_status;

#define SCRIM_MESSAGE_BYTES 320

/* Filled when a call fails and left alone when it succeeds. The message is one line of UTF-8
 * without a newline, says what to do next, and speaks of parameters, never of data. */
typedef struct scrim_error {
    scrim_status status;
    char message[SCRIM_MESSAGE_BYTES];
} scrim_error;

/* Every struct of options begins with its size, which SCRIM_OPTIONS sets so that it can grow. A
 * member left zero is left out. */
#define SCRIM_OPTIONS(type, ...) (&(type){.size = sizeof(type), __VA_ARGS__})

/* The version of the library that is running, "MAJOR.MINOR.PATCH". */
SCRIM_API const char *scrim_version(void);

/* The spelling of a status in this header, "SCRIM_E_PARAM"; "SCRIM_E_UNKNOWN" for a value that
 * is not one. Never NULL. */
SCRIM_API const char *scrim_status_name(scrim_status status);

#ifdef __cplusplus
}
#endif

#endif

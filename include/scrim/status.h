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

/* Values never change and are never reused. A status divided by ten is the exit status
 * of the command line. */
typedef enum scrim_status {
    SCRIM_OK = 0,
    SCRIM_E_INTERNAL = 10, /* an internal check failed */
    SCRIM_E_ENTROPY = 11,  /* no random bits: nothing is released, the charge stays */
    SCRIM_E_MEMORY = 12,   /* no memory */
    SCRIM_E_PARAM = 20,    /* a parameter that is not allowed */
    SCRIM_E_LIMIT = 21,    /* allowed, but above a size limit */
    SCRIM_E_STATE = 22,    /* a call out of order */
    SCRIM_E_SYNTAX = 23,   /* text that does not parse */
    SCRIM_E_POLICY = 30,   /* refused: not allowed, no right, above a cap */
    SCRIM_E_BUDGET = 40,   /* the charge does not fit */
    SCRIM_E_LEDGER = 50,   /* the vault is missing, damaged or not writable */
    SCRIM_E_BUSY = 51,     /* a lock was not available in time */
    SCRIM_E_INPUT = 60,    /* a source, header or version that cannot be used */
    SCRIM_E_CHECK = 70     /* a requested check failed */
} scrim_status;

/* Why a call failed, for programs. Word your advice by the reason and the parameter,
 * and do not read the message. Values never change and are never reused; new ones may
 * be added. */
typedef enum scrim_reason {
    SCRIM_REASON_NONE = 0,     /* the status says everything */
    SCRIM_REASON_MISSING = 1,  /* the parameter is required and was not given */
    SCRIM_REASON_UNKNOWN = 2,  /* the parameter names something that does not exist */
    SCRIM_REASON_MISSPELT = 3, /* the same, and the message gives the nearest name */
    SCRIM_REASON_SYNTAX = 4,   /* the value has the wrong form */
    SCRIM_REASON_RANGE = 5,    /* the value is not in the allowed range */
    SCRIM_REASON_CONFLICT = 6, /* the parameter contradicts another declaration */
    SCRIM_REASON_REPEATED = 7, /* the parameter was given twice */
    SCRIM_REASON_TAKEN = 8,    /* the name is in use */
    SCRIM_REASON_UNSUPPORTED =
        9, /* the parameter, or a word of the query, is not allowed here */
    SCRIM_REASON_BUDGET = 10, /* the budget has too little left of the parameter */
    SCRIM_REASON_SHARE = 11,  /* the analyst's share has too little left of it */
    /* one query may not cost this much, or this little, of it */
    SCRIM_REASON_CAP = 12,
    SCRIM_REASON_OWNER = 13,   /* only the vault's owner may do it */
    SCRIM_REASON_CHANGED = 14, /* the source is not the declared version */
    SCRIM_REASON_MOVED = 15,   /* the vault is a copy, or was moved or restored */
    SCRIM_REASON_BUILD =
        16, /* the vault belongs to the other build: for tests, or the real one */
    SCRIM_REASON_DAMAGED = 17,   /* the vault contradicts itself */
    SCRIM_REASON_OPEN = 18,      /* the release belongs to a run that was never closed */
    SCRIM_REASON_COMPLETE = 19,  /* every planned release of the series has been made */
    SCRIM_REASON_CANCELLED = 20, /* the caller has ended the query */
    SCRIM_REASON_LOCKED = 21 /* another program is writing the source: try again later */
} scrim_reason;

#define SCRIM_MESSAGE_BYTES 320
#define SCRIM_PARAMETER_BYTES 32
#define SCRIM_AMOUNT_BYTES 128

/* Filled if a call fails, and left unchanged if it succeeds. It contains no pointer, so it can be
 * copied and kept.
 *
 * The message is one line of UTF-8 without a newline. It says what is wrong, and is about
 * parameters, never about data. It names no option and no command of scrim; it
 * may say how to mend the rights of a file (chmod). Its words may change; status,
 * reason and parameter are the contract. Where it is too long, its middle is left out.
 *
 * The parameter is the one that the reason is about: a name of the mechanism's line ("epsilon"), of
 * the policy ("max-groups"), or of a function or an options struct with '-' for '_' ("target-error"); "" if the
 * reason is not about a parameter. Where a line of the policy is missing whose value is known, it is that line
 * ("separator=;"). A name that does not exist is in the message; the parameter says what kind of name it is
 * ("mechanism", "column", "parameter"). A message about a line of a policy begins with the parameter.
 *
 * If the charge does not fit, SCRIM_E_BUDGET, requested and left are exact amounts of the parameter, or rounded up and
 * down where they are too long; left is that of the analyst's share if that is too small. Else both are "". */
typedef struct scrim_error {
    scrim_status status;
    char message[SCRIM_MESSAGE_BYTES];
    scrim_reason reason;
    char parameter[SCRIM_PARAMETER_BYTES];
    char requested[SCRIM_AMOUNT_BYTES], left[SCRIM_AMOUNT_BYTES];
} scrim_error;

/* A function with a status needs every pointer that its header does not say may be NULL: a handle, a text, an
 * input or a place for what it returns. Without one it fails with SCRIM_E_PARAM, SCRIM_REASON_MISSING and that parameter, and
 * nothing is charged. (A schema or batch of rows: SCRIM_E_INPUT.) Options that are NULL are a struct of zeros. error may be NULL. */

/* Every options struct begins with its size, which SCRIM_OPTIONS sets, so that the
 * struct can grow. A member that is zero has its default. */
#ifdef __cplusplus
#include "scrim/options.hh"
#else
#define SCRIM_OPTIONS(type, ...) (&(type){.size = sizeof(type), __VA_ARGS__})
#endif

/* The version of the library that is running, "MAJOR.MINOR.PATCH". */
SCRIM_API const char *scrim_version(void);

/* The name of a status in this header, "SCRIM_E_PARAM"; "SCRIM_E_UNKNOWN" for any
 * other value. Never NULL. */
SCRIM_API const char *scrim_status_name(scrim_status status);

/* The word for a reason, which never changes: "missing"; "" for SCRIM_REASON_NONE and
 * for any other value. Never NULL. */
SCRIM_API const char *scrim_reason_name(scrim_reason reason);

#ifdef __cplusplus
}
#endif

#endif

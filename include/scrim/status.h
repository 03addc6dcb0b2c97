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

/* Why it failed, for programs: a surface words its advice by the reason and the parameter, and
 * reads no message. Values are pinned and never reused; new ones may come. */
typedef enum scrim_reason {
    SCRIM_REASON_NONE = 0,     /* the status says all that a program can use */
    SCRIM_REASON_MISSING = 1,  /* the parameter is required and was not given */
    SCRIM_REASON_UNKNOWN = 2,  /* the parameter names something that does not exist */
    SCRIM_REASON_MISSPELT = 3, /* the same, and the message gives the nearest name */
    SCRIM_REASON_SYNTAX = 4,   /* the value does not have the parameter's form */
    SCRIM_REASON_RANGE = 5,    /* the value is outside what the parameter allows */
    SCRIM_REASON_CONFLICT = 6, /* the parameter does not go with what else is declared */
    SCRIM_REASON_REPEATED = 7, /* the parameter was given twice */
    SCRIM_REASON_TAKEN = 8,    /* the name belongs to something else */
    SCRIM_REASON_UNSUPPORTED =
        9, /* not for this call, or no word of a query: the parameter */
    SCRIM_REASON_BUDGET = 10, /* the budget has too little left of the parameter */
    SCRIM_REASON_SHARE = 11,  /* the analyst's share has too little left of it */
    SCRIM_REASON_CAP = 12,    /* one question may not cost so much, or so little, of it */
    SCRIM_REASON_OWNER = 13,  /* only the vault's owner may do it */
    SCRIM_REASON_CHANGED = 14, /* the source is not that of the declared version */
    SCRIM_REASON_MOVED = 15,   /* the vault is a copy, or was moved or restored */
    SCRIM_REASON_BUILD =
        16, /* the vault is of the other build, for tests or in earnest */
    SCRIM_REASON_DAMAGED = 17, /* the vault contradicts itself */
    SCRIM_REASON_OPEN = 18,    /* the release is of a run that was never closed */
    SCRIM_REASON_COMPLETE = 19 /* every planned release of the series has been made */
} scrim_reason;

#define SCRIM_MESSAGE_BYTES 320
#define SCRIM_PARAMETER_BYTES 32

/* Filled when a call fails and left alone when it succeeds. It holds no pointer, so that it can
 * be copied and kept.
 *
 * The message is one line of UTF-8 without a newline, says what is wrong, and speaks of
 * parameters, never of data. It names no option and no command of a surface. Its words may
 * change; status, reason and parameter are the contract.
 *
 * The parameter is what the reason speaks of, in the words of the mechanism's line ("epsilon"),
 * of the policy ("max-groups"), or of an options struct with '-' for '_' ("target-error");
 * "" where the reason speaks of none. A message about a line of a policy begins with the
 * parameter. */
typedef struct scrim_error {
    scrim_status status;
    char message[SCRIM_MESSAGE_BYTES];
    scrim_reason reason;
    char parameter[SCRIM_PARAMETER_BYTES];
} scrim_error;

/* Every struct of options begins with its size, which SCRIM_OPTIONS sets so that it can grow. A
 * member left zero is left out. */
#ifdef __cplusplus
} /* templates have no C linkage */
/* C++ has no address of a value without a name; the value lives until its call has returned. */
template <typename options> inline const options *scrim_options_at(const options &given)
{
    return &given;
}
#define SCRIM_OPTIONS(type, ...)                                                         \
    (scrim_options_at<type>(type{.size = sizeof(type), __VA_ARGS__}))
extern "C" {
#else
#define SCRIM_OPTIONS(type, ...) (&(type){.size = sizeof(type), __VA_ARGS__})
#endif

/* The version of the library that is running, "MAJOR.MINOR.PATCH". */
SCRIM_API const char *scrim_version(void);

/* The spelling of a status in this header, "SCRIM_E_PARAM"; "SCRIM_E_UNKNOWN" for a value that
 * is not one. Never NULL. */
SCRIM_API const char *scrim_status_name(scrim_status status);

/* The word for a reason, pinned as its number is: "missing"; "" for SCRIM_REASON_NONE and for a
 * value that is not one. Never NULL. */
SCRIM_API const char *scrim_reason_name(scrim_reason reason);

#ifdef __cplusplus
}
#endif

#endif

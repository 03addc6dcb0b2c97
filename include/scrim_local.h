/* The device side of local privacy: a value goes in, a report comes out that is private before it
 * leaves the device.
 *
 *     scrim_local_config config;
 *     uint8_t report[4];
 *     if (scrim_local_config_parse(text, &config) != SCRIM_LOCAL_OK ||
 *         !scrim_local_config_is_within(&config, 20, 1) ||
 *         scrim_local_report_bytes(&config) != sizeof report)
 *         return;
 *     scrim_local_encode(&config, value, &scrim_local_system, report);
 *
 * C11 and integers only. Nothing is allocated, nothing is kept between calls, nothing is linked. Random
 * bits come from the caller's source, or from the kernel. For firmware there is one pair of files, installed
 * in share/scrim/device: scrim_local.c and this header. -DSCRIM_LOCAL_FREESTANDING leaves the kernel's bits
 * out; then nothing is needed of an operating system.
 *
 * Secrets. The configuration is public, the same for all devices, and named
 * by its hash. The value is secret: every function that takes one runs the same instructions on the
 * same addresses whatever it is, and the length of a report depends on the configuration alone. A
 * value outside the domain is no error: it counts as the last one, which the question declares for all
 * others.
 *
 * Claim  local.privacy   each protocol has at most the loss that scrim_local_loss says, exactly
 * Claim  local.length    a report's length depends on the configuration alone
 * Claim  local.secret    instructions and addresses do not depend on the value
 */
#ifndef SCRIM_LOCAL_H
#define SCRIM_LOCAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SCRIM_LOCAL_API
#if defined(__GNUC__)
#define SCRIM_LOCAL_API __attribute__((visibility("default")))
#else
#define SCRIM_LOCAL_API
#endif
#endif

/* The codes of scrim.h that a device can meet. */
typedef enum scrim_local_status {
    SCRIM_LOCAL_OK = 0,
    SCRIM_LOCAL_E_ENTROPY = 11, /* no random bits: there is no report */
    SCRIM_LOCAL_E_PARAM =
        20, /* a configuration that is not allowed, or not for this call */
    SCRIM_LOCAL_E_LIMIT = 21, /* allowed, but above a size limit */
    SCRIM_LOCAL_E_STATE = 22, /* the state has no report of this period to send */
    SCRIM_LOCAL_E_SYNTAX =
        23, /* text that is no configuration, or bytes that are no state */
    SCRIM_LOCAL_E_POLICY = 30,   /* one charge is above the largest of the device */
    SCRIM_LOCAL_E_PERIOD = 31,   /* the period is before the last one */
    SCRIM_LOCAL_E_ANSWERED = 32, /* the period has a report by another configuration */
    SCRIM_LOCAL_E_BUDGET = 40    /* the lifetime budget of the device does not suffice */
} scrim_local_status;

/* "budget", "entropy" and the like, for logs; "unknown" for others. */
SCRIM_LOCAL_API const char *scrim_local_status_name(scrim_local_status status);

/* ---- random bits -------------------------------------------------------------------------- */

/* Fills out with `bytes` random bytes and returns 0. Any other value is a failure: the call that
 * needed them returns SCRIM_LOCAL_E_ENTROPY and makes no report. */
typedef struct scrim_local_source {
    int (*fill)(void *context, void *out, size_t bytes);
    void *context;
} scrim_local_source;

#ifndef SCRIM_LOCAL_FREESTANDING
/* The kernel's. */
extern SCRIM_LOCAL_API const scrim_local_source scrim_local_system;
#endif

/* ---- configurations ----------------------------------------------------------------------- */

typedef enum scrim_local_protocol {
    /* which of k values: counts */
    SCRIM_LOCAL_RESPONSE = 1,   /* "randomised-response": the value, or another one */
    SCRIM_LOCAL_PROJECTIVE = 2, /* "projective-geometry" */
    SCRIM_LOCAL_SUBSET = 3,     /* "subset-selection" */
    SCRIM_LOCAL_SYMMETRIC_UNARY = 4, /* "symmetric-unary" */
    SCRIM_LOCAL_OPTIMISED_UNARY = 5, /* "optimised-unary" */
    SCRIM_LOCAL_HASHING = 6,         /* "local-hashing", by the digits of a value */
    SCRIM_LOCAL_HADAMARD = 7,        /* "hadamard" */
    SCRIM_LOCAL_BIT_FLIP = 8,        /* "bit-flip": dBitFlip */
    SCRIM_LOCAL_REPEATED_UNARY = 9,  /* "repeated-unary": L-OSUE, one value asked again */
    /* which text */
    SCRIM_LOCAL_TEXT_HASHING =
        10, /* "text-hashing": local hashing of a text in a binary field */
    SCRIM_LOCAL_PREFIX = 11, /* "prefix": unknown texts, one prefix a device */
    SCRIM_LOCAL_RAPPOR = 12, /* "rappor": in its four forms */
    /* an ordered number */
    SCRIM_LOCAL_SQUARE_WAVE = 13, /* "square-wave": distributions */
    SCRIM_LOCAL_ONE_BIT = 14,     /* "one-bit-mean" */
    SCRIM_LOCAL_ROUNDED_BIT =
        15, /* "rounded-bit-mean": alpha-points, for a number asked again */
    SCRIM_LOCAL_LAPLACE = 16,   /* "laplace-mean": the baseline */
    SCRIM_LOCAL_GEOMETRIC = 17, /* "condensed-geometric": privacy by distance */
    SCRIM_LOCAL_CONDENSED =
        18 /* "condensed-exponential": privacy by distance, by a table */
} scrim_local_protocol;

#define SCRIM_LOCAL_QUESTION_BYTES 64
#define SCRIM_LOCAL_CONFIG_BYTES 512 /* of its text */
#define SCRIM_LOCAL_HASH_BYTES 32
#define SCRIM_LOCAL_PREFIXES 32

/* A configuration as it was parsed; a member is 0 where the protocol has no such parameter. Make
 * one with scrim_local_config_parse only.
 *
 * Its text is one line of words, in this order, those that the protocol has, one space between them and
 * a newline at the end, which a reader adds where it is missing; numbers are decimal without leading zeros:
 *
 *     scrim-local/1 question=NAME protocol=NAME values=K a=A b=B …
 *
 * so that equal configurations are equal bytes. Each word is called like its member; prefixes=16,24,32
 * lists the lengths, of which there are then three. The hash is SHA-256 of these bytes. */
typedef struct scrim_local_config {
    char question[SCRIM_LOCAL_QUESTION_BYTES]; /* of a-z 0-9 - and ., ended by a zero */
    uint8_t hash[SCRIM_LOCAL_HASH_BYTES];
    uint32_t protocol; /* scrim_local_protocol */
    uint32_t values;   /* k: values are 0..k-1. Of numbers: m + 1, m the largest */
    uint32_t a, b;     /* the loss is ln(a/b), or twice that: scrim_local_loss */
    uint32_t field;    /* q of projective-geometry, g of local-hashing: a prime */
    uint32_t digits;   /* t of projective-geometry, m of local-hashing */
    uint32_t chosen;   /* d of subset-selection and bit-flip */
    uint32_t blocks;   /* J of hadamard */
    uint32_t order;    /* b of hadamard, a power of two */
    uint32_t width;    /* w of square-wave; how far laplace-mean may report outside */
    uint32_t keep;     /* repeated-unary: bits are kept with probability keep/2^32 */
    uint32_t flip;     /* rounded-bit-mean: flipped with probability flip/2^32 */
    uint32_t text;     /* texts: how many bytes each has, padded with zeros */
    uint32_t cells;    /* text-hashing, prefix: a power of two from 2 to 65536 */
    uint32_t bits;     /* rappor: bits of the signal, one a value where hashes is 0 */
    uint32_t hashes;   /* rappor: of a Bloom filter; 0: one bit a value of a list */
    uint32_t cohorts;  /* rappor */
    /* rappor, in parts of 2^32: f/2 is the chance that a permanent bit is 1 whatever the signal,
     * p and q that a report's bit is 1 where the permanent one is 0, 1; p = q = 0: reports are
     * the permanent bits (one-time). */
    uint32_t f, p, q;
    uint32_t prefixes;                    /* prefix: how many groups */
    uint8_t prefix[SCRIM_LOCAL_PREFIXES]; /* the length of each, in bits, rising */
    uint32_t epoch; /* 1: a fresh permanent answer each period; 0: a constant value */
    /* condensed-exponential. 0: the distance of x and y is |x-y|. 1: it is that of a table, whose hash is
     * in the text, behind all other words: table= and 64 digits of 0-9 a-f. */
    uint32_t metric;
    uint8_t table_hash[SCRIM_LOCAL_HASH_BYTES];
    const uint8_t *table; /* the caller's; NULL until scrim_local_config_table */
} scrim_local_config;

/* Reads a text that ends with a zero. A device does not say what is wrong with a text: check it on
 * the server with scrim_collection_new, which does. SCRIM_LOCAL_E_SYNTAX: it is no canonical text of a
 * configuration; SCRIM_LOCAL_E_PARAM: its parameters contradict each other or the protocol;
 * SCRIM_LOCAL_E_LIMIT: they are above a size limit. Nothing of out is to be used then. */
SCRIM_LOCAL_API scrim_local_status scrim_local_config_parse(const char *text,
                                                            scrim_local_config *out);
/* Writes the canonical text and its ending zero, of a configuration whose members were set by a
 * server; sets the hash. */
SCRIM_LOCAL_API scrim_local_status
scrim_local_config_format(scrim_local_config *config, char out[SCRIM_LOCAL_CONFIG_BYTES]);
/* Gives a configuration its table of distances, which stays the caller's and must stay as it is: one byte,
 * from 1 to 255, for each pair of values x < y, by y and then by x; values (values - 1) / 2 in all.
 * SCRIM_LOCAL_E_PARAM: it has another hash or length, or is not a metric. */
SCRIM_LOCAL_API scrim_local_status scrim_local_config_table(scrim_local_config *config,
                                                            const uint8_t *table,
                                                            size_t bytes);
/* The hash of a table, for table_hash. */
SCRIM_LOCAL_API void scrim_local_table_hash(const uint8_t *table, size_t bytes,
                                            uint8_t out[SCRIM_LOCAL_HASH_BYTES]);
/* "projective-geometry"; NULL: there is no such protocol. */
SCRIM_LOCAL_API const char *scrim_local_protocol_name(uint32_t protocol);

/* The loss of one report; where a permanent answer is kept for ever (epoch = 0; of rounded-bit-mean, with
 * flip = 0 too), of all reports together. In parts of 2^32 of a nat, rounded up; UINT64_MAX: it has no
 * bound, or its table is missing. */
SCRIM_LOCAL_API uint64_t scrim_local_loss(const scrim_local_config *config);
/* Whether that loss is at most ln(a/b), a >= b >= 1: 1 or 0. The device compiles its cap in. */
SCRIM_LOCAL_API int scrim_local_config_is_within(const scrim_local_config *config,
                                                 uint32_t a, uint32_t b);

/* ---- reports ------------------------------------------------------------------------------ */

/* How long each report of the configuration is. */
SCRIM_LOCAL_API size_t scrim_local_report_bytes(const scrim_local_config *config);

/* The report of a value. On failure the report is zeros and must not be sent. Each call is charged
 * anew: a device that is asked more than once keeps a state. Of protocols with a permanent answer it is
 * the first report of a new device. SCRIM_LOCAL_E_PARAM: the configuration takes a text, or its table is
 * missing. */
SCRIM_LOCAL_API scrim_local_status scrim_local_encode(const scrim_local_config *config,
                                                      uint64_t value,
                                                      const scrim_local_source *source,
                                                      uint8_t *report);
/* Likewise of a text: config->text bytes, padded with zeros. */
SCRIM_LOCAL_API scrim_local_status
scrim_local_encode_text(const scrim_local_config *config, const uint8_t *text,
                        const scrim_local_source *source, uint8_t *report);
/* The reports of `count` values, one after the other, as `count` calls would make them from the
 * same bits: for gateways, tests and simulations. */
SCRIM_LOCAL_API scrim_local_status
scrim_local_encode_many(const scrim_local_config *config, const uint32_t *values,
                        size_t count, const scrim_local_source *source, uint8_t *reports);
/* The same for `count` texts of config->text bytes each. */
SCRIM_LOCAL_API scrim_local_status scrim_local_encode_texts(
    const scrim_local_config *config, const uint8_t *texts, size_t count,
    const scrim_local_source *source, uint8_t *reports);

/* ---- beside secure aggregation ------------------------------------------------------------ */

/* Vectors for Prio3: not private by themselves, but to be cut into shares and proved by a client of
 * Prio3 alone. Elements of the field are 0 or 1, each in `element_bytes` bytes, little-endian, at least 1 (Field64:
 * 8, Field128: 16). The same instructions whatever the values; one outside is clamped to the last.
 *
 * Histogram: `buckets` elements, 1 at the value's. */
SCRIM_LOCAL_API scrim_local_status scrim_local_histogram_vector(uint64_t value,
                                                                uint32_t buckets,
                                                                uint32_t element_bytes,
                                                                uint8_t *out);
/* SumVec: the `bits` bits, from 1 to 62, of each of `count` values, the lowest first; with bits
 * = 1 the multi-hot vector of a set. */
SCRIM_LOCAL_API scrim_local_status scrim_local_sum_vector(const uint64_t *values,
                                                          uint32_t count, uint32_t bits,
                                                          uint32_t element_bytes,
                                                          uint8_t *out);

/* ---- what a device keeps ------------------------------------------------------------------- */

/* A device that is asked more than once keeps a state: bytes in the caller's memory, which the caller stores.
 * In it are the device's secret, its lifetime budget and what of it is spent, and for each question the last
 * period, its report and its charge.
 *
 *     scrim_local_state_prepare(state, bytes, &config, period, value);   fixes the report, and charges
 *     store(state, bytes);                                               durable, before anything is sent
 *     load(stored, bytes);                                               what would be there after a crash
 *     scrim_local_state_send(stored, bytes, &config, period, message);   the same bytes each time
 *
 * For a question there is one report a period, whatever happens: another value within the period, a retry,
 * a restart or a clock that goes back never make another. Should a crash lose a state that was not stored,
 * the same value makes the same report again, since all words are a keyed function of the secret.
 *
 * A period is a number that rises, e.g. of days; every question counts by the same. A permanent answer is
 * kept for one period (epoch = 1), or for ever (epoch = 0): then the first value counts, and later ones only
 * where the configuration changes, which is charged again. Nothing grows with time.
 *
 * Store a state readable for the device alone, never in a backup that goes to another device, and never in an
 * image: two devices with one secret have the same noise. One process at a time prepares, and a state is never
 * put back to an earlier one: what was sent since is then forgotten and not charged, and another value makes
 * another report of the same period. A state that is lost cannot be made again: a new one begins a new budget. All bytes but the secret and the reports are public; the secret is what permanent
 * answers are safe by.
 *
 * Claim  local.once     one report for a question and a period, the same bytes each time
 * Claim  local.budget   the losses of all reports of a state are at most its cap, together */

/* Stands for a missing value. A device that stays silent would reveal that; so a device without
 * a value sends a cover report. Of k values it is that of the last one; of numbers that of a
 * uniform one, so that of a known share of absent ones the mean is known. Of texts take zeros. */
#define SCRIM_LOCAL_ABSENT UINT64_MAX

/* The same as a constant, within the limits, for a buffer of that size. */
#define SCRIM_LOCAL_STATE_BYTES(questions, room)                                         \
    ((size_t)88 + (size_t)(questions) * (80 + 2 * (size_t)(room)))

/* How many bytes a state has for `questions` questions (at most 4096) with reports of at most
 * `room` bytes (at most 2^18); 0: above a limit. */
SCRIM_LOCAL_API size_t scrim_local_state_bytes(uint32_t questions, uint32_t room);
/* Makes the state of a new device, once in its life. cap is what all reports together may ever lose,
 * largest what one charge may, both in parts of 2^32 of a nat. On failure it is zeros. */
SCRIM_LOCAL_API scrim_local_status
scrim_local_state_init(uint8_t *state, size_t bytes, uint32_t questions, uint32_t room,
                       uint64_t cap, uint64_t largest, const scrim_local_source *source);

/* The account that a state keeps, to be shown to its owner. */
typedef struct scrim_local_account {
    uint64_t cap, spent, largest; /* parts of 2^32 of a nat */
    uint32_t questions, used;     /* how many there is place for; how many were asked */
    uint32_t room;                /* bytes of a report */
} scrim_local_account;
/* SCRIM_LOCAL_E_SYNTAX: the bytes are not a state, or not whole. */
SCRIM_LOCAL_API scrim_local_status scrim_local_state_read(const uint8_t *state,
                                                          size_t bytes,
                                                          scrim_local_account *out);
/* The cost of a question so far, and its last period; SCRIM_LOCAL_E_PARAM: it was never asked. */
SCRIM_LOCAL_API scrim_local_status scrim_local_state_question(const uint8_t *state,
                                                              size_t bytes,
                                                              const char *question,
                                                              uint64_t *spent,
                                                              uint64_t *period);

/* Fixes the report of a value for a question and a period, and charges for it; the state must be stored
 * before the report is sent. Nothing changes where the period has its report already, whatever the value.
 *
 * Otherwise nothing changes either and there is no report. No status depends on the value:
 * SCRIM_LOCAL_E_PERIOD: the period is before the last one of the question, or of a new question before the end of one
 * that was forgotten; SCRIM_LOCAL_E_ANSWERED: it has a report by another configuration; SCRIM_LOCAL_E_POLICY: the
 * loss is above the largest charge; SCRIM_LOCAL_E_BUDGET: the cap does not suffice; SCRIM_LOCAL_E_LIMIT: no
 * place for a question or a report; SCRIM_LOCAL_E_PARAM: the configuration takes a text, or misses its table;
 * SCRIM_LOCAL_E_SYNTAX: not a state.
 *
 * A period far in the future, from a clock that was wrong, ends the question until then. Ask on under another name for
 * the question; do not forget it, which would end all new questions until then. */
SCRIM_LOCAL_API scrim_local_status
scrim_local_state_prepare(uint8_t *state, size_t bytes, const scrim_local_config *config,
                          uint64_t period, uint64_t value);
/* Likewise of a text: config->text bytes, padded with zeros. */
SCRIM_LOCAL_API scrim_local_status scrim_local_state_prepare_text(
    uint8_t *state, size_t bytes, const scrim_local_config *config, uint64_t period,
    const uint8_t *text);
/* The message of a question and a period, of a state as it was read back from where it is stored: a header
 * and the report. SCRIM_LOCAL_E_STATE: none is in it. */
SCRIM_LOCAL_API scrim_local_status scrim_local_state_send(
    const uint8_t *stored, size_t bytes, const scrim_local_config *config,
    uint64_t period, uint8_t *message);

/* Which of `count` questions the device answers in this period, each with the same probability and
 * whatever its values: one attribute of many a round, with all of its epsilon. */
SCRIM_LOCAL_API scrim_local_status scrim_local_state_choose(const uint8_t *state,
                                                            size_t bytes, uint64_t period,
                                                            uint32_t count,
                                                            uint32_t *chosen);
/* Whether it is the device's turn, where each reports in one of `every` periods: 1 or 0. The turn is uniform, fixed
 * for the device, the same for all questions of the same `every`, and a function of its secret alone.
 * SCRIM_LOCAL_E_PARAM: every is 0. */
SCRIM_LOCAL_API scrim_local_status scrim_local_state_turn(const uint8_t *state,
                                                          size_t bytes, uint64_t period,
                                                          uint32_t every, int *is_turn);
/* Makes place: the question is forgotten, what it has cost is not. Questions that are new from then on
 * begin with a period after its last one. SCRIM_LOCAL_E_PARAM: it was never asked; SCRIM_LOCAL_E_LIMIT: its last
 * period is UINT64_MAX, and none is later; SCRIM_LOCAL_E_SYNTAX: not a state. */
SCRIM_LOCAL_API scrim_local_status scrim_local_state_forget(uint8_t *state, size_t bytes,
                                                            const char *question);

/* Whether the configuration is one of those that were published for all devices: 1 or 0. Their
 * hashes, `count` of them, stand one after the other. A device asks it before it answers, since
 * a question made for one person can be seen by nothing else. */
SCRIM_LOCAL_API int scrim_local_config_is_listed(const scrim_local_config *config,
                                                 const uint8_t *hashes, size_t count);

/* ---- messages ----------------------------------------------------------------------------- */

/* The bytes that are sent: "SL", the version 1, a zero, the first 12 bytes of the configuration's hash, the
 * report. Nothing in it names the device. */
#define SCRIM_LOCAL_HEADER_BYTES 16
SCRIM_LOCAL_API void scrim_local_header(const scrim_local_config *config,
                                        uint8_t out[SCRIM_LOCAL_HEADER_BYTES]);

#ifdef __cplusplus
}
#endif

#endif

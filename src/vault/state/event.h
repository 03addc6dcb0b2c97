/* One entry of the ledger as bytes.
 *
 * An entry is one line of words, and behind a newline whatever text belongs to it:
 *
 *     charge 3 1 2 0.1 0
 *     laplace sensitivity=1 epsilon=0.1 neighbours=add-remove
 *
 * A charge of parts that were declared in advance, by their joint cost, has them in front of the
 * question:
 *
 *     joint 3 1 2 0.83 0.000001
 *     arithmetic 1
 *     ... (ledger/bundle.h)
 *     question
 *     query epsilon=1 delta=0.000001 : SELECT COUNT(*)
 *
 * A window is a charge of a series whose rows are in one window each: its amount is what its price
 * adds to the most expensive window of the same version before it.
 *
 * Labels are signed by a key. Of a vault in format 2 its identity is the public half; one in format
 * 1 has it in an entry of its own once its owner has made one.
 *
 * The bytes are canonical: an entry has exactly one spelling, so that a hash of the bytes is a
 * hash of what they say. Numbers are exact text. A kind of entry never changes its meaning;
 * docs/ledger-format.md lists them all.
 *
 * Claim  event.canonical  what parses is formatted as the same bytes, and what is formatted
 *                         parses to the same entry
 * Claim  event.size       an entry has at most 256 bytes beside the text that belongs to it, for
 *                         every charge that can be made
 */
#ifndef SC_VAULT_EVENT_H
#define SC_VAULT_EVENT_H

#include "base/digest.h"
#include "ledger/filter.h"

/* A vault is made in the last of them. */
#define SC_EVENT_FORMAT_UNKEYED 1
#define SC_EVENT_FORMAT_KEYED 2
#define SC_EVENT_HEAD_BYTES 256
#define SC_EVENT_BODY_BYTES (16u << 20)
#define SC_EVENT_NAME_BYTES 64
/* The end of the year 9999. */
#define SC_EVENT_TIME_MAX UINT64_C(253402300799)

typedef enum sc_event_kind {
    SC_EVENT_INIT = 1, /* the format and the vault's identity; the text is its witness */
    SC_EVENT_PLACE,    /* the file where the vault lives, as format 1 knew it */
    SC_EVENT_ANALYST,  /* somebody is known by user number and name */
    SC_EVENT_POPULATION, /* people with one budget */
    SC_EVENT_DATASET,    /* a table about them; the text is its policy */
    SC_EVENT_POLICY,     /* another policy, another version */
    SC_EVENT_UPDATE,     /* other contents, another version; the text is the policy */
    SC_EVENT_REMOVE,     /* no more questions to this dataset */
    SC_EVENT_SHARE,      /* what one analyst may spend of a budget */
    SC_EVENT_CAP,        /* what one question to a dataset may cost */
    SC_EVENT_CHARGE,     /* a charge; the text is the measurement */
    SC_EVENT_RELEASE,    /* the answer to a charge, by its digest */
    SC_EVENT_TIME,       /* what a clock said when the next entries were made */
    SC_EVENT_JOINT,      /* a charge by what its parts, which it declares, cost jointly */
    SC_EVENT_SERIES,     /* releases over time; the text is what was declared of them */
    SC_EVENT_WINDOW,     /* a charge of a window by the rule of earlier versions */
    SC_EVENT_WINDOW2,    /* a charge of one window of a series */
    SC_EVENT_KEY,        /* the public key of labels, of a vault that had none */
    SC_EVENT_ASKED,      /* one answer of an interactive run; the text is the answer */
    SC_EVENT_FILE,  /* the file where the vault lives, by all that tells it from others */
    SC_EVENT_TERMS, /* how questions to a version are answered; the text is its terms */
    SC_EVENT_WITNESS, /* the owner has accepted the vault as it is; the text is its witness */
    SC_EVENT_CLOSE, /* the source of a version was found to be another: no more questions */
    SC_EVENT_VIEW /* an analyst with a share has got the answer to another's charge: on that share alone */
} sc_event_kind;

/* The members that a kind has; the others are left alone. Texts are views. */
typedef struct sc_event {
    sc_event_kind kind;
    uint64_t population, dataset, analyst; /* their numbers, from 1 on */
    uint64_t version;
    uint64_t charge;        /* the entry that is answered */
    uint64_t query;         /* of a run: which one is answered, from 1 on */
    uint64_t user;          /* an analyst's number in the operating system */
    uint64_t device, inode; /* a place */
    bool has_born, has_generation;
    uint64_t born, generation; /* of a file; location.h */
    uint64_t time;             /* seconds since 1970 */
    uint64_t series;           /* its number, from 1 on */
    uint64_t release;          /* of a series: which one it is, or how many there are */
    uint64_t seen;    /* the last entry of the former witness if it is lost, or 0 */
    bool is_parallel; /* of a series: a row is in one window of it alone */
    sc_digest digest; /* of an answer; of a vault, its identity; a public key */
    bool is_keyed;    /* of a vault: its identity is the public key of its labels */
    bool is_test;     /* a vault of the test build: what it holds is NOT PRIVATE */
    sc_text name;     /* of an analyst, a population, a dataset, a file system */
    scrim_neighbours neighbours;
    sc_filter_rule rule;
    sc_ratio order;   /* of a Renyi divergence */
    sc_ratio epsilon; /* a population's budget as it was declared, with delta */
    bool has_amount, has_delta,
        has_least;   /* of a share or a cap, which may leave them out */
    sc_ratio amount; /* epsilon, rho or a divergence, as the population counts */
    sc_ratio delta;
    sc_ratio least;              /* the smallest amount that is charged */
    sc_ratio price, price_delta; /* of a window by itself */
    sc_text declared;            /* of a joint charge: its parts, in whole lines */
    sc_text body;
} sc_event;

void sc_event_init(sc_event *event);
void sc_event_clear(sc_event *event);

/* A charge: by the sum of its prices, by what its parts cost jointly, or of a window. */
bool sc_event_is_charge(sc_event_kind kind);
/* The same of the bytes of an entry, by their first word. */
bool sc_event_bytes_charge(sc_text bytes);
bool sc_event_is_window(sc_event_kind kind);
/* Entries that come with charges and answers; all others are policy. Windows are among the others:
 * what the next one costs depends on them. */
bool sc_event_is_traffic(sc_event_kind kind);
/* Letters, digits, '_', '.' and '-', from 1 to 64 of them, a letter or digit first. */
bool sc_event_is_name(sc_text text);

/* Room for the bytes of an entry, with a terminator. */
size_t sc_event_capacity(const sc_event *event);
/* SCRIM_E_LIMIT when a number or a name needs too many bytes, SCRIM_E_INTERNAL for an entry that
 * cannot be said. bytes has room for sc_event_capacity. */
SCRIM_MUST_USE scrim_status sc_event_format(const sc_event *event, char *bytes,
                                            size_t *length, scrim_error *error);
/* Total: any bytes are an entry or SCRIM_E_LEDGER. The views of event point into bytes; on
 * failure event holds nothing of use. */
SCRIM_MUST_USE scrim_status sc_event_parse(sc_text bytes, sc_event *event,
                                           scrim_error *error);

#endif

/* The tree of a query as it was written: nothing is simplified, nothing is known of columns yet.
 * A tree lives in the arena of its query and is never changed.
 *
 * Claim  tree.round-trip  the text of a tree parses to an equal tree, whatever its names and texts
 */
#ifndef SC_QUERY_TREE_H
#define SC_QUERY_TREE_H

#include "query/language/refusal.h"

/* The deepest nesting of parentheses, functions, NOT and signs. Deeper trees are refused, so walking a tree
 * by recursion is safe. */
#define SC_QUERY_DEPTH 100
/* SELECT in FROM, inside one another. */
#define SC_QUERY_LEVELS 2

typedef enum sc_node_kind {
    SC_NODE_NUMBER,    /* text: as written */
    SC_NODE_TEXT,      /* text */
    SC_NODE_DATE,      /* text: what stood behind DATE */
    SC_NODE_TIMESTAMP, /* text: what stood behind TIMESTAMP */
    SC_NODE_TRUE,
    SC_NODE_FALSE,
    SC_NODE_NULL,
    SC_NODE_NAME, /* text; and table, where it says the joined table that it is of */
    SC_NODE_STAR, /* the one argument of COUNT(*) */
    SC_NODE_NEGATE,
    SC_NODE_ADD,
    SC_NODE_SUBTRACT,
    SC_NODE_MULTIPLY,
    SC_NODE_DIVIDE,
    SC_NODE_JOINED, /* two texts with || between them */
    SC_NODE_EQUAL,
    SC_NODE_NOT_EQUAL,
    SC_NODE_LESS,
    SC_NODE_LESS_EQUAL,
    SC_NODE_GREATER,
    SC_NODE_GREATER_EQUAL,
    SC_NODE_NOT,
    SC_NODE_AND,     /* two or more */
    SC_NODE_OR,      /* two or more */
    SC_NODE_BETWEEN, /* value, low, high */
    SC_NODE_IN,      /* value, then the list */
    SC_NODE_LIKE,    /* value, pattern, and what stands behind ESCAPE, if anything */
    SC_NODE_IS_NULL,
    SC_NODE_IS_TRUE,
    SC_NODE_IS_FALSE,
    SC_NODE_IS_DISTINCT, /* two: IS DISTINCT FROM */
    SC_NODE_CASE, /* condition, value, condition, value, ... and the value behind ELSE, if any */
    SC_NODE_CALL /* text: the function in capital letters */
} sc_node_kind;

typedef struct sc_node sc_node;
struct sc_node {
    sc_node_kind kind;
    bool distinct, with_range; /* of a call: F(DISTINCT x), F(x) WITH RANGE */
    bool is_own;               /* of a name: it was written with the dataset's in front */
    bool
        has_subject; /* of CASE: list[0] is compared with what stands in place of conditions */
    unsigned depth; /* 1 for a leaf */
    sc_span span;
    sc_text text, table;
    const sc_node *const *list; /* the parts */
    size_t count;
    const sc_node *filter; /* of a call: the condition of FILTER; or NULL */
};

typedef struct sc_item {
    const sc_node *node;
    sc_text alias; /* empty: none */
    sc_span alias_span;
} sc_item;

typedef struct sc_order {
    const sc_node *node;
    bool descending;
} sc_order;

/* UNNEST(list LIMIT limit) AS name, behind the dataset of FROM. */
typedef struct sc_tree_list {
    const sc_node *list, *limit;
    sc_text name;
    sc_span span; /* of the word UNNEST */
    sc_span name_span;
} sc_tree_list;

/* [LEFT] JOIN table [AS] name, with USING (column) or ON a = b, behind the dataset of FROM. */
typedef struct sc_tree_join {
    sc_text table, name; /* equal without AS */
    sc_span span;        /* of the table's name */
    bool is_left;
    const sc_node *using; /* a name; or */
    const sc_node *on[2]; /* names; one of each side, in any order */
} sc_tree_join;

/* The most sets of keys that GROUP BY may name. */
#define SC_QUERY_SETS 32

typedef struct sc_tree sc_tree;
struct sc_tree {
    const sc_item *items;
    size_t item_count;
    sc_text from;  /* empty: left out */
    sc_text alias; /* what else a question with joins calls it; empty: nothing */
    sc_span from_span;
    const sc_tree_join *joins;
    size_t join_count;
    const sc_tree *inner; /* FROM (SELECT ...), which from_span is about; NULL: none */
    const sc_tree_list *unnest;    /* NULL: none */
    const sc_node *where, *having; /* NULL: left out */
    const sc_node *const *groups;  /* of GROUP BY; with sets each once */
    size_t group_count;
    /* ROLLUP, CUBE and GROUPING SETS make these: bit i of a set is group i. None: one grouping by all of them. */
    const uint64_t *sets;
    size_t set_count;
    sc_span sets_span; /* of the word */
    const sc_order *orders;
    size_t order_count;
    const sc_node *limit; /* a number, or NULL */
    bool is_consistent;   /* WITH CONSISTENT TOTALS */
};

/* The same words in the same places; the case of functions and spaces aside. */
bool sc_node_equal(const sc_node *a, const sc_node *b);

/* Text that parses to an equal node: every name in double quotes, every operation in
 * parentheses. Writes at most capacity bytes with the terminator and returns the length it needs
 * without it, as snprintf does. */
size_t sc_node_format(const sc_node *node, char *text, size_t capacity);

#endif

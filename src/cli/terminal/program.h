/* The name of the program, and its line of help about the seed: the test build has its own. Few sources say
 * either, so that few are compiled again for tests. */
#ifndef SC_CLI_PROGRAM_H
#define SC_CLI_PROGRAM_H

#ifdef SCRIM_TESTING
#define SC_PROGRAM "scrim-test"
#define SC_USAGE_SEED "  --seed N       the seed to draw from (default 1): NOT PRIVATE\n"
#else
#define SC_PROGRAM "scrim"
#define SC_USAGE_SEED ""
#endif

#endif

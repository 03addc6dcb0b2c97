/* What the program is called; the test build has a name of its own. Few sources say it, so that few
 * are compiled again for tests. */
#ifndef SC_CLI_PROGRAM_H
#define SC_CLI_PROGRAM_H

#ifdef SCRIM_TESTING
#define SC_PROGRAM "scrim-test"
#else
#define SC_PROGRAM "scrim"
#endif

#endif

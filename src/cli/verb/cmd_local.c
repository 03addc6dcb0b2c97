/* scrim local SUBCOMMAND */
#include "cli/local/local_commands.h"
#include "cli/terminal/complaint.h"
#include "cli/verb/verbs.h"

static scrim_status run_local(const sc_options *options, scrim_error *error)
{
    const sc_local_command *command = NULL;
    if (options->word_count < 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing subcommand; 'scrim help local' lists them");
    scrim_status status = sc_local_command_find(options->words[1], &command, error);
    if (status == SCRIM_OK)
        status = sc_options_check(options, command->options, error);
    return status == SCRIM_OK ? command->run(options, error) : status;
}

const sc_verb sc_verb_local = {
    .name = "local",
    .synopsis = "SUBCOMMAND [OPTION...]",
    .summary = "Collect reports that devices made private, and decode them",
    .usage =
        "Devices send reports that are private before they leave (scrim_local.h). The\n"
        "server adds them up and estimates how many devices hold each value. All "
        "devices\n"
        "have the same public configuration, one line of text in a file. No vault is "
        "used\n"
        "and nothing is charged: each device pays for its own report.\n"
        "\n"
        "  scrim local encode --config FILE [--names FILE] < VALUES > REPORTS\n"
        "      Makes one report of each line, as a device does: for public or simulated\n"
        "      values, tests and gateways. Never collect private values to encode them\n"
        "      here. A value is a number from 0 on, or with --names a name; any other\n"
        "      line, a heading too, counts as the last value. Configurations of texts\n"
        "      take the line itself.\n"
        "  scrim local collect --config FILE REPORTS... > SUMS\n"
        "      Adds up files of reports, of sums, or of both; - is standard input. Sums\n"
        "      of parts add up to the sums of the whole. Reports that no device can "
        "have\n"
        "      sent are dropped. Shapes that honest devices hardly ever send are "
        "flagged.\n"
        "  scrim local decode --config FILE SUMS...\n"
        "      Estimates counts, or the mean of numbers: unbiased, with standard "
        "errors,\n"
        "      intervals for each value and for all values together, and how far fake\n"
        "      reports can move them.\n"
        "      Texts: rappor with a Bloom filter takes sums and candidates (--names);\n"
        "      text-hashing takes reports and candidates; prefix takes reports alone\n"
        "      and finds texts that nobody has listed.\n"
        "  scrim local simulate --config FILE [--users N] [--periods D]\n"
        "      Runs a simulated fleet through the code of devices, and decodes each\n"
        "      period; see below.\n"
        "  scrim local amplify --users N --epsilon E --delta D [PROTOCOL key=value...]\n"
        "      Computes what a shuffled batch reveals about one device; see below.\n"
        "\n"
        "  --config FILE      the configuration of the devices\n"
        "  --names FILE       encode, decode: names of the values 0, 1, ..., one a "
        "line;\n"
        "                     decode, of texts: the candidates\n"
        "  --confidence C     decode: of intervals, above 0.5 and below 1 (default "
        "0.95)\n"
        "  --top N            decode: the N largest estimates only\n"
        "  --significant      decode: only values that somebody holds; of those, at "
        "most\n"
        "                     1 - C are expected to be false\n"
        "  --post METHOD      decode: also counts that are at least 0 and add up, by\n"
        "                     simplex, norm-sub (the same), em or em-smooth. They are\n"
        "                     biased; scrim measures and prints the bias\n"
        "  --updates N        decode: updates of em (default 200)\n"
        "  --covariance       decode: covariances of the estimates instead, for errors\n"
        "                     of sums and differences of counts\n"
        "  --joint FILE       decode: the configuration of a second variable; two files\n"
        "                     of reports of the same devices, in the same order, become\n"
        "                     a table of both\n"
        "  --joint-names FILE  decode: names of the values of the second variable\n"
        "  --quiet            collect: no summary on standard error; plan: no drawing\n"
        "                     there\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json             short for --format json\n" SC_USAGE_SEED "\n"
        "example: scrim local decode --config emoji.config monday.sums --top 10\n",
    .more =
        "\n"
        "amplify computes the epsilon of a whole batch, from below and above, if a\n"
        "shuffler takes away who sent which report. It uses no data. The upper end is a\n"
        "claim only if a shuffler and a number of honest devices are declared; a device\n"
        "is charged the local epsilon all the same. PROTOCOL is one of the following;\n"
        "without it the bound holds for every protocol.\n"
        "  randomised-response values=K    projective-geometry field=Q digits=T\n"
        "  subset-selection values=K chosen=D    hadamard [blocks=J]\n"
        "  local-hashing field=G    text-hashing cells=N    square-wave values=K "
        "width=W\n"
        "  optimised-unary    symmetric-unary\n"
        "\n"
        "  --users N       amplify: devices in a batch, 1 to 10^9; above 10^7 it takes\n"
        "                  seconds\n"
        "  --epsilon E     amplify: local epsilon of one report, above 0, at most 50\n"
        "  --delta D       amplify: above 0 and less than 1\n"
        "  --honest H      amplify: devices that follow the protocol and keep their\n"
        "                  reports to themselves; others count for nothing\n"
        "                  (default: all)\n"
        "  --shuffler WHO  amplify: who shuffles, and does not work with the collector\n"
        "  --plot          amplify: draw epsilon against the number of honest devices\n"
        "  --svg FILE      amplify: write the same drawing to a file\n"
        "\n"
        "example: scrim local amplify --users 1e5 --epsilon 4 --delta 1e-6\n"
        "\n"
        "  scrim local plan [QUESTION] --users N --domain K --epsilon E\n"
        "      Recommends a protocol for so many devices and values before anything is\n"
        "      collected, and shows all protocols beside it: bytes of a report, "
        "standard\n"
        "      error, the smallest fraction that is found, epsilon of one report and of\n"
        "      all periods, and how much one estimate rises if 0.1 %, 1 % or 5 % of the\n"
        "      reports are fake. QUESTION is its name in the configuration.\n"
        "\n"
        "  --users N          plan: devices that report in a period\n"
        "  --domain K         plan: the number of values\n"
        "  --epsilon E        plan: of one report, at most 8\n"
        "  --unknown          plan: texts that nobody has listed, in place of --domain\n"
        "  --length N         plan: their bytes, at most 31 (default 8)\n"
        "  --periods N        plan: periods in which a device reports (default 1)\n"
        "  --constant         plan: the value of a device never changes\n"
        "  --ordered          plan: values are numbers; show their distribution\n"
        "  --out FILE         plan: write the configuration for the devices\n"
        "  --plot             plan: draw the error against epsilon\n"
        "  --svg FILE         plan: write the same drawing to a file\n"
        "\n"
        "example: scrim local plan emoji --users 1e6 --domain 5000 --epsilon 2\n"
        "\n"
        "simulate shows one line a period: reports, devices whose budget is spent, what "
        "a\n"
        "device has spent, the true share of value 0 and its estimate with interval, "
        "the\n"
        "root mean square error of all values and the share of intervals that hold.\n"
        "  --users N       simulate: devices, at most 10^7 (default 10000)\n"
        "  --periods D     simulate: periods, each with one report (default 1)\n"
        "  --law LAW       simulate: of values: zipf, uniform or normal (default zipf)\n"
        "  --drift P       simulate: the chance that a value moves to the next one, "
        "each\n"
        "                  period (default 0)\n"
        "  --every N       simulate: each device reports in every Nth period, and they\n"
        "                  take turns (default 1)\n"
        "  --lifetime E    simulate: epsilon that a device may ever spend\n"
        "  --plot, --svg   simulate: draw the estimates and errors of all periods\n"
        "\n"
        "example: scrim local simulate --config emoji.config --periods 30 --lifetime "
        "10\n",
    .options = SC_OPTION_SET(
        SC_OPTIONS_FORMAT, SCRIM_OPTION_SEED, SCRIM_OPTION_USERS, SCRIM_OPTION_HONEST,
        SCRIM_OPTION_SHUFFLER, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA,
        SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG, SCRIM_OPTION_QUIET, SCRIM_OPTION_CONFIG,
        SCRIM_OPTION_NAMES, SCRIM_OPTION_TOP, SCRIM_OPTION_CONFIDENCE,
        SCRIM_OPTION_SIGNIFICANT, SCRIM_OPTION_POST, SCRIM_OPTION_UPDATES,
        SCRIM_OPTION_DOMAIN, SCRIM_OPTION_UNKNOWN, SCRIM_OPTION_LENGTH,
        SCRIM_OPTION_PERIODS, SCRIM_OPTION_CONSTANT, SCRIM_OPTION_ORDERED,
        SCRIM_OPTION_OUT, SCRIM_OPTION_LAW, SCRIM_OPTION_DRIFT, SCRIM_OPTION_LIFETIME,
        SCRIM_OPTION_COVARIANCE, SCRIM_OPTION_JOINT, SCRIM_OPTION_JOINT_NAMES,
        SCRIM_OPTION_EVERY),
    .run = run_local,
};

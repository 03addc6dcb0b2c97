/* Numbered equations of documents 000, 001, 003 and 004; those of 002 have no numbers. */
#include "lab/papers/papers.h"

/* A part of what a statement says, and a step of its proof. */
#define PART(document_, number_, of_, about_)                                            \
    {                                                                                    \
        .document = document_, .place = "Equation (" number_ ")", .about = about_,       \
        .of = of_                                                                        \
    }
#define STEP(document_, number_, of_, about_)                                            \
    {                                                                                    \
        .document = document_, .place = "Equation (" number_ ")", .about = about_,       \
        .of = of_, .is_step = true                                                       \
    }

static const lab_statement robustness[] = {
    PART("000", "1", "Definition 2", "average distance that mass must move"),
    PART("000", "2", "Definition 3", "the same, ignoring a mass theta"),
    PART("000", "3", "Definition 4", "largest distance that mass must move"),
    PART("000", "4", "Definition 5", "the same, ignoring a mass theta"),
    PART("000", "5", "Definition 6", "theta-sensitivity of a randomised query"),
    PART("000", "6", "Definition 9", "close outputs cannot be told apart"),
    PART("000", "7", "Definition 11", "error sensitivity of a mechanism"),
    STEP("000", "8", "Lemma 1", "the output's distribution is that of a sum"),
    STEP("000", "9", "Lemma 1", "the same, with what the joint distribution leaves out"),
    STEP("000", "10", "Lemma 1", "the same, moved along the joint distribution"),
    STEP("000", "11", "Lemma 2", "noise that is cut at b ln(1/gamma)"),
    STEP("000", "12", "Theorem 5", "accuracy of the first stage on a distorted input"),
    STEP("000", "13", "Theorem 5", "the second stage of that answer"),
    STEP("000", "14", "Theorem 5", "accuracy of the second stage"),
    {"000", "Equation (15)", "both by the triangle inequality", .of = "Theorem 5",
     .is_step = true,
     .note = "The text combines \"(14) and (14)\": it is (13) and (14)."},
    STEP("000", "16", "Theorem 5", "the same for a distorted input of the first stage"),
    STEP("000", "17", "Theorem 7", "as (8)"),
    STEP("000", "18", "Theorem 7", "as (8), with the noise's density"),
    STEP("000", "19", "Theorem 7", "as (9)"),
    STEP("000", "20", "Theorem 7", "as (10)"),
    STEP("000", "21", "Lemma 5", "the output's distribution, bar by bar"),
    STEP("000", "22", "Lemma 5", "the same for a neighbour"),
};

static const lab_statement flexible[] = {
    PART("001", "1", "Definition 1",
         "largest distance that mass must move, but for gamma"),
    PART("001", "2", "Lemma 1", "triangle inequality; losses are added"),
    {"001", "Equation (3)", "share of the elements that are dropped", .of = "Section 3.1",
     .command = "printf '0,3\\n10,2\\n' >p.csv; printf '0,2\\n10,2\\n' | scrim distance "
                "drop p.csv -",
     .prints = "drop,0.2,0.2"},
    {"001", "Equation (4)", "how far elements are moved", .of = "Section 3.1",
     .command = "printf '0,2\\n10,2\\n' >p.csv; printf '2,2\\n10,2\\n' | scrim distance "
                "move p.csv -",
     .prints = "move,2,2"},
    PART("001", "5", "Section 3.1", "dropping and moving, at a price eta of moves"),
    PART("001", "6", "Definition 3", "(alpha, beta, gamma)-accuracy"),
    PART("001", "7", "Definition 4", "distortion sensitivity"),
    PART("001", "8", "Definition 4", "the same of a deterministic function"),
    PART("001", "9", "Definition 5", "error sensitivity"),
    PART("001", "10", "Lemma 2", "the same of deterministic functions"),
    PART("001", "11", "Section 5.1", "probabilities of the answers on a set of a size"),
    {"001", "Equation (12)", "density of the shifted and truncated Laplace distribution",
     .command = "scrim sample shifted-laplace epsilon=1 q=4 -n 1000 --plot",
     .prints = "value  █ drawn  ┃ exact law",
     .note = "On the integers from -q to 0, where the document has an interval."},
    PART("001", "13", "Section 5.2", "a statistic of the histogram of buckets"),
    PART("001", "14", "Definition 8", "metric sensitivity of a statistic"),
    PART("001", "15", "Claim 1", "lossy distance by nearby distributions"),
    STEP("001", "16", "Theorem 1", "the first stage's distorted input"),
    STEP("001", "17", "Theorem 1", "the first stage's error"),
    STEP("001", "18", "Theorem 1", "a distorted input of the second stage"),
    STEP("001", "19", "Theorem 1", "the error of both stages there"),
    STEP("001", "20", "Theorem 1", "the input that gives it, by distortion sensitivity"),
    STEP("001", "21", "Theorem 1", "the same: its value"),
    STEP("001", "22", "Theorem 1", "distortions are added"),
    STEP("001", "23", "Theorem 1", "the error of both stages, for that input"),
    STEP("001", "24", "Lemma 5", "privacy, one direction"),
    STEP("001", "25", "Lemma 5", "privacy, the other direction"),
    STEP("001", "26", "Lemma 5", "the answer's distribution, bar by bar"),
    STEP("001", "27", "Lemma 5", "the same for a neighbour"),
    STEP("001", "28", "Lemma 6", "a coupling of two histograms within beta"),
    STEP("001", "29", "Claim 8", "the mass that is left to lose"),
    PART("001", "30", "Definition 9",
         "average distance that mass must move, but for theta"),
    STEP("001", "31", "Lemma 9", "the mass that lies within beta"),
    STEP("001", "32", "Lemma 4", "a coupling within alpha"),
    STEP("001", "33", "Lemma 4", "an input for each value"),
    STEP("001", "34", "Lemma 4", "its distortion"),
    STEP("001", "35", "Claim 2", "the condition of Lemma 5 in another form"),
    STEP("001", "36", "Claim 2", "ratio of the densities of the bar that differs"),
    STEP("001", "37", "Claim 5", "how many elements the image keeps"),
    STEP("001", "38", "Lemma 13", "a joint distribution that drops first"),
};

static const lab_statement floating[] = {
    {"003", "Equation (5)", "Holder property of a function of the body (main text)",
     .of = "Theorem 10", .note = "The appendices cite it and do not state it."},
    {"003", "Equation (7)", "Steiner point as an integral (main text)", .of = "Section C",
     .note = "The appendices cite it, and state it again in Section C."},
    PART("003", "9", "Definition 16", "(epsilon, delta)-privacy at any distance"),
    STEP("003", "12", "Theorem 19", "probabilities of all half-spaces are close"),
    STEP("003", "13", "Theorem 19", "the same as distribution functions"),
    PART("003", "14", "Section B.2", "typical set of some directions"),
    PART("003", "15", "Section B.2", "bound of the data: a polynomial of n and d"),
    STEP("003", "16", "Lemma 20", "quantiles of a sample are close, but for e^-n"),
    STEP("003", "17", "Lemma 20", "one direction is typical"),
    PART("003", "19", "Lemma 21", "quantiles of typical samples move by 2 W/(L n) a row"),
    PART("003", "21", "Equation (20)", "its normalising constant"),
    STEP("003", "22", "Lemma 22", "both estimates together"),
    STEP("003", "24", "Lemma 24", "the normalising constant from below"),
    PART("003", "25", "Theorem 26", "Langevin steps, projected on the body"),
    PART("003", "26", "Lemma 28", "the same with noisy oracles"),
    PART("003", "29", "Proposition 37", "density of the extension"),
    PART("003", "30", "Lemma 38", "the same before it is normalised"),
    PART("003", "31", "Lemma 39", "densities of neighbours differ by a factor"),
    STEP("003", "32", "Proposition 37", "the same on the typical set"),
};

static const lab_statement threshold[] = {
    {"004", "Equation (1), Lemma 3", "shared keys, one direction", .of = "Lemma 3"},
    {"004", "Equation (2), Lemma 3", "shared keys, the other direction", .of = "Lemma 3"},
    PART("004", "3", "Lemma 4", "new keys, from above"),
    PART("004", "4", "Lemma 5", "new keys, from below"),
    STEP("004", "5", "Theorem 5", "the threshold by epsilon"),
    STEP("004", "6", "Theorem 5", "the threshold by delta"),
    {"004", "Equation (1), Corollary 1", "the threshold by epsilon", .of = "Corollary 1",
     .is_step = true, .errata = "159"},
    {"004", "Equation (2), Corollary 1", "the threshold by delta", .of = "Corollary 1",
     .is_step = true},
};

const lab_papers_section lab_equations_robustness = LAB_PAPERS_SECTION(robustness);
const lab_papers_section lab_equations_flexible = LAB_PAPERS_SECTION(flexible);
const lab_papers_section lab_equations_floating = LAB_PAPERS_SECTION(floating);
const lab_papers_section lab_equations_threshold = LAB_PAPERS_SECTION(threshold);

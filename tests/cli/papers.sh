#!/bin/sh
# scrim list papers: the documents, the statements of one, one of them; and every command of every statement prints what
# its row says.
# shellcheck source=tests/cli/shell_check.sh
place=memory
. tests/cli/shell_check.sh
scrim=$O/scrim

# refused NAME MESSAGE ARGUMENT...: status 2, and the message in one line.
refused() {
    label=$1 message=$2
    shift 2
    ran 2 "$label" "$scrim" list papers "$@"
    out_is ''
    err_lines 1
    err_has "scrim list: $message"
}

ran 0 'the documents' "$scrim" list papers
err_is ''
out_has 'document,title,authors,statements,runs,corrected,partly,not_yet,step,no_command'
out_lines 6
ran 0 'the documents, for people' "$scrim" list papers --format table
check 'the documents, for people: 80 columns' sh -c "! LC_ALL=C.UTF-8 grep -q '.\{81\}' '$work/out'"
ran 0 'one document' "$scrim" list papers 004
err_is ''
out_has 'place,about,state,errata,document,command,prints,in_document,in_scrim,note,of'
out_has 'Theorem 2,range mechanism of any sensitivity,corrected,145 146 147,004,scrim audit range epsilon=1 sensitivity=2 width=5,0.05325028; claimed is 0.05325028,0.0497871,0.05325028,,'
ran 0 'one document, for people' "$scrim" list papers 004 --format table
check 'one document, for people: 80 columns' sh -c "! LC_ALL=C.UTF-8 grep -q '.\{81\}' '$work/out'"
out_has 'Theorem 2 '
ran 0 'one statement' "$scrim" list papers 004 Theorem 2 --format table
err_is ''
cp "$work/out" "$work/one"
out_is 'statement   Theorem 2
document    Suppression Strikes Back: On the Interaction of Thresholding and
            Differential Privacy
about       range mechanism of any sensitivity
state       corrected
errata      145 146 147
in paper    0.0497871
in scrim    0.05325028
prints      0.05325028; claimed is 0.05325028

$ scrim audit range epsilon=1 sensitivity=2 width=5'
ran 0 'one statement, in one word' "$scrim" list papers '004 thm. 2' --format table
check 'one statement, in one word: the same' cmp "$work/out" "$work/one"
ran 0 'one statement, as JSON' "$scrim" list papers 004 theorem 2 --json
out_lines 3
out_has '"place": "Theorem 2", "about": "range mechanism of any sensitivity", "state": "corrected"'
ran 0 'one without a command' "$scrim" list papers 001 figure 1 --format table
out_has 'state       no command'
check 'one without a command: shows none' sh -c "! grep -q '^\\$ ' '$work/out'"

# Equations, by their numbers.
ran 0 'an equation' "$scrim" list papers 004 '(5)' --format table
cp "$work/out" "$work/one"
out_has 'statement   Equation (5)'
out_has 'step of     Theorem 5'
out_has '$ scrim experiment suppression --epsilon 0.05 --delta 1e-19'
ran 0 'an equation, in words' "$scrim" list papers 4 eq. 5 --format table
check 'an equation, in words: the same' cmp "$work/out" "$work/one"
ran 0 'an equation with its statement' "$scrim" list papers 000 '(5)' --format table
out_has 'part of     Definition 6'
ran 0 'two equations of one number' "$scrim" list papers 004 '(1)' --format csv
out_lines 3
out_has '"Equation (1), Corollary 1",the threshold by epsilon,step'
ran 0 'an equation in any document' "$scrim" list papers '(12)' --format csv
out_lines 4
refused 'no such equation' "document 004 has no '(12)'; 'scrim list papers 004' lists its statements" 004 '(12)'
refused 'an equation of the survey' "document 002 has no '(12)'; 'scrim list papers 002' lists its statements" 002 '(12)'

refused 'no such document' "no document has '005'; 'scrim list papers' lists the documents" 005
refused 'no such place in any' "no document has 'Theorem 99'; 'scrim list papers' lists the documents" Theorem 99
refused 'a longer number' "no document has '0042'; 'scrim list papers' lists the documents" 0042
ran 0 'a place in any document' "$scrim" list papers 6.8 --format table
out_has 'statement   Theorem 6.8'
ran 0 'by a mechanism, in any document' "$scrim" list papers sparse vector --format csv
out_has 'Theorem 6.4,Sparse is private,corrected,72,002'
ran 0 'a document without its zeros, a number alone' "$scrim" list papers 2 6.8 --format table
out_has 'statement   Theorem 6.8'
check 'its command is folded as a shell joins it' grep -qx '    neighbours=add-remove' "$work/out"
ran 0 'words' "$scrim" list papers 002 advanced composition --format csv
check 'words: a list' test "$(wc -l <"$work/out")" -gt 2
refused 'no such statement' "document 004 has no 'Theorem 99'; 'scrim list papers 004' lists its statements" 004 Theorem 99
refused 'a long name' 'the name of a statement is too long; type for example 003 Theorem 17' 004 "$(printf '%0100d' 7)"
refused 'an option of another list' 'unexpected argument --kind' 004 --kind false

if command -v python3 >/dev/null 2>&1; then
    ran 0 'the commands run' python3 tests/cli/papers.py "$scrim" "$work"
    cp "$work/out" "$work/found"
    check 'there are commands' test "$(grep -c '^ok' "$work/found")" -ge "$(if [ "${LONG:-}" = yes ]; then echo 235; else echo 150; fi)"
    check 'each prints what its row says' sh -c "! grep -v '^ok' '$work/found'"
else
    skip 'the commands run' 'python3 is not installed'
fi
finish

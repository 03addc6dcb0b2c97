"""Drives `scrim shell` by a pseudo-terminal, as a person would.

    shell_terminal.py SCRIM VAULT CASE

Writes what the terminal showed, and ends with 0 if everything that the case waits for came in time.
"""

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import fcntl
import time

SCRIM, VAULT, CASE = os.path.abspath(sys.argv[1]), *sys.argv[2:4]
SECONDS = 60
LEFT, BACKSPACE, UP, CTRL_C, CTRL_D = "\x1b[D", "\x7f", "\x1b[A", "\x03", "\x04"
PROMPT, AGREE = "left> ", "leaves it> "

# What is typed, and what must be shown before the next line is typed.
WIZARD = ["dataset", "add", "shop", "--csv", os.path.join(os.path.dirname(VAULT), "shop.csv"), "--vault", VAULT]
WORDS = {"wizard": WIZARD, "wizard-drop": WIZARD,
         "long": ["query", "people", "SELECT age, COUNT(*) GROUP BY age", "--epsilon", "1", "--vault", VAULT],
         "pages": ["query", "people", "SELECT age, COUNT(*) GROUP BY age", "--epsilon", "1", "--all", "--vault", VAULT]}
EDITED = {"wizard", "wizard-drop"}
CASES = {
    # Tab, an arrow and a mistake; days as people write them; both ends of a decimal.
    "wizard": [("own\t\r", "type of Paid on>"), ("dte\r", "did you mean 'date'", ">"), ("dae" + LEFT + "t\r", "smallest value"),
               ("1.2.2024, 31.12.2024\r", "from 2024-02-01 to 2024-12-31", "type of price>"), ("deci\t\r", "smallest"),
               ("0,100\r", "from 0 to 100", "step of price>"), ("<\r", "now 100;", "largest value of price>"), (CTRL_C, "your answers are in")],
    "wizard-drop": [("wrong", ""), (CTRL_C, "nothing was written")],
    "long": [("", "100", "left out; --all shows them")],
    "pages": [("", "paged 106")],
    "ask": [("SELECT COUNT(*);\r", "count ± ", AGREE), ("\r", "release", PROMPT)],
    "leave": [("SELECT COUNT(*);\r", AGREE), ("n\r", "nothing was charged", PROMPT)],
    "drop": [("SELECT COUNT(*);\r", AGREE), (CTRL_C, "nothing was charged", PROMPT)],
    "lines": [("SELECT COUNT(*)\r", "...> "), (CTRL_C, "^C", PROMPT), ("SELECT\r", "...> "), ("COUNT(*)\r", "...> "),
              ("\r", "count ± ", AGREE), ("\r", "release", PROMPT)],
    "fix": [("SELECT SUN(age)" + 5 * LEFT + BACKSPACE + "M\r", "...> "), (";\r", "sum_age ± ", AGREE), ("n\r", PROMPT)],
    "complete": [("SELECT sex, AV\tag\t) GROUP BY se\t;\r", "avg_age ± ", AGREE), ("n\r", PROMPT), ("\\bud\t\r", "never renewed", PROMPT),
                 ("\\\t", "\\explain"), (CTRL_C, PROMPT), ("SELECT 'F\t" + CTRL_C, "emale'", PROMPT)],
    "again": [("SELECT COUNT(*);\r", AGREE), ("\r", "release", PROMPT), (UP + ";\r", "answers it already", "repeated", PROMPT)],
    "dearer": [("SELECT COUNT(*);\r", AGREE), ("99\r", "is left", "Enter leaves it> "), ("\r", "nothing was charged", PROMPT)],
    "other": [("SELECT COUNT(*);\r", AGREE), ("what\r", "is no reply", AGREE), ("1/4\r", "0.25", AGREE), ("e\r", "attacker", AGREE), ("\r", "release", PROMPT)],
    "price": [("\\epsilon\r", PROMPT), ("SELECT COUNT(*);\r", "0.05: ± ", "0.5: ± ", "epsilon for it"),
              ("?\r", "less", "epsilon for it"), ("half\r", "not an exact number", "epsilon for it"), ("e\r", "attacker", "epsilon for it"),
              ("0.5\r", "count ± ", AGREE), ("\r", "shown again by '\\release 1'", PROMPT)],
    "wrong": [("SELECT nonsense;\r", "no column nonsense", PROMPT), ("\\plto\r", "did you mean '\\plot'", PROMPT), ("\\plot\r", "no answer yet", PROMPT),
              ("\\bounds rows=3\r", "is no bound", PROMPT),
              ("\\confidence 90%\r", "not an exact number", PROMPT), ("\\epsilon ?\r", "not an exact number", PROMPT),
              ("\\bounds max-rows=x\r", "whole number", PROMPT), ("\\bounds max-rows=2\r", PROMPT), ("\\bounds auto\r", PROMPT),
              ("\\set\r", "epsilon         0.1", "bounds          auto", PROMPT), ("\\help\r", "this list", PROMPT), ("\\use nobody\r", "nobody", PROMPT)],
    "interrupt": [("SELECT COUNT(*);\r", AGREE), ("\r", ""), (CTRL_C, "charged", PROMPT), ("\\set\r", "epsilon", PROMPT)],
    # Forty columns without colours; and Ctrl-C where the shell asks for an epsilon, in a line half typed, in the middle of a
    # preview, and twice.
    "narrow": [("SELECT COUNT(*);\r", "count ± ", AGREE), ("\r", "release", PROMPT)],
    "price-drop": [("\\epsilon\r", PROMPT), ("SELECT COUNT(*);\r", "epsilon for it"), (CTRL_C, PROMPT)],
    "drop-all": [("SELECT COU", ""), (CTRL_C, "^C", PROMPT), ("SELECT COUNT(*);\r", AGREE), ("0.2" + CTRL_C, "nothing was charged", PROMPT),
                 (CTRL_C, PROMPT), ("\\i no", ""), (CTRL_C, "^C", PROMPT), ("SELECT COUNT(*);\r", AGREE), ("e\r", "attacker", AGREE),
                 (CTRL_C, "nothing was charged", PROMPT)],
    # The source is a pipe that nobody writes: whoever opens it waits for ever.
    "unread": [("\\explain SELECT sex, AVG(age) GROUP BY sex;\r", "avg_age", PROMPT), ("SELECT AV\tag\t) WHERE sex = 'F\t;\r", "avg_age ± ", AGREE),
               ("e\r", "attacker", AGREE), ("n\r", "nothing was charged", PROMPT), ("\\d\r", "age", PROMPT), ("\\budget\r", PROMPT)],
    "plain": [("SELECT COUNT(*);\r", "count ± ", AGREE), ("\r", "release", PROMPT)],
}


class Terminal:
    def __init__(self, words, columns):
        self.child, self.at = pty.fork()
        if self.child == 0:
            # Whoever starts a job in the background makes its children ignore Ctrl-C.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execv(words[0], words)
        fcntl.ioctl(self.at, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.shown, self.read = "", 0

    def more(self, seconds):
        ready, _, _ = select.select([self.at], [], [], seconds)
        try:
            got = os.read(self.at, 65536) if ready else b""
        except OSError:
            got = b""
        self.shown += got.decode("utf-8", "replace")
        return got != b""

    def wait_for(self, text):
        """Text behind what was waited for before."""
        end = time.monotonic() + SECONDS
        while text not in self.shown[self.read:]:
            if time.monotonic() > end:
                sys.exit(f"{self.shown}\n\nin {CASE}: no {text!r}")
            self.more(0.2)
        self.read = self.shown.index(text, self.read) + len(text)

    def wait_for_editor(self):
        """A key that comes before the editor has the terminal is read as a part of a line, or lost."""
        end = time.monotonic() + SECONDS
        while CASE != "plain" and termios.tcgetattr(self.at)[3] & termios.ICANON:
            if time.monotonic() > end:
                sys.exit(f"{self.shown}\n\nin {CASE}: nobody edits a line")
            time.sleep(0.01)

    def type(self, text):
        os.write(self.at, text.encode())


def wait_for_charge():
    """The question is charged, and its answer waits for its moment."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        shown = subprocess.run([SCRIM, "budget", "--vault", VAULT, "--format", "csv", "--quiet"], capture_output=True, text=True)
        if shown.stdout.splitlines()[1].endswith(",1"):
            return
        time.sleep(0.1)
    sys.exit("nothing is charged")


def main():
    if CASE == "plain":
        os.environ["TERM"] = "dumb"
    os.environ["LC_ALL"] = "C.UTF-8"
    if CASE == "pages":
        os.environ["PAGER"] = "grep -c '' | sed 's/^/paged /'"
    os.chdir(os.path.dirname(VAULT))  # drafts are written there
    words = [SCRIM] + WORDS.get(CASE, ["shell", "--vault", VAULT] + ([] if CASE == "price" else ["--epsilon", "0.1"]))
    if CASE == "narrow":
        os.environ["NO_COLOR"] = "1"
    terminal = Terminal(words, 40 if CASE in ("fix", "narrow") else 80)
    terminal.wait_for("unit>" if CASE in EDITED else "" if CASE in WORDS else PROMPT)
    for typed, *wanted in CASES[CASE]:
        if CASE == "interrupt" and typed == CTRL_C:
            wait_for_charge()
        elif typed != "":
            terminal.wait_for_editor()
        terminal.type(typed)
        for text in wanted:
            terminal.wait_for(text)
    if CASE not in WORDS:
        terminal.wait_for_editor()
        terminal.type(CTRL_D)
    while terminal.more(2):
        pass
    _, status = os.waitpid(terminal.child, 0)
    print(terminal.shown)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())

"""Runs a command with its output on a terminal of 80 columns without colours, and prints what a person sees at the end.

    on_terminal.py COMMAND
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios


def main():
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 1000, 80, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    environment.pop("COLUMNS", None)
    run = subprocess.Popen(["sh", "-c", sys.argv[1]], stdin=subprocess.DEVNULL, stdout=far, stderr=far, env=environment)
    os.close(far)
    shown = b""
    while True:
        try:
            more = os.read(near, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    status = run.wait()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8", "replace")).replace("\r\n", "\n")
    # A line of progress that was taken away again.
    sys.stdout.write(re.sub(r"[^\n]*\r", "", text))
    return status


if __name__ == "__main__":
    sys.exit(main())

"""A run on a terminal shows one line of progress, which is gone before anything else is printed."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import unittest

from program import PROGRAM, SMALL, SMALL_TRIALS, EndToEnd


def screen_of(written):
    """The lines that a terminal shows after these characters."""
    lines = [""]
    for part in re.findall(r"\r\n|\r|\n|\x1b\[K|[^\r\n\x1b]+", written):
        if part in ("\r\n", "\n"):
            lines.append("")
            column = 0
        elif part == "\r":
            column = 0
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:column]
        else:
            lines[-1] = lines[-1][:column] + part + lines[-1][column + len(part) :] if lines[-1] else part
            column = len(lines[-1])
    return lines


class Terminal(EndToEnd):
    def on_terminal(self, columns, *arguments, until=None):
        """The text that the program writes to a terminal; interrupts it once it has written `until`."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=theirs, stderr=theirs, start_new_session=True
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(theirs)
        written = b""
        while True:
            try:
                block = os.read(ours, 4096)
            except OSError:  # how Linux says that the other side is closed
                break
            if not block:
                break
            written += block
            if until is not None and until in written:
                process.send_signal(signal.SIGINT)
                until = None
        os.close(ours)
        return written.decode()

    def test_the_table_begins_a_clean_line(self):
        written = self.on_terminal(80, "run", self.spec(SMALL), "--out", self.folder / "run", "--no-ceilings")
        self.assertIn(f"[{SMALL_TRIALS}/{SMALL_TRIALS}]", written)
        shown = screen_of(written)
        self.assertEqual([line for line in shown if "[" in line and "/" in line and "elapsed" in line], [])
        self.assertTrue(any(line.startswith("experiment ") for line in shown), shown)

    def test_what_to_do_after_an_interrupt_begins_a_clean_line(self):
        spec = self.spec(
            SMALL.replace("repetitions: 2, minimum", "target_half_width: 0.000001, repetitions: 100000, minimum")
        )
        written = self.on_terminal(
            80, "run", spec, "--out", self.folder / "run", "--no-ceilings", until=b"[1/10] test/small: "
        )
        shown = screen_of(written)
        self.assertTrue(any(line.startswith("The run was interrupted") for line in shown), shown)

    def test_narrow_terminals_show_what_differs(self):
        for columns in (60, 80):
            written = self.on_terminal(
                columns, "run", self.spec(SMALL), "--out", self.folder / f"run-{columns}", "--no-ceilings"
            )
            for values in ("merge threads=2", "mps skew_threshold=50", "bmp range_filter=true"):
                self.assertRegex(written, rf"\] [^\[]*{values}")
            self.assertLess(max(len(line) for line in re.findall(r"\[\d+/10\][^\r\n]*", written)), columns)


if __name__ == "__main__":
    unittest.main()

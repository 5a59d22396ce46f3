"""Runs a program and kills it, as kill -9 does, just before its Nth step on the disk.

    kill_at.py N program.py its arguments

A step is a file opened to be written, each half of what is written, a sync, a rename, a removal.
"""

import builtins
import os
import runpy
import signal
import sys

left = int(sys.argv[1])


def step():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


def a_step(function):
    def stepping(*args, **options):
        step()
        return function(*args, **options)

    return stepping


class TornFile:
    """A file that is written in halves."""

    def __init__(self, file):
        self.file = file

    def write(self, content):
        half = len(content) // 2
        for part in (content[:half], content[half:]):
            step()
            self.file.write(part)
            self.file.flush()

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def open_in_steps(file, mode="r", *args, _open=builtins.open, **options):
    if mode != "wb":
        return _open(file, mode, *args, **options)
    step()
    return TornFile(_open(file, mode, *args, **options))


builtins.open = open_in_steps
os.fsync = a_step(os.fsync)
os.replace = a_step(os.replace)
os.remove = a_step(os.remove)
sys.argv = sys.argv[2:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")

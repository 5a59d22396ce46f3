"""Runs a program whose disk is full for as long as a file is there.

    full_disk.py FILE program.py its arguments
"""

import errno
import os
import runpy
import sys

full = sys.argv[1]


def sync_if_not_full(descriptor, _sync=os.fsync):
    if os.path.exists(full):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    _sync(descriptor)


os.fsync = sync_if_not_full
sys.argv = sys.argv[2:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")

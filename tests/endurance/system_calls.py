"""Run a function in a process that is killed at its k-th system call that writes.

The process is traced with ptrace, so that the calls of the Python interpreter count as well. Linux only.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
import traceback
from collections.abc import Callable
from itertools import product
from typing import Literal, NamedTuple, get_args

from tests.endurance.tally import Terms, UnavailableError

#: How a process is killed at a call: before it; after half of the bytes of a ``write``; or before it with the power
#: failing, so that what was not synchronised is lost.
Way = Literal["before", "half", "power"]

# The numbers of the system calls that change a file or a folder, and of those that may create one (with the place of
# their flags).
_WRITING = {
    "x86_64": {
        "write": 1, "pwrite64": 18, "writev": 20, "fsync": 74, "fdatasync": 75, "truncate": 76, "ftruncate": 77,
        "rename": 82, "mkdir": 83, "rmdir": 84, "link": 86, "unlink": 87, "symlink": 88, "mkdirat": 258, "unlinkat": 263,
        "renameat": 264, "linkat": 265, "fallocate": 285, "renameat2": 316,
    },
    "aarch64": {
        "mkdirat": 34, "unlinkat": 35, "symlinkat": 36, "linkat": 37, "renameat": 38, "truncate": 45, "ftruncate": 46,
        "fallocate": 47, "write": 64, "writev": 66, "pwrite64": 68, "fsync": 82, "fdatasync": 83, "renameat2": 276,
    },
}  # fmt: skip
_OPENING = {"x86_64": {2: 1, 257: 2}, "aarch64": {56: 2}}

_TRACEME, _SYSCALL, _SET_OPTIONS, _SYSCALL_INFO = 0, 24, 0x4200, 0x420E
_MARK_CALLS, _KILL_WITH_TRACER = 1, 0x100000
_ENTRY, _EXIT = 1, 2


class _Info(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_uint8),
        ("_padding", ctypes.c_uint8 * 3),
        ("arch", ctypes.c_uint32),
        ("instruction", ctypes.c_uint64),
        ("stack", ctypes.c_uint64),
        ("number", ctypes.c_uint64),
        ("arguments", ctypes.c_uint64 * 6),
    )


class Outcome(NamedTuple):
    """How a process ended.

    Attributes:
        calls: how many system calls that write it began.
        code: its exit code; None if it was killed on purpose.
    """

    calls: int
    code: int | None


def kill_points(calls: int, terms: Terms | None = None, few: int = 0) -> list[tuple[int, Way]]:
    """Return each call in each way; or so few of them as the terms say."""
    points = list(product(range(1, calls + 1), get_args(Way)))
    return points if terms is None or terms.is_long else terms.rng().sample(points, min(len(points), few))


def run_traced(function: Callable[[], object], *, kill_at: int | None = None, way: Way = "before") -> Outcome:
    """Run a function in a process of its own, which is killed at its system call ``kill_at`` that writes, from 1.

    The process ends with exit code 1 and a traceback where the function raises an exception.

    Raises:
        UnavailableError: processes cannot be traced here.
    """
    if sys.platform != "linux" or platform.machine() not in _WRITING:
        raise UnavailableError("system calls are counted on Linux alone, on x86_64 and aarch64")
    writing = {number: name for name, number in _WRITING[platform.machine()].items()}
    opening = _OPENING[platform.machine()]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    process = os.fork()
    if not process:
        code = 1
        try:
            if libc.ptrace(_TRACEME, 0, None, None):
                os._exit(77)
            os.kill(os.getpid(), signal.SIGSTOP)
            function()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(process, 0)
    if not os.WIFSTOPPED(status):
        raise UnavailableError("this machine allows no process to be traced")
    libc.ptrace(_SET_OPTIONS, process, None, _MARK_CALLS | _KILL_WITH_TRACER)
    calls = 0
    pending: int | None = None  # the descriptor that is being synchronised
    synchronised: dict[str, int] = {}  # the sizes that files have on disk for certain
    deliver = 0
    info = _Info()
    while True:
        libc.ptrace(_SYSCALL, process, None, deliver)
        _, status = os.waitpid(process, 0)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            return Outcome(calls, os.waitstatus_to_exitcode(status))
        deliver = 0
        if os.WSTOPSIG(status) != signal.SIGTRAP | 0x80:
            deliver = os.WSTOPSIG(status)
            continue
        libc.ptrace(_SYSCALL_INFO, process, ctypes.sizeof(info), ctypes.addressof(info))
        if info.kind == _EXIT and pending is not None:
            path = os.readlink(f"/proc/{process}/fd/{pending}")
            if os.path.isfile(path):
                synchronised[path] = os.path.getsize(path)
            pending = None
        if info.kind != _ENTRY:
            continue
        name = writing.get(info.number)
        flags = opening.get(info.number)
        if name is None and (flags is None or not info.arguments[flags] & (os.O_CREAT | os.O_TRUNC)):
            continue
        calls += 1
        if name in ("fsync", "fdatasync"):
            pending = int(info.arguments[0])
        if name == "write":
            path = os.readlink(f"/proc/{process}/fd/{int(info.arguments[0])}")
            if os.path.isfile(path):
                synchronised.setdefault(path, os.path.getsize(path))
        if calls == kill_at:
            if way == "half" and name in ("write", "pwrite64"):
                _write_half(process, list(info.arguments), is_positioned=name == "pwrite64")
            lost = _unsynchronised(synchronised) if way == "power" else {}
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            for path, size in lost.items():
                os.truncate(path, size)
            return Outcome(calls, None)


def _write_half(process: int, arguments: list[int], *, is_positioned: bool) -> None:
    """Write the first half of the bytes that a call would write."""
    descriptor, address, size, offset = arguments[:4]
    path = os.readlink(f"/proc/{process}/fd/{descriptor}")
    if not os.path.isfile(path):
        return
    if not is_positioned:
        with open(f"/proc/{process}/fdinfo/{descriptor}") as information:
            offset = int(information.readline().split()[1])
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        data = memory.read(size // 2)
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


def _unsynchronised(synchronised: dict[str, int]) -> dict[str, int]:
    """Return the files that only grow and have bytes that a power cut would lose, with the sizes that are safe."""
    growing = {path: size for path, size in synchronised.items() if path.endswith(".partial")}
    return {path: size for path, size in growing.items() if os.path.isfile(path) and os.path.getsize(path) > size}

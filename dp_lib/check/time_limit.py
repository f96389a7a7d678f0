"""Stop a call that does not return, and measure how fast the others are."""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from dp_lib.domain import DomainError

PATIENCE = 5.0  # seconds after which one call is taken for an endless loop
SLOW = 0.1  # seconds of a call that is measured by itself; of faster ones it takes MANY
MANY = 20


class _Stop(BaseException):
    """Raised inside a call that has lasted too long; it is no Exception, which the call might catch."""


class Watch:
    """Watch the calls of one function, as the context of a check.

    A second thread raises an error inside a call that does not come back. CPython allows this in every thread and on
    every operating system, and it needs no signal, so a notebook's kernel goes on. The error arrives when the call is
    between two steps of Python. So a loop in Python ends, and a single call of compiled code that never returns, or a
    long sleep, does not.
    """

    def __init__(self, name: str) -> None:
        self.name, self.calls, self.fastest = name, 0, math.inf
        self._began: float | None = None  # of the call that is running
        self._late, self._ended, self._lock = False, threading.Event(), threading.Lock()
        self._caller, self._start = threading.get_ident(), time.thread_time()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def over(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its calls counted and timed."""

        def timed(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            self._began = began = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self._began = None
                lasted = time.perf_counter() - began
                if lasted < self.fastest:
                    self.fastest = lasted

        return timed

    def computed(self) -> float:
        """Return the seconds of computing since the start, which other programs on the computer do not prolong."""
        return time.thread_time() - self._start

    @property
    def slow(self) -> bool:
        return self.fastest > SLOW

    def needs(self, calls: int) -> float:
        """Return the seconds that so many calls take at least, or 0 before enough calls have been measured."""
        measured = self.calls >= MANY or (self.calls >= 2 and self.slow)
        return max(self.fastest * calls, self.computed()) if measured else 0.0

    def each(self, seconds: float) -> float:
        """Return the seconds of a call: of the fastest, as long as all calls together have not used up their time.

        The others may have waited for another program, or loaded a package.
        """
        return self.computed() / self.calls if self.computed() > seconds else self.fastest

    def _look(self) -> None:
        while not self._ended.wait(PATIENCE / 10):
            with self._lock:
                began = self._began
                if began is not None and time.perf_counter() - began > PATIENCE and not self._ended.is_set():
                    self._late = True
                    _raise_in(self._caller, _Stop)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with self._lock:
            self._ended.set()
            if self._late and kind is not _Stop:  # the call has returned in the meantime
                _raise_in(self._caller, None)
        if kind is _Stop:
            where = f"call {self.calls:,} has lasted for {PATIENCE:g} seconds or more"
            raise DomainError(f"{self.name} must return, and {where}; is there a loop that does not end?") from None


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an error in a thread at its next step of Python, or take back one that has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error) if error else None)

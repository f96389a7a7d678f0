"""What surrounds each call of a figure's function, so that a library which raises errors can leave gaps instead.

    context.managers.append(my_library.nan_on_error)

Each entry is called without arguments whenever a figure computes, and gives a context manager.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import numpy as np

managers: list[Callable[[], AbstractContextManager]] = []


@contextmanager
def computing() -> Iterator[None]:
    """Enter all of them, and keep NumPy silent: a gap in a curve is no accident.

    >>> with computing():
    ...     float(np.log(np.float64(0)))
    -inf
    """
    with ExitStack() as stack, np.errstate(all="ignore"):
        for manager in managers:
            stack.enter_context(manager())
        yield

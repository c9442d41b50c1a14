"""The exceptions of the library; each has one sentence."""


class Error(RuntimeError):
    """The work failed."""


class InputError(Error, ValueError):
    """There is nothing like what was asked for: a file, a name, a move."""

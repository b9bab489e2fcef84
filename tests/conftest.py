"""What tests need of the process that they run in."""

import signal


def pytest_configure() -> None:
    """A job in the background of a script ignores SIGINT, and so would every process that tests start to interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)

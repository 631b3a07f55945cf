"""The command `ordojo`, and `python -m ordojo`: loads its modules, and runs it."""

import gc
import signal


def main() -> None:
    """Run the command; Ctrl-C while its modules are loaded ends it without a traceback."""
    # What a command loads and makes is mostly there to stay: at the usual 700 things, looking for
    # garbage among them is a tenth of a short command. At this number a cycle waits longer.
    gc.set_threshold(50_000, 20, 20)
    heard = signal.getsignal(signal.SIGINT)
    own = heard is signal.default_int_handler
    if own:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ordojo.cli import main as command

    if own:
        signal.signal(signal.SIGINT, heard)
    command()


if __name__ == "__main__":
    main()

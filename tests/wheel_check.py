"""Install the built wheel into a fresh environment and try its commands, without network.

    python wheel_check.py PYTHON_OF_THE_DEVELOPMENT_ENVIRONMENT FOLDER_OF_THE_WHEEL

The fresh environment has the wheel and pip alone; its libraries are found in the development
environment's site-packages, which come after the wheel's own on the path. That it evaluates and
reports is for `demo_check.py`.
"""

import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path


def run(*command: object, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"wheel check: {command} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_view(python: Path, home: Path) -> None:
    """`inspect view` lists the log that was just written."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (python, "-m", "inspect_ai", "view", "start", "--port", str(port))
    viewer = subprocess.Popen(command, cwd=home, stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/logs") as answer:
                    listed = answer.read().decode()
                break
            except OSError:
                time.sleep(0.2)
        else:
            sys.exit("wheel check: inspect view does not answer")
    finally:
        viewer.kill()
        viewer.wait()
    if ".eval" not in listed or "orqa" not in listed:
        sys.exit(f"wheel check: inspect view lists no log of orqa: {listed[:300]}")


def main() -> None:
    lender, folder = Path(sys.argv[1]).absolute(), Path(sys.argv[2])
    (wheel,) = folder.absolute().glob("*.whl")
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        run(sys.executable, "-m", "venv", home / "venv", cwd=home)
        python = home / "venv/bin/python"
        run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel, cwd=home)
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        lent = run(lender, "-c", where, cwd=home).strip()
        own = Path(run(python, "-c", where, cwd=home).strip())
        (own / "lent.pth").write_text(lent + "\n")
        source = run(python, "-c", "import ordojo; print(ordojo.__file__)", cwd=home)
        if str(home) not in source:
            sys.exit(f"wheel check: ordojo came from {source}, not from the wheel")
        ordojo = home / "venv/bin/ordojo"
        run(ordojo, "--version", cwd=home)
        run(ordojo, "models", "pull", "smollm2", cwd=home)
        log = run(
            *(python, "-m", "inspect_ai", "eval", "ordojo/orqa", "--model", "ordojo/smollm2"),
            *("-T", "dataset=orqa@ordojo", "--limit", "2", "--display", "plain"),
            cwd=home,
        )
        if "ordojo/verdict" not in log or not list((home / "logs").glob("*.eval")):
            sys.exit(f"wheel check: inspect eval gave no score\n{log}")
        check_view(python, home)
    print(f"wheel check: {wheel.name} installs and runs under inspect")


if __name__ == "__main__":
    main()

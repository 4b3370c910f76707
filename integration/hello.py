"""What `make run` runs: where a program finds itself in the sandbox."""
from pathlib import Path

Path("notes.txt").write_text("written in the work directory\n")
print("hello from the sandbox;", Path("notes.txt").read_text().strip())

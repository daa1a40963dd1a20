"""Fetching data: from a server that the test starts and that misbehaves as servers do."""

import hashlib
import io
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from experiments import data
from experiments.data import SETS, DataSet, File, fetch
from usim.errors import InputError

CONTENT = b"".join(f"sentence {i}\n".encode() for i in range(2000))
RIGHT = hashlib.sha256(CONTENT).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves one file; remembers the requests; breaks off after ``cut`` bytes of as many answers as messages."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content: bytes | None = CONTENT
        self.asked: list[str] = []
        self.cuts: list[int] = []

    def as_set(self, sha256: str | None = RIGHT, *, name: str = "file.txt", members: str | None = None) -> DataSet:
        """The file as a set of data."""
        file = File(name, f"http://127.0.0.1:{self.server_address[1]}/x/{name}", sha256, members)
        return DataSet("small", "a small set", "CC0", "http://home.example", (file,))


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        content = self.server.content
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: self.server.cuts.pop(0) if self.server.cuts else len(content)])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pooch.core.time.sleep", lambda seconds: None)  # between two tries
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def archive(**files: bytes) -> bytes:
    """An archive; underlines in names stand for slashes, and an asterisk for the folder above."""
    archived = io.BytesIO()
    with tarfile.open(fileobj=archived, mode="w:gz") as packed:
        for name, content in files.items():
            member = tarfile.TarInfo(name.replace("_", "/").replace("*", ".."))
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    return archived.getvalue()


def test_a_file(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.cuts = [5000]  # a connection that breaks off is tried again
    fetch(server.as_set(), tmp_path)
    assert (tmp_path / "small" / "file.txt").read_bytes() == CONTENT
    assert files_in(tmp_path) == ["small/file.txt"]
    printed = capsys.readouterr().out
    assert "licence: CC0" in printed
    assert "checksum as it should be" in printed
    fetch(server.as_set(), tmp_path)
    assert len(server.asked) == 2  # what is there is not fetched again


@pytest.mark.parametrize(
    ("content", "is_archive", "message"),
    [
        (b"something else", False, "does not have the checksum known for it.*http://home.example"),
        (None, False, "/x/file.txt.*404.*perhaps it was moved: see http://home.example"),
        (b"no archive", True, "not an archive"),
        (archive(a_b=b"1"), True, "nothing like"),
    ],
    ids=["another", "none", "no archive", "another archive"],
)
def test_what_is_not_the_file_leaves_nothing(
    server: Server, tmp_path: Path, content: bytes | None, is_archive: bool, message: str
) -> None:
    server.content = content
    wanted = server.as_set(None, name="r.tar.gz", members="*/xml/*") if is_archive else server.as_set()
    with pytest.raises(InputError, match=message):
        fetch(wanted, tmp_path)
    assert files_in(tmp_path) == []


def test_a_file_that_is_cut_off_does_not_get_its_name(server: Server, tmp_path: Path) -> None:
    server.cuts = [5000] * 4
    with pytest.raises(InputError, match="run the command again"):
        fetch(server.as_set(), tmp_path)
    assert files_in(tmp_path) == []
    fetch(server.as_set(), tmp_path)
    assert files_in(tmp_path) == ["small/file.txt"]


def test_another_file_under_the_name_is_not_overwritten(server: Server, tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "file.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="delete it"):
        fetch(server.as_set(), tmp_path)
    assert (tmp_path / "small" / "file.txt").read_text(encoding="utf-8") == "mine"


def test_an_archive_is_unpacked(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.content = archive(repo_README=b"x", repo_xml_a=b"1", repo_xml_b=b"2")
    archived = server.as_set(None, name="r.tar.gz", members="*/xml/*")
    fetch(archived, tmp_path)
    assert files_in(tmp_path) == ["small/a", "small/b"]
    fetch(archived, tmp_path)
    assert len(server.asked) == 1
    assert "unpacked already" in capsys.readouterr().out
    # No name leads out of the folder.
    server.content = archive(**{"repo_xml_*_*_*_outside": b"1"})
    fetch(archived, tmp_path / "to")
    assert files_in(tmp_path / "to") == ["small/outside"]


def test_as_typed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(SETS, "small", server.as_set())
    assert data.main(["small", "--to", str(tmp_path)]) == 0
    assert "licence: CC0" in capsys.readouterr().out
    for line in ([], ["nothing-of-the-kind"]):
        with pytest.raises(SystemExit):
            data.main(line)
        assert "--list" in capsys.readouterr().err or line


def test_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert data.main(["--list"]) == 0
    out = capsys.readouterr().out
    assert out.count("licence: ") == len(SETS) >= 10
    for name, known in SETS.items():
        assert f"\n{name}\n" in f"\n{out}"
        assert known.what
        assert known.licence
        assert len({file.name for file in known.files}) == len(known.files)
        assert {urlsplit(url).scheme for url in (known.home, *(file.url for file in known.files))} == {"https"}
        assert all(file.sha256 is None or len(bytes.fromhex(file.sha256)) == 32 for file in known.files)


@pytest.mark.data
@pytest.mark.parametrize("name", ["jfleg", "bea-dev", "csmd", "sws", "swords", "prolex"])
def test_known_checksums_are_those_of_the_published_files(name: str, data: Path) -> None:
    known = {file.name: file.sha256 for file in SETS[name].files if file.sha256}
    here = [path for folder in (data, data / "jfleg-dev") for path in folder.glob("*") if path.name in known]
    assert here  # the test parts may be kept elsewhere
    for path in here:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == known[path.name], path.name

"""What the tests share: graphs made at random, and the path to the shared data where it is there."""

from __future__ import annotations

import contextlib
import os
import signal
import tarfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from usim import Scorer
from usim.judge import _load as judges
from usim.judge import classifier
from usim.judge.trained import SHIPPED
from usim.parsing import _trunk as trunk
from usim.parsing import embedded

# How long an example takes depends on what else the machine does: no reason to fail. Every run draws new examples; for
# many at once: pytest --hypothesis-profile thorough
for name, examples in (("usim", 50), ("thorough", 1000)):
    settings.register_profile(
        name, deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow], derandomize=False
    )
settings.load_profile("usim")

#: Packages of the extras, of the tools and of the training, without which tests are skipped by their names.
EXTRAS = frozenset(
    "build dask distributed errant fastapi gec_metrics harper httpx lemminflect lsprotocol matplotlib nbclient nbformat "
    "networkx nltk numba onnx openpyxl pandas penman playwright polars psutil pyarrow pydantic pygls sacrebleu selenium "
    "sklearn smatchpp spacy sphinx starlette tokenizers torch tqdm transformers trueskill twine ucca uvicorn websockets "
    "wordfreq".split()
)
DATA = Path(os.environ.get("USIM_DATA", Path(__file__).parents[2] / "shared" / "data"))


def pytest_configure() -> None:
    # What a shell starts in the background ignores interrupts, and so would the commands that the tests interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before -m chooses among the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip = pytest.mark.skip(reason=f"no data folder at {DATA} (set USIM_DATA)")
    for item in items:
        if item.get_closest_marker("data"):
            if not DATA.is_dir():
                item.add_marker(skip)
        elif isinstance(item, pytest.DoctestItem):
            item.add_marker(
                "model"
            )  # many examples use the models that ship, and those of a module share what they load
        elif not any(item.get_closest_marker(mark) for mark in ("model", "slow")):
            item.add_marker("unit")


def _missing(error: BaseException | None) -> str | None:
    """Return the package whose absence caused an error, if it is one of an extra."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name:
            package = error.name.partition(".")[0]
            return package if package in EXTRAS else None
        error = error.__cause__ or error.__context__
    return None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that needs a package of an extra that is not installed."""
    report = yield
    call = getattr(report, "call", None)
    if report.failed and call is not None and (package := _missing(call.excinfo.value)):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, f"Skipped: {package} is not installed")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test, or a fixture, that imports such a package."""
    report = yield
    if report.failed and call.excinfo is not None and (package := _missing(call.excinfo.value)):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: {package} is not installed")
    return report


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the shared data."""
    return DATA


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """A function that writes a file of the test's folder; lone surrogates are the bytes that they stand for."""

    def written(name: str, content: str) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
        return path

    return written


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function from the name of a corpus archive to the folder of its files, unpacked once a session."""
    root = tmp_path_factory.mktemp("corpora")

    def unpacked(name: str) -> Path:
        folder = root / name
        if not folder.exists():
            with tarfile.open(DATA / f"{name}.tar.xz") as archive:
                archive.extractall(root, filter="data")
        return folder

    return unpacked


@pytest.fixture(scope="session", autouse=True)
def _models_are_loaded_once() -> Iterator[None]:
    """What ships with usim is loaded once in a process: a test that calls a command would load it again each time."""
    kept: dict[tuple[object, ...], object] = {}

    def once(load: Callable[..., object]) -> Callable[..., object]:
        def loaded(path: Path, *arguments: object) -> object:
            if not path.resolve().is_relative_to(SHIPPED):
                return load(path, *arguments)
            key = (load, path, *arguments)
            if key not in kept:
                kept[key] = load(path, *arguments)
            return kept[key]

        return loaded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trunk, "Trunk", once(trunk.Trunk))
        session = once(embedded.load_session)
        for module in (embedded, classifier):
            patch.setattr(module, "load_session", session)
        patch.setattr(judges, "CorrectionModel", once(judges.CorrectionModel))
        yield


@pytest.fixture(autouse=True)
def _path_as_it_was() -> Iterator[None]:
    """Take back what the command line, called within a test, says to the processes that it starts."""
    yield
    os.environ.pop("PYTHONSAFEPATH", None)


@pytest.fixture(scope="session")
def scorer() -> Scorer:
    """A scorer as users make it first."""
    return Scorer()


@pytest.fixture(scope="session")
def fast() -> Scorer:
    """A scorer with the small model."""
    return Scorer(model="en-fast")

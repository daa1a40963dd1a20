"""What setup.cfg puts into the package, without building it; ``test_package.py`` builds it."""

import configparser
import subprocess
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_each_file_beside_the_modules_is_package_data() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    patterns = config["options.package_data"]["usim"].split()
    listed = subprocess.run(["git", "ls-files", "-z", "usim"], cwd=ROOT, capture_output=True, check=True)
    names = [name.removeprefix("usim/") for name in listed.stdout.decode().split("\0") if name]
    data = [name for name in names if not name.endswith(".py") and (ROOT / "usim" / name).is_file()]
    assert "lexicon/wordnet-3.0.xz" in data
    assert [name for name in data if not any(fnmatch(name, pattern) for pattern in patterns)] == []

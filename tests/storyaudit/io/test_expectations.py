import pytest

from storyaudit.errors import InputError
from storyaudit.findings import read_waivers
from storyaudit.io.expectations import expectations_path
from storyaudit.ledger.ledger_file import read_ledger

LEDGERS = sorted(expectations_path("papers").glob("*.yaml"))


def test_finds_the_data_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert expectations_path("waivers.yaml").is_file()
    assert expectations_path("tables").is_dir()


def test_an_absent_file_is_bad_input():
    with pytest.raises(InputError, match=r"expectations/nothing\.yaml: there is no such file"):
        expectations_path("nothing.yaml")


@pytest.mark.parametrize("path", LEDGERS, ids=lambda path: path.stem)
def test_every_ledger_that_comes_along_can_be_read(path):
    assert read_ledger(path).study == path.stem


def test_the_waivers_that_come_along_can_be_read():
    waivers = read_waivers(expectations_path("waivers.yaml"))
    assert [w.finding for w in waivers if w.finding.count("/") != 2] == []

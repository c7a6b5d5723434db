"""The family of processors that stands beside ``dvc.lock``."""

from pathlib import Path

import pytest

from storyaudit.runs.processor import processor_family


@pytest.mark.parametrize(
    ("cpuinfo", "family"),
    [
        (
            "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n",
            "GenuineIntel 6",
        ),
        ("CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n", "0x41 8"),
        ("vendor_id\t:\ncpu family\t: 6\n", "unknown 6"),
        ("", "unknown unknown"),
    ],
    ids=["x86", "arm", "no-vendor", "empty"],
)
def test_vendor_and_family_are_read(cpuinfo: str, family: str, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "cpuinfo").write_text(cpuinfo, encoding="utf-8")
    monkeypatch.setattr("platform.machine", lambda: "m1")
    assert processor_family(tmp_path / "cpuinfo") == f"m1 {family}"


def test_elsewhere_they_are_unknown(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "")
    assert processor_family(tmp_path / "nowhere") == "unknown unknown unknown"


def test_the_line_is_the_same_each_time_and_holds_three_words() -> None:
    assert processor_family() == processor_family()
    assert len(processor_family().split()) == 3

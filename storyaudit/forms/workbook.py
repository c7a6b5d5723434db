"""Write a form as an XLSX workbook or as CSV."""

import io
import zipfile
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from storyaudit.forms.draw import Form
from storyaudit.forms.form_layout import (
    COLUMNS_OF,
    ID,
    ITEM,
    PREMISE,
    PROPOSED,
    SHEET,
    STORY,
    TEXT,
    Layout,
    layout,
)
from storyaudit.forms.parts import lines
from storyaudit.forms.questions import Allowed, expected, instructions
from storyaudit.io.files import csv_text

# Somewhat wider than what ``layout`` counts with, since words are not cut at a line's end.
_WIDTHS = {ITEM: 7, STORY: 7, PROPOSED: 18, PREMISE: 41, TEXT: 113, ID: 11, SHEET: 20}
_ANSWER_WIDTH = 16
_LINE_HEIGHT = 15.0
_HIGHEST = 409.0
_FORMULA = ("=", "+", "-", "@", "\t")
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_SCHEMAS = "http://schemas.openxmlformats.org"
_CORE, _APP = "package/2006/metadata/core-properties", "officeDocument/2006/extended-properties"
_NAMELESS = {
    "docProps/core.xml": f'<coreProperties xmlns="{_SCHEMAS}/{_CORE}"/>',
    "docProps/app.xml": f'<Properties xmlns="{_SCHEMAS}/{_APP}"/>',
}
"""A workbook's properties, without the names and dates that programs put there."""


def csv_bytes(form: Form) -> bytes:
    """Return a form as CSV: UTF-8 with a byte-order mark, by which Excel knows it.

    No text is a formula, see ``storyaudit.io.files.csv_text``.
    """
    return csv_text(layout(form).cells).encode("utf-8-sig")


def xlsx_bytes(form: Form) -> bytes:
    """Return a form as a workbook: answers checked on entry, everything else locked.

    Texts are text cells, whatever they begin with. The header stays in view. The second worksheet
    says what to do. Equal forms give equal bytes, without dates and names.
    """
    book = Workbook()
    cells = book.active
    assert isinstance(cells, Worksheet)  # noqa: S101
    cells.title = "answers"
    _fill(cells, layout(form), form.key.fields())
    help_worksheet = book.create_sheet("how to")
    for row, line in enumerate(instructions(form.key.task, form.key.scale), start=1):
        _set(help_worksheet, row, 1, line)
    help_worksheet.column_dimensions["A"].width = 120
    help_worksheet.protection.sheet = True
    out = io.BytesIO()
    book.save(out)
    return _timeless(out.getvalue())


def _fill(cells: Worksheet, content: Layout, allowed: dict[str, Allowed]) -> None:
    names = list(content.cells.columns)
    top, wrapped = Alignment(vertical="top"), Alignment(vertical="top", wrap_text=True)
    line = Side(style="thin", color="999999")
    bold, grey = Font(bold=True), PatternFill("solid", start_color="EEEEEE")
    box = Border(left=line, right=line, top=line, bottom=line)
    unlocked = Protection(locked=False)
    for column, name in enumerate(names, start=1):
        _set(cells, 1, column, name)
        cells.cell(1, column).font = bold
        letter = get_column_letter(column)
        cells.column_dimensions[letter].width = _WIDTHS.get(name, _ANSWER_WIDTH)
    for row, values in enumerate(content.cells.itertuples(index=False), start=2):
        height = 1
        for column, (name, value) in enumerate(zip(names, values, strict=True), start=1):
            cell = cells.cell(row, column)
            if name in content.answers:
                if content.open[row - 2, content.answers.index(name)]:
                    cell.protection, cell.border, cell.alignment = unlocked, box, top
                else:
                    cell.fill = grey
                continue
            _set(cells, row, column, value)
            cell.alignment = wrapped if name in COLUMNS_OF else top
            if name in COLUMNS_OF and value:
                height = max(height, lines(value, COLUMNS_OF[name]))
        cells.row_dimensions[row].height = min((height + 1) * _LINE_HEIGHT, _HIGHEST)
    for name, values_allowed in allowed.items():
        letter = get_column_letter(names.index(name) + 1)
        check = _validation(values_allowed)
        check.add(f"{letter}2:{letter}{len(content.cells) + 1}")
        cells.add_data_validation(check)
    cells.freeze_panes = "C2"
    cells.print_title_rows = "1:1"
    cells.page_setup.orientation = "landscape"
    cells.page_setup.fitToHeight = 0  # as wide as the page, as many pages as needed
    cells.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    cells.protection.sheet = True
    cells.protection.formatColumns = cells.protection.formatRows = False  # False allows it


def _validation(allowed: Allowed) -> DataValidation:
    if isinstance(allowed, range):
        check = DataValidation(
            type="whole", operator="between", formula1=str(allowed[0]), formula2=str(allowed[-1])
        )
    else:
        check = DataValidation(type="list", formula1=f'"{",".join(allowed)}"')
    check.allow_blank = True
    check.showErrorMessage = True
    check.error = f"Please enter {expected(allowed)}, or leave the cell empty."
    return check


def _set(cells: Worksheet, row: int, column: int, value: Any) -> None:
    """Put a value into a cell, a text always as text."""
    cell: Any = cells.cell(row, column)
    cell.value = value
    if isinstance(value, str):
        cell.data_type = "s"  # never a formula or an error, whatever it begins with
        cell.quotePrefix = value.startswith(_FORMULA)


def _timeless(book: bytes) -> bytes:
    """Return the workbook without dates and names of programs and people."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w") as new:
        for name in sorted(old.namelist()):
            content = _NAMELESS[name].encode() if name in _NAMELESS else old.read(name)
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, content)
    return out.getvalue()

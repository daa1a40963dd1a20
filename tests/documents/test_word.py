"""Word files: the text that a reader sees, or a clear error; and never much memory."""

from __future__ import annotations

import io
import subprocess
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.word import STRICT, levels, math, numbering, p, part, r, raised, word_file
from usim.documents import Outline, read_document
from usim.errors import InputError
from usim.text import xml_events

BOX = f"<w:txbxContent>{p('Boxed.')}</w:txbxContent>"
VML = f"<w:r><w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict></w:r>"
DRAWN = f"<w:r><w:drawing><wps:wsp><wps:txbx>{BOX}</wps:txbx></wps:wsp></w:drawing></w:r>"
EITHER = f'<mc:AlternateContent><mc:Choice Requires="wps">{DRAWN}</mc:Choice><mc:Fallback>{VML}</mc:Fallback></mc:AlternateContent>'
NOTE = '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote><w:footnote w:id="2">{}</w:footnote>'
CLAUSES = levels(("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("lowerRoman", "(%4)"))


def begin(code: str) -> str:
    """A field up to its result."""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    )


END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def box(own: str) -> str:
    """A check box of a form."""
    return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>{own}</w:checkBox></w:ffData></w:fldChar></w:r>{END}'


#: What a file has → its paragraphs.
FILES: dict[str, tuple[str, list[str], dict[str, str]]] = {
    # Paragraphs, runs, signs
    "runs": (p("Tit", "le") + "<w:p/>" + p("It rained."), ["Title", "It rained."], {}),
    "an empty file": ("", [], {}),
    "blanks only": (p(" ") + p("a"), ["a"], {}),
    "tabs and breaks": (p("a", "<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>"),
                        ["a\tb\nc-d"], {}),
    "tab stops are no tabs": ("<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr>" + r("a") + "</w:p>", ["a"], {}),
    "soft hyphens": (p("<w:r><w:t>can</w:t><w:softHyphen/><w:t>not</w:t></w:r>"), ["cannot"], {}),
    "entities of XML": (p("a &lt; b &amp; c &#233;"), ["a < b & c é"], {}),
    "links": (p("See ", f"<w:hyperlink>{r('the page')}</w:hyperlink>", "."), ["See the page."], {}),
    "smart tags": (p(f"<w:smartTag>{r('Leeds')}</w:smartTag>"), ["Leeds"], {}),
    "controls": (f"<w:sdt><w:sdtPr><w:tag/></w:sdtPr><w:sdtContent>{p('held')}</w:sdtContent></w:sdt>", ["held"], {}),
    "tables": (f"<w:tbl><w:tr><w:tc>{p('one')}</w:tc><w:tc>{p('two')}</w:tc></w:tr></w:tbl>", ["one | two"], {}),
    "tables with texts": (f"<w:tbl><w:tr><w:tc>{p('one')}{p('more')}</w:tc><w:tc>{p('two')}</w:tc></w:tr></w:tbl>",
                          ["one", "more", "two"], {}),
    "tables in tables": (f"<w:tbl><w:tr><w:tc>{p('a')}<w:tbl><w:tr><w:tc>{p('b')}</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>",
                         ["a", "b"], {}),
    "readings above words": (p("<w:r><w:ruby><w:rt>" + r("x") + "</w:rt><w:rubyBase>" + r("word") + "</w:rubyBase></w:ruby></w:r>"),
                             ["word"], {}),
    # Under review
    "insertions and deletions": (p(f"<w:ins>{r('We ')}</w:ins>", "<w:del><w:r><w:delText>They </w:delText></w:r></w:del>", "stayed."),
                                 ["We stayed."], {}),
    "what was moved": (p("a ", f"<w:moveFrom>{r('gone')}</w:moveFrom>") + p(f"<w:moveTo>{r('gone')}</w:moveTo>", " b"),
                       ["a", "gone b"], {}),
    "a moved paragraph": (p(f"<w:moveFrom>{r('All.')}</w:moveFrom>", mark="moveFrom") + p("First.") + p(f"<w:moveTo>{r('All.')}</w:moveTo>"),
                          ["First.", "All."], {}),
    "a deleted end of a paragraph": (p("One ", mark="del") + p("two."), ["One two."], {}),
    "three paragraphs made one": (p("a", mark="del") + p("b", mark="del") + p("c"), ["abc"], {}),
    "an earlier format": (f"<w:p><w:pPr><w:pPrChange><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr></w:pPrChange></w:pPr>{r('a')}</w:p>",
                          ["a"], {"numbering": numbering(CLAUSES)}),
    # Boxes
    "a box of VML": (p("Text.", VML), ["Text.", "Boxed."], {}),
    "a box of a drawing": (p("Text.", DRAWN), ["Text.", "Boxed."], {}),
    "a box in both forms is one box": (p("Text.", f"<w:r>{EITHER}</w:r>"), ["Text.", "Boxed."], {}),
    "only the other form": (p(f"<w:r><mc:AlternateContent><mc:Fallback>{VML}</mc:Fallback></mc:AlternateContent></w:r>"), ["Boxed."], {}),
    "a box in a table": (f"<w:tbl><w:tr><w:tc>{p('c', VML)}</w:tc></w:tr></w:tbl>", ["c", "Boxed."], {}),
    "a box within a deletion": (p("a", f"<w:del>{VML}</w:del>"), ["a"], {}),
    "text goes on after a box": (p("a ", VML, "b"), ["a b", "Boxed."], {}),
    # Notes, headers
    "footnotes": (p("Take it.", '<w:r><w:footnoteReference w:id="2"/></w:r>') + p("End."), ["Take it.", "5 mg daily.", "End."],
                  {"footnotes": NOTE.format(p("<w:r><w:footnoteRef/></w:r>", " 5 mg daily."))}),
    "endnotes": (p("Take it.", '<w:r><w:endnoteReference w:id="7"/></w:r>'), ["Take it.", "5 mg.", "A day."],
                 {"endnotes": f'<w:endnote w:id="7">{p("5 mg.")}{p("A day.")}</w:endnote>'}),
    "a note of another number": (p("a", '<w:r><w:footnoteReference w:id="3"/></w:r>'), ["a"], {"footnotes": NOTE.format(p("b"))}),
    "a note that was deleted": (p("a", '<w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:del>'), ["a"], {"footnotes": NOTE.format(p("b"))}),
    "headers and footers": (p("Body.") + '<w:sectPr><w:headerReference r:id="header1"/><w:headerReference r:id="header2"/><w:footerReference r:id="footer1"/></w:sectPr>',
                            ["Draft 2", "Body.", "Secret"], {"header1": p("Draft 2"), "header2": p("Draft 2"), "footer1": p("Secret")}),
    "numbers of pages are left out": (p("Body.") + '<w:sectPr><w:footerReference r:id="footer1"/></w:sectPr>', ["Body.", "Page  of Rules"],
                                      {"footer1": p("Page ", begin(" PAGE "), r("3"), END, " of Rules")}),
    # Fields and forms
    "results of fields": (p("See clause ", begin(" REF _x \\r "), r("7.2"), END, "."), ["See clause 7.2."], {}),
    "fields within fields": (p(begin("IF "), begin("X"), r("a"), END, r("b"), END), ["ab"], {}),
    "simple fields": (p("Page ", f'<w:fldSimple w:instr=" PAGE ">{r("3")}</w:fldSimple>', f'<w:fldSimple w:instr="TITLE">{r("T")}</w:fldSimple>'),
                      ["Page T"], {}),
    "a box that is ticked": (p(box('<w:checked/>'), " yes"), ["☒ yes"], {}),
    "a box that is not": (p(box('<w:default w:val="0"/>'), " yes"), ["☐ yes"], {}),
    "a box that is ticked from the start": (p(box('<w:default w:val="1"/>'), " yes"), ["☒ yes"], {}),
    "a box that was unticked": (p(box('<w:default w:val="1"/><w:checked w:val="0"/>'), " yes"), ["☐ yes"], {}),
    "a new box": (p('<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>' + r("☒") + "</w:sdtContent></w:sdt>"),
                  ["☒"], {}),
    "a choice of a form": (p('<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="may"/><w:listEntry w:val="must"/></w:ddList></w:ffData></w:fldChar></w:r>', END),
                           ["must"], {}),
    # Signs of fonts
    "a box of Wingdings": (p('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>', " yes"), ["☑ yes"], {}),
    "letters of Symbol": (p('<w:r><w:sym w:font="Symbol" w:char="F06D"/></w:r>', "g ", '<w:r><w:sym w:font="Symbol" w:char="F0A3"/></w:r>'),
                          ["μg ≤"], {}),
    "text in Symbol": (p(r("\uf061", '<w:rFonts w:ascii="Symbol"/>')), ["α"], {}),
    "a sign that is a letter": (p('<w:r><w:sym w:font="Arial" w:char="20AC"/></w:r>'), ["€"], {}),
    "a sign without a number": (p('<w:r><w:sym w:font="Arial" w:char="no"/></w:r>'), ["\ufffd"], {}),
    # Above and below the line
    "powers": (p("10", raised("20"), " m", raised("-2")), ["10²⁰ m⁻²"], {}),
    "letters above the line": (p("e", raised("kt")), ["e^(kt)"], {}),
    "ordinals": (p("the 4", raised("th")), ["the 4th"], {}),
    "below the line": (p("CO", raised("2", "subscript"), " x", raised("max", "subscript")), ["CO₂ x_(max)"], {}),
    "above the line by a style": (p("10", r("6", '<w:rStyle w:val="Up"/>')), ["10⁶"],
                                  {"styles": '<w:style w:styleId="Up0"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:styleId="Up"><w:basedOn w:val="Up0"/></w:style>'}),
    # Formulas
    "a formula": (p("so ", f"<m:oMath><m:sSup><m:e>{math('x')}</m:e><m:sup>{math('2')}</m:sup></m:sSup>{math('=4')}</m:oMath>"), ["so x²=4"], {}),
    "a fraction": (p(f"<m:oMath><m:f><m:num>{math('a+b')}</m:num><m:den>{math('2')}</m:den></m:f></m:oMath>"), ["(a+b)/2"], {}),
    "a root": (p(f"<m:oMath><m:rad><m:deg/><m:e>{math('x')}</m:e></m:rad></m:oMath>"), ["√(x)"], {}),
    "a sum": (p(f'<m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{math("i=1")}</m:sub><m:sup>{math("n")}</m:sup><m:e>{math("i")}</m:e></m:nary></m:oMath>'),
              ["∑_(i=1)ⁿi"], {}),
    "brackets": (p(f'<m:oMath><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{math("x")}</m:e></m:d></m:oMath>'), ["[x]"], {}),
    "a formula on its own": (p(f"<m:oMathPara><m:oMath>{math('E=m')}</m:oMath></m:oMathPara>"), ["E=m"], {}),
    # Numbers
    "clauses": (p("Pay", list="1") + p("Early.", list="1", level=1) + p("Late.", list="1", level=1) + p("Or so.", list="1", level=2) + p("End", list="1") + p("At last.", list="1", level=1),
                ["1. Pay", "1.1 Early.", "1.2 Late.", "(a) Or so.", "2. End", "2.1 At last."], {"numbering": numbering(CLAUSES)}),
    "bullets": (p("tea", list="1") + p("milk", list="1"), ["• tea", "• milk"], {"numbering": numbering(levels(("bullet", "\uf0b7")))}),
    "Roman numbers and letters": (p("a", list="1") + p("b", list="1") + p("c", list="2"), ["Article I a", "Article II b", "C) c"],
                                  {"numbering": numbering(levels(("upperRoman", "Article %1")), levels(("upperLetter", "%1)"), start=3))}),
    "legal numbers": (p("a", list="1") + p("b", list="1", level=1), ["I a", "1.1 b"],
                      {"numbering": numbering(levels(("upperRoman", "%1")) + '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:isLgl/><w:lvlText w:val="%1.%2"/></w:lvl>')}),
    "a list that begins again": (p("a", list="1") + p("b", list="1") + p("c", list="9"), ["1. a", "2. b", "1. c"],
                                 {"numbering": numbering(CLAUSES, more='<w:num w:numId="9"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>')}),
    "a deleted clause does not count": (p("a", list="1") + p("<w:del><w:r><w:delText>x</w:delText></w:r></w:del>", list="1", mark="del") + p("b", list="1"),
                                        ["1. a", "2. b"], {"numbering": numbering(CLAUSES)}),
    "a style with numbers": (p("Pay", style="H1") + p("Late.", style="H2"), ["1. Pay", "1.1 Late."],
                             {"numbering": numbering(CLAUSES.replace("<w:lvlText w:val=\"%1.%2\"", '<w:pStyle w:val="H2"/><w:lvlText w:val="%1.%2"')),
                              "styles": "".join(f'<w:style w:type="paragraph" w:styleId="{s}"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' for s in ("H1", "H2"))}),
    "no number": (p("a", list="0") + p("b", list="5"), ["a", "b"], {"numbering": numbering(CLAUSES)}),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_word_file_is_read_as_a_reader_sees_it(name: str, tmp_path: Path) -> None:
    body, paragraphs, parts = FILES[name]
    document = read_document(word_file(tmp_path / "a.docx", body, **parts))
    assert document.text == "\n\n".join(paragraphs)
    assert document.unread == ()


def test_strict_files_and_other_names_of_the_main_part_are_read(tmp_path: Path) -> None:
    for k, options in enumerate(({"space": STRICT}, {"main": "word/document2.xml"}, {"main": "text.xml"})):
        assert read_document(word_file(tmp_path / f"{k}.docx", p("It rained."), **options)).text == "It rained."


@pytest.mark.parametrize(
    ("content", "unread", "text"),
    [
        ("<w:r><w:drawing><a:blip/></w:drawing></w:r>", "pictures", ""),
        ("<w:r><w:drawing><c:chart/></w:drawing></w:r>", "charts", ""),
        (r("secret", "<w:vanish/>") + r("seen", '<w:vanish w:val="0"/>'), "hidden text", "seen"),
        ("<w:r><w:t>a</w:t><w:commentReference/></w:r>", "comments", "a"),
        ('<w:r><w:sym w:font="Webdings" w:char="F041"/></w:r>', "the look of signs of special fonts", "\uf041"),
    ],
)
def test_what_is_not_read_is_said(content: str, unread: str, text: str, tmp_path: Path) -> None:
    document = read_document(word_file(tmp_path / "a.docx", p(content)))
    assert (document.text, document.unread) == (text, (unread,))


def test_places_name_the_paragraphs_of_the_file(tmp_path: Path) -> None:
    body = p("a") + "<w:p/>" + p("b", VML) + p("c")
    document = read_document(word_file(tmp_path / "a.docx", body))
    assert [(document.text[each.start], each.number) for each in document.places] == [
        ("a", 0), ("b", 2), ("B", 2), ("c", 4),
    ]  # fmt: skip


def test_places_are_called_as_a_reader_calls_them(tmp_path: Path) -> None:
    """Rows and notes are no paragraphs of the body, nor are headers and footers."""
    row = "".join(f"<w:tc>{p(cell)}</w:tc>" for cell in ("Name", "Basic"))
    long = f"<w:tr><w:tc>{p('A long cell. ' * 9)}</w:tc><w:tc><w:tbl><w:tr><w:tc>{p('Within.')}</w:tc></w:tr></w:tbl></w:tc></w:tr>"
    table = f"<w:tbl><w:tr>{row}</w:tr>{long}</w:tbl>"
    noted = p("It rained.", '<w:r><w:footnoteReference w:id="7"/></w:r>')
    margins = '<w:sectPr><w:headerReference r:id="header1"/><w:footerReference r:id="footer1"/></w:sectPr>'
    body = p("Fees") + p("We pay.") + table + noted + p("We left.") + table.replace("Basic", "Full") + margins
    document = read_document(word_file(
        tmp_path / "a.docx", body, footnotes=f'<w:footnote w:id="7">{p("2.1 A note.")}</w:footnote>',
        header1=p("A draft."), footer1=p("The end."),
    ))  # fmt: skip
    outline = Outline(document.text, document.places)
    words = ("draft", "We pay", "Basic", "long", "Within", "rained", "note", "left", "Full", "end")
    assert {word: outline.where(document.text.index(word)) for word in words} == {
        "draft": "header",
        "We pay": "“Fees”, paragraph 1",
        "Basic": "“Fees”, table row 1",
        "long": "“Fees”, table row 2",
        "Within": "“Fees”, table row 2",
        "rained": "“Fees”, paragraph 2",
        "note": "“Fees”, footnote 1",
        "left": "“Fees”, paragraph 3",
        "Full": "“Fees”, table row 1",
        "end": "footer",
    }


# -- hostile files --


def raw(name: str, content: bytes | str, compression: int = ZIP_DEFLATED) -> bytes:
    """A file with one part."""
    stream = io.BytesIO()
    with ZipFile(stream, "w", compression) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def main(content: bytes | str, compression: int = ZIP_DEFLATED) -> bytes:
    return raw("word/document.xml", content, compression)


def body(content: str) -> str:
    return part("document", f"<w:body>{content}</w:body>")


def many(content: bytes, times: int) -> bytes:
    """A file whose main part has a content so many times, packed piece by piece."""
    stream = io.BytesIO()
    start, end = body("@").split("@")
    info = ZipInfo("word/document.xml")
    info.compress_type = ZIP_DEFLATED
    with (
        ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open(info, "w", force_zip64=True) as file,
    ):
        file.write(start.encode())
        for _ in range(times // 1000):
            file.write(content * 1000)
        file.write(end.encode())
    return stream.getvalue()


def encoded(encoding: str) -> bytes:
    return main(part("document", f"<w:body>{p('x')}</w:body>", encoding=encoding).encode())


PLAIN = main(body(p("It rained.")))
LAUGHS = "<!DOCTYPE w [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY {b} '{f'&{a};' * 10}'>" for a, b in zip("abcdef", "bcdefg", strict=True)) + "]>"  # fmt: skip
HOSTILE: dict[str, tuple[bytes, str]] = {
    "no zip": (b"no zip", "not a Word file"),
    "an empty file": (b"", "not a Word file"),
    "an older Word file": (b"\xd0\xcf\x11\xe0" + bytes(600), "in the old format"),
    "half a file": (PLAIN[: len(PLAIN) // 2], "not a Word file"),
    "another archive": (raw("other.xml", "<a/>"), "not a Word file"),
    "no XML": (main("no XML"), "not well-formed"),
    "half of the XML": (main("<w:p>"), "damaged"),
    "another XML": (main("<html/>"), "main element is html"),
    "a bomb of bzip2": (main(b" " * 10_000_000, ZIP_BZIP2), "packed otherwise"),
    "damaged LZMA": (main(body(p("a" * 1000)), ZIP_LZMA).replace(b"\x5d\0\0\x80\0", b"\xff\xff\xff\xff\xff"), "packed otherwise"),
    "a bomb": (many(b" ", 70_000_000), "unpacked; compare it in parts"),
    "characters without end": (many(b"<w:p><w:r><w:t>aaaaaaaaaaaaaaaa</w:t></w:r></w:p>", 100_000), "1,000,000 characters"),
    "one long mark": (main(body(f"<w:p a='{'a' * 9_000_000}'/>")), "a mark of more than"),
    "nested paragraphs": (main(body("<w:p>" * 50_000 + "</w:p>" * 50_000)), "levels deep"),
    "nested boxes": (main(body("<w:p><w:r><w:txbxContent>" * 20_000)), "levels deep"),
    "an entity": (main("<!DOCTYPE w [<!ENTITY a 'b'>]>" + body(p("&a;")).partition("?>")[2]), "document type declaration"),
    "a billion laughs": (main(LAUGHS + body(p("&g;")).partition("?>")[2]), "document type declaration"),
    "an outer entity": (main('<!DOCTYPE w SYSTEM "file:///etc/passwd">' + body("").partition("?>")[2]), "document type declaration"),
    "a name that is no text": (PLAIN.replace(b"word/document.xml", b"word/documen\xff.xml").replace(b"\x00\x00\x00\x00word", b"\x00\x08\x00\x00word"), "not a Word file"),
    "a password": (PLAIN.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"), "protected by a password"),
    "a wrong checksum": (PLAIN.replace(zlib.crc32(body(p("It rained.")).encode()).to_bytes(4, "little"), b"\1\2\3\4"), "not a Word file"),
    **{f"encoding {name}": (encoded(name), "cannot be decoded|not well-formed") for name in
       ("utf-7", "utf-32", "big5", "shift_jis", "gb18030", "hex", "rot13", "idna", "punycode", "no such")},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused(name: str) -> None:
    data, message = HOSTILE[name]
    with pytest.raises(InputError, match=message) as error:
        read_document("a.docx", data)
    assert error.value.path == "a.docx"


def test_elements_and_styles_are_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(xml_events, "MOST_ELEMENTS", 1000)
    with pytest.raises(InputError, match="more than 1,000 elements"):
        read_document("a.docx", main(body("<w:p/>" * 1000)))
    file = word_file(tmp_path / "a.docx", p("a"), styles="<w:style/>" * 500_000)
    with pytest.raises(InputError, match="its part styles has more than 4,194,304 bytes"):
        read_document(file)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(PLAIN) - 1), st.binary(min_size=1, max_size=4))
def test_a_damaged_file_is_read_or_refused(place: int, damage: bytes) -> None:
    with suppress(InputError):
        assert isinstance(read_document("a.docx", PLAIN[:place] + damage + PLAIN[place + len(damage) :]).text, str)


_PEAK = """
import sys
from usim.documents import read_document
from usim.errors import InputError
from usim.text import xml_events
for name in sys.argv[1:]:
    try: read_document(name)
    except InputError as e: print(e, file=sys.stderr)
(line,) = (line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(line.split()[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux for the most memory of a process")
def test_no_file_below_10_mb_takes_more_than_300_mib(tmp_path: Path) -> None:
    """What takes most: texts in small pieces, styles, marks, parts, and what unpacks to much."""
    tabs = "<w:r>" + "<w:tab/>" * 900_000 + "</w:r>"
    levels_ = "".join(f'<w:lvl w:ilvl="{k}"/>' for k in range(9)) * 18_000
    files = {
        "pieces": word_file(tmp_path / "0.docx", p(tabs)),
        "paragraphs": word_file(tmp_path / "1.docx", "<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 330_000),
        "styles": word_file(tmp_path / "2.docx", p("a"), styles="<w:style/>" * 380_000),
        "lists": word_file(tmp_path / "3.docx", p("a", list="1"), numbering=numbering(levels_)),
        "mark": word_file(tmp_path / "4.docx", f"<w:p a='{'a' * 4_000_000}'/>"),
        "notes": word_file(tmp_path / "5.docx", "", footnotes="".join(f'<w:footnote w:id="{k}">{p("a")}</w:footnote>' for k in range(200_000))),
        "bomb": tmp_path / "6.docx",
        "many parts": tmp_path / "7.docx",
    }  # fmt: skip
    files["bomb"].write_bytes(HOSTILE["a bomb"][0])
    with ZipFile(files["many parts"], "w", ZIP_STORED) as archive:
        for k in range(60_000):
            archive.writestr(f"{k}.xml", b"")
    empty = word_file(tmp_path / "empty.docx", "")

    def peak(*names: Path) -> int:
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, *map(str, names)], capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    assert max(file.stat().st_size for file in files.values()) < 10_000_000
    assert peak(*files.values()) - peak(empty) <= 300

"""Word files, made part by part."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SPACES = (
    f'xmlns:r="{RELATED}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
)
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_ROOTS = {"styles": "styles", "numbering": "numbering", "footnotes": "footnotes", "endnotes": "endnotes",
          "header": "hdr", "footer": "ftr"}  # fmt: skip
_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def part(root: str, content: str, space: str = WORD, encoding: str = "UTF-8") -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?><w:{root} xmlns:w="{space}" {_SPACES}>{content}</w:{root}>'


def word_file(path: Path, body: str, *, space: str = WORD, main: str = "word/document.xml", **parts: str) -> Path:
    """Write a Word file with this body and other parts, whose names begin with what they are: ``header1``."""
    links, types = [], [f'<Override PartName="/{main}" ContentType="{_TYPES}.document.main+xml"/>']
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = name.rstrip("0123456789")
            archive.writestr(f"word/{name}.xml", part(_ROOTS[kind], content, space))
            links.append(f'<Relationship Id="{name}" Type="{RELATED}/{kind}" Target="{name}.xml"/>')
            types.append(f'<Override PartName="/word/{name}.xml" ContentType="{_TYPES}.{kind}+xml"/>')
        archive.writestr(main, part("document", f"<w:body>{body}</w:body>", space))
        of_main = f"word/_rels/{main.rpartition('/')[2]}.rels"
        archive.writestr(of_main, f'<Relationships xmlns="{_PACKAGE}">{"".join(links)}</Relationships>')
        link = f'<Relationship Id="a" Type="{RELATED}/officeDocument" Target="{main}"/>'
        archive.writestr("_rels/.rels", f'<Relationships xmlns="{_PACKAGE}">{link}</Relationships>')
        defaults = (
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
        )
        space = "http://schemas.openxmlformats.org/package/2006/content-types"
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{space}">{defaults}{"".join(types)}</Types>')
    return path


def p(*content: str, style: str = "", list: str = "", level: int = 0, mark: str = "") -> str:
    """Return a paragraph of texts and of elements."""
    own = f'<w:pStyle w:val="{style}"/>' if style else ""
    own += f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr>' if list else ""
    own += f"<w:rPr><w:{mark}/></w:rPr>" if mark else ""
    inner = "".join(each if each.startswith("<") else r(each) for each in content)
    return f"<w:p>{f'<w:pPr>{own}</w:pPr>' if own else ''}{inner}</w:p>"


def r(text: str, look: str = "") -> str:
    """Return a run."""
    return f'<w:r>{f"<w:rPr>{look}</w:rPr>" if look else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def raised(text: str, where: str = "superscript") -> str:
    return r(text, f'<w:vertAlign w:val="{where}"/>')


def math(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def levels(*of: tuple[str, str], start: int = 1, more: str = "") -> str:
    """Return the levels of a list: of each the form of its numbers and how they are written."""
    return "".join(
        f'<w:lvl w:ilvl="{k}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'
        for k, (form, text) in enumerate(of)
    )


def numbering(*lists: str, more: str = "") -> str:
    """Return a part with lists, which are numbered from 1."""
    abstract = "".join(f'<w:abstractNum w:abstractNumId="{k}">{own}</w:abstractNum>' for k, own in enumerate(lists))
    numbers = "".join(f'<w:num w:numId="{k + 1}"><w:abstractNumId w:val="{k}"/></w:num>' for k in range(len(lists)))
    return abstract + numbers + more

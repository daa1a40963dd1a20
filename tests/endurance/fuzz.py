"""Texts of all kinds through everything: parse, score, screen, explain, and both formats of graphs."""

from __future__ import annotations

import json
import math
import random
import re
from contextlib import suppress
from io import StringIO

from rich.console import Console

from tests.batch.slow_parser import WordParser
from tests.endurance.tally import Tally, Terms
from usim import Scorer
from usim.checkers import Fault, best_edits, screened_findings
from usim.errors import FormatError, SuggestionError
from usim.judge import Result, load_judge
from usim.parsing import load
from usim.report.text import explanation
from usim.screen import Screen
from usim.suggestions import Suggestion, apply
from usim.text import token_texts
from usim.ucca import Graph, from_mrp, mrp_line, parse_xml, storable_in_xml, to_xml

_BLOCK = 100
_SURROGATES = re.compile("[\ud800-\udfff]")
_WORDS = (
    "the a this he she they it not never no only John Mary house river saw gave told said that which who because if "
    "and or but of in on to with is was were has been will can could must don't cannot won't it's John's very old new "
    "quickly three 1999 3.14 $5 50% e.g. U.S. Mr. Dr. etc. i.e. O'Neill state-of-the-art well-known"
).split()
_MARKS = ". , ; : ! ? … ' \" ( ) [ ] { } - – — / | * & @ # % ^ ~ ` ’ “ ” « » ¿ ¡ 。 ، ؟".split()
_ODD = [
    "http://a.b/c?d=e&f#g", "a@b.co", "@user", "#tag", ":-)", "<b>", "&amp;", "C++", "R2-D2", "10:30", "1,000,000.5", "½",
    "²", "١٢٣", "猫", "ねこ", "été", "e\u0301", "שלום", "مرحبا", "नमस्ते", "👩‍👩‍👧", "🏳️‍🌈", "\u200b", "\ufeff", "\u202e", "\x00", "\x1d",
    "\x85", "\u2028", "\ud800", "\udfff", "\U0010ffff", "\ufffd", "ﬁ", "ǅ", "İ", "ß", "'s", "n't", "''", "--", "...", "?!",
    "%s", "{0}", "\\n", "[/bold]", "[red]", "</root>", "]]>", "\t", "\n", "\r\n", "\n\n", "a-" * 40, "x" * 300, "." * 60,
]  # fmt: skip


def random_text(rng: random.Random) -> str:
    """Return a text: words, marks, oddities, or characters of any kind."""
    way = rng.random()
    if way < 0.1:
        return "".join(
            chr(rng.choice((rng.randrange(0x250), rng.randrange(0x110000)))) for _ in range(rng.randrange(40))
        )
    if way < 0.15:
        return rng.choice(_ODD + _MARKS) * rng.randrange(30)
    shares = rng.choice(((1, 0, 0), (8, 2, 0), (6, 2, 1), (1, 3, 1), (1, 1, 3)))
    length = rng.choice((rng.randrange(6), rng.randrange(25), rng.randrange(25), rng.randrange(120)))
    parts = [rng.choice(rng.choices((_WORDS, _MARKS, _ODD), shares)[0]) for _ in range(length)]
    return rng.choice((" ", " ", " ", "", "  ")).join(parts)


def changed(rng: random.Random, text: str) -> str:
    """Return a text with a few words left out, put in, replaced or moved, or another text."""
    words = text.split(" ")
    if rng.random() < 0.1:
        return random_text(rng)
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(words) + 1)
        match rng.randrange(4):
            case 0:
                words[place : place + 1] = []
            case 1:
                words.insert(place, rng.choice(rng.choice((_WORDS, _MARKS, _ODD))))
            case 2:
                words[place : place + 1] = [rng.choice(_WORDS)]
            case _:
                words.insert(place, words.pop(rng.randrange(len(words))) if words else "")
    return " ".join(words)


def fuzz(tally: Tally, terms: Terms) -> None:
    """Put texts through everything; nothing may raise but what is documented, and nothing may be lost."""
    rng = terms.rng()
    parser, judge = load("en"), load_judge("en")
    scorer, screen = Scorer(parser=parser, judge=judge), Screen(parser=parser, judge=judge)
    for _ in range(terms.count(2, 300)):
        texts = [random_text(rng) for _ in range(_BLOCK)]
        try:
            graphs = scorer.parse(texts)
        except Exception as e:
            tally.check(f"parse: {type(e).__name__}: {e}: one of {texts!r}")
            continue
        for text, graph in zip(texts, graphs, strict=True):
            with tally.case(f"parse {text!r}"):
                _check_graph(text, graph)
        pairs = [(text, changed(rng, text)) for text in texts[: _BLOCK // 2]]
        pairs += [(text, text) for text in texts[_BLOCK // 2 : _BLOCK // 2 + 10]]
        try:
            results = list(scorer.score_pairs(pairs))
        except Exception as e:
            tally.check(f"score: {type(e).__name__}: {e}: one of {pairs!r}")
            continue
        for result in results:
            with tally.case(f"score {(result.source, result.output)!r}"):
                _check_result(result)
        for text in texts[: _BLOCK // 5]:
            with tally.case(f"screen {text!r}"):
                _check_screen(rng, screen, text)


def _check_graph(text: str, graph: Graph) -> None:
    assert list(graph.tokens) == token_texts(text), "other tokens"
    again = Graph(graph.terminals, graph.units, graph.edges, graph.linkages, graph.id)
    assert again == graph, "not the graph of its parts"
    middle = len(graph.tokens) // 2
    assert graph.slice(0, middle).tokens + graph.slice(middle, len(graph.tokens)).tokens == graph.tokens, "lost tokens"
    repr(graph), str(graph)
    xml = to_xml(graph)
    xml.encode()
    from_xml = parse_xml(xml)
    if all(storable_in_xml(token) == token for token in graph.tokens):
        assert from_xml == graph, "another graph from XML"
    assert to_xml(from_xml) == xml, "other XML from XML"
    if _SURROGATES.search("".join(graph.tokens)):
        with suppress(FormatError):  # two halves next to each other cannot be written
            assert from_mrp(json.loads(mrp_line(graph))) == graph, "another graph from MRP"
        return
    line = mrp_line(graph)
    line.encode()
    assert line.index("\n") == len(line) - 1
    assert from_mrp(json.loads(line)) == graph, "another graph from MRP"


def _check_range(*values: float) -> None:
    for value in values:
        assert math.isfinite(value), f"{value} is no number"
        assert -1e-9 <= value <= 1 + 1e-9, f"{value} is out of range"


def _check_result(result: Result) -> None:
    _check_range(result.score, result.judgement.faithfulness)
    for way in (result.usim.s2r, result.usim.r2s):
        _check_range(way.recall, way.precision, way.f)
    if result.source == result.output:
        assert result.score == 1.0, "a text differs from itself"
        assert result.judgement.faithfulness == 1.0, "a text is not faithful to itself"
        assert not result.judgement.findings, "a text has findings against itself"
    json.dumps(result.to_dict(), allow_nan=False)
    repr(result), result.to_row(), result._repr_html_()
    shown = StringIO()
    Console(file=shown, width=100).print(explanation(result))
    assert shown.getvalue().strip(), "nothing is explained"
    for finding in result.judgement.findings:
        assert all(0 <= i < len(result.source_graph.tokens) for i in finding.source), "a place outside of the source"
        assert all(0 <= i < len(result.output_graph.tokens) for i in finding.output), "a place outside of the output"


def _check_screen(rng: random.Random, screen: Screen, text: str) -> None:
    start = rng.randrange(len(text) + 1)
    end = rng.randint(start, min(len(text), start + 12))
    substitutes = ["", rng.choice(_WORDS), rng.choice(_ODD), text[start:end]]
    try:
        screened = screen.screen(text, start, end, substitutes)
    except SuggestionError:
        (screened,) = screen.screen_texts([(text, [Suggestion(changed(rng, text)), Suggestion(text)])])
        substitutes = substitutes[:2]
    assert len(screened) == len(substitutes), "suggestions are missing"
    for suggestion in screened:
        _check_range(suggestion.faithfulness, suggestion.usim)
        assert suggestion.verdict in ("keep", "review", "drop")
        json.dumps(suggestion.to_dict(), allow_nan=False)
        repr(suggestion)
    assert screened[-1].faithfulness == 1.0, "no change is not faithful"


_REPLACED = "tset naïve cafe\u0301 😀😀 👩‍👩‍👧 word שלום 한국 e\u0301 \u202eabc don’t I".split()
_NEW = ("test", "naïf", "", "😀", "two words", "한", "e\u0301e\u0301", "\ufeff", "x" * 50)
_BETWEEN = (" ", " ", " ", "\r\n", "\n", ". ", "\r\n\r\n", "\t", "\u00a0")


def fixes(tally: Tally, terms: Terms) -> None:
    """Correct odd texts by findings, some of which overlap: they keep their places, and nothing else changes."""
    rng = terms.rng()
    screen = Screen(parser=WordParser(), judge="usim", keep=0.0, drop=0.0)
    for number in range(terms.count(150, 5_000)):
        words = rng.choices(_REPLACED, k=rng.randint(1, 12))
        text = rng.choice(("", "\ufeff", "\r\n")) + "".join(word + rng.choice(_BETWEEN) for word in words)
        spans = []
        place = 0
        for word in words:
            place = text.index(word, place)
            spans.append((place, place + len(word)))
            place += len(word)
        chosen = []
        for _ in range(rng.randint(1, 5)):  # each of some words one after another
            first = rng.randrange(len(spans))
            chosen.append((spans[first][0], spans[min(len(spans) - 1, first + rng.randint(0, 2))][1]))
        found = [Fault(*span, "odd", tuple(rng.sample(_NEW, rng.randint(0, 3))), "ODD") for span in chosen]
        with tally.case(f"text {number}: {text!r}, {chosen}"):
            judged = list(screened_findings(text, found, screen))
            assert [(finding.start, finding.end) for finding in judged] == chosen, "other places"
            edits: list[tuple[int, int, str]] = []
            best = [(finding, finding.best) for finding in judged if finding.best is not None]
            for finding, suggestion in sorted(best, key=lambda pair: -pair[1].faithfulness):
                if all(finding.end < start or end < finding.start for start, end, _ in edits):
                    edits.append((finding.start, finding.end, suggestion.substitute))
            expected = text
            for start, end, value in sorted(edits, reverse=True):
                expected = expected[:start] + value + expected[end:]
            assert apply(text, best_edits(text, judged)) == expected, "another text"

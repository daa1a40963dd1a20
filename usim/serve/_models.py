"""The bodies of requests and answers, for validation and for OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from usim.judge import Policy
from usim.text import Context, context_between

_PAIR: JsonDict = {"source": "He go home.", "output": "He goes home."}
_BEST: JsonDict = {"source": "He go home.", "candidates": ["He went home.", "He goes home."]}
_PLACE: JsonDict = {"start": 3, "end": 11}
_RECORD: JsonDict = {"id": "a", "sentence": "An intimate friend.", **_PLACE, "substitutes": ["close", "hostile"]}
_TEXTS: JsonDict = {"before": "It rained. We paid 20 euros.", "after": "We paid 25 euros. It rained."}
_POLICY = "What an output may do: say the same; shorten, leave details out; expand, add details."
_RISK = (
    "The share of wrong verdicts that you accept, on pairs like those that the thresholds were chosen on; of rewrites "
    "more are wrong. A smaller one leaves more to review. By default the server's own."
)
#: What may be asked of the service and of the tools for agents.
AskedPolicy = Annotated[Policy, Field(description=_POLICY)]
AskedRisk = Annotated[float | None, Field(gt=0, lt=1, description=_RISK)]
T = TypeVar("T")
_Some = Annotated[list[T], Field(min_length=1)]


class _Model(BaseModel, extra="forbid"):
    pass


class _UnderPolicy(_Model):
    policy: AskedPolicy = "same"
    risk: AskedRisk = None


class Pair(_Model):
    """A sentence before and after a change."""

    source: str
    output: str
    before: str | None = Field(None, description="The text before both sentences.")
    after: str | None = Field(None, description="The text after both sentences.")

    def item(self) -> tuple[str, str, Context | None]:
        """Return the pair with the text around it."""
        return self.source, self.output, context_between(self.before or "", self.after or "")


class ScoreRequest(_UnderPolicy, json_schema_extra={"example": {"pairs": [_PAIR]}}):
    """Pairs to score."""

    pairs: _Some[Pair]


class BestRequest(_UnderPolicy, json_schema_extra={"example": _BEST}):
    """A text and its rewrites, the most faithful of which is wanted."""

    source: str
    candidates: _Some[str]


class ScreenRequest(_Model, json_schema_extra={"example": {"records": [_RECORD]}}):
    """Records to screen, as ``usim screen`` reads them from JSON lines."""

    records: _Some[dict[str, Any]]
    rank: bool = Field(False, description="Sort the substitutes of each target, the most faithful first.")


class ExplainRequest(Pair, _UnderPolicy, json_schema_extra={"example": {**_PAIR, "format": "json"}}):
    """A pair to explain."""

    format: Literal["json", "svg", "view"] = Field(
        "json", description="json, a drawing of both graphs, or as json what the page shows: with tokens and a drawing."
    )
    width: int = Field(1080, ge=200, le=4000, description="Of a view: at which rows of the drawing are wrapped.")


class CompareRequest(_UnderPolicy, json_schema_extra={"example": _TEXTS}):
    """Two versions of a text."""

    before: str
    after: str
    markdown: bool = Field(False, description="Whether they are Markdown: code and links are compared as they are.")
    format: Literal["json", "html", "view"] = Field(
        "json", description="json, a page with both texts side by side, or json with the rows of that page."
    )


class ParseRequest(_Model, json_schema_extra={"example": {"texts": ["He goes home."]}}):
    """Texts to parse."""

    texts: _Some[str]
    format: Literal["mrp", "text"] = Field("mrp", description="As --format of usim parse.")


class SubstitutesRequest(_Model, json_schema_extra={"example": {"text": "An intimate friend.", **_PLACE}}):
    """A word whose substitutes are to be ranked."""

    text: str
    start: int = Field(ge=0, description="Where the word begins, in characters.")
    end: int = Field(ge=0, description="Where it ends.")
    substitutes: list[str] = Field([], description="What to rank; by default words that WordNet has near it.")


class Results(BaseModel):
    """Results, each as the command line prints it."""

    results: list[Any]
    signature: str = Field(description="What the results were made with.")


class Problem(BaseModel):
    """A problem (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What is wrong, and what to do.")

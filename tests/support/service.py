"""The service in this process, and what its answers say."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from starlette.types import ASGIApp

KEY = "k" * 32


class Client:
    """Speaks to an application in this process."""

    def __init__(self, app: ASGIApp, headers: dict[str, str] | None = None) -> None:
        self._app, self._headers = app, headers or {}

    def __call__(self, path: str, body: Any = None, **settings: Any) -> httpx.Response:
        return self.together([(path, body)], **settings)[0]

    def together(self, calls: list[tuple[str, Any]], **settings: Any) -> list[httpx.Response]:
        async def ask() -> list[httpx.Response]:
            transport = httpx.ASGITransport(self._app)
            headers = self._headers | settings.pop("headers", {})
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
                return await asyncio.gather(
                    *(
                        client.get(path, **settings)
                        if body is None
                        else client.post(path, **_content(body), **settings)
                        for path, body in calls
                    )
                )

        return asyncio.run(ask())


def _content(body: Any) -> dict[str, Any]:
    return {"content": body} if isinstance(body, (bytes, str)) or hasattr(body, "__aiter__") else {"json": body}


def problem(response: httpx.Response, status: int) -> str:
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == status
    return str(body["detail"])


def figure(url: str, name: str) -> float:
    text = httpx.get(f"{url}/metrics", timeout=30).text
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith(f"{name} ")))

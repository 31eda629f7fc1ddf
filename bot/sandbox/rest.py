"""Discord's HTTP API: real requests in front of simcord's route table."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from aiohttp import BodyPartReader, web
from simcord.backend.errors import BackendError
from simcord.http.router import RouteNotImplemented, UnsupportedField, dispatch

from bot.sandbox.interceptor import ApiRequest, ApiResponse, Interceptor, Upload

if TYPE_CHECKING:
    from bot.sandbox.world import Application, Payload, World

__all__ = ["RestApi"]

_log = logging.getLogger(__name__)

_LARGEST_UPLOAD = 10 * 1024 * 1024
_LONGEST_NONCE = 25
_USUAL_PAGE = 50
_SEND = re.compile(r"/channels/(\d+)/messages")
_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")
_BY_TOKEN = re.compile(r"/(?:interactions|webhooks)/\d+/([^/]+)")
_OF_APPLICATION = re.compile(r"/applications/(\d+)/")
_NO_CONTENT = 204


@dataclass(slots=True)
class _File:
    """A file as simcord's handlers read it."""

    filename: str
    fp: io.BytesIO
    description: str | None


class RestApi:
    """Serves ``/api/vN/...`` for every application of a world."""

    def __init__(
        self, world: World, interceptor: Interceptor, *, gateway_url: str, shards: int = 1
    ) -> None:
        self._world = world
        self.interceptor = interceptor
        self.gateway_url = gateway_url
        self.shards = shards

    async def handle(self, request: web.Request) -> web.Response:
        """Read a request, let it pass the interceptor, and write Discord's answer."""
        try:
            call = await _read(request)
        except (TypeError, ValueError):
            answer = _error(400, 50109, "The request body contains invalid JSON.")
        else:
            try:
                answer = await self.interceptor.handle_request(call, self.serve)
            except ConnectionResetError:
                if request.transport is not None:
                    request.transport.abort()
                answer = ApiResponse(_NO_CONTENT)
        if answer.json is None:
            return web.Response(status=answer.status, headers=answer.headers)
        # discord.py parses only a bare "application/json": bytes get no charset added.
        return web.Response(
            body=json.dumps(answer.json).encode(),
            status=answer.status,
            headers=answer.headers,
            content_type="application/json",
        )

    def serve(self, call: ApiRequest) -> ApiResponse:
        """Discord's answer to a request, decided in one go."""
        application = self._application(call)
        if application is None:
            return _error(401, 0, "401: Unauthorized")
        if call.path in ("/gateway", "/gateway/bot"):
            return ApiResponse(200, self._gateway())
        try:
            _check(application, call)
            return self._dispatch(application, call)
        except (RouteNotImplemented, UnsupportedField) as gap:
            _log.error("The sandbox cannot do this: %s", gap)
            return _error(501, 0, gap.message)
        except BackendError as error:
            return ApiResponse(error.status, error.to_json())
        except (KeyError, TypeError, ValueError) as error:
            _log.exception("%s %s is malformed", call.method, call.path)
            return _error(400, 50035, f"Invalid Form Body: {error}")

    def _application(self, call: ApiRequest) -> Application | None:
        by_token = _BY_TOKEN.match(call.path)
        if by_token:
            return self._world.application_of_token(by_token[1])
        return self._world.applications.get(call.token or "")

    def _gateway(self) -> Payload:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return {"url": self.gateway_url, "shards": self.shards, "session_start_limit": limit}

    def _dispatch(self, application: Application, call: ApiRequest) -> ApiResponse:
        if call.method == "GET" and "after" in call.query and _SEND.fullmatch(call.path):
            return self._messages_after(application, call)
        world = self._world
        body = call.body
        send = _SEND.fullmatch(call.path) if call.method == "POST" else None
        nonce = cast("str | int | None", body.get("nonce"))
        if send and nonce is not None and body.get("enforce_nonce"):
            earlier = world.find_by_nonce(application.user.id, int(send[1]), nonce)
            if earlier is not None:
                call = replace(call, method="GET", path=f"{call.path}/{earlier.id}", json=None)
                body = send = None
        with world.acting_as(application), world.with_nonce(nonce):
            result = dispatch(
                world,
                call.method,
                call.path,
                json=call.json,
                params=dict(call.query),
                files=[_File(u.filename, io.BytesIO(u.data), u.description) for u in call.uploads],
                reason=call.reason,
            )
        if nonce is not None and isinstance(result, dict):
            result["nonce"] = nonce
            if send:
                message_id = int(cast("str", result["id"]))
                world.record_nonce(application.user.id, int(send[1]), nonce, message_id)
        callback = _CALLBACK.fullmatch(call.path)
        if callback:
            world.notify_response(int(callback[1]))
            if call.query.get("with_response", "").lower() not in ("1", "true"):
                result = None
        return ApiResponse(_NO_CONTENT) if result is None else ApiResponse(200, result)

    def _messages_after(self, application: Application, call: ApiRequest) -> ApiResponse:
        """A page of history from a message on: the oldest behind it, the newest first.

        Simcord gives the newest of all, from which nobody could go on to the next page.
        """
        limit = int(call.query.get("limit", _USUAL_PAGE))
        every = {**call.query, "limit": str(sys.maxsize)}
        with self._world.acting_as(application):
            found = dispatch(self._world, call.method, call.path, params=every)
        return ApiResponse(200, found[-limit:])


def _check(application: Application, call: ApiRequest) -> None:
    own = _OF_APPLICATION.match(call.path)
    if own and int(own[1]) != application.id:
        raise BackendError(403, 20012, "You are not authorized to perform this action")
    if any(len(upload.data) > _LARGEST_UPLOAD for upload in call.uploads):
        raise BackendError(413, 40005, "Request entity too large")
    body = call.body
    if len(str(body.get("nonce") or "")) > _LONGEST_NONCE:
        raise BackendError(400, 50035, "nonce: Must be 25 or fewer in length.")


def _error(status: int, code: int, message: str) -> ApiResponse:
    return ApiResponse(status, {"code": code, "message": message})


async def _read(request: web.Request) -> ApiRequest:
    path = request.rel_url.raw_path
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    reason = request.headers.get("X-Audit-Log-Reason")
    body: Any = None
    uploads: tuple[Upload, ...] = ()
    if request.content_type.startswith("multipart/"):
        body, uploads = await _read_form(request)
    elif request.can_read_body:
        text = await request.text()
        body = json.loads(text) if text else None
    return ApiRequest(
        method=request.method,
        path="/" + path.split("/", 3)[3] if path.count("/") > 2 else "/",  # noqa: PLR2004 - parts of a path
        query=dict(request.query),
        json=body,
        uploads=uploads,
        token=token if scheme == "Bot" else None,
        reason=unquote(reason) if reason else None,
    )


async def _read_form(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    """The JSON part and the files, in the order of their indexes, with their descriptions."""
    body: Any = None
    scalars: Payload = {}
    files: list[tuple[str, str, bytes]] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise TypeError("nested multipart")
        if part.filename is not None:
            files.append((part.name or "", part.filename, bytes(await part.read())))
        elif part.name == "payload_json":
            body = json.loads(await part.text())
        elif part.name is not None:
            scalars[part.name] = await part.text()
    if body is None:
        body = scalars
    described = _descriptions(cast("Payload", body))
    uploads = [
        Upload(filename, data, described.get(re.sub(r"\D", "", name)))
        for name, filename, data in files
    ]
    return body, tuple(uploads)


def _descriptions(body: Payload) -> dict[str, str]:
    inner = cast("Payload", body.get("data") or body)
    listed = cast("list[Payload]", inner.get("attachments") or [])
    return {str(a.get("id")): str(a["description"]) for a in listed if a.get("description")}

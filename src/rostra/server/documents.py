"""The API for other programs: OpenAPI, AsyncAPI and the browser's types, all made from `schema` and `routes`.

`python -m rostra.server.documents FOLDER` writes the three files; a test compares them with what is in the project.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from rostra import __version__
from rostra.games import GAMES
from rostra.server import schema
from rostra.server.routes import ENDPOINTS, Endpoint

SHAPES = (
    *(struct for game in GAMES.values() for struct in game.screen.structs),
)  # fmt: skip
"""What a `dict` of the schema is in each game: views, outlooks, effects and lines of a ledger."""
_REF = "#/components/schemas/{name}"
_TITLE = "Rostra, live matches"
REFUSALS = {
    400: "no JSON", 401: "the token is missing or wrong", 403: "not yours, or a page of another site", 404: "not there",
    405: "not possible here", 409: "it does not fit the match as it is", 413: "too large", 415: "no application/json",
    422: "the body or a value is wrong", 429: "too many requests", 503: "the database cannot be used now",
}  # fmt: skip


def _components() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    types: list[Any] = [schema.FromClient, schema.FromServer, schema.Problem]
    types += [one for endpoint in ENDPOINTS for one in (endpoint.takes, endpoint.gives) if one not in (None, str)]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    return list(schemas), components


def _schema_of(kind: Any) -> dict[str, Any]:
    return msgspec.json.schema_components([kind], ref_template=_REF)[0][0]


def openapi() -> dict[str, Any]:
    """The HTTP part."""
    paths: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    answers = {"200": {"description": "ok", "content": {"application/json": {"schema": {}}}}}
    answers["503"] = {"description": "down"}
    paths["/healthz"] = {"get": {"summary": "Whether the server and its database are well", "responses": answers}}
    return {
        "openapi": "3.1.0",
        "info": {"title": _TITLE, "version": __version__},
        "paths": paths,
        "components": {
            "schemas": _components()[1],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters = []
    if "{match}" in endpoint.path:
        parameters.append({"name": "match", "in": "path", "required": True, "schema": _schema_of(schema.MatchId)})
    if "{ply}" in endpoint.path:
        number = {"type": "integer", "minimum": 0, "maximum": 1_000_000}
        parameters.append({"name": "ply", "in": "path", "required": True, "schema": number})
    for name, means in (("address", "an address of mine"), ("key", "the last part of an unsubscribe link")):
        if f"{{{name}}}" in endpoint.path:
            text = {"type": "string", "maxLength": 80}
            parameters.append({"name": name, "in": "path", "description": means, "required": True, "schema": text})
    if "{game}" in endpoint.path:
        parameters.append({"name": "game", "in": "path", "required": True, "schema": {"type": "string"}})
    for name in {"device", "person", "friend"} & set(re.findall(r"{(\w+)}", endpoint.path)):
        text = {"type": "string", "minLength": 1, "maxLength": 40}
        parameters.append({"name": name, "in": "path", "required": True, "schema": text})
    for name, means in endpoint.query.items():
        kind: dict[str, Any] = {"type": "string"}
        if name == "seat":
            kind = _schema_of(schema.SeatNumber)
        elif name == "show":
            kind = {"enum": ["open", "mine"]}
        elif name == "before":
            kind = {"type": "integer", "minimum": 0, "maximum": 10**14 - 1}
        parameters.append({"name": name, "in": "query", "description": means, "schema": kind})
    media = "text/plain" if endpoint.gives is str else "application/json"
    gives = {"type": "string"} if endpoint.gives is str else _schema_of(endpoint.gives)
    answers: dict[str, Any] = {"200": {"description": "done", "content": {media: {"schema": gives}}}}
    trouble = {"application/json": {"schema": {"$ref": _REF.format(name="Problem")}}}
    answers |= {str(status): {"description": why, "content": trouble} for status, why in REFUSALS.items()}
    operation: dict[str, Any] = {
        "operationId": endpoint.answer.__name__,
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": answers,
    }
    if endpoint.takes is not None:
        body = {"application/json": {"schema": _schema_of(endpoint.takes)}}
        operation["requestBody"] = {"required": True, "content": body}
    if endpoint.token != "no":
        operation["security"] = [{"token": []}] if endpoint.token == "yes" else [{}, {"token": []}]
    return operation


def asyncapi() -> dict[str, Any]:
    """The WebSocket part."""
    said = {kind: get_args(union) for kind, union in (("client", schema.FromClient), ("server", schema.FromServer))}
    messages = {
        one.__name__: {
            "name": one.__struct_config__.tag,
            "summary": (one.__doc__ or "").strip(),
            "payload": {"$ref": _REF.format(name=one.__name__)},
        }
        for union in said.values()
        for one in union
    }

    def operation(action: str, kind: str, summary: str) -> dict[str, Any]:
        refs = [{"$ref": f"#/channels/live/messages/{one.__name__}"} for one in said[kind]]
        return {"action": action, "channel": {"$ref": "#/channels/live"}, "summary": summary, "messages": refs}

    return {
        "asyncapi": "3.0.0",
        "info": {"title": _TITLE, "version": __version__},
        "channels": {
            "live": {
                "address": "/api/live",
                "description": "Say hello with your token, watch matches, send commands; resend one until it is done "
                "or refused, with the same id.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": {
            "hear": operation("receive", "client", "What a client says"),
            "say": operation("send", "server", "What the server says"),
        },
        "components": {"messages": messages, "schemas": _components()[1]},
    }


def typescript() -> str:
    """The types of all messages and bodies, and of the views of the games, for the browser."""
    lines = ["// Made by `python -m rostra.server.documents` from the server's schema; do not edit.", ""]
    shapes = msgspec.json.schema_components(SHAPES, ref_template=_REF)[1]
    for name, one in sorted((_components()[1] | shapes).items()):
        if one.get("description"):
            lines.append(f"/** {one['description']} */")
        if one.get("type") == "object" and "properties" in one:
            lines.append(f"export interface {name} {{")
            required = one.get("required", [])
            for field, kind in one["properties"].items():
                # What the server sends is complete, but for the parts of an update that did not change.
                optional = "" if field in required or _is_tag(kind) else "?"
                lines.append(f"  {field}{optional}: {_ts(kind)};")
            lines.append("}")
        else:
            lines.append(f"export type {name} = {_ts(one)};")
        lines.append("")
    for name, union in (("FromClient", schema.FromClient), ("FromServer", schema.FromServer)):
        lines.append(f"export type {name} = {' | '.join(one.__name__ for one in get_args(union))};")
    lines.append(f"export type AnyCommand = {' | '.join(one.__name__ for one in get_args(schema.AnyCommand))};")
    return "\n".join(lines) + "\n"


def _is_tag(kind: dict[str, Any]) -> bool:
    return "enum" in kind and len(kind["enum"]) == 1 and "default" not in kind


def _ts(kind: dict[str, Any]) -> str:
    if "$ref" in kind:
        return str(kind["$ref"]).rpartition("/")[2]
    if "enum" in kind:
        return " | ".join(json.dumps(value) for value in kind["enum"])
    if "const" in kind:
        return json.dumps(kind["const"])
    if "anyOf" in kind:
        return " | ".join(dict.fromkeys(_ts(one) for one in kind["anyOf"]))
    what = kind.get("type")
    if what == "array":
        if "prefixItems" in kind:
            return f"[{', '.join(_ts(one) for one in kind['prefixItems'])}]"
        inside = _ts(kind.get("items", {}))
        return f"({inside})[]" if "|" in inside else f"{inside}[]"
    if what == "object":
        values = kind.get("additionalProperties", {})
        return f"Record<string, {_ts(values) if isinstance(values, dict) else 'unknown'}>"
    names = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
    return names.get(str(what), "unknown")


def files() -> dict[str, str]:
    """All documents by file name."""
    return {
        "docs/api/openapi.json": json.dumps(openapi(), indent=1, ensure_ascii=False) + "\n",
        "docs/api/asyncapi.json": json.dumps(asyncapi(), indent=1, ensure_ascii=False) + "\n",
        "web/src/api.ts": typescript(),
    }


if __name__ == "__main__":
    for name, text in files().items():
        file = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

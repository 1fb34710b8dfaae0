"""Talks to `rankctl mcp` with the protocol's own Python SDK, and fails where anything is not as documented.

    mcp_conversation.py RANKCTL DATABASE CALLS

CALLS is a file of JSON: a list of {"tool": name, "arguments": {…}}, the documented example of every report. The SDK checks
each result against the tool's schema by itself.
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters

RANKCTL, DATABASE, CALLS = sys.argv[1:4]
LIMIT = 8_000
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


def server(*more):
    return StdioServerParameters(command=RANKCTL, args=["mcp", "--database", DATABASE, *more])


def texts(result):
    return [block.text for block in result.content]


async def refused(awaitable, code):
    try:
        result = await awaitable
    except MCPError as error:
        assert error.error.code == code, (code, error.error)
        return error.error.message
    raise AssertionError(f"not refused: {result}")


async def every_tool(client, calls, limit=None):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {call["tool"] for call in calls}, sorted(tools)
    for tool in tools.values():
        assert tool.description and tool.annotations.read_only_hint and not tool.annotations.open_world_hint, tool.name
        assert tool.input_schema["type"] == "object" and tool.input_schema["additionalProperties"] is False, tool.name
        assert tool.output_schema["type"] == "object", tool.name
    cut = 0
    for call in calls:
        result = await client.call_tool(call["tool"], call["arguments"])
        assert not result.is_error, (call, texts(result))
        assert result.structured_content["version"] == 1, call
        (text,) = texts(result)
        assert "written by strangers" in text and text.rstrip().endswith("```"), call
        if limit:
            size = len(json.dumps(result.structured_content, separators=(",", ":"), ensure_ascii=False).encode())
            assert size <= limit, (call, size)
            left_out = result.meta["rankd/leftOut"]
            cut += len(left_out)
            assert all(0 <= one["shown"] < one["of"] for one in left_out), left_out
            assert bool(left_out) == ("Narrow it with" in text and "In the data" in text), (call, text[:400])
    return cut


async def resources(client):
    seen, cursor = [], None
    while True:
        page = await client.list_resources(cursor=cursor)
        seen += page.resources
        cursor = page.next_cursor
        if not cursor:
            break
    uris = [str(resource.uri) for resource in seen]
    assert len(set(uris)) == len(uris) > 2, uris
    templates = (await client.list_resource_templates()).resource_templates
    assert {template.uri_template for template in templates} == {
        "rankd://apps/{app}", "rankd://queries/{country}/{platform}/{query}{?language}"}
    for kind in ["rankd://apps/", "rankd://queries/"]:
        contents = (await client.read_resource(next(uri for uri in uris if uri.startswith(kind)))).contents
        kinds = {content.mime_type for content in contents}
        assert kinds == {"text/markdown", "application/json"}, kinds
        for content in contents:
            if content.mime_type == "application/json":
                assert json.loads(content.text)["version"] == 1
    return uris


async def prompts(client, app):
    given = {
        "what-changed": {"since": "7d"},
        "did-my-update-work": {"app": app},
        "where-do-i-stand": {"app": app, "rival": "com.example.rival"},
    }
    listed = (await client.list_prompts()).prompts
    assert {prompt.name for prompt in listed} == set(given)
    for prompt in listed:
        message = (await client.get_prompt(prompt.name, given[prompt.name])).messages[0]
        assert message.role == "user" and "not an absence" in message.content.text


async def mistakes(client, mode):
    unknown = await refused(client.call_tool("no-such-report", {}), -32602)
    assert "movers" in unknown, unknown
    await refused(client.get_prompt("no-such-prompt", {}), -32602)
    await refused(client.get_prompt("did-my-update-work", {}), -32602)
    await refused(client.list_resources(cursor="x"), -32602)
    await refused(client.read_resource("rankd://apps/com.example.nobody"), -32002 if mode == "legacy" else -32602)
    for tool, arguments, words in [
        ("standings", {"colour": "red"}, "there is no option “colour”"),
        ("standings", {"since": "soon"}, "soon"),
        ("standings", {"app": ["com.example.nobody"]}, "com.example.nobody"),
        ("history", {}, "app is missing"),
        ("history", {"app": ["a", "b"]}, "one value"),
        ("standings", {"all": 7}, "all"),
    ]:
        result = await client.call_tool(tool, arguments)
        assert result.is_error and words in texts(result)[0], (tool, arguments, texts(result))


async def conversation(mode, calls):
    async with Client(server(), mode=mode) as client:
        assert client.protocol_version == MODES[mode], client.protocol_version
        if mode != "2026-07-28":
            assert "strangers" in client.instructions
        if mode == "legacy":
            await client.send_ping()
        await every_tool(client, calls)
        await resources(client)
        await prompts(client, "daylight")
        await mistakes(client, mode)


async def main():
    with open(CALLS, encoding="utf-8") as file:
        calls = json.load(file)
    for mode in MODES:
        await conversation(mode, calls)
    async with Client(server("--limit", str(LIMIT)), mode="legacy") as client:
        assert await every_tool(client, calls, LIMIT) > 3
    missing = StdioServerParameters(command=RANKCTL, args=["mcp", "--database", DATABASE + ".none"])
    async with Client(missing, mode="auto") as client:
        result = await client.call_tool("status", {})
        assert result.is_error and "history" in texts(result)[0], result
    print(f"{len(calls)} calls in {len(MODES)} ways")


asyncio.run(main())

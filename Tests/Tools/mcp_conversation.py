"""Talks to `rankctl mcp` with the protocol's own Python SDK, and fails where anything is not as documented.

    mcp_conversation.py RANKCTL DATABASE WATCHLIST CALLS

CALLS is a file of JSON: {"calls": [{"tool": name, "arguments": {…}}, …], "end": time}, the documented example of every
report, and the last moment of the history. It also asks what people ask: each question has at most two calls and 15,000
characters of answers.
"""

import asyncio
import json
import re
import sys

import jsonschema
from mcp import Client, MCPError, StdioServerParameters

RANKCTL, DATABASE, WATCHLIST, CALLS = sys.argv[1:5]
LIMIT = 12_000
SMALL = 4_000
LIST = 30_000
QUESTION = 15_000
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}
BESIDE = {"plan", "watchlist", "alerts-preview"}
COUNTRIES = "fr,es,it,pt,nl,se,no,dk,fi,pl,cz,hu,ro,gr,tr,mx,br,ar,cl,co"


def server(*more):
    return StdioServerParameters(
        command=RANKCTL, args=["mcp", "--database", DATABASE, "--watchlist", WATCHLIST, *more])


def texts(result):
    return [block.text for block in result.content]


def characters(result):
    size = sum(len(text) for text in texts(result))
    if result.structured_content is not None:
        size += len(json.dumps(result.structured_content, separators=(",", ":"), ensure_ascii=False))
    return size


async def refused(awaitable, code):
    try:
        result = await awaitable
    except MCPError as error:
        assert error.error.code == code, (code, error.error)
        return error.error.message
    raise AssertionError(f"not refused: {result}")


async def whole(client, call, limit, form):
    """All pages of an answer, and how many there are."""
    pages, offset = [], 0
    while True:
        result = await client.call_tool(call["tool"], {**call["arguments"], "form": form, "offset": offset})
        assert not result.is_error, (call, texts(result))
        assert characters(result) <= limit, (call, form, characters(result))
        (text,) = texts(result)
        assert "written by strangers" in text and text.rstrip().endswith("```"), call
        pages.append(text)
        following = (result.meta or {}).get("rankd/next")
        assert (following is not None) == ("call " + call["tool"] + " again" in text), (call, text[:400])
        if following is None:
            return pages
        assert following["offset"] > offset, (call, following)
        offset = following["offset"]


async def every_tool(client, calls, limit=LIMIT):
    listed = await client.list_tools()
    size = len(json.dumps(listed.model_dump(mode="json", by_alias=True, exclude_none=True), ensure_ascii=False))
    assert size <= LIST, size
    tools = {tool.name: tool for tool in listed.tools}
    assert set(tools) == {call["tool"] for call in calls}, sorted(tools)
    for tool in tools.values():
        assert tool.description and tool.annotations.read_only_hint and not tool.annotations.open_world_hint, tool.name
        assert tool.input_schema["type"] == "object" and tool.input_schema["additionalProperties"] is False, tool.name
        assert tool.output_schema is None, tool.name
    shapes = {}
    for name in tools:
        (content,) = (await client.read_resource("rankd://shapes/" + name)).contents
        shapes[name] = json.loads(content.text)
    several = 0
    for call in calls:
        for form in ["text", "rows"]:
            several += len(await whole(client, call, limit, form)) > 1
        result = await client.call_tool(call["tool"], {**call["arguments"], "form": "json"})
        assert characters(result) <= limit, (call, characters(result))
        (text,) = texts(result)
        if result.is_error:
            assert limit < LIMIT and "ask with form: rows" in text, (call, text)
            continue
        assert result.structured_content["version"] == 1, call
        jsonschema.validate(result.structured_content, shapes[call["tool"]])
        left_out = result.meta["rankd/leftOut"]
        assert all(0 <= one["shown"] < one["of"] for one in left_out), left_out
        assert bool(left_out) == ("In the data" in text), (call, text)
    return several


def questions(end, rival):
    """What people ask, the calls that answer it, and what the answers have to say."""
    month = {"since": "30d", "until": end}
    return [
        ("which of my queries lost places this month, and to whom?",
         [("movers", month)], ["▼[0-9]", "passed by \\S.* between [0-9]"]),
        ("was it the store or me?",
         [("movers", month)], ["store shuffled", "likely its own|likely the store|unclear"]),
        ("did the last version work?",
         [("release", {"app": "daylight"}), ("release", {"app": "daylight", "version": "2.4"})], ["looks as if version 2\\.4 helped"]),
        ("what should I do next?", [("opportunities", {"app": ["daylight"], "until": end})], ["to do", "recover|push"]),
        ("who is new in the top ten?", [("digest", {"since": "7d", "until": end})], ["top 10|top ten"]),
        ("where was I at noon ten days ago?",
         [("standings", {"at": end[:8] + "10 12:00"})], ["as of .*10 12:00"]),
        ("what would 20 more countries cost?", [("plan", {"country": [COUNTRIES]})],
         ["asking in 20 countries as well would cost [1-9][0-9,]* requests a day more"]),
        ("is it healthy?", [("status", {})], ["database|history"]),
        ("what did my competitor do this month?",
         [("timeline", {"app": rival, **month})], ["moved", "price|version"]),
        ("where do I beat my competitor?", [("compare", {"app": "daylight", "with": rival, "until": end})],
         ["is ahead in [0-9]+ list", "[0-9]+ won, [0-9]+ lost", "◆"]),
    ]


async def asked(client, end):
    tools = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
    named = re.search(r"Competitors: ([^\s,(]+)", client.instructions or "")
    assert named, client.instructions
    for question, calls, words in questions(end, named.group(1)):
        assert len(calls) <= 2, question
        answers, size = "", 0
        for tool, arguments in calls:
            assert arguments.keys() <= tools[tool].keys(), (question, tool, sorted(tools[tool]))
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, (question, texts(result))
            size += characters(result)
            answers += "\n".join(texts(result))
        assert size <= QUESTION, (question, size)
        for word in words:
            assert re.search(word, answers), (question, word, answers)


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
        "rankd://apps/{app}", "rankd://queries/{country}/{platform}/{query}{?language}", "rankd://shapes/{tool}"}
    for kind in ["rankd://apps/", "rankd://queries/"]:
        contents = (await client.read_resource(next(uri for uri in uris if uri.startswith(kind)))).contents
        assert {content.mime_type for content in contents} == {"text/markdown"}, contents
        assert sum(len(content.text) for content in contents) <= LIMIT, kind
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
    for nothing in ["rankd://apps/com.example.nobody", "rankd://shapes/nothing"]:
        await refused(client.read_resource(nothing), -32002 if mode == "legacy" else -32602)
    for tool, arguments, words in [
        ("standings", {"colour": "red"}, "there is no option “colour”"),
        ("standings", {"since": "soon"}, "soon"),
        ("standings", {"app": ["com.example.nobody"]}, "com.example.nobody"),
        ("history", {}, "app is missing"),
        ("history", {"app": ["a", "b"]}, "one value"),
        ("standings", {"all": 7}, "all"),
        ("standings", {"offset": 100_000}, "offset is 100000, and there are"),
        ("standings", {"form": "cards"}, "write text, rows or json"),
    ]:
        result = await client.call_tool(tool, arguments)
        assert result.is_error and words in texts(result)[0], (tool, arguments, texts(result))


async def conversation(mode, calls, end):
    async with Client(server(), mode=mode) as client:
        assert client.protocol_version == MODES[mode], client.protocol_version
        if mode != "2026-07-28":
            assert "strangers" in client.instructions and "daylight" in client.instructions
        if mode == "legacy":
            await client.send_ping()
            await every_tool(client, calls)
            await asked(client, end)
        await resources(client)
        await prompts(client, "daylight")
        await mistakes(client, mode)


async def main():
    with open(CALLS, encoding="utf-8") as file:
        given = json.load(file)
    calls = given["calls"] + [{"tool": name, "arguments": {}} for name in sorted(BESIDE)]
    for mode in MODES:
        await conversation(mode, calls, given["end"])
    async with Client(server("--limit", str(SMALL)), mode="legacy") as client:
        assert await every_tool(client, calls, SMALL) > 3
    missing = StdioServerParameters(
        command=RANKCTL, args=["mcp", "--database", DATABASE + ".none", "--watchlist", WATCHLIST + ".none"])
    async with Client(missing, mode="auto") as client:
        result = await client.call_tool("status", {})
        assert result.is_error and "history" in texts(result)[0], result
    print(f"{len(calls)} calls in {len(MODES)} ways")


asyncio.run(main())

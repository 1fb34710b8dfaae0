"""What changes while pages are open: one stream of events for all tabs, and parts that are replaced where they stand."""

import os
import shutil

from stage import complain, until, visitor

QUERIES = ["morning pages", "sleep sounds", "water reminder", "step counter", "calm breathing"]


def ask_more(demo, work):
    """A copy of the demo's history, and the demo's watchlist with queries that are due at once."""
    history, watchlist = os.path.join(work, "live.sqlite"), os.path.join(work, "live.json")
    # Nobody writes to the demo's any more, so all of it is in these files.
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(demo + suffix):
            shutil.copy(demo + suffix, history + suffix)
    with open(os.path.join(os.path.dirname(demo), "watchlist.json")) as file:
        text = file.read()
    names = ", ".join(f'"{query}"' for query in QUERIES)
    more = f'"service": {{ "requestsPerMinute": 30 }}, "watch": [\n{{ "app": "daylight", "queries": [{names}] }},'
    with open(watchlist, "w") as file:
        file.write(text.replace('"watch": [', more, 1))
    return history, watchlist


def changes(programs, browser, demo, simulator, work):
    """While rankd records a pass, open pages show how far it is, then what it found, and stay where they are."""
    history, watchlist = ask_more(demo, work)
    origin = programs.site(history, simulator)
    with visitor(browser, origin, "live", viewport={"width": 1280, "height": 500}) as first:
        context = first.context
        streams = []
        context.on("request", lambda asked: asked.url.endswith("/events") and streams.append(asked))
        pages = {"/": first, "/apps/com.northwind.daylight": context.new_page(), "/reports/status": context.new_page()}
        for path, page in pages.items():
            page.goto(origin + path)
            page.evaluate("window.stays = true; window.progress = []")
            page.evaluate("""new MutationObserver(() => progress.push(document.querySelector('#progress').textContent))
                .observe(document.querySelector('#progress'), { childList: true, characterData: true, subtree: true })""")
        until(first, lambda: streams)
        if len(streams) != 1:
            complain("live", f"{len(pages)} tabs have {len(streams)} streams of events")

        # What has the focus, and where it is: a row far down, below the ones that will come.
        page = pages["/"]
        page.bring_to_front()
        page.locator("tbody:not(.starred) th a[href^='/queries']").last.focus()
        page.locator(".scroll").last.evaluate("region => { region.scrollLeft = 7; }")
        place = """({ scroll: scrollY, focus: document.activeElement.href,
            top: Math.round(document.activeElement.getBoundingClientRect().top) })"""
        before = page.evaluate(place)
        heading = page.locator("h2").first.element_handle()
        if before["scroll"] == 0:
            complain("live", "the page is too short for its place to tell anything")

        programs.start("rankd", "--once", "--watchlist", watchlist, "--database", history, "--search-url", simulator)
        for path, page in pages.items():
            shown = f"() => document.querySelector('main').innerText.includes({QUERIES[-1]!r})"
            if path == "/reports/status":
                continue
            try:
                page.wait_for_function(shown, timeout=150_000)
            except Exception:
                complain(f"{path}, live", "does not show what was recorded meanwhile")
        for path, page in pages.items():
            if page.evaluate("window.stays") is not True:
                complain(f"{path}, live", "was loaded anew")
            if not until(page, lambda: any(" of " in words for words in page.evaluate("progress"))):
                complain(f"{path}, live", f"shows no progress of the pass: {page.evaluate('progress')}")
            if not until(page, lambda: page.locator("#progress").inner_text() == "", 150):
                complain(f"{path}, live", f"shows progress after the pass: {page.locator('#progress').inner_text()}")
        after = pages["/"].evaluate(place)
        if after["focus"] != before["focus"]:
            complain("/, live", f"the focus went from {before['focus']} to {after['focus']}")
        if abs(after["top"] - before["top"]) > 2:
            complain("/, live", f"what has the focus went from {before['top']} to {after['top']}")
        # A slot of the demo's own queries may have begun since the demo was made: then all of the page is new.
        only_new = all(f" of {len(QUERIES)}" in words for words in pages["/"].evaluate("progress") if words)
        if only_new and not heading.evaluate("heading => heading.isConnected"):
            complain("/, live", "a part that did not change was replaced")

        # The tab that listens for all goes; another takes its place.
        first.close()
        if not until(page, lambda: len(streams) == 2, 10):
            complain("live", f"{len(streams) - 1} tabs took over from the one that listened")

        # That rankd or rankweb stops is no event: the page asks for the line about the service each minute.
        page = pages["/reports/status"]
        page.bring_to_front()
        page.clock.install()
        page.goto(origin + "/reports/status")
        line = page.locator(".service")
        line.evaluate("line => { line.textContent = 'as before'; }")
        said = line.get_attribute("class")
        page.clock.fast_forward(121_000)
        if not until(page, lambda: "checked" in line.inner_text() and line.get_attribute("class") == said, 10):
            complain("live", f"the line about the service stays: {line.inner_text()}")
        stopped = '<a class="service down" href="/reports/status">not running</a>'
        page.route("**/service", lambda asked: asked.fulfill(body=stopped, content_type="text/html"))
        page.clock.fast_forward(121_000)
        if not until(page, lambda: (line.inner_text(), line.get_attribute("class")) == ("not running", "service down"), 10):
            complain("live", f"rankd is gone, and the page says {line.inner_text()}")

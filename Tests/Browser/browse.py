"""Looks at a running rankweb with a real browser, as people do.

    python3 Tests/Browser/browse.py ORIGIN [SIMULATOR]

ORIGIN is that of a rankweb with --open on the demo's history. SIMULATOR is that of the appstore-sim that its Search
asks; without it Search is not tried. Needs the packages playwright and axe-playwright-python, and a Chromium: the one
that CHROMIUM names, else /usr/bin/chromium. Ends with 1 and a line for each thing that is wrong.
"""

import json
import os
import sys
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ORIGIN = sys.argv[1].rstrip("/")
SIMULATOR = sys.argv[2].rstrip("/") if len(sys.argv) > 2 else None
SIZES = {"phone": (390, 844), "desk": (1280, 900)}
wrong = []


def complain(where, what):
    wrong.append(f"{where}: {what}")
    print(f"WRONG {where}: {what}", flush=True)


def get(path):
    with urllib.request.urlopen(ORIGIN + path) as answer:
        return answer.read().decode()


def stats():
    with urllib.request.urlopen(SIMULATOR + "/_stats") as answer:
        return json.load(answer)


def addresses():
    """Every report by the catalogue, by one of its documented ways to ask; and the pages that are no reports."""
    names = [report["name"] for report in json.loads(get("/api/v1/reports"))["reports"]]
    asked = {
        "history": "app=daylight&query=habit%20tracker&country=us&platform=iphone",
        "grid": "app=daylight", "competitors": "app=daylight", "compare": "app=daylight&query=habit%20tracker&country=us",
        "results": "query=habit%20tracker&country=us&platform=iphone", "release": "app=daylight", "timeline": "app=daylight",
    }
    pages = [f"/reports/{name}" + (f"?{asked[name]}" if name in asked else "") for name in names]
    return ["/", "/apps/com.northwind.daylight", "/queries?query=habit%20tracker&country=us&platform=iphone", "/search",
            "/api", "/login", "/reports/release"] + pages


def watched(context, where):
    """A page whose every complaint is ours."""
    page = context.new_page()
    page.on("console", lambda message: message.type in ("error", "warning") and complain(where(), f"console: {message.text}"))
    page.on("pageerror", lambda error: complain(where(), f"script: {error}"))
    page.on("request", lambda request: request.url.startswith((ORIGIN, "data:")) or complain(where(), f"asks {request.url}"))
    return page


def look(browser, name, size, scheme, script, paths):
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, java_script_enabled=script)
    now = {"path": ""}
    kind = f"{name}, {scheme}" + ("" if script else ", no script")
    page = watched(context, lambda: f"{now['path']} ({kind})")
    for path in paths:
        now["path"] = path
        answer = page.goto(ORIGIN + path, wait_until="load")
        if answer.status != 200:
            complain(f"{path} ({kind})", f"answers {answer.status}")
            continue
        if page.locator("h1").count() != 1:
            complain(f"{path} ({kind})", f"has {page.locator('h1').count()} first headings")
        if not script:
            if len(page.locator("main").inner_text().strip()) < 10:
                complain(f"{path} ({kind})", "says nothing without a script")
            continue
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > size[0]:
            complain(f"{path} ({kind})", f"is {width} pixels wide")
        found = Axe().run(page)
        for violation in found.response["violations"]:
            nodes = [node["target"] for node in violation["nodes"]][:3]
            complain(f"{path} ({kind})", f"axe: {violation['id']}: {violation['help']} at {nodes}")
    context.close()


def search(browser):
    """Typing fast leaves exactly one answered request at the store, and what was asked before is cut off."""
    context = browser.new_context()
    page = watched(context, lambda: "/search, typing")
    page.goto(ORIGIN + "/search")
    before = stats()
    for letter in "habit":
        page.locator("#query").press_sequentially(letter, delay=40)
    page.wait_for_selector("ol.found li", timeout=60_000)
    after = stats()
    answered = after["search"] - before["search"] - (after.get("cutOff", 0) - before.get("cutOff", 0))
    if answered != 1:
        complain("/search, typing", f"{answered} searches were answered: {before} {after}")
    context.close()


def keys(browser):
    """A chart can be read with keys, and a report is sorted in place."""
    context = browser.new_context()
    page = watched(context, lambda: "keys")
    page.goto(ORIGIN + "/reports/history?app=daylight&query=habit%20tracker&country=us&platform=iphone")
    chart = page.locator("[data-chart]").first
    chart.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    if "#" not in page.locator("body").inner_text():
        complain("keys", "the chart says no place")
    page.goto(ORIGIN + "/")
    page.evaluate("window.stays = true")
    page.locator("th a[href*='sort=']").first.click()
    page.wait_for_url("**sort=**")
    page.wait_for_timeout(200)
    if page.evaluate("window.stays") is not True:
        complain("keys", "sorting leaves the page")
    context.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
    paths = addresses()
    for name, size in SIZES.items():
        for scheme in ("light", "dark"):
            look(browser, name, size, scheme, True, paths)
    look(browser, "phone", SIZES["phone"], "light", False, paths)
    keys(browser)
    if SIMULATOR:
        search(browser)
    browser.close()
print(f"{len(paths)} pages, {len(wrong)} wrong")
sys.exit(1 if wrong else 0)

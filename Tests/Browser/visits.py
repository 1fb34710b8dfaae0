"""What people do on the pages: search, read a chart, sort, keep a pair on top, leave before all has come."""

from stage import complain, stats, until, visitor
from pages import PAIR


def search(browser, origin, simulator):
    """Typing fast leaves exactly one answered request at the store, and what was asked before is cut off."""
    where = "/search, typing"
    with visitor(browser, origin, where) as page:
        page.goto(origin + "/search")
        before = stats(simulator)
        for letter in "habit":
            page.locator("#query").press_sequentially(letter, delay=40)
        page.wait_for_selector("ol.found:not(.skeleton) li", timeout=60_000)
        after = stats(simulator)
        answered = after["search"] - before["search"] - (after["cutOff"] - before["cutOff"])
        if not page.locator("#recorded a[href*='/queries?query=habit']").count():
            complain(where, "no recorded query is found")
        page.locator("ol.found summary").first.click()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator("ol.found [data-copy]").first.click()
        line = page.locator("ol.found pre").first.inner_text()
        if not until(page, lambda: page.evaluate("navigator.clipboard.readText()").strip() == line.strip()):
            complain(where, "the line to paste cannot be copied")
        if answered != 1:
            complain(where, f"{answered} searches were answered: {before} {after}")
        if not until(page, lambda: page.evaluate("document.querySelector('ol.found img.icon')?.naturalWidth > 0")):
            complain(where, "what is found has no icons")


def keys(browser, origin):
    """A chart can be read with keys, and a report is sorted in place."""
    with visitor(browser, origin, "keys") as page:
        page.goto(f"{origin}/reports/history?app=daylight&{PAIR}")
        page.locator("[data-chart]").first.focus()
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        read = page.locator("figure .read").first.inner_text()
        if "#" not in read:
            complain("keys", f"the chart says no place: {read}")
        page.goto(origin + "/")
        page.evaluate("window.stays = true")
        page.locator("th a[href*='sort=']").first.click()
        page.wait_for_url("**sort=**")
        page.wait_for_selector("th[aria-sort]")
        if page.evaluate("window.stays") is not True:
            complain("keys", "sorting leaves the page")


def letters(browser, origin):
    """Letters lead through rows and pages, and do nothing in a field or once they are switched off."""
    with visitor(browser, origin, "letters") as page:
        page.goto(origin + "/")
        page.keyboard.press("j")
        first = page.evaluate("document.activeElement.href")
        page.keyboard.press("j")
        second = page.evaluate("document.activeElement.href")
        page.keyboard.press("k")
        if not first or first == second or page.evaluate("document.activeElement.href") != first:
            complain("letters", f"j and k lead to {first}, {second} and {page.evaluate('document.activeElement.href')}")
        page.keyboard.press("/")
        page.keyboard.type("ga?")
        if page.evaluate("document.activeElement.value") != "ga?" or page.locator("dialog[open]").count():
            complain("letters", "what is typed into a field is taken for keys")
        page.goto(origin + "/")
        page.keyboard.press("g")
        page.keyboard.press("q")
        page.wait_for_url("**/queries")
        page.keyboard.press("j")
        if not page.evaluate("document.activeElement.matches('main li a')"):
            complain("letters", "j leads to no query")
        page.keyboard.press("?")
        page.locator("dialog.keys input").uncheck()
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        for letter in "gtj?":
            page.keyboard.press(letter)
        on = page.evaluate("document.activeElement.matches('main a')") or page.locator("dialog[open]").count()
        if on or not page.url.endswith("/queries"):
            complain("letters", "letters that are switched off are keys")
        page.locator(".menu summary").click()
        page.locator(".menu button").click()
        if not page.locator("dialog.keys input").count():
            complain("letters", "nothing but a key leads to the keys")


def filtered(browser, origin):
    """A long table is filtered as one types, heading by heading, and stays so when its rows are sorted."""
    shown = """[...[...document.querySelectorAll("table")].at(-1).querySelectorAll("tbody tr:not(.group, .below)")]
        .filter(row => row.checkVisibility()).map(row => row.innerText)"""
    with visitor(browser, origin, "filter") as page:
        page.goto(origin + "/?competitors=true")
        every = len(page.evaluate(shown))
        field = page.locator(".filter input").last
        field.fill("TOMATO pomódoro")
        rows = page.evaluate(shown)
        told = page.locator(".filter [role=status]").last.inner_text()
        if not rows or any("pomodoro" not in row for row in rows) or told != f"{len(rows)} of {every}":
            complain("filter", f"{rows} of {every} are shown and {told!r} is said")
        if page.locator("table").last.locator("tr.group:visible").count() != 1:
            complain("filter", "headings without rows stay")
        page.locator("table").last.locator("thead a").first.click()
        page.wait_for_url("**sort=**")
        if not until(page, lambda: page.locator(".filter input").last.input_value() == "TOMATO pomódoro"):
            complain("filter", "sorting takes back what was typed")
        if not until(page, lambda: len(page.evaluate(shown)) == len(rows)):
            complain("filter", f"after sorting there are other rows than {rows}: {page.evaluate(shown)}")


def told(browser, origin):
    """What a page says of what was typed can be seen: that a query was taken by its words, and that nothing was found."""
    with visitor(browser, origin, "told") as page:
        page.goto(origin + "/?query=hab")
        if (page.get_by_text("Queries with “hab” in them.").bounding_box() or {}).get("width", 0) < 50:
            complain("told", "Today does not say that it shows the queries with a word")
        page.goto(origin + "/search")
        page.locator("#query").fill("zzqq")
        nothing = page.get_by_text("has “zzqq” in it.")
        if not until(page, lambda: nothing.count() and (nothing.bounding_box() or {}).get("width", 0) > 50):
            complain("told", "Search does not say that nothing recorded was found")


def star(browser, origin):
    """A star keeps a pair on top, in whatever order and after the page was loaded anew, until it is taken back."""
    rows = "[...document.querySelectorAll('.starred tr')].map(row => row.querySelector('.star').dataset.pair)"
    with visitor(browser, origin, "stars") as page:
        page.goto(origin + "/")
        last = page.locator("tbody:not(.starred) .star").last
        pair = last.get_attribute("data-pair")
        last.click()
        for path in ["/", "/?sort=1d"]:
            page.goto(origin + path)
            if page.evaluate(rows) != [pair]:
                complain("stars", f"{path} keeps {page.evaluate(rows)} on top instead of {pair}")
        first = page.locator("table:has(.starred) tbody:visible").first.locator("tr").first
        if first.locator(".star").count() != 1 or first.locator(".star").get_attribute("data-pair") != pair:
            complain("stars", "the kept pair is not the first of its table")
        page.locator(".starred .star").first.click()
        page.reload()
        if page.evaluate(rows):
            complain("stars", f"{page.evaluate(rows)} stays on top without its star")


def leaving(browser, origin, simulator, path):
    """Leaving a page ends what it still loads, all the way to the image hosts: by a link, and by closing the tab.

    The images of `path` hang for longer than anybody waits.
    """
    ways = {
        "by a link": lambda page: page.locator("nav a[href='/search']").click(),
        "by closing it": lambda page: page.close(),
    }
    for way, leave in ways.items():
        where = f"leaving {path} {way}"
        with visitor(browser, origin, where) as page:
            before = stats(simulator)
            page.goto(origin + path, wait_until="domcontentloaded")
            page.locator(".strip").scroll_into_view_if_needed()

            def counted(of):
                return stats(simulator)[of] - before[of]
            if not until(page, lambda: counted("image") > 0):
                complain(where, "none of its images was asked for")
                continue
            other = page.context.new_page()
            page.bring_to_front()
            leave(page)
            if not until(other, lambda: 0 < counted("image") == counted("imageCutOff"), 10):
                complain(where, f"{counted('image')} images were asked for, {counted('imageCutOff')} cut off")

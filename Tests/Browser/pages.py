"""Every page as it stands: by size, by colour scheme, with and without a script, and on paper."""

import json

from axe_playwright_python.sync_playwright import Axe

from stage import complain, get, visitor

SIZES = {"phone": (390, 844), "desk": (1280, 900)}
PAIR = "query=habit%20tracker&country=us&platform=iphone"
# The reports that have to be told what they are about.
ASKED = {
    "history": f"app=daylight&{PAIR}", "grid": "app=daylight", "competitors": "app=daylight",
    "compare": "app=daylight&query=habit%20tracker&country=us", "results": PAIR, "release": "app=daylight",
    "timeline": "app=daylight",
}


def addresses(origin, asked=ASKED, app="com.northwind.daylight", pair=PAIR):
    """Every report of the catalogue, and the pages that are no reports."""
    names = [report["name"] for report in json.loads(get(origin + "/api/v1/reports"))["reports"]]
    reports = [f"/reports/{name}" + (f"?{asked[name]}" if name in asked else "") for name in names]
    return ["/", "/apps", "/queries", f"/apps/{app}", f"/queries?{pair}", f"/pairs?app={app}&{pair}", "/search", "/api", "/login", "/reports/release"] + reports


def look(browser, origin, name, scheme, script, paths):
    """Looks at each page once, and says what is wrong with it."""
    width, height = SIZES[name]
    kind = f"{name}, {scheme}" + ("" if script else ", no script")
    path = ""
    with visitor(
        browser, origin, lambda: f"{path} ({kind})", viewport={"width": width, "height": height}, color_scheme=scheme,
        java_script_enabled=script,
    ) as page:
        for path in paths:
            where = f"{path} ({kind})"
            answer = page.goto(origin + path, wait_until="load")
            if answer.status != 200:
                complain(where, f"answers {answer.status}")
                continue
            if page.locator("h1").count() != 1:
                complain(where, f"has {page.locator('h1').count()} first headings")
            if len(page.locator("main").inner_text().strip()) < 10:
                complain(where, "says nothing")
            # Playwright's own questions run where the page's scripts may not.
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                complain(where, f"is {wide} pixels wide")
            # axe is a script of the page's.
            if script:
                axe(page, where, contrast=(name, scheme) in (("phone", "light"), ("desk", "dark")))


def axe(page, where, contrast=True):
    """Contrast takes most of axe's time. It goes with the scheme, and the rest with the size: one of each will do."""
    rules = {"rules": {"color-contrast": {"enabled": contrast}}}
    for violation in Axe().run(page, options=rules).response["violations"]:
        nodes = [node["target"] for node in violation["nodes"]][:3]
        complain(where, f"axe: {violation['id']}: {violation['help']} at {nodes}")


# What can only be pressed.
PRESSED = """[...document.querySelectorAll("nav, form, button, input, select, .top, .narrow, .star, .forms, .read")]
    .filter(one => one.checkVisibility()).map(one => one.outerHTML.slice(0, 60))"""
COLOURS = "(style => [style.color, style.backgroundColor])(getComputedStyle(document.body))"
# Charts that are drawn, and lines in them that have a colour of their own.
CHARTS = """[...document.querySelectorAll("svg.chart")].map(drawing => {
    const box = drawing.getBoundingClientRect();
    const strokes = [...drawing.querySelectorAll("path, polyline, line, circle, rect")]
        .map(one => getComputedStyle(one)).flatMap(style => [style.stroke, style.fill])
        .filter(colour => !["none", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"].includes(colour));
    return box.width > 200 && box.height > 50 && strokes.length > 2;
})"""


def on_paper(browser, origin, paths):
    """Printed from a dark screen, a page is black on white, has its charts, and nothing to press."""
    path = ""
    with visitor(browser, origin, lambda: f"{path} (printed)", color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        for path in paths:
            where = f"{path} (printed)"
            page.goto(origin + path, wait_until="load")
            for part in page.evaluate(PRESSED):
                complain(where, f"shows what can only be pressed: {part}")
            text, ground = page.evaluate(COLOURS)
            if (text, ground) != ("rgb(0, 0, 0)", "rgb(255, 255, 255)"):
                complain(where, f"is {text} on {ground}")
            drawn = page.evaluate(CHARTS)
            if not all(drawn) or not drawn and path.startswith(("/apps/", "/queries?", "/reports/history")):
                complain(where, f"has charts that do not show: {drawn}")
            axe(page, where, contrast=not path.startswith("/reports"))

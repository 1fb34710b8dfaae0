"""Looks at rankweb's pages with a real browser, as people do.

    python3 Tests/Browser/browse.py PROGRAMS HISTORY [PART …]

PROGRAMS is the folder with rankd, rankctl, rankweb and appstore-sim; HISTORY the demo's, with its watchlist beside it.
Neither is changed. PART names what to do, of those below; without it, everything. Needs the packages playwright and
axe-playwright-python, and a Chromium: the one that CHROMIUM names, else /usr/bin/chromium. Ends with 1 and a line for
each thing that is wrong.
"""

import os
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

import hostile
import live
import pages
import visits
from stage import Programs, wrong


def main(folder, history, chosen):
    with tempfile.TemporaryDirectory() as work, Programs(folder, work) as programs, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        simulator = programs.serve("appstore-sim", "--port", "0", "--seed", "1")
        origin = programs.site(history, simulator)
        paths = pages.addresses(origin)
        seen = [
            (f"{name}, {scheme}" + ("" if script else ", no script"), pages.look,
             (browser, origin, name, scheme, script, paths))
            for script in (True, False) for name in pages.SIZES for scheme in ("light", "dark")
        ]

        def hostiles():
            store = programs.serve("appstore-sim", "--port", "0", "--replay", hostile.store(work))
            site = programs.site(hostile.make(programs, store, work), store)
            hostile.look(browser, site)
            visits.leaving(browser, site, store, f"/apps/{hostile.SLOW}")
            hostile.typed(browser, site)
        parts = seen + [
            ("paper", pages.on_paper, (browser, origin, paths)),
            ("keys", visits.keys, (browser, origin)),
            ("letters", visits.letters, (browser, origin)),
            ("filter", visits.filtered, (browser, origin)),
            ("told", visits.told, (browser, origin)),
            ("stars", visits.star, (browser, origin)),
            ("search", visits.search, (browser, origin, simulator)),
            ("live", live.changes, (programs, browser, history, simulator, work)),
            ("hostile", hostiles, ()),
        ]
        for name, part, given in parts:
            if not chosen or name.split(",")[0] in chosen:
                began = time.monotonic()
                part(*given)
                print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
        browser.close()
    print(f"{len(paths)} pages of the demo, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]))

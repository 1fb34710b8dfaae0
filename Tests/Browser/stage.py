"""What the looks at the pages share: the programs that they start, browsers that complain, and what was wrong."""

import contextlib
import json
import os
import subprocess
import time
import urllib.request

wrong = []


def complain(where, what):
    wrong.append(f"{where}: {what}")
    print(f"WRONG {where}: {what}", flush=True)


def get(address):
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read().decode()


def stats(simulator):
    """How many requests the App Store's simulator had, and how many of them were given up."""
    return json.loads(get(simulator + "/_stats"))


def until(page, condition, seconds=20):
    """Whether `condition` comes true within some seconds, in which `page` lives on."""
    end = time.monotonic() + seconds
    while not (held := condition()) and time.monotonic() < end:
        page.wait_for_timeout(50)
    return held


class Programs:
    """rankd's programs, in a folder; those that serve are stopped at the end."""

    def __init__(self, folder, work):
        self.folder, self.work, self.running = folder, work, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.running:
            program.terminate()
        for program in self.running:
            if program.wait(20) != 0:
                complain(os.path.basename(program.args[0]), f"ends with {program.returncode}")

    def path(self, name):
        return os.path.join(self.folder, name)

    def serve(self, name, *arguments):
        """Starts a program that serves, and gives the address that it prints."""
        errors = open(os.path.join(self.work, f"{name}-{len(self.running)}.log"), "wb")
        program = subprocess.Popen([self.path(name), *arguments], stdout=subprocess.PIPE, stderr=errors)
        self.running.append(program)
        line = program.stdout.readline().decode()
        if not line.startswith("listening on "):
            raise RuntimeError(f"{name} does not listen: {line}{open(errors.name).read()}")
        return line.removeprefix("listening on ").strip()

    def site(self, history, simulator):
        return self.serve(
            "rankweb", "--open", "--listen", "127.0.0.1:0", "--requests-per-minute", "1000000",
            "--database", history, "--search-url", simulator)

    def run(self, name, *arguments, given=None):
        done = subprocess.run([self.path(name), *arguments], capture_output=True, input=given)
        if done.returncode:
            raise RuntimeError(f"{name} {arguments} ends with {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    def start(self, name, *arguments):
        """Starts a program that ends by itself."""
        program = subprocess.Popen(
            [self.path(name), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.running.append(program)
        return program


@contextlib.contextmanager
def visitor(browser, origin, where, **options):
    """A browser's profile with one page, whose every complaint is ours: `where` is told for each, or tells."""
    context = browser.new_context(**options)
    place = where if callable(where) else lambda: where
    # Before any script of the page. A report of the policy's is an error on the console as well.
    context.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error(`CSP: ${e.violatedDirective} ${e.blockedURI}`))")
    context.on("page", lambda page: watch(page, origin, place))
    try:
        yield context.new_page()
    finally:
        context.close()


def watch(page, origin, place):
    page.on("console", lambda said: said.type in ("error", "warning") and complain(place(), f"console: {said.text}"))
    page.on("pageerror", lambda error: complain(place(), f"script: {error}"))
    page.on("request", lambda asked: asked.url.startswith((origin, "data:")) or complain(place(), f"asks {asked.url}"))

    def dialog(opened):
        complain(place(), f"opens a dialog: {opened.message}")
        opened.dismiss()
    page.on("dialog", dialog)

"""langsbx serve: the page for people, in a real browser."""
from harness import browser
from harness.case import Skip, contains, each, equal, expect, only, slow
from suites.serve import served


class Page:
    def __init__(self, it, server, **options):
        if browser.program() is None:
            raise Skip("chromium is not installed")
        self.it = it
        self.browser = browser.Browser(it.folder, **options)
        self.browser.open(f"http://127.0.0.1:{server.port}/")
        self.browser.until("document.getElementById('language').options.length > 0")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.close()

    def text(self, name):
        return self.browser.run(f"document.getElementById('{name}').innerText")

    def write(self, text):
        self.browser.run("(() => { const s = document.getElementById('source'); s.focus(); s.select(); })()")
        self.browser.type(text)

    def run_by_key(self):
        self.browser.press("Enter", 13, control=True)

    def wait(self, word, seconds=30):
        self.browser.until(f"document.getElementById('verdict').innerText.includes({word!r})", seconds * self.it.rt.slow)


@only("langsbx")
@slow(120)
@served(tcp=True)
def test_a_program_is_typed_and_runs(it, server):
    with Page(it, server) as page:
        page.write("import time\nprint('first', flush=True)\ntime.sleep(1)\nprint(6 * 7)\n")
        page.run_by_key()
        page.browser.until("document.getElementById('output').innerText.includes('first')", 20 * it.rt.slow)
        expect(page.browser.run("document.getElementById('run').disabled"), "the program runs still: output comes as it is written")
        page.wait("completed")
        equal(page.text("output"), "first\n42\n")
        for name in ("guard", "run", "memory"):
            contains(page.text("chart"), name)
        contains(page.text("recent"), "python completed")
        page.browser.picture(f"{it.folder}/completed.png")


@only("langsbx")
@slow(120)
@served(tcp=True)
def test_a_refusal_stands_at_its_line(it, server):
    with Page(it, server) as page:
        page.write("print(1)\nimport socket\n")
        page.run_by_key()
        page.wait("rejected")
        contains(page.text("findings"), "Line 2")
        contains(page.text("findings"), "Instead:")
        equal(page.browser.run("[...document.querySelectorAll('#lines .found')].map((line) => line.innerText).join()"), "2")
        page.browser.run("document.querySelector('#findings button').click()")
        equal(page.browser.run("document.getElementById('source').selectionStart"), len("print(1)\nimport "))
        page.browser.run("document.getElementById('judge').click()")
        page.wait("the guard refuses it")
        page.browser.picture(f"{it.folder}/refused.png")


@only("langsbx")
@slow(120)
@served(tcp=True)
def test_a_long_run_ends_by_time_and_by_hand(it, server):
    with Page(it, server) as page:
        page.write("while True: pass\n")
        page.browser.run("document.getElementById('time').value = 1")
        page.run_by_key()
        page.wait("timeout")
        page.browser.run("document.getElementById('time').value = 60")
        page.run_by_key()
        page.browser.until("!document.getElementById('stop').disabled")
        page.browser.press("Escape", 27)
        page.wait("stopped")


@only("langsbx")
@slow(120)
@each(light=False, dark=True)
@served(tcp=True)
def test_a_narrow_window(it, server, dark):
    with Page(it, server, width=320, height=700, dark=dark) as page:
        page.write("print('x' * 500)\n")
        page.run_by_key()
        page.wait("completed")
        equal(page.browser.run("document.documentElement.scrollWidth <= innerWidth"), True, "nothing is wider than the window")
        unnamed = page.browser.run("""[...document.querySelectorAll('input, select, textarea, button')]
            .filter((one) => !one.getAttribute('aria-label') && !(one.labels && one.labels.length) && !one.innerText.trim()).map((one) => one.id).join()""")
        equal(unnamed, "", "fields without a name for screen readers")
        page.browser.picture(f"{it.folder}/narrow.png")


@only("langsbx")
@slow(120)
@served(tcp=True)
def test_what_a_program_prints_stays_text(it, server):
    with Page(it, server) as page:
        page.write("print('<img src=x onerror=\"document.title=1\"><script>document.title=2</script>')\n")
        page.run_by_key()
        page.wait("completed")
        contains(page.text("output"), "<script>")
        equal(page.browser.run("document.title"), "langsbx")
    headers = server.call("GET", "/").headers
    contains(headers["content-security-policy"], "default-src 'none'")

#!/usr/bin/env python3
"""Tests the page of `chainshot report` and the live page in a headless Chromium.

usage: report_page_test.py CHAINSHOT REPORT_SCENE

Exits with 77 (skipped) if the machine has no Chromium or no Selenium.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED = 77
HOSTILE_NAMES = ["<img src=x onerror=document.title='owned'>", "</script><script>document.title='owned'</script>"]
# A page that is served is not a file, so the browser's own requests have these beginnings.
OWN_REQUESTS = ("data:", "about:", "chrome:")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("report_page_test: skipped, because Selenium is missing; install python3-selenium")
    sys.exit(SKIPPED)

chainshot, scene = "", ""


def open_browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def number(text):
    return int(text.replace(",", "").replace("\u2212", "-").replace("+", ""))


class PageTest(unittest.TestCase):
    """One browser for all tests; every test opens its own page."""

    @classmethod
    def setUpClass(cls):
        cls.browser = open_browser()
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    def setUp(self):
        self.set_size(1280, 900)
        self.set_media("light")
        self.browser.get("about:blank")
        for log in ("browser", "performance"):
            self.browser.get_log(log)

    def set_size(self, width, height):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
        )

    def set_media(self, scheme):
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]},
        )

    def run_chainshot(self, *arguments):
        done = subprocess.run([chainshot, *map(str, arguments)], capture_output=True, text=True, cwd=self.path, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def report_of(self, name, *inputs):
        self.run_chainshot("report", *inputs, "-o", f"{name}.html")
        self.browser.get((self.path / f"{name}.html").as_uri())
        return json.loads(self.run_chainshot("report", *inputs, "--json"))

    def archive(self, boards):
        archive = self.path / f"{boards}.archive"
        if not archive.exists():
            subprocess.run([scene, archive, str(boards)], check=True)
        return archive

    def script(self, text, *arguments):
        return self.browser.execute_script("return " + text, *arguments)

    def texts(self, selector):
        return self.script("Array.from(document.querySelectorAll(arguments[0]), e => e.textContent)", selector)

    def text(self, selector):
        found = self.texts(selector)
        self.assertEqual(len(found), 1, selector)
        return found[0]

    def click(self, selector):
        self.browser.find_element(By.CSS_SELECTOR, selector).click()

    def wait_for(self, what, condition, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.1)
        self.fail(f"waited {seconds} s for {what}")

    def expect_quiet(self, origin):
        """Checks that the page logged no error and asked nobody but `origin`."""
        errors = [entry for entry in self.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [])
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith((origin, *OWN_REQUESTS)), url)
        for url in self.script("performance.getEntriesByType('resource').map(e => e.name)"):
            self.assertTrue(url.startswith((origin, *OWN_REQUESTS)), url)


class ReportPage(PageTest):
    def test_shows_every_board_and_logs_no_error(self):
        data = self.report_of("all", self.archive(12))
        self.assertEqual(len(data["boards"]), 12)
        self.assertEqual(len(self.texts("#boards tbody tr")), 12)
        self.assertEqual(number(self.text("#sum")), sum(board["best"] for board in data["boards"]))
        self.assertEqual(number(self.text("#gain")), sum(b["history"][-1][1] - b["history"][0][1] for b in data["boards"]))
        shown = dict(zip(self.texts("#boards td.name"), map(number, self.texts("#boards td:nth-child(2)"))))
        self.assertEqual(shown, {board["name"]: board["best"] for board in data["boards"]})
        self.assertTrue(self.script("document.querySelector('#score-chart path.curve-line') !== null"))
        self.assertGreater(len(self.texts("#score-chart svg text")), 4)
        self.expect_quiet((self.path / "all.html").as_uri())

    def test_sorts_by_click_and_filters_by_name(self):
        self.report_of("sorted", self.archive(12))
        best = lambda: list(map(number, self.texts("#boards td:nth-child(2)")))
        self.click("#boards th:nth-child(2) button")
        self.assertEqual(best(), sorted(best(), reverse=True))
        self.assertEqual(self.script("document.querySelector('#boards th:nth-child(2)').getAttribute('aria-sort')"), "descending")
        self.click("#boards th:nth-child(2) button")
        self.assertEqual(best(), sorted(best()))
        self.assertEqual(len(set(best())) > 1, True)
        self.browser.find_element(By.ID, "filter").send_keys("BOARD-00")
        self.assertEqual(sorted(self.texts("#boards td.name")), [f"board-00{i}" for i in range(10)])

    def test_replay_ends_with_the_score_of_the_table(self):
        data = self.report_of("replay", self.archive(12))
        self.click("#boards tbody tr:nth-child(5) button")
        name = self.text("#boards tbody tr:nth-child(5) td.name")
        board = next(entry for entry in data["boards"] if entry["name"] == name)
        self.assertEqual(self.text("#replay-title"), f"{name}: {board['best']:,} points".replace("-", "\u2212", 0))
        self.assertEqual(number(self.text("#final")), board["best"])
        self.assertEqual(self.text("#score"), "0")
        for _ in range(3):  # the player has the focus, so its keys work
            self.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.text("#move"), f"3 / {len(board['moves'])}")
        self.click("#last")
        self.assertEqual(number(self.text("#score")), board["best"])
        self.assertEqual(number(self.text("#rows tr.end td:last-child")), board["best"])
        self.assertEqual(len(self.texts("#rows tr")), len(board["moves"]) + 1)
        self.click("#first")
        self.browser.execute_script("document.getElementById('speed').value = '8'")
        self.click("#play")
        self.wait_for("the replay to move on by itself", lambda: not self.text("#move").startswith(("0 /", "1 /")))
        self.assertEqual(number(self.text("#final")), board["best"])

    def test_hostile_names_are_text(self):
        # An archive refuses such a name of a board; a log may have any.
        run = {"version": 1, "event": "run", "date": "2026-11-18T02:00:00Z", "preset": "<s>preset</s>", "seed": 1}
        lines = [{"event": "best", "board": name, "seconds": 1, "score": 5, "source": "<em>search</em>"} for name in HOSTILE_NAMES]
        (self.path / "hostile.jsonl").write_text("\n".join(map(json.dumps, [run, *lines])) + "\n")
        self.report_of("hostile", self.archive(12), "hostile.jsonl")
        self.assertEqual([name for name in self.texts("#boards td.name") if "<" in name], sorted(HOSTILE_NAMES, key=lambda name: name[1:]))
        page = self.script("document.body.innerText")
        for text in (*HOSTILE_NAMES, "<s>preset</s>", "<em>search</em>", "<u>host</u>", "<b>night</b>", "<i>processor</i>"):
            self.assertIn(text, page)
        self.assertEqual(self.browser.title, "chainshot report")
        self.assertEqual(self.script("document.querySelectorAll('img, u, b, i, s, em').length"), 0)

    def test_policy_forbids_other_scripts_and_connections(self):
        self.report_of("policy", self.archive(12))
        self.browser.execute_script(
            "const s = document.createElement('script'); s.textContent = 'document.title = \"owned\"'; document.body.append(s);"
        )
        self.assertEqual(self.browser.title, "chainshot report")
        self.assertTrue(self.browser.execute_async_script(
            "const done = arguments[0]; fetch('http://127.0.0.1:9/').then(() => done(false), () => done(true));"))
        self.assertTrue(any("Content Security Policy" in entry["message"] for entry in self.browser.get_log("browser")))

    def test_fits_a_phone(self):
        self.set_size(360, 740)
        self.report_of("phone", self.archive(12))
        self.assertLessEqual(self.script("document.documentElement.scrollWidth"), 360)
        self.assertEqual(self.script("document.querySelector('#boards').parentElement.scrollWidth > 360"), True)
        small = self.script(
            "Array.from(document.querySelectorAll('#report button, #report select, #report input:not([type=checkbox]):not([type=range])'))"
            ".filter(e => e.offsetParent).map(e => [e.id || e.textContent, e.getBoundingClientRect().width, e.getBoundingClientRect().height])"
            ".filter(([, w, h]) => w < 40 || h < 40)")
        self.assertEqual(small, [])
        self.click("#last")
        self.assertLessEqual(self.script("document.documentElement.scrollWidth"), 360)

    def test_follows_the_colours_of_the_system(self):
        self.report_of("dark", self.archive(12))
        color = lambda: self.script("getComputedStyle(document.body).backgroundColor")
        light = color()
        self.set_media("dark")
        self.assertNotEqual(color(), light)
        self.assertLess(max(map(int, color()[4:-1].split(","))), 60)

    def test_every_control_has_a_name(self):
        self.report_of("names", self.archive(12))
        nameless = self.script(
            "Array.from(document.querySelectorAll('button, select, input, svg[role=img]')).filter(e => e.checkVisibility() &&"
            " !(e.getAttribute('aria-label') || e.textContent.trim() && e.tagName === 'BUTTON' || e.labels && e.labels.length)).map(e => e.outerHTML)")
        self.assertEqual(nameless, [])

    def test_two_hundred_boards_are_comfortable(self):
        data = self.report_of("many", self.archive(200))
        self.assertEqual(len(data["boards"]), 200)
        self.assertEqual(len(self.texts("#boards tbody tr")), 200)
        self.assertLess(self.script("document.documentElement.scrollHeight"), 4000)
        self.browser.find_element(By.ID, "filter").send_keys("199")
        self.assertEqual(self.texts("#boards td.name"), ["board-199"])

    def test_a_log_alone_is_enough(self):
        self.run_chainshot("solve", "standard-01", "standard-02", "--preset", "uct", "--time", "0.5", "--log", "run.jsonl")
        data = self.report_of("log", "run.jsonl")
        self.assertEqual([board["name"] for board in data["boards"]], ["standard-01", "standard-02"])
        self.assertEqual(data["boards"][0]["columns"], 15)
        self.click("#last")
        self.assertEqual(number(self.text("#score")), data["boards"][0]["best"])
        self.assertTrue(self.script("document.querySelector('#rate-chart path.curve-line') !== null"))
        self.assertTrue(self.script("document.querySelector('#busy-chart path.curve-line') !== null"))
        self.expect_quiet((self.path / "log.html").as_uri())

    def test_no_board_is_one_sentence(self):
        (self.path / "empty.jsonl").write_text('{"version":1,"event":"run","preset":"auto","seed":1}\n')
        self.report_of("empty", "empty.jsonl")
        self.assertEqual(self.script("document.body.innerText.trim().split('\\n').pop()"), "There are no boards with a line yet.")


class ReplayPage(PageTest):
    """The page of `chainshot show --html`."""

    def open_page(self, board, solutions):
        self.run_chainshot("show", board, solutions, "--html", "show.html")
        self.browser.get((self.path / "show.html").as_uri())

    def test_the_copied_line_is_a_solution(self):
        (self.path / "best.txt").write_text(self.run_chainshot("records", "standard-01"))
        self.open_page("standard-01", "best.txt")
        self.click("#copy")
        (self.path / "copied.txt").write_text(self.script("document.getElementById('text').value"))
        verified = self.run_chainshot("verify", "standard-01", "copied.txt")
        self.assertIn(f" {self.text('#final')} points", verified)
        # A game by hand that is not over has no score yet.
        self.browser.execute_script("states = [states[0]]; playOut([[line[0].c, line[0].r]]); drawLine(); draw()")
        self.click("#copy")
        (self.path / "copied.txt").write_text(self.script("document.getElementById('text').value"))
        self.assertIn("1 move,", self.run_chainshot("verify", "--unfinished", "standard-01", "copied.txt"))

    def test_the_curve_has_a_scale(self):
        (self.path / "b.txt").write_text("board b\n000\n111\n")
        (self.path / "s.txt").write_text("moves 0,0 0,0\n")  # 1 + 1 points and the bonus
        self.open_page("b.txt", "s.txt")
        self.assertEqual([self.text("#high"), self.text("#low"), self.text("#end")], ["1002", "0", "move 2"])

    def test_the_list_of_boards_has_scores(self):
        (self.path / "b.txt").write_text("board b\n000\n\nboard c\n01\n\nboard d\n0000\n")
        (self.path / "s.txt").write_text("board b\nmoves 0,0\n\nboard d\nmoves 0,0\n")
        self.open_page("b.txt", "s.txt")
        self.assertEqual(self.texts("#choice option"), ["b: 1001 points", "d: 1004 points"])

    def test_fingers_can_tap_cells_on_a_phone(self):
        for columns in (15, 31):
            (self.path / "b.txt").write_text("board b\n" + ("01" * 16)[:columns] + "\n" + "0" * columns + "\n")
            (self.path / "s.txt").write_text("moves 1,0\n")
            for width in (360, 390):
                self.set_size(width, 844)
                self.open_page("b.txt", "s.txt")
                self.assertGreaterEqual(self.script("document.querySelector('.block').getBoundingClientRect().width"), 24)
                # A wide board is scrolled within the page, which itself is never wider than the screen.
                self.assertEqual(self.script("document.documentElement.scrollWidth"), width)
                self.browser.execute_script("document.querySelector('.scroller').scrollLeft = 1000")
                self.browser.execute_script(
                    "const box = document.getElementById('board').getBoundingClientRect();"
                    "document.getElementById('board').dispatchEvent(new MouseEvent('click',"
                    "{clientX: box.right - 5, clientY: box.bottom - 5, bubbles: true}))"
                )
                self.assertEqual(self.text("#move"), "1 / 1")


class LivePage(PageTest):
    def test_numbers_and_chart_move_while_the_run_goes_on(self):
        server = subprocess.Popen([scene, self.path / "live.archive", "10", "live"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            url = server.stdout.readline().strip()
            self.browser.get(url)
            self.wait_for("the table", lambda: len(self.texts("#boards tbody tr")) == 10)
            self.assertIn("The run is running, round 1", self.text("#live-state"))
            before, curve = number(self.text("#sum")), self.script("document.querySelector('#score-chart path').getAttribute('d')")
            rates = lambda: len(self.texts("#rate-chart circle"))
            rates_before = rates()
            server.stdin.write("better\n")
            server.stdin.flush()
            self.wait_for("a better sum", lambda: number(self.text("#sum")) > before)
            self.assertNotEqual(self.script("document.querySelector('#score-chart path').getAttribute('d')"), curve)
            self.wait_for("more rates", lambda: rates() > rates_before)
            # The data follow the state: the replay of the first board has the new score.
            first = "Replay board-000"
            best = lambda: number(self.script("document.querySelector(`[aria-label=\"${arguments[0]}\"]`).closest('tr').cells[1].textContent", first))
            self.browser.execute_script("document.querySelector(`[aria-label=\"${arguments[0]}\"]`).click()", first)
            self.wait_for("the new line", lambda: number(self.text("#final")) == best())
            self.expect_quiet(url)
            server.stdin.write("end\n")
            server.stdin.flush()
            self.wait_for("the end of the run", lambda: self.text("#live-state").startswith("The run has ended at "))
        finally:
            server.communicate(timeout=10)
        self.assertEqual(self.browser.title, "chainshot report")

    def test_says_when_the_connection_is_lost(self):
        server = subprocess.Popen([scene, self.path / "lost.archive", "3", "live"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.browser.get(server.stdout.readline().strip())
        self.wait_for("the table", lambda: len(self.texts("#boards tbody tr")) == 3)
        server.kill()
        server.communicate()
        self.wait_for("the notice", lambda: self.text("#live-state").startswith("Connection lost at "))
        self.assertEqual(len(self.texts("#boards tbody tr")), 3)


if __name__ == "__main__":
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("report_page_test: skipped, because there is no Chromium; install chromium and chromium-driver")
        sys.exit(SKIPPED)
    chainshot, scene = (str(pathlib.Path(program).resolve()) for program in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)

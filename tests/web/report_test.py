"""The report page in a real browser: it opens without a network, sorts, and its charts respond.

    tests/web/report_test.py PROGRAM [SCREENSHOTS]
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from browser import Browser, find_browser  # noqa: E402

NO_BROWSER = 77  # what ctest takes for "skipped"
PROGRAM = None
SCREENSHOTS = None


def make_report(folder):
    """Names that would break out of a script, a table and a file."""
    chance = random.Random(1)
    rows = ["user\titem"]
    for user in range(60):
        for item in range(40):
            if chance.random() < (0.8 if user % 4 == item % 4 else 0.1):
                rows.append(f"u{user}\t</script><b>i\"{item}'")
    table = pathlib.Path(folder, "films & <b>games.tsv")
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    report = pathlib.Path(folder, "report")
    subprocess.run([PROGRAM, "compare", table, "--losses", "all", "--rank", "4", "--budget", "3trials",
                    "--solvers", "all", "--loss", "rg2", "--iterations", "12", "-o", report, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    return report / "index.html"


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.page = make_report(cls.folder.name)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.events.clear()
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def column(self, table, number):
        return self.browser.evaluate(
            f"[...document.querySelectorAll('#{table} tbody tr')].map(row => row.cells[{number}].textContent)")

    def chart(self, name, expression):
        return self.browser.evaluate(f"(chart => {expression})(Chart.getChart('{name}'))")

    def test_every_section_is_there(self):
        sections = self.browser.evaluate("[...document.querySelectorAll('section')].map(each => each.id)")
        self.assertEqual(sections, ["leaderboard", "convergence", "cost", "users", "popularity", "settings",
                                    "race-0", "data-card", "origin"])
        self.assertEqual(self.browser.evaluate("document.getElementById('title').textContent"),
                         "films & <b>games.tsv")
        self.assertIn("ranks best", self.browser.evaluate("document.getElementById('summary').textContent"))

    def test_the_table_sorts_both_ways(self):
        def numbers():
            return [float(text) for text in self.column("leaderboard-table", 1)]

        self.assertGreater(len(numbers()), 3)
        self.assertEqual(numbers(), sorted(numbers(), reverse=True))
        self.browser.click("#leaderboard-table th:nth-child(2) button")
        self.assertEqual(numbers(), sorted(numbers()))
        self.browser.click("#leaderboard-table th:nth-child(1) button")
        names = self.column("leaderboard-table", 0)
        self.assertEqual(names, sorted(names))
        self.assertEqual(self.browser.evaluate(
            "document.querySelector('#leaderboard-table th:nth-child(1)').getAttribute('aria-sort')"), "ascending")

    def test_switches_change_the_axes(self):
        self.assertEqual(self.chart("convergence-chart", "chart.options.scales.x.type"), "logarithmic")
        before = self.chart("convergence-chart", "chart.data.datasets.map(set => set.data.map(point => point.x))")
        self.browser.click("#convergence-switches [data-value='step']")
        after = self.chart("convergence-chart", "chart.data.datasets.map(set => set.data.map(point => point.x))")
        self.assertNotEqual(before, after)
        self.assertTrue(all(x == int(x) for line in after for x in line))
        self.browser.click("#convergence-switches [data-value='log axis']")
        self.assertEqual(self.chart("convergence-chart", "chart.options.scales.x.type"), "linear")

    def test_what_takes_no_time_stands_beside_what_takes_the_least(self):
        def places():
            return self.chart("cost-chart", "chart.data.datasets.map(set => [set.data[0].x, set.data[0].method.fit_seconds])")

        least = min(seconds for _, seconds in places() if seconds > 1e-4) / 2
        self.assertTrue(any(seconds < least for _, seconds in places()))  # popularity counts, and is done
        for place, seconds in places():
            self.assertEqual(place, max(seconds, least))
        self.browser.click("#cost-switches [data-value='log axis']")
        for place, seconds in places():
            self.assertEqual(place, seconds)

    def test_hovering_tells_the_value(self):
        for name in ("convergence-chart", "cost-chart", "users-chart", "popularity-chart", "race-0-chart"):
            with self.subTest(name):
                self.browser.evaluate(f"document.getElementById('{name}').scrollIntoView({{block: 'center'}})")
                place = self.chart(name, """(() => {
                    const box = chart.canvas.getBoundingClientRect();
                    const metas = chart.data.datasets.map((_, n) => chart.getDatasetMeta(n).data);
                    const point = metas.find(points => points.length > 0)[0].getProps(['x', 'y']);
                    return [box.left + point.x, box.top + point.y];
                })()""")
                self.browser.move_to(place[0] + 30, place[1] + 30)
                self.browser.move_to(*place)
                self.browser.wait_for(f"Chart.getChart('{name}').tooltip.opacity > 0")
                said = self.chart(name, "chart.tooltip.body.map(each => each.lines.join(' ')).join(' ')")
                self.assertRegex(said, r"\d")

    def test_nothing_is_wider_than_a_phone(self):
        self.browser.open(self.page, width=390, height=844)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 390)

    def test_colours_follow_the_reader(self):
        light = self.chart("cost-chart", "chart.data.datasets[0].borderColor")
        self.browser.open(self.page, scheme="dark")
        self.assertNotEqual(self.chart("cost-chart", "chart.data.datasets[0].borderColor"), light)

    def test_it_prints(self):
        self.assertGreater(len(self.browser.call("Page.printToPDF")["data"]), 10000)

    def test_screenshots(self):
        for scheme in ("light", "dark"):
            for name, width in (("wide", 1280), ("narrow", 390)):
                self.browser.open(self.page, width=width, scheme=scheme)
                if SCREENSHOTS:
                    self.browser.screenshot(pathlib.Path(SCREENSHOTS, f"report-{name}-{scheme}.png"))


if __name__ == "__main__":
    if find_browser() is None:
        sys.exit(NO_BROWSER)
    PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
    if len(sys.argv) > 2:
        SCREENSHOTS = sys.argv[2]
        pathlib.Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=1)

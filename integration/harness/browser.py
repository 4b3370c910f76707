"""A headless Chromium, spoken to over a pipe (--remote-debugging-pipe): pages are opened, scripts run in them,
keys pressed, pictures taken."""
import base64
import json
import os
import select
import shutil
import subprocess
import time


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    def __init__(self, folder, width=1200, height=900, dark=False):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        self.number, self.rest, self.session = 0, b"", None

        def ends():
            # The pipe's ends are 3 and 4 there. Copies first: they may be those numbers already.
            copies = [os.dup2(os.dup(end), 100 + i) for i, end in enumerate((to_read, from_write))]
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)
        self.process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={folder}/browser", "--remote-debugging-pipe",
             f"--window-size={width},{height}", *(["--force-dark-mode"] if dark else []), "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=ends, close_fds=False)
        os.close(to_read)
        os.close(from_write)
        self.out, self.into = to_write, from_read
        pages = [one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        self.session = self.ask("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def ask(self, method, seconds=60, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + seconds
        while True:
            answer = self.next_message(end - time.monotonic())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def next_message(self, seconds):
        while b"\0" not in self.rest:
            if not select.select([self.into], [], [], max(seconds, 0))[0]:
                raise RuntimeError("the browser does not answer")
            more = os.read(self.into, 1 << 20)
            if not more:
                raise RuntimeError("the browser ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def open(self, url):
        self.ask("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, seconds=30):
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise RuntimeError(f"not within {seconds} s: {script}")
            time.sleep(0.05)

    def type(self, text):
        """Into what has the focus."""
        self.ask("Input.insertText", text=text)

    def press(self, key, code, control=False):
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, modifiers=2 if control else 0)

    def picture(self, path):
        with open(path, "wb") as handle:
            handle.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        os.close(self.out)
        os.close(self.into)

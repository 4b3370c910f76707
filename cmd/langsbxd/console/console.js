// The console: sends a program to this service and shows what comes back. Texts of programs are only ever put in as
// text, never as markup.
"use strict";

const at = (id) => document.getElementById(id);
const kMostRecent = 20;
const kMostShown = 1 << 20;
const kEndings = {
  py: "python", sh: "bash", js: "javascript", mjs: "javascript", ts: "typescript", c: "c", cc: "cpp", cpp: "cpp", go: "go", rs: "rust", java: "java",
  r: "r",
};
const kExamples = {
  python: "print(6 * 7)\n", bash: "echo hello\n", javascript: "console.log(6 * 7);\n", typescript: "const n: number = 42;\nconsole.log(n);\n",
  c: "#include <stdio.h>\n\nint main(void) {\n  puts(\"hello\");\n  return 0;\n}\n",
  cpp: "#include <iostream>\n\nint main() { std::cout << \"hello\\n\"; }\n",
  go: "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hello\")\n}\n",
  rust: "fn main() {\n    println!(\"hello\");\n}\n",
  java: "public class Main {\n  public static void main(String[] args) {\n    System.out.println(\"hello\");\n  }\n}\n",
  r: "cat(6 * 7, \"\\n\")\n",
};

let running = null;  // the AbortController of the run that is going on
let fileName = "";
let shown = 0;
const recent = [];

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function headers(more) {
  const key = at("key").value;
  return {"Content-Type": "application/json", ...(key ? {"Authorization": `Bearer ${key}`} : {}), ...more};
}

// ---- the editor ----

function drawLines(found = new Set()) {
  const count = at("source").value.split("\n").length;
  const lines = at("lines");
  lines.replaceChildren(...Array.from({length: count}, (_, i) => element("li", String(i + 1), found.has(i + 1) ? "found" : "")));
  lines.scrollTop = at("source").scrollTop;
}

function goTo(line, column) {
  const source = at("source");
  const before = source.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  source.focus();
  source.setSelectionRange(before + Math.max(column - 1, 0), before + Math.max(column, 1));
  source.scrollTop = Math.max(0, (line - 5) * 20);
}

async function take(file) {
  if (!file) return;
  fileName = file.name;
  const language = kEndings[file.name.split(".").pop().toLowerCase()];
  if (language && [...at("language").options].some((option) => option.value === language)) at("language").value = language;
  at("source").value = await file.text();
  drawLines();
}

// ---- results ----

function clear() {
  at("output").replaceChildren();
  at("findings").replaceChildren();
  at("chart").replaceChildren();
  shown = 0;
  drawLines();
}

function say(text, kind) {
  at("verdict").textContent = text;
  at("verdict").className = kind;
}

function write(stream, text) {
  if (shown > kMostShown) return;
  shown += text.length;
  const output = at("output");
  output.append(element("span", text, stream));
  if (shown > kMostShown) output.append(element("span", "\n… the rest is not shown\n", "stderr"));
  output.scrollTop = output.scrollHeight;
}

function showFindings(list) {
  const lines = new Set();
  for (const finding of list) {
    const item = element("li", undefined, finding.severity === "error" ? "" : "warning");
    if (finding.line) {
      lines.add(finding.line);
      const link = element("button", `Line ${finding.line}`);
      link.type = "button";
      link.addEventListener("click", () => goTo(finding.line, finding.column || 1));
      item.append(link, ": ");
    }
    item.append(finding.reason || finding.type || "");
    if (finding.rule) item.append(element("p", finding.rule));
    if (finding.hint) item.append(element("p", `Instead: ${finding.hint}`));
    at("findings").append(item);
  }
  drawLines(lines);
}

function bar(name, part, whole, text) {
  const row = element("div", undefined, "bar");
  const track = element("div");
  const fill = element("i");
  fill.style.width = `${whole > 0 ? Math.min(100, 100 * part / whole) : 0}%`;
  track.append(fill);
  row.append(element("span", name), track, element("span", text));
  return row;
}

const milliseconds = (value) => (value < 10 ? value.toFixed(1) : Math.round(value)) + " ms";
const megabytes = (value) => (value / 1048576).toFixed(1) + " MB";

function showUse(record) {
  const {phases = {}, resource_usage: use = {}, limits = {}} = record;
  const whole = Math.max(record.duration_ms || 0, 1);
  const rows = [["guard", (phases.guard_us || 0) / 1000], ["set-up", (phases.setup_us || 0) / 1000], ["compile", phases.compile_ms || 0],
                ["run", phases.run_ms || 0]];
  const chart = at("chart");
  for (const [name, took] of rows) chart.append(bar(name, took, whole, milliseconds(took)));
  const processor = (use.cpu_time_ns || 0) / 1e6;
  chart.append(bar("processor", processor, limits.cpu_time_ms, milliseconds(processor)));
  chart.append(bar("memory", use.memory_peak_bytes || 0, limits.memory_bytes, megabytes(use.memory_peak_bytes || 0)));
}

function summary(record) {
  const took = milliseconds(record.duration_ms || 0);
  if (record.status === "completed") return `completed in ${took}`;
  if (record.status === "rejected") return "rejected: the guard refuses the program, and it did not run";
  return `${record.status} after ${took}: ${record.message}`;
}

function showResult(record) {
  if (record.error) return say(record.error.message, "fault");
  say(summary(record), record.status);
  if (record.stdout) write("stdout", record.stdout);
  if (record.stderr) write("stderr", record.stderr);
  showFindings([...(record.violations || []), ...(record.warnings || [])]);
  if (record.status !== "rejected") showUse(record);
}

function remember(request, record) {
  recent.unshift({request, record, when: new Date()});
  recent.length = Math.min(recent.length, kMostRecent);
  at("recent").replaceChildren(...recent.map((run) => {
    const item = element("li");
    const time = run.when.toTimeString().slice(0, 8);
    const again = element("button", `${time} ${run.request.language} ${run.record.status || "fault"}: ${run.request.source.split("\n")[0]}`);
    again.type = "button";
    again.addEventListener("click", () => {
      at("language").value = run.request.language;
      at("source").value = run.request.source;
      fileName = run.request.file || "";
      clear();
      showResult(run.record);
    });
    item.append(again);
    return item;
  }));
}

// ---- runs ----

function request() {
  const made = {language: at("language").value, source: at("source").value, profile: at("profile").value};
  const args = at("args").value.split("\n").filter((line) => line !== "");
  if (args.length) made.args = args;
  if (at("stdin").value) made.stdin = at("stdin").value;
  if (fileName) made.file = fileName;
  return made;
}

// Each line is an event.
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

const bytesOf = (text) => new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));

async function stream(asked, answer) {
  let written = {stdout: "", stderr: ""};
  for await (const {event, data} of events(answer.body)) {
    if (event === "stdout" || event === "stderr") {
      const text = data.text !== undefined ? data.text : bytesOf(data.base64 || "");
      written[event] += text;
      write(event, text);
    } else if (event === "result" || event === "error") {
      showResult(data);
      remember(asked, {...data, stdout: written.stdout + (data.stdout || ""), stderr: written.stderr + (data.stderr || "")});
      written = {stdout: "", stderr: ""};
    }
  }
}

async function send(path, accept, work) {
  if (running) return;
  clear();
  say("running …", "");
  running = new AbortController();
  at("run").disabled = at("judge").disabled = true;
  at("stop").disabled = false;
  const asked = request();
  try {
    const body = path === "/v1/execute" ? {...asked, limits: {wall_time_ms: Math.round(Number(at("time").value) * 1000)}} : asked;
    const answer = await fetch(path, {method: "POST", headers: headers({"Accept": accept}), body: JSON.stringify(body), signal: running.signal});
    if (!answer.ok) {
      const said = await answer.json().catch(() => ({}));
      say(said.error ? said.error.message : `the service answered ${answer.status}`, "fault");
    } else {
      await work(asked, answer);
    }
  } catch (error) {
    say(error.name === "AbortError" ? "stopped" : `the service can't be reached: ${error.message}`, "fault");
  }
  running = null;
  at("run").disabled = at("judge").disabled = false;
  at("stop").disabled = true;
}

const run = () => send("/v1/execute", "application/x-ndjson", stream);
const judge = () => send("/v1/validate", "application/json", async (asked, answer) => {
  const word = await answer.json();
  say(word.safe ? `the guard lets it run under ${word.profile}` : `the guard refuses it under ${word.profile}`, word.safe ? "completed" : "rejected");
  showFindings([...word.violations, ...word.warnings]);
});

// ---- the service ----

async function showLoad() {
  try {
    const text = await (await fetch("/metrics", {headers: headers()})).text();
    const value = (name) => Number((text.match(new RegExp(`^${name} (.*)$`, "m")) || [0, NaN])[1]);
    const [waiting, busy] = [value("langsbx_queue_depth"), value("langsbx_executions_running")];
    at("load").textContent = Number.isNaN(waiting) ? "" : `${busy} running, ${waiting} waiting`;
  } catch {
    at("load").textContent = "the service can't be reached";
  }
}

async function showLanguages() {
  const answer = await fetch("/v1/languages", {headers: headers()});
  if (!answer.ok) return say("a key is needed: put it in below the program", "fault");
  const {languages} = await answer.json();
  at("language").replaceChildren(...languages.map(({name, version}) => {
    const option = element("option", `${name} ${version}`);
    option.value = name;
    return option;
  }));
  if (!at("source").value) example();
}

function example() {
  at("source").value = kExamples[at("language").value] || "";
  fileName = "";
  drawLines();
}

const isExample = () => at("source").value === "" || Object.values(kExamples).includes(at("source").value);

function listen() {
  at("program").addEventListener("submit", (event) => { event.preventDefault(); run(); });
  at("judge").addEventListener("click", judge);
  at("stop").addEventListener("click", () => running && running.abort());
  at("key").addEventListener("change", showLanguages);
  at("language").addEventListener("change", () => { if (isExample()) example(); });
  at("source").addEventListener("input", () => drawLines());
  at("source").addEventListener("scroll", () => { at("lines").scrollTop = at("source").scrollTop; });
  at("file").addEventListener("change", (event) => take(event.target.files[0]));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
    if (event.key === "Escape" && running) running.abort();
  });
  const editor = at("editor");
  for (const name of ["dragover", "dragleave", "drop"]) {
    editor.addEventListener(name, (event) => {
      event.preventDefault();
      editor.classList.toggle("over", name === "dragover");
      if (name === "drop") take(event.dataTransfer.files[0]);
    });
  }
}

listen();
drawLines();
showLanguages();
showLoad();
setInterval(showLoad, 2000);

// Compares the scanner's identifiers with those of acorn, the parser inside Node.js.
// Usage: node --expose-internals differential.js PATH/TO/javascript_token_dump FILE...
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const acorn = require('internal/deps/acorn/acorn/dist/acorn');

// Every name and keyword acorn's tokenizer gives while parsing, by byte offset.
function names(text) {
  const out = new Map();
  const bytes = (end) => Buffer.byteLength(text.slice(0, end));
  const ascii = bytes(text.length) === text.length;
  const onToken = (token) => {
    if (token.type.label === 'name' || token.type.keyword) {
      out.set(ascii ? token.start : bytes(token.start), text.slice(token.start, token.end));
    } else if (token.type.label === 'privateId') {
      out.set((ascii ? token.start : bytes(token.start)) + 1, text.slice(token.start + 1, token.end));
    }
  };
  for (const sourceType of ['module', 'script']) {
    out.clear();
    try {
      acorn.parse(text, { ecmaVersion: 'latest', sourceType, onToken, allowHashBang: true,
        allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true });
      return out;
    } catch { /* the other kind */ }
  }
  return null;
}

const [dump, ...files] = process.argv.slice(2);
let compared = 0, differ = 0, unparsed = 0, refused = 0;
for (const file of files) {
  const expected = names(fs.readFileSync(file, 'utf8'));
  if (!expected) { unparsed++; continue; }
  const lines = execFileSync(dump, [file], { encoding: 'utf8', maxBuffer: 1 << 30 }).trimEnd().split('\n');
  if (!lines[0].endsWith('errors 0')) { refused++; console.log(`refused ${file}`); continue; }
  const seen = new Map(lines.slice(1).map((line) => { const [at, name] = line.split(' '); return [Number(at), name]; }));
  compared++;
  let first = null;
  for (const [at, name] of expected) if (seen.get(at) !== name) { first = `missed ${name} at ${at}`; break; }
  if (!first) for (const [at, name] of seen) if (expected.get(at) !== name) { first = `invented ${name} at ${at}`; break; }
  if (first) { differ++; console.log(`${file}: ${first}`); }
}
console.log(`compared ${compared}, differ ${differ}, not parsed by acorn ${unparsed}, refused by the scanner ${refused}`);
process.exit(differ ? 1 : 0);

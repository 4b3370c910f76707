// The names and keywords that acorn (the parser inside Node.js) finds, as scanner_dump prints them.
// node --expose-internals acorn_tokens.js FILE...
'use strict';
const fs = require('fs');
const acorn = require('internal/deps/acorn/acorn/dist/acorn');

function names(text) {
  const out = [];
  let last = 0, bytes = 0;
  const offset = (end) => {  // tokens come in order, but for a look back of the parser's
    if (end < last) last = bytes = 0;
    bytes += Buffer.byteLength(text.slice(last, end));
    last = end;
    return bytes;
  };
  const onToken = (token) => {
    if (token.type.label === 'name' || token.type.keyword) {
      out.push(`${offset(token.start)} ${text.slice(token.start, token.end)}`);
    } else if (token.type.label === 'privateId') {
      out.push(`${offset(token.start) + 1} ${text.slice(token.start + 1, token.end)}`);
    }
  };
  for (const sourceType of ['module', 'script']) {
    out.length = 0;
    try {
      acorn.parse(text, { ecmaVersion: 'latest', sourceType, onToken, allowHashBang: true,
        allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true });
      return out;
    } catch { /* the other kind */ }
  }
  return null;
}

for (const file of process.argv.slice(2)) {
  const found = names(fs.readFileSync(file, 'utf8'));
  console.log(`file ${file} errors ${found === null ? 1 : 0}`);
  if (found !== null && found.length > 0) console.log(found.join('\n'));
}

// Compares Node's own list of modules with the table in languages/javascript/modules.cc.
// Usage: node builtins.js   (exit 1 when the table lacks one)
'use strict';
const fs = require('fs');
const path = require('path');
const table = fs.readFileSync(path.join(__dirname, '../../../languages/javascript/modules.cc'), 'utf8');
const known = new Set([...table.matchAll(/^ {4}\{"([^"]+)", k\w+, (?:true|false)\},$/gm)].map((m) => m[1]));
known.add('process');  // handled on its own
const missing = require('module').builtinModules
  .map((name) => name.replace(/^node:/, ''))
  .filter((name) => !known.has(name));
console.log(`${known.size} known, missing: ${missing.join(', ') || 'none'}`);
process.exit(missing.length ? 1 : 0);

// Modules of Node.js by what they reach for, under every way to bring them in.
const cp = require('child_process');  // expect: javascript-blocked-module
const { exec: run } = require('node:child_process');  // expect: javascript-blocked-module
require('vm').runInNewContext('x');  // expect: javascript-blocked-module expect: javascript-dynamic-code
import('worker_threads');  // expect: javascript-blocked-module
import dns from 'dns';  // expect: javascript-blocked-module
export * from 'inspector';  // expect: javascript-blocked-module
const path = require('path');  // ok
import { EventEmitter } from 'node:events';  // ok
const readline = require('readline');  // ok

// Members of modules that differ among themselves.
const fs = require('fs');
const http = require('http');
const os = require('os');
fs.chmodSync('a', 0o777);  // expect: javascript-blocked-function
http.createServer();  // expect: javascript-blocked-function
http['get']('x');  // expect: javascript-blocked-function
os.userInfo();  // expect: javascript-blocked-function
fs.readFileSync('in.txt');  // ok
fs.writeFileSync('out.txt', 'x');  // ok
os.EOL;  // ok
http.STATUS_CODES;  // ok

// Paths outside the work area, however they are written.
const fs = require('fs');
const { readFileSync: read } = require('node:fs');
const { promises: files } = require('fs');
fs.readFileSync('/etc/passwd');  // expect: javascript-file-path
fs.readFileSync('/et' + 'c/passwd');  // expect: javascript-file-path
fs.readFileSync(`/etc/${name}`);  // expect: javascript-file-path
fs.readFileSync(path.join('/', 'etc', 'passwd'));  // expect: javascript-file-path
fs.readFileSync(new URL('file:///etc/passwd'));  // expect: javascript-file-path
read('../../secret');  // expect: javascript-file-path
files.readFile('/root/key');  // expect: javascript-file-path
fs.rmSync('/', { recursive: true });  // expect: javascript-file-path
process.chdir('/');  // expect: javascript-file-path
fs.readFileSync('/dev/stdin');  // ok
fs.readFileSync(path.join(__dirname, 'data.txt'));  // ok
fs.readFileSync(process.argv[2]);  // ok

// Code carried in a string.
run('return process');  // expect: javascript-code-in-string
const s = "require('child_process')";  // expect: javascript-code-in-string
console.log('the process has ended');  // ok

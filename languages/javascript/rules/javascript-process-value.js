// process handed on.
inspect(process);  // expect: javascript-process-value
process[name];  // expect: javascript-process-value
const o = { process };  // expect: javascript-process-value
{ let process = 1; }
use((process));  // expect: javascript-process-value
typeof process !== 'undefined';  // ok
process.on('exit', done);  // ok
function schedule(process) { return run(process); }  // ok

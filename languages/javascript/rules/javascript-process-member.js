// Members of process that reach the system.
process.kill(1);  // expect: javascript-process-member
process.env.SECRET;  // expect: javascript-process-member
process.setuid(0);  // expect: javascript-process-member
process['bind' + 'ing']('fs');  // expect: javascript-process-member expect: javascript-hidden-name
const { env: all, argv } = process;  // ok
Object.keys(all);  // expect: javascript-process-member
all.HOME;  // ok
const p = process;
p.dlopen(m, 'x');  // expect: javascript-process-member expect: javascript-dynamic-code
process.exit(0);  // ok
process.stdout.write('x');  // ok
process.env.NODE_ENV;  // ok
process.argv.slice(2);  // ok

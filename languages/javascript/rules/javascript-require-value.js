// require is only ever called.
const r = require;  // expect: javascript-require-value
require.call(null, 'fs');  // expect: javascript-require-value
require`fs`;  // expect: javascript-require-value
load(require);  // expect: javascript-require-value
require.cache;  // expect: javascript-require-value
if (require.main === module) main();  // ok
typeof require === 'function';  // ok

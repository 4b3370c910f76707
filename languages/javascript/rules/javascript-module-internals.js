// The module wrapper and its objects.
arguments[1]('fs');  // expect: javascript-module-internals
const a = () => arguments;  // expect: javascript-module-internals
module.require('fs');  // expect: javascript-module-internals
module.children;  // expect: javascript-module-internals
import.meta.env;  // expect: javascript-module-internals
const m = module;  // expect: javascript-module-internals
function f() { return arguments.length; }  // ok
module.exports = f;  // ok
import.meta.url;  // ok

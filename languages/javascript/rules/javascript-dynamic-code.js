// Text that is run as code.
eval('1');  // expect: javascript-dynamic-code
(0, eval)('1');  // expect: javascript-dynamic-code
const F = Function;  // expect: javascript-dynamic-code
class Evil extends Function {}  // expect: javascript-dynamic-code
setTimeout('f()', 1);  // expect: javascript-dynamic-code
module.constructor.createRequire('x');  // expect: javascript-dynamic-code expect: javascript-module-internals expect: javascript-constructor
setTimeout(() => f(), 1);  // ok
f instanceof Function;  // ok
const parser = { eval: 1 };  // ok
function hide(Function) { return Function(1); }  // ok

// The global object.
const g = globalThis;  // expect: javascript-global-object
global[name];  // expect: javascript-global-object
globalThis['ev' + 'al']('1');  // expect: javascript-global-object expect: javascript-hidden-name
const { process: p } = globalThis;  // expect: javascript-global-object
global.counter = 1;  // ok
typeof window !== 'undefined';  // ok
const self = this;  // ok

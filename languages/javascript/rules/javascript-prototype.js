// Ways from a harmless value to what stands behind it.
f.__proto__;  // expect: javascript-prototype
const { __proto__: p } = f;  // expect: javascript-prototype
Error.prepareStackTrace = hook;  // expect: javascript-prototype
Object.getPrototypeOf(async () => {});  // expect: javascript-prototype
Object.getOwnPropertyDescriptors(f);  // expect: javascript-prototype
f.caller;  // expect: javascript-prototype
const R = Reflect;  // expect: javascript-prototype
Object.getPrototypeOf(item);  // ok
Object.keys(item);  // ok
Reflect.ownKeys(item);  // ok

// Machine code.
new WebAssembly.Module(bytes);  // expect: javascript-native-code
require('./addon.node');  // expect: javascript-native-code
typeof WebAssembly === 'object';  // ok

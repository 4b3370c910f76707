// Names put together so that no one reads them.
const k = ['con', 'structor'].join('');  // expect: javascript-hidden-name
const m = 'rotcurtsnoc'.split('').reverse().join('');  // expect: javascript-hidden-name
f[atob('Y29uc3RydWN0b3I=')];  // expect: javascript-hidden-name expect: javascript-constructor
f['const' + rest];  // expect: javascript-hidden-name
(() => {})[key]('x');  // expect: javascript-hidden-name
get(get({}, 'constructor'), 1);  // expect: javascript-hidden-name
let late = 'main';
late += 'Module';
p[late];  // expect: javascript-hidden-name
this['on' + event](1);  // ok
table[name](1);  // ok
memo[[i, j].join(',')];  // ok
key === 'constructor';  // ok

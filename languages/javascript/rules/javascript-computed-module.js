// The module's name must be in the source.
require('child_' + 'process');  // expect: javascript-computed-module expect: javascript-hidden-name
require(`child_${'process'}`);  // expect: javascript-computed-module expect: javascript-hidden-name
import(name);  // expect: javascript-computed-module
import('data:text/javascript,1');  // expect: javascript-computed-module
import x from 'https://host/x.js';  // expect: javascript-computed-module
require('assert');  // ok

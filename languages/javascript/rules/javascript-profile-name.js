// profile: strict
const dns = require('dns');  // expect: javascript-profile-name
const path = require('path');  // ok

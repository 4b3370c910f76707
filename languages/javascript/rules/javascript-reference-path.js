// Directives that name files.
/// <reference path="/etc/passwd" /> expect: javascript-reference-path
//# sourceMappingURL=/etc/passwd expect: javascript-reference-path
/// <reference path="./types.d.ts" /> // ok
/// <reference types="node" /> // ok

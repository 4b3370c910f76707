// Spellings on which readers differ.
\u0065val('1');  // expect: javascript-encoding
<!-- a comment in a script  // expect: javascript-encoding
const s = '\u0065';  // ok

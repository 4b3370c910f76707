// A with statement.
with (object) { f(); }  // expect: javascript-with-statement
const o = { with: 1 };  // ok
list.with(0, 1);  // ok

// Every function's constructor is Function.
({}).constructor.constructor('x')();  // expect: javascript-constructor
const { constructor: F } = () => {};  // expect: javascript-constructor
[]['filter']['const' + 'ructor']('x')();  // expect: javascript-constructor
x?.constructor?.('y');  // expect: javascript-constructor
const C = value.constructor;  // expect: javascript-constructor
class A {
  constructor() { this.name = this.constructor.name; }  // ok
  copy() { return new this.constructor(this.size); }  // ok
}
if (value.constructor === Object) f();  // ok
A.prototype.constructor = A;  // ok

// What no interpreter reads either.
const s = 'no end  // expect: javascript-not-understood
const t = 'ok';  // ok

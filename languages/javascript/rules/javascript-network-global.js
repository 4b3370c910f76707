// Connections without an import.
fetch('http://host/');  // expect: javascript-network-global
new WebSocket('ws://host/');  // expect: javascript-network-global
const get = globalThis.fetch;  // expect: javascript-network-global
queue.fetch();  // ok

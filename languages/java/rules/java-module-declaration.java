// A module declaration.
module demo {
  requires java.base;  // ok
  uses java.sql.Driver;  // expect: java-module-declaration
}

// An invisible blank between tokens.
class Main {
  int value;  // expect: java-encoding
  int other;  // ok
}

// What javac does not read either.
class Main {
  String t = "an end; // in a string";  // ok
  String s = "no end;  // expect: java-not-understood
}

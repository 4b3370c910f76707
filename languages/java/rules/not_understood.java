// What javac does not read either.
class Main {
  String s = "no end;  // expect: java-not-understood
}

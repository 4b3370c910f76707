// Escapes that the compiler sees before anything else.
class Main {
  Process\u0042uilder p;  // expect: java-unicode-escape
  /* \u002a\u002f */  // expect: java-unicode-escape
  char zero = '\u0000';  // ok
  String name = "\u00e9";  // ok
}

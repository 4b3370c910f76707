// A body of machine code.
class Main {
  native void f();  // expect: java-native-method
  void g() {}  // ok
}

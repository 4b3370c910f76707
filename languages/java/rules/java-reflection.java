// By name.
import java.nio.charset.Charset;

class Main {
  void m(Object o) throws Exception {
    Class.forName("java.lang." + "Runtime");  // expect: java-reflection
    o.getClass().getMethod("exec");  // expect: java-reflection
    String.class.getClassLoader();  // expect: java-reflection
    find(Class::getDeclaredMethods);  // expect: java-reflection
    Thread.currentThread().getContextClassLoader();  // expect: java-reflection
    String s = o.getClass().getName();  // ok
    Charset c = Charset.forName("UTF-8");  // ok
    request.getMethod();  // ok
    Color.forName("red");  // ok
  }
  enum Color { RED; static Color forName(String s) { return RED; } }
}

// java.lang needs no import.
import static java.lang.Runtime.getRuntime;  // expect: java-blocked-class

class Main {
  void m() throws Exception {
    Runtime.getRuntime();  // expect: java-blocked-class
    java.lang.Runtime.getRuntime().exec("id");  // expect: java-blocked-class
    java.lang.@Deprecated ProcessBuilder p;  // expect: java-blocked-class
    new ProcessBuilder("id").start();  // expect: java-blocked-class
    Supplier<Runtime> s = Runtime::getRuntime;  // expect: java-blocked-class
    ProcessHandle.current();  // expect: java-blocked-class
    var runtime = Runtime.getRuntime();  // ok
    runtime.exec("id");  // expect: java-blocked-class
    long free = runtime.freeMemory();  // ok
    int n = Runtime.getRuntime().availableProcessors();  // ok
    Thread t = new Thread();  // ok
  }
  static class Process {}  // ok
  static class Scope { static class ClassLoader {} ClassLoader own; }  // ok
  ClassLoader loader;  // expect: java-blocked-class
}

// Classes of the JDK by what they reach for.
import java.net.Socket;  // expect: java-blocked-module
import java.lang.reflect.*;  // expect: java-blocked-module
import javax.script.ScriptEngineManager;  // expect: java-blocked-module
import java.util.*;  // ok
import java.io.*;  // ok

class Main {
  java.net.URL url;  // expect: java-blocked-module
  ServiceLoader loader;  // expect: java-blocked-module
  ObjectInputStream input;  // expect: java-blocked-module
  sun.misc.Unsafe unsafe;  // expect: java-blocked-module
  java.util.List<String> names;  // ok
  List<Scanner> scanners;  // ok
}

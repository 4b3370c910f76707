// Members of System and Files.
import static java.lang.System.getenv;  // expect: java-blocked-function
import java.nio.file.*;
import java.util.function.Function;

class Main {
  void m() throws Exception {
    System.load("x.so");  // expect: java-blocked-function
    System.setProperty("a", "b");  // expect: java-blocked-function
    Function<String, String> f = System::getenv;  // expect: java-blocked-function
    Files.setPosixFilePermissions(p, s);  // expect: java-blocked-function
    address.toURL();  // expect: java-blocked-function
    System.out.println(System.lineSeparator());  // ok
    Files.readAllLines(p);  // ok
    System.exit(0);  // ok
  }
}

// Paths outside the work area.
import java.io.*;
import java.nio.file.*;

class Main {
  static final String ETC = "/etc";  // expect: java-file-path
  void m(String name) throws Exception {
    new FileReader("/etc/passwd");  // expect: java-file-path
    new File("/etc", "passwd");  // expect: java-file-path
    new File(ETC + "/passwd");  // expect: java-file-path
    Path.of("/", "etc", "passwd");  // expect: java-file-path
    Paths.get("/etc/" + name);  // expect: java-file-path
    new PrintWriter("../../x");  // expect: java-file-path
    new java.io.RandomAccessFile("/proc/self/mem", "rw");  // expect: java-file-path
    new FileReader("in.txt");  // ok
    Path.of("data", name);  // ok
    new File(name);  // ok
  }
}

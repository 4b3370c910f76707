// Compares the scanner's identifiers with the tokens of javac's own scanner.
// Usage: java --add-exports jdk.compiler/com.sun.tools.javac.parser=ALL-UNNAMED
//             --add-exports jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED
//             Differential.java PATH/TO/java_token_dump FILE...
import com.sun.tools.javac.parser.Scanner;
import com.sun.tools.javac.parser.ScannerFactory;
import com.sun.tools.javac.parser.Tokens.TokenKind;
import com.sun.tools.javac.util.Context;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public class Differential {
  static List<String> expected(String text) {
    List<String> names = new ArrayList<>();
    Scanner scanner = ScannerFactory.instance(new Context()).newScanner(text, false);
    for (scanner.nextToken(); scanner.token().kind != TokenKind.EOF; scanner.nextToken()) {
      var token = scanner.token();
      String name = text.substring(token.pos, token.endPos);
      if (Character.isJavaIdentifierStart(name.charAt(0))) names.add(name);
    }
    return names;
  }

  public static void main(String[] args) throws Exception {
    int compared = 0, differ = 0, refused = 0;
    for (int i = 1; i < args.length; i++) {
      Process dump = new ProcessBuilder(args[0], args[i]).start();
      String[] lines = new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n");
      if (!lines[0].endsWith("errors 0")) {
        refused++;
        System.out.println("refused " + args[i]);
        continue;
      }
      List<String> seen = new ArrayList<>();
      for (int k = 1; k < lines.length; k++) seen.add(lines[k].substring(lines[k].indexOf(' ') + 1));
      compared++;
      if (!seen.equals(expected(Files.readString(Path.of(args[i]))))) {
        differ++;
        System.out.println("differs " + args[i]);
      }
    }
    System.out.printf("compared %d, differ %d, refused by the scanner %d%n", compared, differ, refused);
    System.exit(differ > 0 ? 1 : 0);
  }
}

// The names and keywords that javac's own scanner finds, as scanner_dump prints them.
// java --add-exports jdk.compiler/com.sun.tools.javac.{parser,util}=ALL-UNNAMED JavacTokens.java FILE...
import com.sun.tools.javac.parser.Scanner;
import com.sun.tools.javac.parser.ScannerFactory;
import com.sun.tools.javac.parser.Tokens.TokenKind;
import com.sun.tools.javac.util.Context;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

public class JavacTokens {
  public static void main(String[] args) throws Exception {
    StringBuilder out = new StringBuilder();
    Scanner scanner = null;
    ScannerFactory factory = ScannerFactory.instance(new Context());
    for (String file : args) {
      String text = Files.readString(Path.of(file));
      int errors = 0;
      StringBuilder names = new StringBuilder();
      scanner = factory.newScanner(text, false);
      int at = 0, bytes = 0;
      while (true) {
        try {
          scanner.nextToken();
        } catch (IllegalArgumentException e) {  // a message without a file: what stands there is no token
          errors++;
          break;
        }
        if (scanner.token().kind == TokenKind.EOF) break;
        var token = scanner.token();
        if (token.kind == TokenKind.ERROR) errors++;
        String name = text.substring(token.pos, token.endPos);
        bytes += text.substring(at, token.pos).getBytes(StandardCharsets.UTF_8).length;
        at = token.pos;
        if (!name.isEmpty() && Character.isJavaIdentifierStart(name.charAt(0))) {
          names.append(bytes).append(' ').append(name).append('\n');
        }
      }
      out.append("file ").append(file).append(" errors ").append(errors).append('\n').append(names);
    }
    System.out.print(out);
  }
}

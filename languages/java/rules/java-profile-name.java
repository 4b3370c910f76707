// profile: strict
import java.util.List;  // ok
import java.net.Socket;  // expect: java-profile-name

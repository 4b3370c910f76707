// Libraries whose code is not judged.
package demo;

import com.other.Thing;  // expect: java-unknown-module
import org.apache.commons.exec.CommandLine;  // expect: java-unknown-module
import org.junit.jupiter.api.Test;  // ok

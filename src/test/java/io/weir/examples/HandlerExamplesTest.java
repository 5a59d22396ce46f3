package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs with handlers in src/examples, with their tests, as a user compiles and runs them.
 */
class HandlerExamplesTest {
  private static final Path SOURCES = Path.of("src/examples/java");

  @TempDir private Path classes;

  @Test
  void commissioning_passesItsTest() throws Exception {
    passes("commissioning.CommissioningTest", "Commissioning", "CommissioningTest");
  }

  @Test
  void accounts_passTheirTest() throws Exception {
    passes("accounts.AccountsTest", "Posts", "Accounts", "AccountsTest");
  }

  /** Compiles a package of examples and runs its test, which has three methods. */
  private void passes(String test, String... names) throws Exception {
    compile(SOURCES.resolve(test.substring(0, test.indexOf('.'))), names);
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      assertThat(run(loader.loadClass(test))).hasSize(3);
    }
  }

  private void compile(Path sources, String... names) {
    List<String> options =
        new ArrayList<>(
            List.of("--release", "17", "-proc:none", "-Xlint:all,-classfile,-path", "-Werror"));
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    options.addAll(List.of("-d", classes.toString()));
    for (String name : names) {
      options.add(sources.resolve(name + ".java").toString());
    }
    int status =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new));
    assertThat(status).isZero();
  }

  private static List<String> run(Class<?> test) throws Exception {
    List<String> passed = new ArrayList<>();
    for (Method method : test.getDeclaredMethods()) {
      if (method.isAnnotationPresent(Test.class)) {
        Constructor<?> constructor = test.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object object = constructor.newInstance();
        invoke(method, object);
        for (Method after : test.getDeclaredMethods()) {
          if (after.isAnnotationPresent(AfterEach.class)) {
            invoke(after, object);
          }
        }
        passed.add(method.getName());
      }
    }
    return passed;
  }

  private static void invoke(Method method, Object object) throws Exception {
    method.setAccessible(true);
    method.invoke(object);
  }
}

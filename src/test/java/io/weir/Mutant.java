package io.weir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Weir with a planted bug: some text of a source file replaced, compiled, and loaded beside the
 * real one, tests included. A test that runs there and fails sees the bug.
 */
public final class Mutant {
  private static final String OURS = "io.weir.";
  private static final Path SOURCES = Path.of("src", "main", "java");

  private final Map<String, String> sources = new HashMap<>();

  /**
   * Replaces a text that a class has once.
   *
   * @param className of the class, as {@code io.weir.Name}
   */
  public Mutant with(String className, String text, String replacement) {
    String source = sources.computeIfAbsent(className, Mutant::read);
    int at = source.indexOf(text);
    if (at < 0 || source.indexOf(text, at + 1) >= 0) {
      throw new AssertionError(className + " does not have once: " + text);
    }
    sources.put(className, source.replace(text, replacement));
    return this;
  }

  private static String read(String className) {
    try {
      return Files.readString(SOURCES.resolve(className.replace('.', '/') + ".java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A class of it, of the tests too. */
  public Class<?> load(String className) throws ClassNotFoundException {
    return new Loader(compile()).loadClass(className);
  }

  private Map<String, byte[]> compile() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Source> units = new ArrayList<>();
    sources.forEach((name, text) -> units.add(new Source(name, text)));
    Map<String, ByteArrayOutputStream> classes = new HashMap<>();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    JavaFileManager files =
        new ForwardingJavaFileManager<JavaFileManager>(
            compiler.getStandardFileManager(null, null, null)) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            classes.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
              @Override
              public OutputStream openOutputStream() {
                return bytes;
              }
            };
          }
        };
    List<String> options = List.of("-proc:none", "-nowarn", "-classpath", classPath);
    if (!units.isEmpty() && !compiler.getTask(null, files, null, options, null, units).call()) {
      throw new AssertionError("the planted bug does not compile");
    }
    Map<String, byte[]> compiled = new HashMap<>();
    classes.forEach((name, bytes) -> compiled.put(name, bytes.toByteArray()));
    return compiled;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("memory:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  /** Loads all of Weir again, so that the classes that are not replaced use those that are. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> compiled;

    Loader(Map<String, byte[]> compiled) {
      super(Mutant.class.getClassLoader());
      this.compiled = compiled;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OURS)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      byte[] bytes = compiled.get(name);
      if (bytes == null) {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          if (in == null) {
            throw new ClassNotFoundException(name);
          }
          bytes = in.readAllBytes();
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}

package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.wire.Frame;
import io.weir.internal.wire.MessageIndexes;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.apache.kafka.connect.storage.Converter;
import org.junit.jupiter.api.Test;

/** The jar for Kafka Connect has all classes that its converter needs. */
class ConnectJarTest {
  private static final Pattern INCLUDE = Pattern.compile("<include>(io/weir/[^<]*\\*)</include>");

  @Test
  void converter_worksWithTheClassesOfItsJar() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    String shaded = pom.substring(pom.indexOf("<id>connect</id>"));
    List<Pattern> included =
        INCLUDE
            .matcher(shaded.substring(0, shaded.indexOf("</execution>")))
            .results()
            .map(include -> Pattern.compile(include.group(1).replace("*", "[^/]*")))
            .toList();
    assertThat(included).hasSizeGreaterThan(5);
    OnlyThese classes = new OnlyThese(included);
    Converter converter =
        ServiceLoader.load(Converter.class, classes).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.getClass().getName().startsWith("io.weir."))
            .findFirst()
            .orElseThrow();
    assertThat(converter.getClass().getClassLoader()).isSameAs(classes);
    converter.configure(Map.of("histogram", "true"), false);
    WindowSummary window =
        WindowSummary.newBuilder()
            .setSensorId("a")
            .setCount(2)
            .setMax(1)
            .addSumRest(0.1)
            .setM2(1)
            .setIntegral(1)
            .setFirstTimestampMs(1)
            .setLastTimestampMs(3)
            .setHistogram(ExponentialHistogram.newBuilder().setZeroCount(2))
            .build();

    byte[] bare = window.toByteArray();
    for (byte[] value : List.of(bare, Frame.join(Frame.head(7, MessageIndexes.FIRST), bare))) {
      assertThat(converter.toConnectData("t", value).value().toString()).contains("sensor_id=a");
    }
    for (byte[] wrong : List.of(new byte[] {0, 1}, new byte[] {1, 2, 3})) {
      try {
        converter.toConnectData("t", wrong);
      } catch (RuntimeException e) {
        assertThat(e.getClass().getSimpleName()).isEqualTo("DataException");
      }
    }
  }

  /** Weir's classes as in the jar, and everything else of the test. */
  private static final class OnlyThese extends ClassLoader {
    private final List<Pattern> included;

    OnlyThese(List<Pattern> included) {
      super(ConnectJarTest.class.getClassLoader());
      this.included = included;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.weir.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      if (included.stream().noneMatch(pattern -> pattern.matcher(file).matches())) {
        throw new ClassNotFoundException(name + " is not in the jar");
      }
      try (InputStream in = getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}

package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.connect.WindowConverter;
import io.weir.edge.ReadingPublisher;
import io.weir.keyed.KeyedApplication;
import io.weir.reading.Limits;
import io.weir.reading.Quality;
import io.weir.reading.Reading;
import io.weir.reading.RejectReason;
import io.weir.signing.GatewayKey;
import io.weir.summary.Derived;
import io.weir.summary.LatestSummaryReader;
import io.weir.summary.LatestSummaryTable;
import io.weir.summary.SensorStreamPartitioner;
import io.weir.summary.WindowKey;
import io.weir.topic.SensorPartition;
import io.weir.topic.SensorPartitioner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The API that programs may rely on: every public class of the publisher's package, and the few of
 * others that are beside it. What was there stays; what is new is written into the file with {@code
 * -Dweir.api.write=true}.
 */
class PublicApiTest {
  private static final Path FILE = Path.of("src/test/resources/io/weir/public-api.txt");

  @Test
  void everythingThatWasThere_isThere() throws IOException {
    List<String> api = signatures();
    if (Boolean.getBoolean("weir.api.write")) {
      Files.createDirectories(FILE.getParent());
      Files.write(FILE, api);
    }
    assertThat(api)
        .as("the API; what is new: -Dweir.api.write=true, what is gone breaks programs")
        .containsExactlyElementsOf(Files.readAllLines(FILE));
  }

  private static List<String> signatures() {
    return Stream.of(
            publicClassesOf(ReadingPublisher.class.getPackageName()),
            publicClassesOf(KeyedApplication.class.getPackageName()),
            Stream.of(
                GatewayKey.class,
                Limits.class,
                Quality.class,
                Reading.class,
                RejectReason.class,
                Derived.class,
                LatestSummaryReader.class,
                LatestSummaryTable.class,
                SensorStreamPartitioner.class,
                WindowConverter.class,
                WindowKey.class,
                SensorPartition.class,
                SensorPartitioner.class))
        .flatMap(types -> types)
        .flatMap(type -> Stream.concat(Stream.of(type), Arrays.stream(type.getClasses())))
        .filter(type -> Modifier.isPublic(type.getModifiers()))
        .distinct()
        .flatMap(PublicApiTest::signaturesOf)
        .sorted()
        .toList();
  }

  private static Stream<Class<?>> publicClassesOf(String packageName) {
    Path directory = Path.of("src/main/java", packageName.split("\\."));
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
          .filter(name -> !name.equals("package-info"))
          .<Class<?>>map(name -> classOf(packageName + "." + name))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> classOf(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<String> signaturesOf(Class<?> type) {
    List<String> lines = new ArrayList<>();
    lines.add(type.getTypeName());
    for (Field field : type.getDeclaredFields()) {
      if (isApi(field.getModifiers())) {
        lines.add(type.getTypeName() + "." + field.getName());
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isApi(method.getModifiers()) && !method.isSynthetic()) {
        lines.add(signature(type, method) + " : " + method.getReturnType().getTypeName());
      }
    }
    // A record's grows with its components: its builder, or a factory, is what programs use.
    for (Executable constructor : type.isRecord() ? new Executable[0] : type.getConstructors()) {
      lines.add(signature(type, constructor));
    }
    return lines.stream();
  }

  private static boolean isApi(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String signature(Class<?> type, Executable executable) {
    String name = executable instanceof Method ? executable.getName() : "new";
    return Arrays.stream(executable.getParameterTypes())
        .map(Class::getTypeName)
        .collect(Collectors.joining(", ", type.getTypeName() + "." + name + "(", ")"));
  }
}

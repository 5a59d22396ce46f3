package io.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.internal.group.GroupWindow;
import io.weir.reading.ByteKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Senders choose names, and names with equal hashes. A hash table of the JDK then searches a tree
 * if its keys have an order, and all entries one by one if they have none: 8,000 names of groups
 * cost 26 s. So a key has an order, as a String has, or a keyed hash, or holds no name.
 */
@AnalyzeClasses(packages = "io.weir", importOptions = ImportOption.DoNotIncludeTests.class)
class NamesInTablesTest {
  private static final Path SOURCES = Path.of("src/main/java");

  /** The first type argument of a table. */
  private static final Pattern TABLE =
      Pattern.compile("\\b(?:Map|Set|HashMap|HashSet|ConcurrentHashMap|TimedCache)<([A-Z][\\w.]*)");

  /** Keys without an order that no sender chooses, or of which a table holds few. */
  private static final Map<String, String> ALLOWED =
      Map.ofEntries(
          Map.entry("Key", "settings"),
          Map.entry("URI", "addresses of processes"),
          Map.entry("List", "conditions of rules, and numbers of a schema's fields"),
          Map.entry("TopicPartition", "the cluster's"),
          Map.entry("Place", "topics and message types of this process"),
          Map.entry("MeterRegistry", "this process's"),
          Map.entry("InSubject", "a process's own subjects"),
          Map.entry("FrameHead", "MessageCheck.MOST_NAMES"),
          Map.entry("SchemaKey", "TimedCache has a bound"),
          Map.entry("Seen", "the brokers' transactions"),
          Map.entry("Stalled", "the cluster's partitions"),
          Map.entry("TransactionState", "an enum of Kafka"),
          Map.entry("AclOperation", "an enum of Kafka"),
          Map.entry("ClientQuotaEntity", "the operators'"),
          Map.entry("StoreBuilder", "the topology's"),
          Map.entry("Finding", "of this process"),
          Map.entry("Source", "the topics of this process"),
          Map.entry("Call", "an enum"),
          Map.entry("Deletion", "an enum"),
          Map.entry("SensorState", "an enum of protobuf"),
          Map.entry("Listener", "this process's"),
          Map.entry("Table", "the sink's"),
          Map.entry("TimeGuess", "forms of times in a sample"),
          Map.entry("Thread", "this process's"),
          Map.entry("Meter", "this process's"),
          Map.entry("Locale", "the JDK's"));

  private static final Set<Class<?>> KEYED_HASH = Set.of(ByteKey.class);

  @Test
  void keysOfTables_haveAnOrderOrAKeyedHash() throws Exception {
    Map<String, List<Class<?>>> classes = ownClasses();
    Set<String> wrong = new TreeSet<>();
    for (Path file : sources()) {
      String text = Files.readString(file);
      for (MatchResult table : TABLE.matcher(text).results().toList()) {
        String key = table.group(1);
        String simple = key.substring(key.lastIndexOf('.') + 1);
        List<Class<?>> found =
            classes.getOrDefault(simple, List.of()).stream()
                .filter(type -> isVisible(type, file, text))
                .toList();
        boolean safe =
            ALLOWED.containsKey(simple)
                || simple.length() == 1 // A type parameter: its user's key is looked at.
                || (found.isEmpty()
                    ? isOrdered(jdk(simple))
                    : found.stream().allMatch(this::isSafe));
        if (!safe) {
          wrong.add(SOURCES.relativize(file) + ": " + table.group());
        }
      }
    }
    assertThat(wrong).as("tables whose keys may hold names that collide").isEmpty();
  }

  /** Map.of and Set.of search linearly among equal hashes, also where keys have an order. */
  @ArchTest
  static final ArchRule decisions_copyNoNamesIntoImmutableTables =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.weir.reading..",
              "io.weir.internal.window..",
              "io.weir.internal.alarm..",
              "io.weir.internal.event..",
              "io.weir.internal.group..",
              "io.weir.internal.wire..",
              "io.weir.signing..",
              "io.weir.internal.permission..",
              "io.weir.internal.store..",
              "io.weir.internal.topology..")
          .or()
          .haveSimpleName("LostBatches")
          .should()
          .callMethod(Map.class, "copyOf", Map.class)
          .orShould()
          .callMethod(Set.class, "copyOf", Collection.class);

  @Test
  void namesThatCollide_areToldApart() {
    Set<Integer> plain = new HashSet<>();
    Set<Integer> keyed = new HashSet<>();
    Map<GroupWindow.Name, Integer> tree = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 20; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      // The hash of a ByteBuffer begins at its end.
      byte[] bytes = new StringBuilder(name).reverse().toString().getBytes(StandardCharsets.UTF_8);
      plain.add(ByteBuffer.wrap(bytes).hashCode());
      keyed.add(new ByteKey(bytes).hashCode());
      assertThat(new ByteKey(bytes)).isEqualTo(new ByteKey(bytes.clone()));
      tree.put(new GroupWindow.Name(name.toString(), 0, 60_000), i);
    }
    assertThat(plain).hasSize(1);
    assertThat(keyed).hasSizeGreaterThan(1_990);
    assertThat(tree).hasSize(2_000).containsValue(1_999);
    assertThat(new ByteKey(new byte[] {1})).isNotEqualTo(new ByteKey(new byte[] {1, 0}));
  }

  /** Whether a simple name in a file can mean a class. */
  private static boolean isVisible(Class<?> type, Path file, String text) {
    String room = SOURCES.relativize(file.getParent()).toString().replace('/', '.');
    String fileClass = room + "." + file.getFileName().toString().replace(".java", "");
    boolean nested = type.getEnclosingClass() != null;
    return type.getName().startsWith(fileClass + "$")
        || (!nested && type.getPackageName().equals(room))
        || text.contains("import " + type.getName().replace('$', '.') + ";")
        || (nested
            && text.contains(
                type.getEnclosingClass().getSimpleName() + "." + type.getSimpleName()));
  }

  private boolean isSafe(Class<?> type) {
    return type.isEnum()
        || KEYED_HASH.contains(type)
        || isOrdered(type)
        || isIdentity(type)
        || isNumbers(type);
  }

  private static boolean isOrdered(Class<?> type) {
    return type != null
        && (type.isEnum()
            || Stream.of(type.getGenericInterfaces())
                .anyMatch(
                    each ->
                        each instanceof ParameterizedType parameterized
                            && parameterized.getRawType() == Comparable.class
                            && parameterized.getActualTypeArguments()[0] == type));
  }

  /** Objects that are equal to no other. */
  private static boolean isIdentity(Class<?> type) {
    try {
      return !type.isInterface() && type.getMethod("hashCode").getDeclaringClass() == Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isNumbers(Class<?> type) {
    return type.isRecord()
        && Arrays.stream(type.getRecordComponents())
            .allMatch(part -> part.getType().isPrimitive() || part.getType().isEnum());
  }

  private static Class<?> jdk(String simple) {
    for (String room :
        List.of("java.lang.", "java.math.", "java.util.", "org.apache.kafka.common.")) {
      try {
        return Class.forName(room + simple);
      } catch (ClassNotFoundException e) {
        continue;
      }
    }
    return null;
  }

  private static Map<String, List<Class<?>>> ownClasses() throws Exception {
    Map<String, List<Class<?>>> classes = new TreeMap<>();
    for (Path file : sources()) {
      String name = SOURCES.relativize(file).toString().replace('/', '.').replace(".java", "");
      if (!name.endsWith("package-info")) {
        add(Class.forName(name, false, NamesInTablesTest.class.getClassLoader()), classes);
      }
    }
    return classes;
  }

  private static void add(Class<?> type, Map<String, List<Class<?>>> classes) {
    classes.computeIfAbsent(type.getSimpleName(), any -> new ArrayList<>()).add(type);
    for (Class<?> nested : type.getDeclaredClasses()) {
      add(nested, classes);
    }
  }

  private static List<Path> sources() {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

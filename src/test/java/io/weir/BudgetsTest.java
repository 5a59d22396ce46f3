package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Holds the size of the sources and of the pages within {@code budgets.yaml}, and writes all
 * figures to {@code target/figures.txt}.
 */
class BudgetsTest {
  private static final Path BUDGETS = Path.of("src/test/resources/budgets.yaml");
  private static final Path FIGURES = Path.of("target/figures.txt");
  private static final List<String> ROOTS =
      List.of("src/main/java", "src/lab/java", "src/test/java");
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

  private final Map<String, Object> budgets = budgets();

  @Test
  void sources_andPages_areWithinTheirBudgets() throws IOException {
    List<String> over = new ArrayList<>();
    List<String> figures = new ArrayList<>();
    Map<String, Integer> larger = numbers("larger-packages");
    int most = (Integer) budgets.get("package-files");
    for (String root : ROOTS) {
      Map<String, Integer> files = new TreeMap<>();
      int lines = 0;
      for (Path source : sources(root)) {
        lines += codeLines(Files.readString(source));
        files.merge(packageOf(root, source), 1, Integer::sum);
      }
      int count = files.values().stream().mapToInt(Integer::intValue).sum();
      compare(over, figures, root + " code lines", lines, numbers("code-lines").get(root));
      compare(over, figures, root + " files", count, numbers("files").get(root));
      compare(over, figures, root + " packages", files.size(), numbers("packages").get(root));
      if (root.equals("src/test/java")) {
        continue;
      }
      files.forEach(
          (name, number) ->
              compare(over, figures, name + " files", number, larger.getOrDefault(name, most)));
      assertThat(larger.entrySet())
          .filteredOn(each -> files.getOrDefault(each.getKey(), most + 1) <= most)
          .as("packages that fit now, and need no exception")
          .isEmpty();
    }
    numbers("words")
        .forEach(
            (page, budget) ->
                compare(over, figures, page + " words", words(Path.of(page)), budget));
    Files.createDirectories(FIGURES.getParent());
    Files.write(FIGURES, figures);
    assertThat(over).as("over budget").isEmpty();
  }

  @Test
  void everyGuide_hasABudget() throws IOException {
    try (Stream<Path> pages = Files.walk(Path.of("docs"))) {
      List<String> guides =
          new TreeSet<>(pages.map(Path::toString).filter(page -> page.endsWith(".md")).toList())
              .stream()
                  .filter(page -> !page.matches("docs/(reference|results|dev/decisions)/.*"))
                  .toList();
      assertThat(numbers("words").keySet()).containsAll(guides);
    }
  }

  @Test
  void codeLines_areThoseWithoutCommentsAndBlanks() {
    String source = "/** A\n * b. */\nclass C {\n\n  // d\n  int e = 1; // f\n}\n";
    assertThat(codeLines(source)).isEqualTo(3);
  }

  private static void compare(
      List<String> over, List<String> figures, String what, int figure, Integer budget) {
    String line = String.format(Locale.ROOT, "%7d of %7d  %s", figure, budget, what);
    figures.add(line);
    if (figure > budget) {
      over.add(line);
    }
  }

  private static List<Path> sources(String root) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(root))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static String packageOf(String root, Path source) {
    return Path.of(root).relativize(source).getParent().toString().replace('/', '.');
  }

  private static int codeLines(String source) {
    return (int)
        COMMENT
            .matcher(source)
            .replaceAll("")
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("//"))
            .count();
  }

  private static int words(Path page) {
    try {
      return (int) Stream.of(Files.readString(page).strip().split("\\s+")).count();
    } catch (IOException e) {
      throw new AssertionError("no page " + page, e);
    }
  }

  @SuppressWarnings("unchecked")
  private Map<String, Integer> numbers(String name) {
    return (Map<String, Integer>) budgets.get(name);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> budgets() {
    try {
      Load load = new Load(LoadSettings.builder().build());
      return (Map<String, Object>) load.loadFromString(Files.readString(BUDGETS));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

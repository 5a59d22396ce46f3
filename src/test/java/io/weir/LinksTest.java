package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each relative link of a page leads to a file that exists, and to a heading or anchor in it. */
class LinksTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s:]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"");

  @Test
  void relativeLinks_leadToFilesAndHeadings() throws IOException {
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(text(page));
      for (; link.find(); links++) {
        if (isDead(page, link.group(1))) {
          dead.add(page + ": " + link.group(1));
        }
      }
    }
    assertThat(links).isGreaterThan(100);
    assertThat(dead).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
      Stream<Path> top = Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(Path::of);
      return Stream.concat(docs, top)
          .filter(path -> path.toString().endsWith(".md") && Files.exists(path))
          .toList();
    }
  }

  private static boolean isDead(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return true;
    }
    return parts.length > 1
        && target.toString().endsWith(".md")
        && !anchors(text(target)).contains(parts[1]);
  }

  /** As GitHub makes them of headings. */
  private static Set<String> anchors(String page) {
    Set<String> anchors = new HashSet<>();
    Matcher anchor = ANCHOR.matcher(page);
    while (anchor.find()) {
      anchors.add(anchor.group(1));
    }
    Matcher heading = HEADING.matcher(page);
    while (heading.find()) {
      String plain = heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").strip();
      String slug = plain.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_\\- ]", "");
      String unique = slug.replace(' ', '-');
      for (int i = 1; !anchors.add(unique); i++) {
        unique = slug.replace(' ', '-') + "-" + i;
      }
    }
    return anchors;
  }

  private static String text(Path page) throws IOException {
    return BLOCK.matcher(Files.readString(page)).replaceAll("");
  }
}

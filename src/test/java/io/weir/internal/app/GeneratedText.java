package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a page that follows from a declaration in the code. It is between two comments that
 * name it.
 *
 * @param page its file
 * @param name unique on the page
 * @param text what the page must have, ending with a line break
 */
record GeneratedText(Path page, String name, String text) {
  private static final String COMMAND = "mvn -B test -Dtest=DocumentsTest -Dweir.docs.write=true";

  GeneratedText(String page, String name, String text) {
    this(Path.of("docs", page), name, text);
  }

  private String begin() {
    return "<!-- " + name + ": written by " + COMMAND + " -->\n";
  }

  private String end() {
    return "<!-- end of " + name + " -->\n";
  }

  /** Writes it in place of what is between the comments. */
  void write() throws IOException {
    String content = Files.readString(page);
    Files.writeString(
        page, content.substring(0, from(content)) + text + content.substring(to(content)));
  }

  void assertIsOnPage() throws IOException {
    String content = Files.readString(page);
    assertThat(content.substring(from(content), to(content)))
        .as(name + " in " + page + " is written by " + COMMAND)
        .isEqualTo(text);
  }

  private int from(String content) {
    assertThat(content).as(page.toString()).containsOnlyOnce(begin());
    return content.indexOf(begin()) + begin().length();
  }

  private int to(String content) {
    assertThat(content).as(page.toString()).containsOnlyOnce(end());
    return content.indexOf(end());
  }
}

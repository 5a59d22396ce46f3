package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Words for which the field has others, as names and in prose: a Kafka engineer would have to learn
 * them. Brackets keep this file from finding itself.
 */
class WordsTest {
  /** Each with what to say in its place. */
  private static final List<String> WORDS =
      List.of(
          "trut[h]s?", // latest summary
          "new[s]", // changed since emitted
          "(un)?belie[v]\\w*", // accepted, rejected
          "let[s]? g[o]|let[s]?G[o]", // evict, release
          "as eve[r]",
          "all is wel[l]",
          "nothing tru[e]",
          "not her[e]", // no such ...
          "not as it is planne[d]",
          "Shippe[r]|Shipmen[t]", // send loop, in-flight batch
          "Doorbel[l]|Announce[r]|Outle[t]|Settlemen[t]|PartitionLan[e]|LaneHol[d]",
          "(?-i:MissingRigh[t])",
          "tol[d]|(is|was)Tol[d]|hear[ds]", // sent, published, reported; received
          "ane[w]", // again
          "held agains[t]", // compared with
          "redriven[ ]letters?|(?<!to )the[ ]letters?", // dead letters
          "lette[r]_|AlarmTur[n]|turns[ ]of[ ]alarms"); // transitions

  /** Underscores are between the words of a test's name. */
  private static final Pattern PRIVATE =
      Pattern.compile(
          "(?i)(?<![a-z])("
              + String.join("|", WORDS)
              + ")(?![a-z])"
              // Within a name of several words.
              + "|(?-i:(?<=[a-z])((?<!ead|is)Letter[s]?(?![a-z])|Trut[h]|Belie[fv]|LetG[o]|LaneHol[d]|Ane[w](?=[A-Z]))"
              + "|(trut[h]|belie[fv]|letG[o])(?=[A-Z]))");

  private static final List<String> ROOTS =
      List.of("src", "docs", "helm", "proto", "README.md", "CHANGELOG.md", "CONTRIBUTING.md");

  private static final Pattern TEXTS =
      Pattern.compile(".*\\.(java|md|proto|ya?ml|json|py|js|go|sh|txt|properties|tpl|sql)");

  @Test
  void names_andProse_useTheFieldsWords() throws IOException {
    List<String> found = new ArrayList<>();
    int read = 0;
    for (String root : ROOTS) {
      try (Stream<Path> files = Files.walk(Path.of(root))) {
        for (Path file : files.filter(f -> TEXTS.matcher(f.toString()).matches()).toList()) {
          read++;
          lookAt(file, found);
        }
      }
    }
    assertThat(read).as("files").isGreaterThan(500);
    assertThat(found).as("private words").isEmpty();
  }

  private static void lookAt(Path file, List<String> found) throws IOException {
    int number = 0;
    for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
      number++;
      Matcher matcher = PRIVATE.matcher(line);
      while (matcher.find()) {
        found.add(file + ":" + number + ": " + matcher.group());
      }
    }
  }
}

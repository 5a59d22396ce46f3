package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The libraries are no older than docs/reference/advisories.md says that they have to be. */
class SupplyChainTest {
  /** A row: group and artifact, the oldest version allowed, the advisories. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([\\w.-]+):([\\w.-]+)` \\| ([\\w.-]+) \\| [^|]*(CVE|GHSA)-");

  private static final Pattern JAR = Pattern.compile("/([^/]+)/([^/]+)/\\1-\\2\\.jar!");

  @Test
  void noLibraryIsOlderThanItsAdvisoriesAllow() throws IOException {
    Map<String, String> present = versionsOnTheClassPath();
    Map<String, String> oldest = oldestAllowed();
    assertThat(oldest).hasSizeGreaterThan(5);
    oldest.forEach(
        (artifact, version) -> {
          assertThat(present).as("libraries found").containsKey(artifact);
          assertThat(Arrays.compare(numbers(present.get(artifact)), numbers(version)))
              .as("%s is %s, at least %s", artifact, present.get(artifact), version)
              .isNotNegative();
        });
  }

  @Test
  void theTableIsDated() throws IOException {
    assertThat(advisories()).containsPattern("As of 20\\d\\d-\\d\\d-\\d\\d");
  }

  @Test
  void theBaseImageIsNamedByDigest() throws IOException {
    Matcher rule =
        Pattern.compile(
                "<property>weir.image.base</property>\\s*<regex>(.+)</regex>", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("pom.xml")));
    assertThat(rule.find()).isTrue();
    assertThat("eclipse-temurin:25-jre").doesNotMatch(rule.group(1));
    assertThat("eclipse-temurin:25-jre@sha256:" + "0".repeat(64)).matches(rule.group(1));
  }

  @Test
  void versionsAreComparedByTheirNumbers() {
    assertThat(Arrays.compare(numbers("1.5.7-28"), numbers("1.5.7-9"))).isPositive();
    assertThat(Arrays.compare(numbers("1.5.7-14"), numbers("1.5.6-10"))).isPositive();
    assertThat(Arrays.compare(numbers("1.11"), numbers("1.11.2"))).isNegative();
  }

  private static Map<String, String> oldestAllowed() throws IOException {
    Map<String, String> oldest = new HashMap<>();
    for (MatchResult row : ROW.matcher(advisories()).results().toList()) {
      oldest.put(row.group(2), row.group(3));
    }
    return oldest;
  }

  private static String advisories() throws IOException {
    return Files.readString(Path.of("docs", "reference", "advisories.md"));
  }

  /** By the names of the jars: every jar has a manifest. */
  private static Map<String, String> versionsOnTheClassPath() throws IOException {
    Map<String, String> versions = new HashMap<>();
    for (URL url :
        Collections.list(
            SupplyChainTest.class.getClassLoader().getResources("META-INF/MANIFEST.MF"))) {
      Matcher jar = JAR.matcher(url.toString());
      if (jar.find()) {
        versions.put(jar.group(1), jar.group(2));
      }
    }
    return versions;
  }

  private static int[] numbers(String version) {
    return Arrays.stream(version.split("\\D+")).mapToInt(Integer::parseInt).toArray();
  }
}

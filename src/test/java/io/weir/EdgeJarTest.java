package io.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The jar with the classifier edge: whole, and nothing in it that no gateway needs. */
class EdgeJarTest {
  private static final Pattern INCLUDE =
      Pattern.compile("<include>(io/weir/(?:internal/)?[a-z0-9]+)/\\*\\*<");
  private static final List<String> LIBRARIES =
      List.of(
          "java..",
          "javax.crypto..",
          "javax.net.ssl..",
          "javax.security.auth.login..",
          "org.apache.kafka.clients..",
          "org.apache.kafka.common..",
          "com.google.protobuf..",
          "com.fasterxml.jackson.core..",
          "io.micrometer.core..",
          "org.slf4j..");

  @Test
  void itsClasses_needNothingOfWeirThatIsNotInIt() throws IOException {
    List<String> packages = packages();
    assertThat(packages).contains("io.weir.edge..", "io.weir.v1..");
    JavaClasses weir =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.weir");
    String[] allowed = Stream.concat(packages.stream(), LIBRARIES.stream()).toArray(String[]::new);
    classes()
        .that()
        .resideInAnyPackage(packages.toArray(String[]::new))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .check(weir);
    assertThat(packages)
        .allSatisfy(
            name -> assertThat(name).doesNotMatch(".*(app|cli|hot|ops|topology|store|window).*"));
  }

  private static List<String> packages() throws IOException {
    return INCLUDE
        .matcher(Files.readString(Path.of("pom.xml")))
        .results()
        .map(include -> include.group(1).replace('/', '.') + "..")
        .toList();
  }
}

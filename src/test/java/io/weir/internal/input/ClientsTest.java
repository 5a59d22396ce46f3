package io.weir.internal.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Await;
import io.weir.internal.yaml.YamlException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientsTest {
  @TempDir private Path dir;

  @Test
  void withoutAFile_everyClientIsLocal() {
    Clients clients = Clients.open(Optional.empty(), Set.of("influx"), Set.of());

    assertThat(clients.find(Optional.empty())).contains(Client.LOCAL);
    assertThat(clients.find(Optional.of("anything"))).contains(Client.LOCAL);
  }

  @Test
  void withAFile_theTokenDecides() throws Exception {
    Clients clients = open("clients:\n" + entry("a", "secret") + "    inputs: [influx]\n");

    Client found = clients.find(Optional.of("secret")).orElseThrow();
    assertThat(found.name()).isEqualTo("a");
    assertThat(found.mayUse("influx")).isTrue();
    assertThat(found.mayUse("otlp")).isFalse();
    assertThat(clients.find(Optional.of("Secret"))).isEmpty();
    assertThat(clients.find(Optional.empty())).isEmpty();
  }

  @Test
  void changedFile_isReadAgain_andABrokenOneChangesNothing() throws Exception {
    Clients clients = open("clients:\n" + entry("a", "old"));
    Path file = dir.resolve("clients.yaml");
    Files.writeString(file, "clients:\n" + entry("a", "new") + entry("b", "other"));
    Await.until(() -> clients.find(Optional.of("new")).isPresent());
    assertThat(clients.find(Optional.of("old"))).isEmpty();

    Files.writeString(file, "clients: [");
    Files.writeString(dir.resolve("clients.yaml"), "clients: nothing at all");
    assertThat(clients.find(Optional.of("new"))).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "'clients: [{name: a}]', token-sha256: the field is missing",
    "'clients: [{name: a, token-sha256: 12}]', expected: 64 hexadecimal digits",
    "'clients: [{name: a, key: x}]', unknown field"
  })
  void wrongFile_isRefusedWithItsPlace(String yaml, String message) {
    assertThatThrownBy(() -> open(yaml))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("line 1")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "plant/*, plant/line-7, true",
    "plant/*, other, false",
    "*, '', true",
    "a*b*c, aXbYc, true",
    "a*b*c, aXcYb, false",
    "aa*aa, aaa, false",
    "exact, exact, true",
    "exact, exactly, false",
    "*/temp, line/temp, true"
  })
  void patterns_haveAsterisks(String pattern, String id, boolean matches) {
    assertThat(Client.matches(pattern, id)).isEqualTo(matches);
  }

  private Clients open(String yaml) throws Exception {
    Path file = dir.resolve("clients.yaml");
    Files.writeString(file, yaml);
    return Clients.open(Optional.of(file), Set.of("influx", "otlp"), Set.of("field"));
  }

  private static String entry(String name, String token) {
    return "  - name: " + name + "\n    token-sha256: " + Clients.hash(token) + "\n";
  }
}

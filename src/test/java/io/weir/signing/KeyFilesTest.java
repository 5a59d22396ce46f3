package io.weir.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyFilesTest {
  private static final String SECRET = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=";

  @TempDir Path directory;

  @Test
  void masters_holdFromTheirTimeUntilTheirTime_andTheLastWrittenSigns() throws IOException {
    MasterKeys masters =
        MasterKeys.read(
            file(
                "# rotation",
                "2026.secret=" + SECRET,
                "2026.until=2027-02-01T00:00:00Z",
                "",
                "2027.secret = " + MasterKey.newSecret(),
                "2027.from=2027-01-01T00:00:00Z"));

    assertThat(masters.ids()).containsExactly("2026", "2027");
    assertThat(masters.current(ms("2026-12-31T23:59:59Z")).orElseThrow().id()).isEqualTo("2026");
    assertThat(masters.current(ms("2027-01-01T00:00:00Z")).orElseThrow().id()).isEqualTo("2027");
    assertThat(masters.get("2026").holdsAt(ms("2027-01-31T23:59:59Z"))).isTrue();
    assertThat(masters.get("2026").holdsAt(ms("2027-02-01T00:00:00Z"))).isFalse();
  }

  /** Each error names its line, and no message shows what may be a secret. */
  @ParameterizedTest
  @CsvSource({
    "2026.secret, line 1: expected: name=value",
    "secret=QUJDREVGR0hJSktM, line 1: the name before = is not allowed here",
    "QUJDREVGR0hJSktM=, line 1: the name before = is not allowed here",
    "2026.secret=QUJDREVG R0hJSktM, line 1: 2026.secret: not base64",
    "2026.secret=QUJDREVGR0hJSktM, line 1: 2026.secret: a secret of 12 bytes; expected: 32 or",
    "2026.secret=, 2026.secret is missing",
    "2026.from=2027-01-01T00:00:00Z, 2026.secret is missing",
    "2026.from=tomorrow, line 1: 2026.from: 'tomorrow' is not a time",
    "# nothing, no master key; create one with weir key new",
  })
  void wrongLine_isNamed_andNoSecretShown(String line, String message) throws IOException {
    Path masters = file(line);

    assertThatThrownBy(() -> MasterKeys.read(masters))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(masters.toString())
        .hasMessageContaining(message)
        .hasMessageNotContaining("QUJD");
  }

  @Test
  void twice_orUntilBeforeFrom_isRefused() throws IOException {
    Path twice = file("a.secret=" + SECRET, "a.secret=" + SECRET);
    assertThatThrownBy(() -> MasterKeys.read(twice))
        .hasMessage(twice + " line 2: a.secret is set twice");
    Path backwards =
        file("a.secret=" + SECRET, "a.from=2027-01-01T00:00:00Z", "a.until=2026-01-01T00:00:00Z");
    assertThatThrownBy(() -> MasterKeys.read(backwards))
        .hasMessage(backwards + " line 3: a.until: not later than a.from");
  }

  @Test
  void gatewaysFile_isReadAsItWasPrinted_andTellsNoKey() throws IOException {
    GatewayKey key = MasterKeys.read(file("m.secret=" + SECRET)).get("m").gatewayKey("line-7", 3);
    List<String> lines = key.fileLines();
    GatewayKey read = GatewayKey.read(file(lines.toArray(String[]::new)));

    assertThat(read.id()).isEqualTo("m.3");
    assertThat(read.gatewayId()).contains("line-7");
    assertThat(read.bytes()).isEqualTo(key.bytes());
    assertThat(read).hasToString("GatewayKey[m.3 of line-7]");
    Path notWhole = file("key.id=m.0", "gateway.id=line-7", "key=AAAA");
    assertThatThrownBy(() -> GatewayKey.read(notWhole))
        .hasMessageContaining("line 1: key.id: 'm.0'");
    Path shortKey = file("key.id=m.1", "gateway.id=line-7", "key=AAAA");
    assertThatThrownBy(() -> GatewayKey.read(shortKey))
        .hasMessage(shortKey + " line 3: key: a key of 3 bytes; expected: 32");
  }

  private Path file(String... lines) throws IOException {
    return Files.write(Files.createTempFile(directory, "keys", ".properties"), List.of(lines));
  }

  private static long ms(String time) {
    return Instant.parse(time).toEpochMilli();
  }
}

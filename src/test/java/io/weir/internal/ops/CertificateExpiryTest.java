package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.ops.ProcessPages.CertificateExpiry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateExpiryTest {
  private static final String PASSWORD = "of-the-store-1";

  @TempDir private Path dir;

  @Test
  void ownCertificate_countsWithItsFirstEnd_trustedOnesWithTheirLast() throws Exception {
    Path key = dir.resolve("key.p12");
    generate(key, "own", 3);
    generate(key, "other", 9);
    Path trust = dir.resolve("trust.p12");
    generate(trust, "old", 1);
    generate(trust, "new", 30);

    Map<String, Instant> expiries = CertificateExpiry.of(settings("SASL_SSL", key, trust));

    assertThat(expiries).containsOnlyKeys("kafka-key", "kafka-trust");
    assertThat(days(expiries.get("kafka-key"))).isEqualTo(3);
    assertThat(days(expiries.get("kafka-trust"))).isEqualTo(30);
  }

  @Test
  void withoutTls_orWithAStoreThatCannotBeRead_thereIsNone() {
    Path none = dir.resolve("none.p12");

    assertThat(CertificateExpiry.of(settings("SASL_PLAINTEXT", none, none))).isEmpty();
    assertThat(CertificateExpiry.of(settings("SSL", none, none))).isEmpty();
    assertThat(CertificateExpiry.of(Map.of())).isEmpty();
  }

  private static Map<String, Object> settings(String protocol, Path key, Path trust) {
    return Map.of(
        "security.protocol",
        protocol,
        "ssl.keystore.location",
        key.toString(),
        "ssl.keystore.password",
        PASSWORD,
        "ssl.keystore.type",
        "PKCS12",
        "ssl.truststore.location",
        trust.toString(),
        "ssl.truststore.password",
        PASSWORD,
        "ssl.truststore.type",
        "PKCS12");
  }

  private static long days(Instant end) {
    return Math.round(Duration.between(Instant.now(), end).toHours() / 24.0);
  }

  private static void generate(Path store, String alias, int days)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(
        List.of(
            "-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", "CN=" + alias, "-validity"));
    command.addAll(List.of(String.valueOf(days), "-storetype", "PKCS12", "-keystore"));
    command.addAll(List.of(store.toString(), "-storepass", PASSWORD));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}

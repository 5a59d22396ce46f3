package io.weir.lab.chaos;

import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of a run that is signed; none of one that is not. Safe for many threads. */
final class ChaosKeys {
  private static final String MASTER = "chaos";

  private final boolean signed;
  private final Path dir;
  private final byte[] secret;

  ChaosKeys(ChaosSettings settings, Path dir) {
    this.signed = settings.isSigned();
    this.dir = dir;
    this.secret =
        Arrays.copyOf(("of seed " + settings.seed()).getBytes(StandardCharsets.US_ASCII), 32);
  }

  /** The key of a gateway. */
  Optional<GatewayKey> of(String gatewayId) {
    return signed
        ? Optional.of(new MasterKey(MASTER, secret, 0, Long.MAX_VALUE).gatewayKey(gatewayId, 1))
        : Optional.empty();
  }

  /** The variable of a process that signs as a gateway. */
  Map<String, String> gateway(String gatewayId) {
    return of(gatewayId)
        .map(key -> Map.of("WEIR_SIGNING_KEY_FILE", file(gatewayId + ".key", key.fileLines())))
        .orElse(Map.of());
  }

  /** The variables of a process of Weir that signs. */
  Map<String, String> masters() {
    return signed
        ? Map.of(
            "WEIR_SIGNING_KEYS_FILE",
            file(
                "masters",
                List.of(MASTER + ".secret=" + Base64.getEncoder().encodeToString(secret))))
        : Map.of();
  }

  /** The variables of one that refuses what is not signed. */
  Map<String, String> required() {
    return signed
        ? Map.of(
            "WEIR_SIGNING",
            "require",
            "WEIR_SIGNING_KEYS_FILE",
            masters().values().iterator().next())
        : Map.of();
  }

  /** Written whole: several processes may begin at once. */
  private String file(String name, List<String> lines) {
    try {
      Path file = dir.resolve(name.replace('/', '-'));
      if (!Files.exists(file)) {
        Files.write(file, lines);
      }
      return file.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

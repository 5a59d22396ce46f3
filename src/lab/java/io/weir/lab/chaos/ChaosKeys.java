package io.weir.lab.chaos;

import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of a run that is signed; none of one that is not. Safe for many threads. */
final class ChaosKeys {
  private static final String MASTER = "chaos";
  private static final String KEYS_FILE = "WEIR_SIGNING_KEYS_FILE";

  private final boolean signed;
  private final boolean readings;
  private final Path dir;
  private final byte[] secret;

  ChaosKeys(ChaosSettings settings, Path dir) {
    this.signed = settings.isSigned();
    this.readings = settings.hasSignedReadings();
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
            KEYS_FILE,
            file(
                "masters",
                List.of(MASTER + ".secret=" + Base64.getEncoder().encodeToString(secret))))
        : Map.of();
  }

  /** The same of one that sends readings, where those are signed. */
  Map<String, String> mastersOfReadings() {
    return readings ? masters() : Map.of();
  }

  /** The variables of {@code weir run}: its alarms are events. */
  Map<String, String> requiredOfReadings() {
    return readings ? required() : masters();
  }

  /** The variables of one that refuses what is not signed. */
  Map<String, String> required() {
    Map<String, String> variables = new HashMap<>(masters());
    if (signed) {
      variables.put("WEIR_SIGNING", "require");
    }
    return variables;
  }

  /** The key of a gateway that a process derives from what it was given as masters. */
  static Optional<GatewayKey> derived(Map<String, String> environment, String gatewayId) {
    String file = environment.get(KEYS_FILE);
    if (file == null) {
      return Optional.empty();
    }
    try {
      return MasterKeys.read(Path.of(file))
          .find(MASTER)
          .map((MasterKey master) -> master.gatewayKey(gatewayId, 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Written once: processes that begin later find it. */
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

package io.weir.internal.serve;

import io.weir.internal.time.MonotonicClock;
import io.weir.internal.yaml.YamlException;
import io.weir.internal.yaml.YamlFile;
import io.weir.internal.yaml.YamlMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients that may read, each with the SHA-256 of its token. The file is looked at again every
 * two seconds when somebody asks; one that is wrong leaves the version before. Safe for many
 * threads.
 *
 * <pre>
 * clients:
 *   - name: control-room
 *     token-sha256: 5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8
 * </pre>
 */
final class ClientsFile {
  private static final Logger LOG = LoggerFactory.getLogger(ClientsFile.class);
  private static final long EVERY_MS = 2_000;

  private final Path file;
  private Map<String, String> namesBySha256;
  private byte[] seen;
  private long lookedAt = MonotonicClock.millis();

  /**
   * @throws YamlException with one line that names the file, the place and what is wrong
   */
  ClientsFile(Path file) {
    this.file = file;
    this.namesBySha256 = read(file);
    this.seen = content();
  }

  private static Map<String, String> read(Path file) {
    YamlMap root = YamlFile.read(file, "client", "name").root();
    root.allow("clients");
    Map<String, String> clients = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (YamlMap entry : root.maps("clients")) {
      entry.allow("name", "token-sha256");
      String name = entry.text("name", "the client's name");
      String sha256 = entry.text("token-sha256", "64 hexadecimal digits");
      if (!sha256.matches("[0-9a-f]{64}")) {
        throw entry.wrong("token-sha256", "expected: 64 digits 0-9 a-f, as sha256sum prints them");
      }
      if (!names.add(name) || clients.put(sha256, name) != null) {
        throw entry.wrong("name", "name or token is there twice; expected: one of each");
      }
    }
    return clients;
  }

  /** Names of clients by the SHA-256 of their tokens, in hexadecimal digits. */
  synchronized Map<String, String> namesBySha256() {
    if (MonotonicClock.millis() - lookedAt >= EVERY_MS) {
      lookedAt = MonotonicClock.millis();
      byte[] now = content();
      if (!Arrays.equals(now, seen)) {
        seen = now;
        try {
          namesBySha256 = read(file);
          LOG.info("{}: read again, {} clients", file, namesBySha256.size());
        } catch (YamlException e) {
          LOG.error("{}; the version read before holds on", e.getMessage());
        }
      }
    }
    return namesBySha256;
  }

  private byte[] content() {
    try {
      return Files.size(file) > YamlFile.MAX_BYTES ? new byte[0] : Files.readAllBytes(file);
    } catch (IOException e) {
      return new byte[0];
    }
  }
}

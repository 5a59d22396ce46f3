package io.weir.dev;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** The broker's directory: formatted once, then left to the broker. */
final class BrokerStorage {
  private static final String FORMATTED = "meta.properties";

  private BrokerStorage() {}

  /**
   * Formats the directory unless a broker has lived there.
   *
   * @throws IOException if the directory holds something else, or cannot be written
   */
  static void formatIfNew(Path dataDir, Properties properties) throws IOException {
    if (Files.exists(dataDir.resolve(FORMATTED))) {
      return;
    }
    try (Stream<Path> entries = Files.list(dataDir)) {
      if (entries.findAny().isPresent()) {
        throw new IOException(dataDir + " is neither empty nor the directory of a broker");
      }
    }
    format(properties);
  }

  private static void format(Properties properties) throws IOException {
    Path config = Files.createTempFile("weir-kafka-", ".properties");
    try {
      try (OutputStream out = Files.newOutputStream(config)) {
        properties.store(out, null);
      }
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      int exitCode =
          StorageTool.execute(
              new String[] {
                "format",
                "--config",
                config.toString(),
                "--cluster-id",
                Uuid.randomUuid().toString()
              },
              new PrintStream(said, true, StandardCharsets.UTF_8));
      if (exitCode != 0) {
        throw new IOException(
            properties.get("log.dirs")
                + " could not be formatted: "
                + said.toString(StandardCharsets.UTF_8).strip());
      }
    } finally {
      Files.deleteIfExists(config);
    }
  }
}

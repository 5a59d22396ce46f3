package io.weir.lab.bench;

import io.weir.signing.BatchSigner;
import io.weir.signing.MasterKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The key of signed loads, known to all processes of a bench; it protects nothing. */
final class BenchKeys {
  private static final String ID = "bench";
  private static final byte[] SECRET =
      "32 bytes, which protect nothing.".getBytes(StandardCharsets.US_ASCII);

  private BenchKeys() {}

  /** Signs as the gateway of all loads. */
  static BatchSigner signer(String topic) {
    MasterKey master = new MasterKey(ID, SECRET, Long.MIN_VALUE, Long.MAX_VALUE);
    return BatchSigner.of(topic, master.gatewayKey(LoadBatches.GATEWAY, 1));
  }

  /** Writes the file of masters into a directory; returns it. */
  static Path writeTo(Path directory) {
    try {
      return Files.writeString(
          directory.resolve("masters"),
          ID + ".secret=" + Base64.getEncoder().encodeToString(SECRET) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.weir.examples;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The outbox of a gateway in src/examples: files of batches, as its comment says. */
record OutboxFiles(Path directory) {
  private static final int HEADER_BYTES = 20;
  private static final int LENGTH_AT = 12;

  /** What names a batch of a gateway. */
  record Name(long bootId, int partition, long sequence) {
    static Name of(int partition, byte[] value) {
      ReadingBatch batch = parse(value);
      return new Name(batch.getBootId(), partition, batch.getSequence());
    }

    boolean isBefore(Name other) {
      return bootId < other.bootId || bootId == other.bootId && sequence < other.sequence;
    }
  }

  /**
   * The batches of all whole files, their values as {@link #text}.
   *
   * @throws AssertionError where two of one name differ
   */
  Map<Name, String> batches() throws IOException {
    Map<Name, String> batches = new HashMap<>();
    for (String name : names()) {
      if (name.matches("\\d+-\\d+")) {
        addBatches(contentOf(name), batches);
      }
    }
    return batches;
  }

  int readings() throws IOException {
    int readings = 0;
    for (String value : batches().values()) {
      readings += parse(HexFormat.of().parseHex(value)).getReadingsCount();
    }
    return readings;
  }

  List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (UncheckedIOException | NoSuchFileException e) {
      return List.of();
    }
  }

  static String text(byte[] value) {
    return HexFormat.of().formatHex(value);
  }

  private ByteBuffer contentOf(String name) throws IOException {
    try {
      return ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)));
    } catch (NoSuchFileException acknowledged) {
      return ByteBuffer.allocate(0);
    }
  }

  private static void addBatches(ByteBuffer content, Map<Name, String> batches) {
    while (content.hasRemaining()) {
      int partition = content.getInt(content.position());
      byte[] value = new byte[content.getInt(content.position() + LENGTH_AT)];
      content.position(content.position() + HEADER_BYTES);
      content.get(value);
      String before = batches.put(Name.of(partition, value), text(value));
      if (before != null && !before.equals(text(value))) {
        throw new AssertionError("a sequence names two contents: " + Name.of(partition, value));
      }
    }
  }

  private static ReadingBatch parse(byte[] value) {
    try {
      return ReadingBatch.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}

package io.weir.edge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One file of a journal, and the last batch of each partition in it. For one thread. */
final class JournalSegment {
  private static final Pattern NAME = Pattern.compile("(\\d{20})\\.log");

  private final long number;
  private final Path path;
  private final JournalMarks last = new JournalMarks();
  private FileChannel channel;
  private long bytes;

  private JournalSegment(Path directory, long number) {
    this.number = number;
    this.path = directory.resolve(String.format(Locale.ROOT, "%020d.log", number));
  }

  /** An existing segment, read-only. */
  static JournalSegment existing(Path directory, long number) throws IOException {
    JournalSegment segment = new JournalSegment(directory, number);
    segment.bytes = Files.size(segment.path);
    return segment;
  }

  /** A new segment for writing. */
  static JournalSegment create(Path directory, long number) throws IOException {
    JournalSegment segment = new JournalSegment(directory, number);
    segment.channel =
        FileChannel.open(segment.path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return segment;
  }

  /** The number in a file's name; empty if the file is not a segment. */
  static OptionalLong numberOf(Path file) {
    Matcher name = NAME.matcher(file.getFileName().toString());
    return name.matches() ? OptionalLong.of(Long.parseLong(name.group(1))) : OptionalLong.empty();
  }

  long number() {
    return number;
  }

  Path path() {
    return path;
  }

  long bytes() {
    return bytes;
  }

  /** The last batch of each partition. */
  JournalMarks last() {
    return last;
  }

  /** Appends a record and returns its offset. It is durable after a sync. */
  long append(ByteBuffer record) throws IOException {
    long offset = bytes;
    while (record.hasRemaining()) {
      channel.write(record, offset + record.position());
    }
    bytes += record.limit();
    return offset;
  }

  void sync() throws IOException {
    channel.force(false);
  }

  /** Ends writing. */
  void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  void delete() throws IOException {
    close();
    Files.deleteIfExists(path);
  }
}

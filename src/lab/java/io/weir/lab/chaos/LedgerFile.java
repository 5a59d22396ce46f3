package io.weir.lab.chaos;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * A file of ledger entries, each with its length and a checksum in front. An entry that breaks off
 * at the end was being written when its gateway was killed: it is cut off when the file is opened
 * again. Safe for many threads.
 */
final class LedgerFile implements AutoCloseable {
  private static final int HEAD = 2 * Integer.BYTES;

  private final FileChannel channel;

  private LedgerFile(FileChannel channel) {
    this.channel = channel;
  }

  /** Opens it for writing at its end, behind the last whole entry. */
  static LedgerFile open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    long end = Files.exists(file) ? read(file, entry -> {}) : 0;
    channel.truncate(end);
    channel.position(end);
    return new LedgerFile(channel);
  }

  /** Writes entries, and returns when they are on disk. */
  synchronized void force(List<? extends LedgerEntry> entries) throws IOException {
    write(entries);
    channel.force(false);
  }

  /** Writes an entry that the disk may get later: the process may be killed, not the machine. */
  synchronized void write(LedgerEntry entry) throws IOException {
    write(List.of(entry));
  }

  private void write(List<? extends LedgerEntry> entries) throws IOException {
    List<byte[]> all = entries.stream().map(LedgerEntry::toBytes).toList();
    ByteBuffer out = ByteBuffer.allocate(all.stream().mapToInt(bytes -> HEAD + bytes.length).sum());
    for (byte[] bytes : all) {
      out.putInt(bytes.length).putInt(checksum(bytes)).put(bytes);
    }
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  /**
   * Reads all whole entries.
   *
   * @return where they end
   */
  static long read(Path file, Consumer<LedgerEntry> reader) throws IOException {
    long end = 0;
    try (InputStream raw = Files.newInputStream(file);
        DataInputStream in = new DataInputStream(new BufferedInputStream(raw, 1 << 16))) {
      long size = Files.size(file);
      while (end + HEAD <= size) {
        int length = in.readInt();
        int checksum = in.readInt();
        if (length < 0 || end + HEAD + length > size) {
          return end;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || checksum(bytes) != checksum) {
          return end;
        }
        reader.accept(LedgerEntry.ofBytes(bytes));
        end += HEAD + length;
      }
    } catch (EOFException e) {
      return end;
    }
    return end;
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}

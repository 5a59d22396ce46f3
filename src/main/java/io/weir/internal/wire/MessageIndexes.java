package io.weir.internal.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;

/**
 * The message of a file that a frame contains: its index among the file's messages; for a nested
 * message, first the index of the outermost message, then the index among its nested messages, and
 * so on.
 *
 * <p>Encoded as the number of indexes and each index, as zigzag varints. {@code [0]}, the first
 * message of a file, is a single 0 byte; its long form is accepted too.
 *
 * @param path from the file inwards; not empty, none negative
 */
public record MessageIndexes(List<Integer> path) {
  /** The maximum nesting that protoc accepts. */
  public static final int MOST = 32;

  /** The first message of a file. */
  public static final MessageIndexes FIRST = new MessageIndexes(List.of(0));

  /**
   * @throws IllegalArgumentException if the path is empty, or too long, or an index is negative
   */
  public MessageIndexes {
    path = List.copyOf(path);
    if (path.isEmpty() || path.size() > MOST || path.stream().anyMatch(index -> index < 0)) {
      throw new IllegalArgumentException("invalid message indexes: " + path);
    }
  }

  /** Where a message is in its file. */
  public static MessageIndexes of(Descriptor message) {
    LinkedList<Integer> path = new LinkedList<>();
    for (Descriptor m = message; m != null; m = m.getContainingType()) {
      path.addFirst(indexOf(m));
    }
    return new MessageIndexes(path);
  }

  private static int indexOf(Descriptor message) {
    if (message.getContainingType() == null) {
      return message.getIndex();
    }
    return declared(message.getContainingType().getNestedTypes()).indexOf(message);
  }

  /** Without the entries of map fields, which indexes do not count. */
  public static List<Descriptor> declared(List<Descriptor> messages) {
    return messages.stream().filter(message -> !message.getOptions().getMapEntry()).toList();
  }

  /** The bytes in a frame. */
  public byte[] toBytes() {
    if (equals(FIRST)) {
      return new byte[] {0};
    }
    byte[] buffer = new byte[(1 + path.size()) * 5];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    try {
      out.writeSInt32NoTag(path.size());
      for (int index : path) {
        out.writeSInt32NoTag(index);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the largest size did not fit", e);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /**
   * Reads them, in either form, and nothing beyond them.
   *
   * @throws IOException if they are truncated
   * @throws UndecodableException if there are more than can be, or one is negative
   */
  static MessageIndexes read(CodedInputStream in) throws IOException, UndecodableException {
    int count = in.readSInt32();
    if (count == 0) {
      return FIRST;
    }
    if (count < 0 || count > MOST) {
      throw UndecodableException.malformed(
          "frame with " + count + " message indexes, expected: up to " + MOST);
    }
    Integer[] path = new Integer[count];
    for (int i = 0; i < count; i++) {
      path[i] = in.readSInt32();
      if (path[i] < 0) {
        throw UndecodableException.malformed("frame with the message index " + path[i]);
      }
    }
    return new MessageIndexes(List.of(path));
  }
}

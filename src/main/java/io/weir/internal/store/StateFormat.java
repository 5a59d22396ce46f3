package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;

/**
 * The format of all that is kept of a partition: the first number of its entries. It is raised with
 * every change of what an entry holds, so that a state is read as it was meant or not at all.
 */
final class StateFormat {
  /** Smaller numbers were in builds before the first release, where entries held other things. */
  static final int NUMBER = 10;

  private StateFormat() {}

  static void write(CodedOutputStream out) throws IOException {
    out.writeUInt32NoTag(NUMBER);
  }

  /** An entry behind its format. */
  static CodedInputStream read(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    require(in.readUInt32());
    return in;
  }

  /**
   * Refuses an entry of another format.
   *
   * @throws StateMismatchException if it is of another format
   */
  static void require(int format) {
    if (format != NUMBER) {
      throw new StateMismatchException(
          "the state is of format %d, and this version reads format %d: use the version that wrote"
                  .formatted(format, NUMBER)
              + " it, or start under another application id, which reads the topic from its"
              + " beginning (docs/operate/runbook.md, Reset)");
    }
  }
}

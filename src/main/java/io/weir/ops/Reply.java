package io.weir.ops;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** An answer to a {@link PageRequest}. */
public sealed interface Reply {
  /** The status as HTTP has it. */
  int status();

  /** The media type, with its charset where it is text. */
  String contentType();

  /** Other headers. */
  Map<String, String> headers();

  /** An answer that is there as a whole. */
  record Text(int status, String contentType, String text, Map<String, String> headers)
      implements Reply {
    public Text {
      headers = Map.copyOf(headers);
    }

    /** Without other headers. */
    public Text(int status, String contentType, String text) {
      this(status, contentType, text, Map.of());
    }
  }

  /**
   * An answer of bytes that is there as a whole.
   *
   * @param body is not copied; nobody may change it
   */
  record Bytes(int status, String contentType, byte[] body, Map<String, String> headers)
      implements Reply {
    public Bytes {
      headers = Map.copyOf(headers);
    }
  }

  /**
   * An answer with status 200 that is written as it comes about, for as long as it takes.
   *
   * @param writer writes it, in a thread of its own
   */
  record Stream(String contentType, Map<String, String> headers, Writer writer) implements Reply {
    public Stream {
      headers = Map.copyOf(headers);
    }

    @Override
    public int status() {
      return 200;
    }
  }

  /** Writes a {@link Stream}. */
  @FunctionalInterface
  interface Writer {
    /**
     * Writes and returns at the end of the stream. Its thread is interrupted when the endpoint is
     * closed.
     *
     * @param out reaches the client with each flush; a write fails once the client has gone, or has
     *     not read for a while: whoever waits for something to write now and then writes a line
     *     without meaning, to find out
     * @throws IOException if a write failed
     * @throws InterruptedException if it was interrupted
     */
    void write(OutputStream out) throws IOException, InterruptedException;

    /** Is called once, after the last write or where nothing is written at all. */
    default void ended() {}
  }
}

package io.weir.internal.ops;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** An answer to a {@link PageRequest}. */
public sealed interface Reply {
  /** The HTTP status. */
  int status();

  /** The media type, with the charset of text. */
  String contentType();

  /** Other headers. */
  Map<String, String> headers();

  /** A complete answer. */
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
   * @param writer writes it, on its own thread
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
     * @param out each flush reaches the client; a write fails after the client disconnected or
     *     stopped reading, so a writer without data should write an empty line periodically
     * @throws IOException if a write failed
     * @throws InterruptedException if it was interrupted
     */
    void write(OutputStream out) throws IOException, InterruptedException;

    /** Is called once, after the last write or where nothing is written at all. */
    default void ended() {}
  }
}

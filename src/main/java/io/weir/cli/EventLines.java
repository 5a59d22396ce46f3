package io.weir.cli;

import io.weir.internal.event.EventRefusal;
import io.weir.internal.text.EventText;
import io.weir.internal.text.EventTextException;
import io.weir.internal.text.RejectsWriter;
import io.weir.internal.wire.EventRules;
import io.weir.v1.Event;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * Reads files of events, one JSON object a line. Invalid lines and events go to the file of
 * rejects. One thread.
 */
final class EventLines implements AutoCloseable {
  /** Longer lines are rejected and truncated. */
  private static final int MAX_LINE_BYTES = 1 << 20;

  private static final String TOO_LONG = "LINE_TOO_LONG";
  private static final int MAX_TEXT_BYTES = 256;

  private final RejectsWriter rejects;
  private final Consumer<String> first;

  /** Reasons that were printed. */
  private final Set<String> reasons = new HashSet<>();

  private long lineNo;
  private long rejected;

  private EventLines(RejectsWriter rejects, Consumer<String> first) {
    this.rejects = rejects;
    this.first = first;
  }

  /**
   * Overwrites the file of rejects, if one is given.
   *
   * @param first receives the first line that is rejected for each reason
   */
  static EventLines open(Optional<Path> rejects, Consumer<String> first) throws IOException {
    return new EventLines(rejects.isPresent() ? RejectsWriter.open(rejects.get()) : null, first);
  }

  /** Reads a file, or - for standard input; .gz is decompressed. */
  void read(Path file, Consumer<Event> to) throws IOException {
    boolean standard = file.toString().equals("-");
    try (InputStream raw = standard ? System.in : Files.newInputStream(file);
        InputStream in =
            new BufferedInputStream(
                file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      boolean first = true;
      for (int b = in.read(); b >= 0 || line.size() > 0; b = in.read()) {
        if (b >= 0 && b != '\n') {
          if (line.size() <= MAX_LINE_BYTES) {
            line.write(b);
          }
          continue;
        }
        parse(withoutEnds(line.toByteArray(), first), to);
        first = false;
        line.reset();
        if (b < 0) {
          return;
        }
      }
    }
  }

  /** Strips a byte order mark and the CR of a line end. */
  private static byte[] withoutEnds(byte[] line, boolean first) {
    boolean mark =
        first
            && line.length >= 3
            && line[0] == (byte) 0xef
            && line[1] == (byte) 0xbb
            && line[2] == (byte) 0xbf;
    int end = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
    return Arrays.copyOfRange(line, mark ? 3 : 0, end);
  }

  private void parse(byte[] line, Consumer<Event> to) throws IOException {
    lineNo++;
    if (line.length == 0) {
      return;
    }
    if (line.length > MAX_LINE_BYTES) {
      reject(TOO_LONG, "more than " + MAX_LINE_BYTES + " bytes", line);
      return;
    }
    Event event;
    try {
      event = EventText.parse(line);
    } catch (EventTextException e) {
      reject(e.reason().name(), e.getMessage(), line);
      return;
    }
    Optional<EventRefusal> refusal = EventRules.refusal(event, MAX_TEXT_BYTES);
    if (refusal.isPresent()) {
      reject(refusal.get().name(), refusal.get().meaning(), line);
    } else {
      to.accept(event);
    }
  }

  private void reject(String reason, String what, byte[] line) throws IOException {
    rejected++;
    if (reasons.add(reason)) {
      first.accept("line " + lineNo + ": " + reason + ": " + what);
    }
    if (rejects != null) {
      rejects.write(lineNo, reason, line);
    }
  }

  /** Lines that were rejected. */
  long rejected() {
    return rejected;
  }

  @Override
  public void close() throws IOException {
    if (rejects != null) {
      rejects.close();
    }
  }
}

package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.json.ReadableTimes;
import io.weir.internal.json.RecordJson;
import io.weir.internal.json.TopicMessages;
import io.weir.internal.text.SummaryRow;
import io.weir.internal.text.WindowColumn;
import io.weir.internal.text.WindowCsvWriter;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The output format of records. */
sealed interface TailForm {
  /** Prints the header. */
  void begin();

  void print(ConsumerRecord<byte[], byte[]> record);

  /** The number of records that could not be printed, as a line; empty if none. */
  Optional<String> undecoded();

  /**
   * One line of JSON for each record.
   *
   * @param eventTopics names of the topics with batches of events
   */
  record Json(
      Topic topic,
      Set<String> eventTopics,
      Optional<ReadableTimes> times,
      boolean derived,
      Results out)
      implements TailForm {
    @Override
    public void begin() {}

    @Override
    public void print(ConsumerRecord<byte[], byte[]> record) {
      Topic content = TopicMessages.content(topic, record, eventTopics);
      out.line(RecordJson.line(topic, content, record, times, derived));
    }

    @Override
    public Optional<String> undecoded() {
      return Optional.empty(); // They are printed in base64.
    }
  }

  /** Windows as {@code weir replay} writes them, and {@code weir plot} reads them. */
  final class Csv implements TailForm {
    private final Optional<ReadableTimes> times;
    private final Results out;
    private long undecoded;

    Csv(Optional<ReadableTimes> times, Results out) {
      this.times = times;
      this.out = out;
    }

    @Override
    public void begin() {
      List<String> readable = times.isPresent() ? List.of("window_start", "window_end") : List.of();
      line(
          stream -> WindowCsvWriter.writeHeader(stream, List.of(WindowColumn.BAD_COUNT), readable));
    }

    @Override
    public void print(ConsumerRecord<byte[], byte[]> record) {
      Optional<WindowSummary> summary =
          TopicMessages.read(Topic.WINDOWS, record.value()).map(WindowSummary.class::cast);
      if (summary.isEmpty()) {
        undecoded++;
        return;
      }
      SummaryRow window = SummaryRow.of(summary.get());
      List<String> readable = new ArrayList<>();
      times.ifPresent(
          zone -> {
            readable.add(zone.text(window.startMs()));
            readable.add(zone.text(window.endMs()));
          });
      line(
          stream ->
              WindowCsvWriter.write(stream, window, List.of(WindowColumn.BAD_COUNT), readable));
    }

    @FunctionalInterface
    private interface Writing {
      void to(OutputStream stream) throws IOException;
    }

    private void line(Writing writing) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      try {
        writing.to(line);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      String text = line.toString(StandardCharsets.UTF_8);
      out.line(text.substring(0, text.length() - 1)); // A line ends it, whatever is in the id.
    }

    @Override
    public Optional<String> undecoded() {
      if (undecoded == 0) {
        return Optional.empty();
      }
      String text =
          undecoded == 1
              ? "1 record is not a window: print it without --csv"
              : "%,d records are not windows: print them without --csv";
      return Optional.of(String.format(Locale.ROOT, text, undecoded));
    }
  }
}

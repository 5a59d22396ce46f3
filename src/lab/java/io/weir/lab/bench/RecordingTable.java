package io.weir.lab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What recordings take on the topic, a line for each compression, one column for each file. */
final class RecordingTable {
  private final BenchResults results;
  private final Map<String, List<Recording>> byCompression = new LinkedHashMap<>();

  RecordingTable(BenchResults results) {
    this.results = results;
    for (Step step : results.plan().steps()) {
      step.recording()
          .filter(recording -> find(recording, Figure.TOPIC_BYTES_PER_READING).isPresent())
          .ifPresent(
              recording ->
                  byCompression
                      .computeIfAbsent(recording.compression(), c -> new ArrayList<>())
                      .add(recording));
    }
  }

  /** All lines; none where no recording was measured. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (byCompression.isEmpty()) {
      return lines;
    }
    lines.add("");
    lines.add(
        "Recordings, columnar, in batches of 1000: bytes a reading on the topic, and the"
            + " publisher's CPU s a million");
    byCompression.forEach((compression, recordings) -> lines.add(line(compression, recordings)));
    return lines;
  }

  private String line(String compression, List<Recording> recordings) {
    StringBuilder line = new StringBuilder(String.format("%-8s", compression));
    for (Recording recording : recordings) {
      line.append(
          String.format(
              Locale.ROOT,
              "  %s %5.2f B %6.3f s",
              recording.name(),
              figure(recording, Figure.TOPIC_BYTES_PER_READING),
              figure(recording, Figure.CPU_SECONDS_PER_MILLION)));
    }
    return line.append(
            String.format(
                Locale.ROOT,
                "  together %5.2f B %6.3f s",
                together(recordings, Figure.TOPIC_BYTES_PER_READING),
                together(recordings, Figure.CPU_SECONDS_PER_MILLION)))
        .toString();
  }

  /** The mean over all readings of the files. */
  private double together(List<Recording> recordings, Figure figure) {
    double sum = 0;
    double readings = 0;
    for (Recording recording : recordings) {
      double weight = figure(recording, Figure.RECORDED_READINGS);
      sum += weight * figure(recording, figure);
      readings += weight;
    }
    return sum / readings;
  }

  private double figure(Recording recording, Figure figure) {
    return find(recording, figure).orElseThrow().median();
  }

  private Optional<Spread> find(Recording recording, Figure figure) {
    return results.spread(Step.publishing(recording, 0).cell(), figure);
  }
}

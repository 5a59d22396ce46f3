package io.weir.topology;

import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The input of a release of Weir, the state that it kept, and further input. A line is {@code send
 * <append time> <batch>}, {@code silence <ms>}, or {@code kept <key> <value>} for an entry of the
 * changelog between the two parts, in its order; batches, keys and values in hexadecimal.
 */
record StateRecording(List<Step> before, Map<String, byte[]> kept, List<Step> after) {
  private static final HexFormat HEX = HexFormat.of();

  /** Something that happens to the topology. */
  sealed interface Step {}

  record Send(long appendMs, ReadingBatch batch) implements Step {}

  record Silence(long millis) implements Step {}

  static StateRecording read(Path file) throws IOException {
    StateRecording recording =
        new StateRecording(new ArrayList<>(), new LinkedHashMap<>(), new ArrayList<>());
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", -1);
      List<Step> steps = recording.kept.isEmpty() ? recording.before : recording.after;
      switch (words[0]) {
        case "send" ->
            steps.add(
                new Send(Long.parseLong(words[1]), ReadingBatch.parseFrom(HEX.parseHex(words[2]))));
        case "silence" -> steps.add(new Silence(Long.parseLong(words[1])));
        case "kept" ->
            recording.kept.put(
                new String(HEX.parseHex(words[1]), StandardCharsets.ISO_8859_1),
                HEX.parseHex(words[2]));
        default -> throw new IOException("no such line: " + line);
      }
    }
    return recording;
  }

  void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    before.forEach(step -> lines.add(line(step)));
    kept.forEach(
        (key, value) ->
            lines.add(
                "kept "
                    + HEX.formatHex(key.getBytes(StandardCharsets.ISO_8859_1))
                    + " "
                    + HEX.formatHex(value)));
    after.forEach(step -> lines.add(line(step)));
    Files.write(file, lines);
  }

  private static String line(Step step) {
    if (step instanceof Send send) {
      return "send " + send.appendMs() + " " + HEX.formatHex(send.batch().toByteArray());
    }
    return "silence " + ((Silence) step).millis();
  }
}

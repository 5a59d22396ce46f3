package io.weir.internal.input.prometheus;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A request of either version. */
final class RemoteWriteRequest {
  private final boolean version2;
  private final List<String> symbols = new ArrayList<>(List.of(""));
  private final List<byte[]> series = new ArrayList<>();

  RemoteWriteRequest(boolean version2) {
    this.version2 = version2;
  }

  void series(Map<String, String> labels, List<double[]> samples) {
    series.add(
        message(
            out -> {
              writeLabels(out, labels);
              for (double[] sample : samples) {
                out.writeByteArray(2, RemoteWriteRequest.sample((long) sample[0], sample[1]));
              }
            }));
  }

  void histogram(Map<String, String> labels, long count, double sum, long timestampMs) {
    series.add(
        message(
            out -> {
              writeLabels(out, labels);
              out.writeByteArray(
                  version2 ? 3 : 4,
                  message(
                      histogram -> {
                        histogram.writeUInt64(1, count);
                        histogram.writeDouble(3, sum);
                        histogram.writeSInt32(4, 3);
                        histogram.writeInt64(15, timestampMs);
                      }));
            }));
  }

  void twice(String name, List<double[]> samples) {
    series.add(
        message(
            out -> {
              writeLabels(out, Map.of(name, "1"));
              writeLabels(out, Map.of(name, "2"));
              for (double[] sample : samples) {
                out.writeByteArray(2, RemoteWriteRequest.sample((long) sample[0], sample[1]));
              }
            }));
  }

  private void writeLabels(CodedOutputStream out, Map<String, String> labels) throws IOException {
    if (version2) {
      int[] references = new int[2 * labels.size()];
      int i = 0;
      for (Map.Entry<String, String> label : labels.entrySet()) {
        references[i++] = symbol(label.getKey());
        references[i++] = symbol(label.getValue());
      }
      out.writeByteArray(1, packed(references));
      return;
    }
    for (Map.Entry<String, String> label : labels.entrySet()) {
      out.writeByteArray(
          1,
          message(
              each -> {
                each.writeString(1, label.getKey());
                each.writeString(2, label.getValue());
              }));
    }
  }

  private int symbol(String text) {
    if (!symbols.contains(text)) {
      symbols.add(text);
    }
    return symbols.indexOf(text);
  }

  byte[] bytes() {
    return message(
        out -> {
          if (version2) {
            for (String symbol : symbols) {
              out.writeString(4, symbol);
            }
          }
          for (byte[] each : series) {
            out.writeByteArray(version2 ? 5 : 1, each);
          }
        });
  }

  /** A part of a message. */
  @FunctionalInterface
  interface Content {
    void write(CodedOutputStream out) throws IOException;
  }

  static byte[] message(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      content.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] packed(int... numbers) {
    return message(
        out -> {
          for (int number : numbers) {
            out.writeUInt32NoTag(number);
          }
        });
  }

  static byte[] sample(long timestampMs, double value) {
    return message(
        out -> {
          out.writeDouble(1, value);
          out.writeInt64(2, timestampMs);
        });
  }
}

package io.weir.internal.input.prometheus;

import static io.weir.internal.input.prometheus.RemoteWriteRequest.message;
import static io.weir.internal.input.prometheus.RemoteWriteRequest.packed;
import static io.weir.internal.input.prometheus.RemoteWriteRequest.sample;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.internal.input.Client;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.prometheus.RemoteWriteSettings.NonFinite;
import io.weir.internal.wire.UndecodableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteWriteDecoderTest {
  private static final double STALE = Double.longBitsToDouble(0x7ff0000000000002L);

  private final SeriesCache cache = new SeriesCache();
  private boolean ordered;
  private long ackTimeoutNanos = 1_000_000_000;
  private Delivery delivery;
  private SampleReport report;
  private HeldSink sink = new HeldSink();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void requests_giveTheSamplesThatTheyWereWrittenFrom(boolean version2) {
    Seeds.forEach(
        100,
        random -> {
          List<String> expected = new ArrayList<>();
          RemoteWriteRequest request = new RemoteWriteRequest(version2);
          for (int i = random.nextInt(10); i > 0; i--) {
            Map<String, String> labels = labels(random);
            List<double[]> samples = new ArrayList<>();
            for (int s = random.nextInt(4); s > 0; s--) {
              double[] sample = {1 + random.nextInt(1 << 30), random.nextGaussian()};
              samples.add(sample);
              expected.add(series(labels) + "@" + (long) sample[0] + "=" + sample[1]);
            }
            request.series(shuffled(labels, random), samples);
          }
          sink = new HeldSink();
          decode(request.bytes(), version2, NonFinite.SKIP);

          assertThat(readings()).isEqualTo(expected);
          assertThat(report.samplesWritten()).isEqualTo(expected.size());
          assertThat(report.refused().all()).isZero();
        });
  }

  @Test
  void staleAndOtherNaN_areSkippedAndCountAsWritten() throws Exception {
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(
        Map.of("__name__", "up"),
        List.of(
            new double[] {1, STALE},
            new double[] {2, Double.NaN},
            new double[] {3, Double.POSITIVE_INFINITY},
            new double[] {4, 1}));
    decode(request.bytes(), false, NonFinite.SKIP);
    assertThat(readings()).containsExactly("up@4=1.0");
    assertThat(report.samplesWritten()).isEqualTo(4);
    assertThat(report.skips()).isEqualTo(Map.of("stale", 1, "nan", 1, "infinite", 1));

    decode(request.bytes(), false, NonFinite.REFUSE);
    assertThat(report.message())
        .isEqualTo("2 of 4 samples refused: INVALID_VALUE 2; first: series 1");
  }

  /** The end of a series closes its windows at once. */
  @Test
  void staleness_completesTheSensorOfAnOrderedEdge() throws Exception {
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(
        Map.of("__name__", "up"), List.of(new double[] {1, 1}, new double[] {15_000, STALE}));
    decode(request.bytes(), false, NonFinite.SKIP);
    assertThat(sink.completed()).isEmpty();

    ordered = true;
    decode(request.bytes(), false, NonFinite.SKIP);
    assertThat(sink.completed()).containsExactly("up@15000");
  }

  /** Also of series that are known. */
  @Test
  void readings_afterTheTimeOfTheRequest_areNotOffered() throws Exception {
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(Map.of("__name__", "up"), List.of(new double[] {1, 1}));
    decode(request.bytes(), false, NonFinite.SKIP);
    sink = new HeldSink();
    ackTimeoutNanos = -1;
    decode(request.bytes(), false, NonFinite.SKIP);

    assertThat(readings()).isEmpty();
    assertThat(delivery.hasFailed()).isTrue();
  }

  @Test
  void badLabels_areRefused_andTheOthersAreTaken() throws Exception {
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(Map.of("__name__", "good", "empty", ""), List.of(new double[] {1, 1}));
    request.series(Map.of("__name__", "bad", "", "x"), List.of(new double[] {1, 1}));
    request.twice("a", List.of(new double[] {1, 1}));
    decode(request.bytes(), false, NonFinite.SKIP);

    assertThat(readings()).containsExactly("good@1=1.0");
    assertThat(report.message()).isEqualTo("2 of 3 samples refused: BAD_LABELS 2; first: series 2");
    assertThat(report.samplesWritten()).isEqualTo(1);
  }

  @Test
  void referencesThatLeadNowhere_areBadLabels() throws Exception {
    for (int[] references : new int[][] {{0}, {0, 1, 2}, {0, 9}, {-1, 0}}) {
      byte[] bytes =
          message(
              out -> {
                out.writeString(4, "__name__");
                out.writeString(4, "up");
                out.writeByteArray(
                    5,
                    message(
                        series -> {
                          series.writeByteArray(1, packed(references));
                          series.writeByteArray(2, sample(1, 1));
                        }));
              });
      decode(bytes, true, NonFinite.SKIP);
      assertThat(report.refused().byReason()).isEqualTo(Map.of("BAD_LABELS", 1));
    }
  }

  /** A damaged request offers nothing, wherever it is damaged. */
  @Test
  void mutatedRequests_areDecodedWholeOrNotAtAll() {
    Seeds.forEach(
        1_000,
        random -> {
          boolean version2 = random.nextBoolean();
          RemoteWriteRequest request = new RemoteWriteRequest(version2);
          request.series(labels(random), List.of(new double[] {1, 1}, new double[] {2, 2}));
          byte[] bytes = request.bytes();
          for (int i = random.nextInt(3); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
          sink = new HeldSink();
          try {
            decode(cut, version2, NonFinite.SKIP);
          } catch (UndecodableException e) {
            assertThat(sink.taken()).isEmpty();
          }
        });
  }

  @Test
  void truncatedRequest_isUndecodable() {
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(Map.of("__name__", "up"), List.of(new double[] {1, 1}));
    byte[] bytes = request.bytes();

    assertThatThrownBy(() -> decode(Arrays.copyOf(bytes, bytes.length - 1), false, NonFinite.SKIP))
        .isInstanceOf(UndecodableException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void histograms_areTheirCountAndSum(boolean version2) throws Exception {
    RemoteWriteRequest request = new RemoteWriteRequest(version2);
    request.histogram(Map.of("__name__", "latency", "job", "a"), 7, 1.5, 9);
    decode(request.bytes(), version2, NonFinite.SKIP);

    assertThat(readings())
        .containsExactly("latency_count{job=\"a\"}@9=7.0", "latency_sum{job=\"a\"}@9=1.5");
    assertThat(report.histogramsWritten()).isEqualTo(1);
  }

  @Test
  void aMillionLabels_areRefusedAsOneSeries() throws Exception {
    byte[] series =
        message(
            out -> {
              for (int i = 0; i < 1_000_000; i++) {
                String name = "l" + i;
                out.writeByteArray(
                    1,
                    message(
                        label -> {
                          label.writeString(1, name);
                          label.writeString(2, "x");
                        }));
              }
              out.writeByteArray(2, sample(1, 1));
            });
    decode(message(out -> out.writeByteArray(1, series)), false, NonFinite.SKIP);

    assertThat(report.refused().byReason()).isEqualTo(Map.of("BAD_LABELS", 1));
  }

  /** Labels of a few bytes that point to a large symbol, again and again. */
  @Test
  void largeSymbolsInManySeries_areRefusedWithoutACopy() throws Exception {
    byte[] series =
        message(
            out -> {
              out.writeByteArray(1, packed(0, 1));
              out.writeByteArray(2, sample(1, 1));
            });
    byte[] bytes =
        message(
            out -> {
              out.writeString(4, "__name__");
              out.writeString(4, "x".repeat(1 << 20));
              for (int i = 0; i < 100_000; i++) {
                out.writeByteArray(5, series);
              }
            });
    decode(bytes, true, NonFinite.SKIP);

    assertThat(report.refused().byReason()).isEqualTo(Map.of("BAD_LABELS", 100_000));
  }

  /** Labels may come last in a series, symbols last in a request, references not packed. */
  @Test
  void anyOrderOfFields_isRead() throws Exception {
    byte[] series =
        message(
            out -> {
              out.writeByteArray(2, sample(5, 1));
              out.writeUInt32(1, 0);
              out.writeUInt32(1, 1);
            });
    decode(
        message(
            out -> {
              out.writeByteArray(5, series);
              out.writeString(4, "__name__");
              out.writeString(4, "up");
            }),
        true,
        NonFinite.SKIP);

    assertThat(readings()).containsExactly("up@5=1.0");
  }

  @Test
  void exemplarsAndMetadata_areSkipped() throws Exception {
    byte[] series =
        message(
            out -> {
              out.writeByteArray(
                  1,
                  message(
                      label -> {
                        label.writeString(1, "__name__");
                        label.writeString(2, "up");
                      }));
              out.writeByteArray(3, new byte[0]);
            });
    decode(
        message(
            out -> {
              out.writeByteArray(1, series);
              out.writeByteArray(3, new byte[0]);
            }),
        false,
        NonFinite.SKIP);

    assertThat(readings()).isEmpty();
    assertThat(report.exemplarsWritten()).isEqualTo(1);
    assertThat(report.skips()).isEqualTo(Map.of("exemplar", 1, "metadata", 1));
  }

  /** Snappy makes 64 MiB of three, and the places of that many symbols would take 256. */
  @Test
  void moreSymbolsThanARequestHas_areRefused() {
    byte[] symbols = new byte[2 * (1 << 20) + 2];
    for (int i = 0; i < symbols.length; i += 2) {
      symbols[i] = 4 << 3 | 2;
    }
    assertThatThrownBy(() -> decode(symbols, true, NonFinite.SKIP)).hasMessage("too many symbols");
  }

  private void decode(byte[] bytes, boolean version2, NonFinite nonFinite)
      throws UndecodableException {
    Identities identities =
        new Identities(
            new IdentitySettings(false, 1 << 24, 0, IdentitySettings.Collisions.COUNT, 16_384));
    delivery = new Intake(sink, identities, 256, ackTimeoutNanos).begin();
    RemoteWriteSettings settings =
        new RemoteWriteSettings(
            SensorTemplate.parse("{series}", RemoteWriteSettings.PARTS),
            nonFinite,
            Histograms.COUNT_SUM,
            ordered);
    report =
        new RemoteWriteDecoder(settings, cache, Client.LOCAL, delivery, version2, bytes).decode();
  }

  private List<String> readings() {
    return sink.readings();
  }

  private static Map<String, String> labels(Random random) {
    String[] names = {"job", "instance", "le", "é"};
    String[] values = {"a", "b\"c", "d\\e", "f\ng", "ü"};
    Map<String, String> labels = new TreeMap<>();
    labels.put("__name__", "metric_" + random.nextInt(5));
    for (int i = random.nextInt(4); i > 0; i--) {
      labels.put(names[random.nextInt(names.length)], values[random.nextInt(values.length)]);
    }
    return labels;
  }

  private static Map<String, String> shuffled(Map<String, String> labels, Random random) {
    List<String> names = new ArrayList<>(labels.keySet());
    Collections.shuffle(names, random);
    Map<String, String> shuffled = new LinkedHashMap<>();
    names.forEach(name -> shuffled.put(name, labels.get(name)));
    return shuffled;
  }

  private static String series(Map<String, String> labels) {
    List<String> pairs = new ArrayList<>();
    labels.forEach(
        (name, value) -> {
          if (!name.equals("__name__")) {
            pairs.add(
                name
                    + "=\""
                    + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
                    + "\"");
          }
        });
    return labels.get("__name__") + (pairs.isEmpty() ? "" : "{" + String.join(",", pairs) + "}");
  }
}

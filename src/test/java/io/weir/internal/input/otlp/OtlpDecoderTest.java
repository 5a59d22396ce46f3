package io.weir.internal.input.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weir.internal.input.Client;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.SeriesCache;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpDecoderTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int POINTS = 1_000;

  /** Of 5,000 attributes, beside points of thirty bytes; also if the last has the first's name. */
  @ParameterizedTest
  @CsvSource({"x, 0", "0, 1000"})
  void resource_isReadOnceForAllItsPoints(String lastName, int refused) throws Exception {
    String attributes =
        IntStream.range(0, 5_000).mapToObj(i -> "{\"key\":\"" + i + "\"},").collect(joining());
    String points =
        IntStream.range(0, POINTS)
            .mapToObj(
                i ->
                    "{\"timeUnixNano\":\"1000000\",\"asInt\":\"1\",\"attributes\":"
                        + "[{\"key\":\"p\",\"value\":{\"intValue\":\"%d\"}}]}".formatted(i))
            .collect(joining(","));
    String json =
        """
        {"resourceMetrics":[{"resource":{"attributes":[%s{"key":"%s","value":{"stringValue":"r"}}]},
        "scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[%s]}}]}]}]}
        """
            .formatted(attributes, lastName, points);
    ProtoWriter body = OtlpJson.protobuf(json.getBytes(UTF_8), json.length(), more -> true);
    HeldSink sink = new HeldSink();
    Identities identities =
        new Identities(
            new IdentitySettings(false, 1 << 24, 0, IdentitySettings.Collisions.COUNT, 16_384));
    OtlpDecoder decoder =
        new OtlpDecoder(
            new OtlpSettings(
                SensorTemplate.parse("{attr:p}/{resource:x}", OtlpSettings.PARTS),
                Set.of(),
                Histograms.COUNT_SUM),
            new SeriesCache(),
            Client.LOCAL,
            new Intake(sink, identities, 256, Long.MAX_VALUE / 2).begin(),
            body.bytes(),
            body.length());
    long before = THREADS.getCurrentThreadAllocatedBytes();
    OtlpReport report = decoder.decode();

    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(32 << 20);
    assertThat(report.refused().all()).isEqualTo(refused);
    assertThat(sink.readings()).hasSize(POINTS - refused);
    if (refused == 0) {
      assertThat(sink.readings()).contains("999/r@1=1.0");
    }
  }
}

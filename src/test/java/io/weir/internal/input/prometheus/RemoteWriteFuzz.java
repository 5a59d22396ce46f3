package io.weir.internal.input.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.input.Client;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.prometheus.RemoteWriteSettings.NonFinite;
import io.weir.internal.wire.UndecodableException;
import java.util.List;

/**
 * Any bytes as a request of both versions: refused whole, or each sample and histogram is written
 * or refused, and with the sensors that are known then the same is read again.
 */
public final class RemoteWriteFuzz {
  private static final RemoteWriteSettings SETTINGS =
      new RemoteWriteSettings(
          SensorTemplate.parse("{name}[/{label:job}] {series}", RemoteWriteSettings.PARTS),
          NonFinite.SKIP,
          Histograms.COUNT_SUM,
          true);

  private RemoteWriteFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    for (boolean version2 : new boolean[] {false, true}) {
      SeriesCache cache = new SeriesCache();
      List<String> first = read(bytes, version2, cache);
      assertThat(read(bytes, version2, cache)).isEqualTo(first);
    }
  }

  private static List<String> read(byte[] bytes, boolean version2, SeriesCache cache) {
    HeldSink sink = new HeldSink();
    Identities identities =
        new Identities(
            new IdentitySettings(false, 1 << 24, 0, IdentitySettings.Collisions.COUNT, 16_384));
    try {
      SampleReport report =
          new RemoteWriteDecoder(
                  SETTINGS,
                  cache,
                  Client.LOCAL,
                  new Intake(sink, identities, 256, Long.MAX_VALUE / 2).begin(),
                  version2,
                  bytes)
              .decode();
      assertThat(report.samplesWritten()).isNotNegative();
      assertThat(report.histogramsWritten()).isNotNegative();
      assertThat(sink.taken().size())
          .isLessThanOrEqualTo(
              report.samplesWritten() + 2 * report.histogramsWritten() + report.refused().all());
    } catch (UndecodableException e) {
      assertThat(sink.taken()).isEmpty();
    }
    return sink.readings();
  }
}

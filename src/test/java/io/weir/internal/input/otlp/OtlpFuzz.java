package io.weir.internal.input.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.input.Client;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.http.RefusedRequestException;
import io.weir.internal.wire.UndecodableException;
import java.util.List;
import java.util.Set;

/**
 * Any bytes as a request in protobuf and in JSON: refused whole, or read, and with the sensors that
 * are known then the same is read again. JSON becomes protobuf that is decoded.
 */
public final class OtlpFuzz {
  private static final OtlpSettings SETTINGS =
      new OtlpSettings(
          SensorTemplate.parse("{name}[/{attr:a}][/{resource:r}] {series}", OtlpSettings.PARTS),
          Set.of("r"),
          Histograms.COUNT_SUM);

  private OtlpFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    readTwice(bytes, bytes.length, false);
    try {
      ProtoWriter protobuf = OtlpJson.protobuf(bytes, bytes.length, more -> true);
      readTwice(protobuf.bytes(), protobuf.length(), true);
    } catch (RefusedRequestException e) {
      assertThat(e.status()).isEqualTo(400);
    }
  }

  private static void readTwice(byte[] bytes, int length, boolean decodable) {
    SeriesCache cache = new SeriesCache();
    List<String> first = read(bytes, length, cache, decodable);
    assertThat(read(bytes, length, cache, decodable)).isEqualTo(first);
  }

  private static List<String> read(byte[] bytes, int length, SeriesCache cache, boolean decodable) {
    HeldSink sink = new HeldSink();
    Identities identities =
        new Identities(
            new IdentitySettings(false, 1 << 24, 0, IdentitySettings.Collisions.COUNT, 16_384));
    try {
      new OtlpDecoder(
              SETTINGS,
              cache,
              Client.LOCAL,
              new Intake(sink, identities, 256, Long.MAX_VALUE / 2).begin(),
              bytes,
              length)
          .decode();
    } catch (UndecodableException e) {
      assertThat(decodable).isFalse();
      assertThat(sink.taken()).isEmpty();
    }
    return sink.readings();
  }
}

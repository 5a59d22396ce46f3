package io.weir.topology;

import static io.weir.topology.Batches.reading;
import static io.weir.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A topology, and what it refused. */
abstract class RejectionFixture {
  static final long T = 1_700_000_000_000L;
  static final String A = sensor(0);
  static final Reading GOOD = reading(A, T, 1);
  WeirDriver weir = new WeirDriver(WeirDriver.SPEC);

  @AfterEach
  void close() {
    weir.close();
  }

  DeadLetter refusedWhole(RejectReason reason) {
    DeadLetter letter = only(weir.deadLetters());
    assertThat(letter.reason()).isEqualTo(reason);
    assertThat(weir.windows()).isEmpty();
    return letter;
  }

  List<Reading> rejected(RejectReason reason) {
    return weir.deadLetters().stream()
        .filter(letter -> letter.reason() == reason)
        .flatMap(letter -> letter.batch().getReadingsList().stream())
        .toList();
  }

  static <X> X only(List<X> list) {
    assertThat(list).hasSize(1);
    return list.get(0);
  }
}

package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.edge.PublisherStatus;
import io.weir.edge.PublisherStatus.State;
import io.weir.internal.ops.Reply;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeWatchTest {
  @ParameterizedTest
  @CsvSource({
    "CONNECTING, '', 503, connecting",
    "PUBLISHING, '', 200, publishing",
    "RETRYING, no broker, 503, retrying: no broker",
    "HELD, 1 partition, 200, held: 1 partition",
    "REFUSED, FENCED, 503, refused: FENCED",
    "CLOSED, '', 503, closed"
  })
  void readiness_isThePublishersStatus(State state, String cause, int status, String text) {
    Reply.Text reply = EdgeWatch.readiness(new PublisherStatus(state, cause));

    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.text()).isEqualTo(text + "\n");
  }
}

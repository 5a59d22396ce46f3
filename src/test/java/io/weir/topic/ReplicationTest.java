package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.topic.Replication.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicationTest {
  @ParameterizedTest(name = "registered {0}, cluster default {1}, named {2}")
  @CsvSource({
    "1, 1, 1, 1, 1",
    "2, 1, 2, 1, 1",
    "2, 2, 2, 2, 1",
    "3, 1, 1, 3, 2",
    "5, 1, 1, 3, 2",
    "5, 4, 5, 4, 2",
    // One of three does not run, or runs and is not asked: three all the same.
    "2, 3, 2, 3, 2",
    "2, 1, 3, 3, 2",
    "2, 0, 3, 3, 2",
    "1, 0, 0, 1, 1"
  })
  void byDefault_itIsTheClustersOwn_andThreeWhereItHasThreeBrokers(
      int registered, int defaultReplicas, int named, int replicas, int minInSync) {
    Replication replication =
        Replication.of(
            TopicOptions.DEFAULT.withBrokersNamed(named), new Cluster(registered, defaultReplicas));

    assertThat(replication.replicas()).isEqualTo((short) replicas);
    assertThat(replication.minInSync()).isEqualTo(minInSync);
    assertThat(replication.isSet()).isFalse();
  }

  @Test
  void setting_winsOverWhatTheClusterSays() {
    Replication one = Replication.of(TopicOptions.DEFAULT.withReplicationFactor(1), three());

    assertThat(one.replicas()).isEqualTo((short) 1);
    assertThat(one.isSet()).isTrue();
    assertThatCode(() -> one.require("t", three())).doesNotThrowAnyException();
  }

  @Test
  void fewerBrokersThanReplicas_areRefused_withReasonAndRemedy() {
    Replication three = Replication.of(TopicOptions.DEFAULT.withBrokersNamed(3), new Cluster(2, 1));

    assertThatThrownBy(() -> three.require("weir.windows", new Cluster(2, 1)))
        .isInstanceOf(TooFewBrokersException.class)
        .hasMessage(
            "topic weir.windows is to have 3 replicas (weir.bootstrap.servers names 3 brokers), but"
                + " the cluster has 2 brokers, and fewer replicas are not made; start the missing"
                + " brokers, or set weir.replication.factor=2");
  }

  private static Cluster three() {
    return new Cluster(3, 3);
  }
}

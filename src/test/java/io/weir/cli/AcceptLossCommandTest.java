package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An application has read three records of a partition, and its changelog is empty. */
class AcceptLossCommandTest {
  private static final TopicPartition READINGS = new TopicPartition("weir.readings", 26);

  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (Admin admin = Admin.create(client)) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      admin
          .createTopics(List.of(new NewTopic("weir-weir-state-changelog", 64, (short) 1)))
          .all()
          .get();
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
        for (int i = 0; i < 3; i++) {
          producer.send(new ProducerRecord<>("weir.readings", 26, null, new byte[0])).get();
        }
      }
      admin
          .alterConsumerGroupOffsets("weir", Map.of(READINGS, new OffsetAndMetadata(3)))
          .all()
          .get();
    }
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static WeirProcess.Ended run(String... arguments) throws Exception {
    String[] all = Arrays.copyOf(arguments, arguments.length + 3);
    all[arguments.length] = "--bootstrap-servers";
    all[arguments.length + 1] = kafka.bootstrapServers();
    all[arguments.length + 2] = "--topic=weir.readings";
    return CommandHost.shared().run(all); // Nobody answers.
  }

  @Test
  void loss_isShown_andAcceptedByYesAlone() throws Exception {
    WeirProcess.Ended asked = run("accept-loss", "weir", "--partition=26");
    assertThat(asked.status()).isEqualTo(1);
    assertThat(asked.err())
        .contains(
            "  the changelog lost its end\n",
            "  the state ends at offset 0\n",
            "  reading continues at offset 3\n",
            "  lost: 3 offsets, of which 3 records are still on the topic\n",
            "not accepted; nothing was changed");

    WeirProcess.Ended accepted = run("accept-loss", "weir", "--partition=26", "--yes");
    assertThat(accepted.status()).isZero();
    assertThat(accepted.out()).isEqualTo("weir\tweir.readings\t26\t0\n");
  }

  @Test
  void whereNothingWasLost_itSaysSo() throws Exception {
    WeirProcess.Ended fits = run("accept-loss", "weir", "--partition=27", "--yes");
    assertThat(fits.status()).isEqualTo(1);
    assertThat(fits.err())
        .isEqualTo(
            "weir accept-loss: nothing to accept: the state of weir fits weir.readings partition"
                + " 27, or its loss was accepted before\n");
    WeirProcess.Ended other = run("accept-loss", "weir-events", "--partition=27", "--yes");
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.err()).contains("application weir-events has no changelog of weir.readings");
    assertThat(run("accept-loss", "weir", "--partition=64").status()).isEqualTo(2);
  }
}

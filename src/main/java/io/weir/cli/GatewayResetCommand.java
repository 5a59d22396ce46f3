package io.weir.cli;

import io.weir.app.GatewayResets;
import io.weir.app.Keys;
import io.weir.app.TopicKeys;
import io.weir.app.WeirConfig;
import io.weir.cli.output.Results;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.wire.ResetMark;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir gateway reset}: nothing is known any more of a gateway's boots and sequences. */
@Command(
    name = "reset",
    description = "Clear a gateway's sequences, where another sender has used them up.",
    footer = {
      "",
      "For a gateway whose batches are refused, FENCED or STALE_SEQUENCE, because a stolen",
      "credential or another machine sent in its name. First take the credential away, and",
      "stop the gateway: what was counted before, and is sent again afterwards, counts twice.",
      "",
      "The order is written to weir.control, which only operators may write to; it takes effect",
      "where the application comes to its mark, in all 64 partitions of weir.readings. One",
      "line on standard output: the gateway's id, a tab, and the offset of the order.",
      "",
      "Examples:",
      "  weir gateway reset plant-7-gateway",
      "  weir tail control --from-beginning --no-follow"
    })
final class GatewayResetCommand extends ClusterCommand {
  @Parameters(paramLabel = "ID", description = "The gateway's id, as it is in its batches.")
  private String gatewayId;

  GatewayResetCommand() {
    super(TopicKeys.with(List.of(Keys.BOOTSTRAP_SERVERS), User.OPERATOR));
  }

  @Override
  int run(WeirConfig config) {
    checkId(config.limits().maxIdBytes());
    try (Admin admin = Connections.admin(config.kafka())) {
      TopicAdmin topics = new TopicAdmin(admin, config.topics(), config.topicOptions());
      for (String topic : List.of(config.topics().control(), config.topics().readings())) {
        if (topics.id(topic).isEmpty()) {
          throw new KafkaException(
              "no topic " + topic + " on the cluster; create it with: weir topics");
        }
      }
    }
    byte[] nonce = new byte[ResetMark.NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    try (KafkaProducer<byte[], byte[]> producer =
        Connections.writer(config.kafka(), Map.of("acks", "all", "enable.idempotence", true))) {
      long order = new GatewayResets(producer, config.topics()).reset(gatewayId, nonce);
      Results out = Results.standard();
      out.line(gatewayId + "\t" + order);
      out.flush();
    }
    return 0;
  }

  private void checkId(int maxBytes) {
    int bytes = gatewayId.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > maxBytes) {
      throw wrongUsage("ID of " + bytes + " bytes: allowed are 1 to " + maxBytes);
    }
  }
}

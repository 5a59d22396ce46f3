package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.KeyDeletions;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.Topic;
import java.security.SecureRandom;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import picocli.CommandLine.Command;

/** {@code weir keys delete}: deletes the state of a key. */
@Command(
    name = "delete",
    description = "Delete the state, timers and waiting events of a key.",
    footer = {
      "",
      "Writes an order to weir.control, to which only operators may write, and a mark of it to",
      "the key's partition of weir.events. The application deletes the key when it reads the",
      "mark: events before it are handled before, an event after it starts the key again. No",
      "method of the handler is called. If no process of the application runs, it deletes the",
      "key after its next start.",
      "Prints one line: the key, a tab, the partition, a tab, and the offset of the mark.",
      "Exit status: 0 ordered, 1 the key is not alive, or failed, 2 wrong usage.",
      "",
      "Examples:",
      "  weir keys delete posts post_1"
    })
final class KeysDeleteCommand extends KeysOfApplication {
  @Override
  int run(WeirConfig config) {
    read(config).orElseThrow(this::notAlive);
    byte[] nonce = new byte[ResetMark.NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    try (KafkaProducer<byte[], byte[]> producer =
        Connections.writer(config.kafka(), Map.of("acks", "all", "enable.idempotence", true))) {
      KeyDeletions.Given given =
          new KeyDeletions(producer, config.nameOf(Topic.CONTROL), config.nameOf(Topic.EVENTS))
              .give(applicationId(), key(), nonce);
      Results out = Results.standard();
      out.line(key() + "\t" + given.partition() + "\t" + given.mark());
      out.flush();
    }
    return 0;
  }
}

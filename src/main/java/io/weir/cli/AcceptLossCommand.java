package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.Keys;
import io.weir.internal.app.LossFinder;
import io.weir.internal.app.LossFinder.Loss;
import io.weir.internal.app.LossOrder;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.redrive.KnownOffsets;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.KeptWindows;
import io.weir.internal.wire.LeftWindows;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code weir accept-loss}: lets an application continue after it lost the state of a partition.
 */
@Command(
    name = "accept-loss",
    description = "Let an application continue after it lost the state of a partition.",
    footer = {
      "",
      "An application halts a partition whose state was lost (weir_partitions_halted), and",
      "withholds windows that may lack readings which were deleted unread. This command shows",
      "the loss, asks for confirmation, and writes the order to weir.control; only operators",
      "may write to that topic. The application continues within 10 s, and emits windows that",
      "were open at the loss, unless the newest record of a window has as many readings. An",
      "order covers one loss: if more records are deleted before the application continues,",
      "run it again. No window will contain the lost readings. If the topic still has all",
      "records, reset the application instead. An import continues at its next start.",
      "Prints one line: application, topic, partition and the offset of the order, separated by",
      "tabs. Exit status: 0 done, 1 nothing is left to accept, the loss was not accepted, or",
      "the application has not read past the deleted records yet: start it.",
      "",
      "Examples:",
      "  weir accept-loss weir --topic weir.readings --partition 26",
      "  weir accept-loss weir-events --topic weir.events --partition 3 --yes",
      "  weir accept-loss weir-import-plant --topic plant.raw --partition 0"
    })
final class AcceptLossCommand extends ClusterCommand {
  private static final int MOST_SHOWN = 20;

  @Parameters(
      paramLabel = "JOB",
      description =
          "The application's id: weir.application.id, weir.events.application.id, or"
              + " that of a program with handlers; weir-import-NAME of an import, with weir.plant and a dot before it.")
  private String applicationId;

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC",
      description = "The topic that it reads.")
  private String topic;

  @Option(
      names = "--partition",
      required = true,
      paramLabel = "N",
      description = "The partition of the topic.")
  private int partition;

  @Option(
      names = "--not-a-window",
      paramLabel = "OFFSETS",
      converter = RedriveKind.Offsets.class,
      description = RedriveKind.Offsets.DESCRIPTION)
  private List<KnownOffsets> noWindows = List.of();

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  AcceptLossCommand() {
    super(
        TopicKeys.with(
            List.of(Keys.BOOTSTRAP_SERVERS), User.OPERATOR, User.RUN, User.EVENTS, User.HANDLER));
  }

  @Override
  void checkUsage() {
    if (partition < 0 || partition >= SensorPartition.COUNT && !isImport()) {
      throw wrongUsage("--partition " + partition + ": expected: 0 to 63");
    }
  }

  private boolean isImport() {
    return ImportSettings.isGroup(applicationId);
  }

  @Override
  int run(WeirConfig config) {
    Optional<Loss> found;
    try (Admin admin = Connections.admin(config.kafka())) {
      TopicAdmin topics = new TopicAdmin(admin, config.topics(), config.topicOptions());
      for (String name : List.of(config.topics().control(), topic)) {
        if (topics.id(name).isEmpty()) {
          throw new KafkaException("no topic " + name + " on the cluster");
        }
      }
      LossFinder finder =
          new LossFinder(
              admin,
              config::nameOf,
              () -> Connections.strictReader(config),
              ValueFormat.of(config.values()),
              noWindows);
      found =
          isImport()
              ? finder.findOfImport(applicationId, topic, partition)
              : finder.find(applicationId, topic, partition);
    }
    Loss loss =
        found.orElseThrow(
            () ->
                new KafkaException(
                    "nothing to accept: the state of "
                        + applicationId
                        + " fits "
                        + topic
                        + " partition "
                        + partition
                        + ", or its loss was accepted before"));
    show(loss);
    if (!yes && !isAccepted()) {
      throw new KafkaException("not accepted; nothing was changed");
    }
    write(config, loss);
    return 0;
  }

  private void show(Loss loss) {
    printError(topic + " partition " + partition + ", read by " + applicationId + ":");
    printError("  " + loss.what());
    printError("  the state ends at offset " + loss.stateEnd());
    printError("  reading continues at offset " + loss.nextOffset());
    printError(
        "  lost: "
            + Math.max(0, loss.nextOffset() - loss.stateEnd())
            + " offsets, of which "
            + loss.records()
            + " records are still on the topic");
    show(loss.windows());
  }

  private void show(KeptWindows windows) {
    LeftWindows left = windows.left();
    if (windows.waiting() > 0) {
      printError(
          "  open windows: "
              + windows.waiting()
              + ", of which "
              + (left.isAll() ? "none is emitted, as " : "")
              + left.size()
              + " have a record with as many readings"
              + (left.isAll() ? ", and an order can name " + LeftWindows.MOST : ""));
    }
    show("whose last record has fewer readings than an earlier one", windows.partial());
    show("that are not emitted, but have another min, max or sum", windows.others());
  }

  private void show(String which, List<String> windows) {
    if (!windows.isEmpty()) {
      printError("  windows " + which + ": " + windows.size());
      windows.stream().limit(MOST_SHOWN).forEach(window -> printError("    " + window));
    }
  }

  private boolean isAccepted() {
    spec().commandLine().getErr().print("Continue without them? Type yes: ");
    spec().commandLine().getErr().flush();
    try {
      StandardInput.requireOpen();
      BufferedReader in =
          new BufferedReader(new InputStreamReader(StandardInput.open(), StandardCharsets.UTF_8));
      return "yes".equals(in.readLine());
    } catch (IOException e) {
      return false;
    }
  }

  private void write(WeirConfig config, Loss loss) {
    byte[] nonce = new byte[ResetMark.NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    try (KafkaProducer<byte[], byte[]> producer =
        Connections.writer(config.kafka(), Map.of("acks", "all", "enable.idempotence", true))) {
      long order =
          LossOrder.write(
              producer,
              config.topics().control(),
              applicationId,
              topic,
              partition,
              loss,
              nonce,
              topic.equals(config.topics().readings()));
      Results out = Results.standard();
      out.line(applicationId + "\t" + topic + "\t" + partition + "\t" + order);
      out.flush();
    }
  }
}

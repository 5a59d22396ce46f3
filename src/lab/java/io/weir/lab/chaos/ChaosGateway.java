package io.weir.lab.chaos;

import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.edge.PublisherState;
import io.weir.edge.ReadingPublisher;
import io.weir.lab.SeededChance;
import io.weir.reading.Reading;
import io.weir.signing.BatchSigner;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A gateway in a process of its own, made to be killed: Weir's publisher with a ledger on disk, and
 * beside it a producer of what no publisher sends. Says how many readings are acknowledged, a line
 * {@code acknowledged N} twice a second, and how long its batches waited, {@code latency MS}; reads
 * {@code skew MS}, {@code pause MS}, {@code silence}, {@code speak}, {@code mute MS} (every second
 * sensor is silent), {@code ballast MS} (there is no memory), {@code poison}, {@code hostile} and
 * {@code stop} on standard input, and says {@code done} when all it took is acknowledged.
 */
public final class ChaosGateway {
  private static final long TICK_NANOS = 50_000_000;
  private static final int TICKS_PER_SECOND = 20;
  private static final int TICKS_PER_LINE = 10;

  /** With fewer readings than these there are fewer of the batches that are sent beside them. */
  private static final int FEW_PER_SECOND = 200;

  private static final int QUEUE_READINGS = 100_000;

  /** A turn: every partition gets one in less than the size of a window. */
  private static final int ATTESTING_BATCHES = 2;

  /** Small crowds over 64 partitions: batches of some readings rather than of one. */
  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(400);

  private final GatewayTask task;
  private final GatewayLedger ledger;
  private final ReadingPublisher publisher;
  private final RawProducer raw;
  private final AttestingGateway attesting;
  private final SensorLoad crowd;
  private final SeededChance chance;
  private final Queue<String> commands = new ConcurrentLinkedQueue<>();
  private final PrintStream out =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  private long skewMs;
  private long pausedTicks;
  private long ticks;
  private long muteTicks;
  private boolean silent;
  private long silentSinceMs;
  private long backlogTicks;
  private long readings;

  private ChaosGateway(GatewayTask task) throws IOException {
    this.task = task;
    LedgerState kept = new LedgerState();
    if (Files.exists(task.ledger())) {
      LedgerFile.read(task.ledger(), kept::take);
    }
    this.ledger = new GatewayLedger(LedgerFile.open(task.ledger()));
    this.publisher = publisher(kept);
    ledger.began(publisher.bootId(), task.life() == GatewayLife.EMPTY_HANDED);
    this.raw = new RawProducer(task, ledger, kept.lastRaw());
    this.chance = new SeededChance(task.seed() ^ publisher.bootId() ^ kept.lastRaw());
    String attests = task.gatewayId() + "-attests";
    Optional<BatchSigner> signer =
        ChaosKeys.derived(System.getenv(), attests).map(key -> BatchSigner.of(task.topic(), key));
    this.attesting =
        new AttestingGateway(
            attests,
            System.currentTimeMillis() << 20,
            chance,
            (partition, value) -> raw.send(partition, value, signer));
    this.crowd = new SensorLoad(task.number(), task.sensors(), chance);
  }

  /** Runs until it is asked to stop. Where that fails the process ends, whatever threads it has. */
  public static void main(String... arguments) {
    try {
      new ChaosGateway(GatewayTask.ofArguments(arguments)).run();
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  @SuppressWarnings("deprecation") // One life of three goes on with its boot id.
  private ReadingPublisher publisher(LedgerState kept) {
    PublisherSettings.Builder settings =
        PublisherSettings.builder(task.gatewayId())
            .bootstrapServers(task.bootstrapServers())
            .topic(task.topic())
            .flushInterval(FLUSH_INTERVAL)
            .queueCapacity(QUEUE_READINGS)
            .journal(ledger);
    ChaosKeys.derived(System.getenv(), task.gatewayId()).ifPresent(settings::signWith);
    Optional<PublisherState> state = kept.state(task.gatewayId());
    switch (task.life()) {
      case RESUMED -> state.ifPresent(settings::resumeFrom);
      case NEW_BOOT -> state.ifPresent(settings::startAfter);
      case EMPTY_HANDED -> {}
    }
    return ReadingPublisher.start(settings.build());
  }

  private void run() throws IOException {
    Thread listener = new Thread(this::listen, "commands");
    listener.setDaemon(true);
    listener.start();
    long dueNanos = System.nanoTime();
    boolean wanted = true;
    for (long tick = 0; wanted; tick++) {
      try {
        wanted = obey();
        turn(tick);
      } catch (OutOfMemoryError e) {
        // HeapFiller: what was not offered is offered at the next turn.
      }
      dueNanos = Math.max(dueNanos + TICK_NANOS, System.nanoTime() - TICK_NANOS);
      LockSupport.parkNanos(dueNanos - System.nanoTime());
    }
    raw.close();
    boolean complete = publisher.close(Duration.ofMinutes(5)).complete();
    out.println("acknowledged " + ledger.acknowledgedReadings());
    out.println(complete ? "done" : "gave up");
  }

  private void turn(long tick) throws IOException {
    muteTicks = Math.max(0, muteTicks - 1);
    if (pausedTicks > 0) {
      pausedTicks--;
    } else if (!silent) {
      speak();
    }
    if (tick % TICKS_PER_LINE == 0) {
      out.println("acknowledged " + ledger.acknowledgedReadings());
      out.println("latency " + ledger.latencies().drainMedianMs());
    }
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (hear(in)) {}
    } catch (IOException e) {
      // The process that started it has ended.
    }
    commands.add("stop");
  }

  /** Takes a line; false where there are no more. */
  private boolean hear(BufferedReader in) throws IOException {
    try {
      String line = in.readLine();
      return line != null && commands.add(line);
    } catch (OutOfMemoryError e) {
      return true;
    }
  }

  /** Does what was asked for; false where that is to stop. */
  private boolean obey() throws IOException {
    String command;
    while ((command = commands.poll()) != null) {
      String[] words = command.split(" ");
      switch (words[0]) {
        case "skew" -> skewMs = Long.parseLong(words[1]);
        case "pause" -> pausedTicks = Long.parseLong(words[1]) * TICKS_PER_SECOND / 1000;
        case "silence" -> {
          silent = true;
          silentSinceMs = System.currentTimeMillis();
        }
        case "speak" -> {
          backlogTicks = silent ? TICKS_PER_SECOND : 0;
          silent = false;
        }
        case "mute" -> muteTicks = Long.parseLong(words[1]) * TICKS_PER_SECOND / 1000;
        case "ballast" -> {
          HeapFiller.hold(Long.parseLong(words[1]));
          if (task.wedges()) {
            ledger.standStill();
          }
        }
        case "poison" -> poison();
        case "hostile" -> hostile();
        case "stop" -> {
          return false;
        }
        // What is left of a command where there was no memory to read it.
        case "" -> {}
        default -> throw new IllegalArgumentException(command);
      }
    }
    return true;
  }

  private void speak() throws IOException {
    // After a silence comes first what was measured when it began.
    boolean backlog = backlogTicks-- > 0;
    long clockMs = backlog ? silentSinceMs : System.currentTimeMillis() + skewMs;
    for (int i = 0; i < task.perSecond() / TICKS_PER_SECOND; i++) {
      if (muteTicks > 0 && crowd.isOddSensor(readings)) {
        readings++;
        continue;
      }
      if (publisher.offer(crowd.reading(readings, clockMs)) == Offer.SUSPENDED) {
        // Goes on with the same reading at the next tick.
        return;
      }
      readings++;
    }
    if (ticks++ % Math.max(1, FEW_PER_SECOND / task.perSecond()) != 0) {
      return;
    }
    sendUnsequenced(clockMs);
    for (int i = 0; i < ATTESTING_BATCHES; i++) {
      attesting.speak(System.currentTimeMillis());
    }
  }

  /** A homemade gateway's batch: it has no sequence, and nobody would notice a repeat of it. */
  private void sendUnsequenced(long clockMs) throws IOException {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    Reading reading = crowd.reading(~readings, clockMs);
    batch.addReadings(
        io.weir.v1.Reading.newBuilder()
            .setSensorId("raw-" + reading.sensorId())
            .setTimestampMs(reading.timestampMs())
            .setValue(reading.value())
            .setQualityValue(reading.quality().number()));
    raw.send(SensorPartition.of(batch.getReadings(0).getSensorId()), batch.build().toByteArray());
  }

  private void poison() throws IOException {
    PoisonRound round =
        new PoisonRound(
            task.gatewayId() + "-poison-" + raw.lastNumber(),
            new SeededChance(chance.bits(raw.lastNumber())),
            System.currentTimeMillis());
    for (byte[] record : round.records()) {
      raw.send(round.partition(), record);
    }
  }

  private void hostile() throws IOException {
    HostileRound round =
        new HostileRound(
            task.gatewayId() + "-hostile-" + raw.lastNumber(),
            new SeededChance(chance.bits(raw.lastNumber())),
            System.currentTimeMillis(),
            ChaosSettings.WINDOW_SIZE.toMillis());
    for (HostileRound.Attack attack : round.attacks()) {
      raw.send(round.partition(), attack);
    }
  }
}

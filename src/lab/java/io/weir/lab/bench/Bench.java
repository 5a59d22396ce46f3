package io.weir.lab.bench;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Carries out a plan on a broker in a process of its own: generates the loads, then measures one
 * step after the other, round after round, each in a process of its own. One thread.
 */
public final class Bench {
  /**
   * The broker is not what is measured: with the quick compiler alone it has warmed up within
   * seconds, and does not take a core from what runs beside it for minutes.
   */
  private static final List<String> BROKER_FLAGS = List.of("-Xmx1g", "-XX:TieredStopAtLevel=1");

  private static final List<String> FLAGS = List.of("-Xmx2g");

  /** A generator compresses in its own thread, and the broker beside it has little to do. */
  private static final int GENERATORS = 2;

  private final BenchPlan plan;
  private final BenchSetup setup;
  private final PrintWriter progress;
  private final Map<Load, LoadedTopic> loaded = new HashMap<>();
  private int runs;

  /**
   * @param progress receives a line for each step
   */
  public Bench(BenchPlan plan, BenchSetup setup, PrintWriter progress) {
    this.plan = plan;
    this.setup = setup;
    this.progress = progress;
  }

  /**
   * Runs it all; blocks for as long.
   *
   * @throws IllegalStateException if something cannot be measured
   */
  public BenchResults run() {
    List<String> arguments = new ArrayList<>(setup.brokerCommand());
    String main = arguments.remove(0);
    try (ChildJvm broker = ChildJvm.start(main, BROKER_FLAGS, "", arguments)) {
      String bootstrapServers = broker.line();
      try (Admin admin =
          Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
        generate(bootstrapServers, admin);
        return measure(bootstrapServers, admin, broker);
      }
    }
  }

  private void generate(String bootstrapServers, Admin admin) {
    LoadGenerator generator = new LoadGenerator(bootstrapServers, admin, setup.compression());
    ExecutorService generators = Executors.newFixedThreadPool(GENERATORS);
    try {
      Map<Load, Future<LoadedTopic>> coming = new LinkedHashMap<>();
      for (Load load : plan.loads()) {
        coming.put(load, generators.submit(() -> generate(load, generator)));
      }
      for (Map.Entry<Load, Future<LoadedTopic>> load : coming.entrySet()) {
        loaded.put(load.getKey(), load.getValue().get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a load could not be generated", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      generators.shutdownNow();
    }
  }

  private LoadedTopic generate(Load load, LoadGenerator generator) {
    say("generating %s: %,d readings", load.name(), load.readings());
    LoadedTopic topic = generator.generate(load, System.currentTimeMillis());
    say(
        "generated %s: %,d batches, %.2f bytes a reading",
        load.name(), topic.batches(), topic.bytesPerReading());
    return topic;
  }

  private BenchResults measure(String bootstrapServers, Admin admin, ChildJvm broker) {
    BenchResults results = new BenchResults(plan, plan.loads().stream().map(loaded::get).toList());
    for (int round = 1; round <= plan.scale().rounds(); round++) {
      for (Step step : plan.steps()) {
        say(
            "round %d of %d, run %d of %d: %s, %s",
            round,
            plan.scale().rounds(),
            runs + 1,
            plan.scale().rounds() * plan.steps().size(),
            step.group(),
            step.subject().label());
        Figures figures = measure(step, task(step, bootstrapServers), admin, broker);
        Cluster.removeAll(admin, runName());
        results.add(step.cell(), figures);
        say("  %s", figures);
      }
    }
    return results;
  }

  private FleetRun fleetRun(
      Fleet fleet, Task task, Admin admin, ChildJvm broker, String classesBefore) {
    return new FleetRun(fleet, task, admin, broker, FLAGS, setup.compression(), classesBefore);
  }

  private Figures measure(Step step, Task task, Admin admin, ChildJvm broker) {
    String classesBefore = setup.classPathBefore(task.subject());
    if (step.killed()) {
      return new KillRun(task, admin, flags(task), classesBefore, this::say).measure();
    }
    double brokerBefore = broker.cpu().toNanos();
    Figures figures =
        step.subject().isOfEvents()
            ? new EventRun(task, admin, FLAGS, setup.compression()).measure()
            : step.fleet()
                .map(fleet -> fleetRun(fleet, task, admin, broker, classesBefore).measure())
                .orElseGet(() -> measure(task, classesBefore));
    double brokerCpuSeconds = (broker.cpu().toNanos() - brokerBefore) / 1e9;
    return Figures.of(
            Map.of(
                Figure.BROKER_CPU_SECONDS_PER_MILLION,
                brokerCpuSeconds / task.readings() * 1e6,
                Figure.LOAD_AVERAGE,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()))
        .with(figures);
  }

  private static Figures measure(Task task, String classesBefore) {
    try (ChildJvm child =
        ChildJvm.start(
            MeasuredProcess.class.getName(), flags(task), classesBefore, task.toArguments())) {
      return Figures.parse(child.line());
    }
  }

  private static List<String> flags(Task task) {
    List<String> flags = new ArrayList<>(FLAGS);
    if (task.subject() == Subject.RESTING) {
      flags.clear();
      flags.addAll(RestingWork.FLAGS);
    }
    if (task.subject().isPeer()) {
      flags.addAll(Peers.FLAGS);
    }
    return flags;
  }

  private Task task(Step step, String bootstrapServers) {
    runs++;
    long readings = step.load().map(load -> loaded.get(load).readings()).orElse(step.readings());
    return new Task(
        step.subject(),
        bootstrapServers,
        runName(),
        topic(step),
        readings,
        step.warmUp(readings),
        plan.threads(),
        step.perSecond(),
        step.keptWindows(),
        step.recording(),
        setup.outOfOrderness(),
        Optional.empty());
  }

  private String topic(Step step) {
    if (step.subject().isOfEvents()) {
      return EventRun.topicOf(runName(), step.subject());
    }
    return step.load()
        .map(Load::topic)
        .orElse(
            step.fleet().isPresent() || step.subject() == Subject.RESTING
                ? FleetRun.topicOf(runName())
                : "-");
  }

  private String runName() {
    return String.format(Locale.ROOT, "run-%05d", runs);
  }

  private void say(String format, Object... values) {
    progress.printf(Locale.ROOT, format + "%n", values);
    progress.flush();
  }
}

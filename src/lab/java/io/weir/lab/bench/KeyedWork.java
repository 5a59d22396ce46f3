package io.weir.lab.bench;

import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.lab.GroupLag;
import io.weir.lab.TemporaryDirectory;
import io.weir.v1.Event;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * An application with handlers, as a program would have it: each counts the events of its key in
 * its state. An event is done when the offset behind it is committed.
 */
final class KeyedWork implements Work {
  private final Task task;
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final LongAdder handled = new LongAdder();
  private final LongAdder keys = new LongAdder();
  private final Admin admin;
  private final GroupLag lag;
  private KeyedApplication application;

  KeyedWork(Task task) {
    this.task = task;
    this.admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers()));
    this.lag = new GroupLag(admin, task.run(), task.topic());
  }

  private final class Counting implements KeyHandler {
    @Override
    public void start(KeyContext key) {
      keys.increment();
      key.setState(new byte[Long.BYTES]);
    }

    @Override
    public Outcome event(KeyContext key, Event event) {
      long count = ByteBuffer.wrap(key.state()).getLong();
      key.setState(ByteBuffer.allocate(Long.BYTES).putLong(count + 1).array());
      handled.increment();
      return Outcome.CONTINUE;
    }
  }

  @Override
  public void start() {
    KeyedApplication.Builder builder =
        KeyedApplication.builder(task.run(), Counting::new).environment(RunTopics.kafkaVariables());
    EventTopics.options(task, directory.path()).forEach(builder::setting);
    application = builder.start();
  }

  @Override
  public long processed() {
    if (application == null) {
      return 0;
    }
    application
        .ended()
        .getNow(Optional.empty())
        .ifPresent(
            reason -> {
              throw new IllegalStateException(reason);
            });
    return handled.sum();
  }

  @Override
  public boolean settled() {
    return lag.records() == 0;
  }

  @Override
  public Figures extras() {
    // What an aborted transaction did is done again.
    if (handled.sum() < task.readings()) {
      throw new IllegalStateException(
          "of " + task.readings() + " events handlers were given " + handled.sum());
    }
    return Figures.of(Map.of(Figure.KEYS, (double) keys.sum()));
  }

  @Override
  public void close() {
    try (directory;
        admin) {
      if (application != null) {
        application.close();
      }
    }
  }
}

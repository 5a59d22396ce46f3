package io.weir.lab.cli.demo;

import io.weir.internal.time.MonotonicClock;
import io.weir.lab.Balance;
import io.weir.lab.FleetRunner;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The course of a demo whose parts all run: it is shown, stopped, and waited for. One thread. */
final class DemoCourse {
  private static final long FRAME_MS = 200;
  private static final Duration SENDING = Duration.ofSeconds(20);

  /** A person who pressed Ctrl-C waits no longer for what is missing. */
  private static final long HURRY_MS = 30_000;

  private final FleetRunner runner;
  private final Runnable stopOthers;
  private final DemoWatch watch;
  private final DemoView view;
  private final Duration timeout;
  private final BooleanSupplier stopped;
  private final Runnable requireAlive;

  /**
   * @param stopOthers ends what sends beside the fleet
   * @param timeout how long the balance may stall before it is taken as it is
   * @param stopped whether to end before the time
   * @param requireAlive throws where the application has ended
   */
  DemoCourse(
      FleetRunner runner,
      Runnable stopOthers,
      DemoWatch watch,
      DemoView view,
      Duration timeout,
      BooleanSupplier stopped,
      Runnable requireAlive) {
    this.runner = runner;
    this.stopOthers = stopOthers;
    this.watch = watch;
    this.view = view;
    this.timeout = timeout;
    this.stopped = stopped;
    this.requireAlive = requireAlive;
  }

  /**
   * Lets the fleet run, then stops it and waits for every reading.
   *
   * @param duration how long the fleet runs
   */
  Balance toTheEnd(Duration duration) {
    while (!stopped.getAsBoolean() && runner.elapsedMs() < duration.toMillis()) {
      show(DemoPhase.RUNNING);
      pause();
    }
    send();
    Balance balance = settle();
    show(DemoPhase.DONE);
    return balance;
  }

  private void send() {
    stopOthers.run();
    CompletableFuture<Boolean> sent = CompletableFuture.supplyAsync(() -> runner.stop(SENDING));
    while (!sent.isDone()) {
      show(DemoPhase.SENDING);
      pause();
    }
    if (!sent.join()) {
      view.say("not everything that the gateways took was acknowledged within 20 s");
    }
  }

  private Balance settle() {
    BalanceWait wait = new BalanceWait(timeout, MonotonicClock.millis());
    while (true) {
      DemoSnapshot now = show(DemoPhase.SETTLING);
      if (stopped.getAsBoolean()) {
        wait.endBy(MonotonicClock.millis() + HURRY_MS);
      }
      switch (wait.observe(now.balance(), now.lagNow(), MonotonicClock.millis())) {
        case WAIT -> pause();
        case WHOLE -> {
          return now.balance();
        }
        case GIVEN_UP -> {
          view.say("gave up waiting: lag " + now.lagNow() + ", " + now.balance());
          return now.balance();
        }
      }
    }
  }

  private DemoSnapshot show(DemoPhase phase) {
    requireAlive.run();
    DemoSnapshot now = watch.look(phase, runner.elapsedMs());
    view.show(now);
    return now;
  }

  static void pause() {
    try {
      Thread.sleep(FRAME_MS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }
}

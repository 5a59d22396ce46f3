package io.weir.internal.input;

import io.weir.edge.Acknowledgement;
import io.weir.edge.Offer;
import io.weir.reading.Reading;
import java.util.ArrayList;
import java.util.List;

/** Takes readings, and stores them when the test says so. */
public final class HeldSink implements ReadingSink {
  /** A reading with its whole time. */
  public record Taken(Reading reading, int nanosOfMs) {}

  private final List<Taken> taken = new ArrayList<>();
  private final List<Acknowledgement> unstored = new ArrayList<>();
  private final List<String> completed = new ArrayList<>();
  private Offer answer = Offer.ACCEPTED;
  private long pauseNanos;
  private long lastNanos = System.nanoTime();

  @Override
  public synchronized Offer offer(Reading reading, int nanosOfMs, Acknowledgement stored) {
    if (answer != Offer.ACCEPTED) {
      return answer;
    }
    if (System.nanoTime() - lastNanos < pauseNanos) {
      return Offer.SUSPENDED;
    }
    lastNanos = System.nanoTime();
    taken.add(new Taken(reading, nanosOfMs));
    unstored.add(stored);
    return Offer.ACCEPTED;
  }

  @Override
  public synchronized void complete(String sensorId, long throughMs) {
    completed.add(sensorId + "@" + throughMs);
  }

  /** The sensors with the times below which they are complete. */
  public synchronized List<String> completed() {
    return List.copyOf(completed);
  }

  @Override
  public synchronized boolean hasRoom() {
    return answer == Offer.ACCEPTED;
  }

  /** Whether offers are accepted. */
  public synchronized void room(boolean has) {
    answer(has ? Offer.ACCEPTED : Offer.SUSPENDED);
  }

  /** Answers each offer so. */
  public synchronized void answer(Offer each) {
    answer = each;
  }

  /** Has room for a reading only so long after the one before. */
  public synchronized void pause(long nanos) {
    pauseNanos = nanos;
  }

  /** Stores all that is taken so far; how many readings. */
  public int store() {
    List<Acknowledgement> now;
    synchronized (this) {
      now = List.copyOf(unstored);
      unstored.clear();
    }
    now.forEach(Acknowledgement::acknowledged);
    return now.size();
  }

  /** What is taken, as {@code id@ms+ns=value}, without the ns if they are 0. */
  public List<String> readings() {
    return taken().stream()
        .map(
            each ->
                each.reading().sensorId()
                    + "@"
                    + each.reading().timestampMs()
                    + (each.nanosOfMs() == 0 ? "" : "+" + each.nanosOfMs())
                    + "="
                    + each.reading().value())
        .toList();
  }

  public synchronized List<Taken> taken() {
    return List.copyOf(taken);
  }
}

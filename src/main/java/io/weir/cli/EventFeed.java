package io.weir.cli;

import io.weir.edge.EventPublisher;
import io.weir.edge.Offer;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.wire.EventRules;
import io.weir.v1.Event;
import java.time.Duration;

/** Offers events of files to a publisher and waits while its queue is full. One thread. */
final class EventFeed {
  private final EventPublisher publisher;
  private final Duration away;
  private long sent;
  private long scheduled;

  /**
   * @param away longest wait for space in the queue
   */
  EventFeed(EventPublisher publisher, Duration away) {
    this.publisher = publisher;
    this.away = away;
  }

  /**
   * Sends an event.
   *
   * @throws StartRefusedException if Kafka accepted no event for too long
   */
  void send(Event event) {
    try {
      Offer offer = publisher.offer(event, away);
      if (offer != Offer.ACCEPTED) {
        throw new StartRefusedException(
            offer == Offer.REFUSED_EVENT
                ? "an event is refused: " + EventPublisher.refusal(event).orElse("")
                : "Kafka accepted no event for " + away.toSeconds() + " s: " + lastTrouble());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartRefusedException("interrupted");
    }
    if (EventRules.isScheduled(event)) {
      scheduled++;
    } else {
      sent++;
    }
  }

  /** The current or last cause of a failed send. */
  String lastTrouble() {
    String cause = publisher.status().cause();
    return cause.isEmpty() ? "no answer" : cause;
  }

  /** Events sent to the topic of events. */
  long sent() {
    return sent;
  }

  /** Scheduled events and cancellations. */
  long scheduled() {
    return scheduled;
  }
}

package io.weir.cli;

import io.weir.app.StartRefusedException;
import io.weir.edge.EventPublisher;
import io.weir.edge.Offer;
import io.weir.v1.Event;
import io.weir.wire.EventRules;
import java.time.Duration;

/** Events of files to a publisher, each as soon as there is room. One thread. */
final class EventFeed {
  private final EventPublisher publisher;
  private final Duration away;
  private long sent;
  private long scheduled;

  /**
   * @param away so long there may be no room
   */
  EventFeed(EventPublisher publisher, Duration away) {
    this.publisher = publisher;
    this.away = away;
  }

  /**
   * Sends an event.
   *
   * @throws StartRefusedException if Kafka took nothing for too long
   */
  void send(Event event) {
    try {
      Offer offer = publisher.offer(event, away);
      if (offer != Offer.ACCEPTED) {
        throw new StartRefusedException(
            offer == Offer.REFUSED_EVENT
                ? "an event is refused: " + EventPublisher.refusal(event).orElse("")
                : "Kafka took nothing for " + away.toSeconds() + " s: " + lastTrouble());
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

  /** What keeps events from the brokers now, or kept them last. */
  String lastTrouble() {
    String cause = publisher.status().cause();
    return cause.isEmpty() ? "no answer" : cause;
  }

  /** Events that happened. */
  long sent() {
    return sent;
  }

  /** Events that are to come, and those that take them back. */
  long scheduled() {
    return scheduled;
  }
}

package publishing;

import io.weir.edge.EventPublisher;
import io.weir.edge.EventPublisherSettings;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Publishes events of a production line: what happened, what is to happen later, and counters of
 * parts, which are folded before they are sent. Arguments: the brokers, and a directory that keeps
 * what they do not have yet. Ends with 0 when all is acknowledged; otherwise with 1, and the next
 * start sends what is left.
 */
public final class PublishEvents {
  private static final String LINE = "line-1";
  private static final Duration A_MINUTE = Duration.ofMinutes(1);
  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final int PARTS = 500;

  private PublishEvents() {}

  public static void main(String[] args) throws InterruptedException {
    String brokers = args[0];
    Path directory = Path.of(args[1]);
    boolean all = publishBatch(settings("line-1", brokers, directory));
    all &= publishParts(settings("line-1-parts", brokers, directory));
    System.exit(all ? 0 : 1);
  }

  /** A gateway id is one process's alone, and so is its directory. */
  private static EventPublisherSettings settings(String gatewayId, String brokers, Path directory) {
    return EventPublisherSettings.of(
        PublisherSettings.builder(gatewayId)
            .bootstrapServers(brokers)
            .keepIn(directory.resolve(gatewayId))
            .build());
  }

  /** A batch has started; of two checks to come one is put forward, the other cancelled. */
  private static boolean publishBatch(EventPublisherSettings settings) throws InterruptedException {
    try (EventPublisher publisher = EventPublisher.start(settings)) {
      long now = System.currentTimeMillis();
      offer(publisher, event("batch.started").setTimestampMs(now).putFields("recipe", text("B7")));
      offer(publisher, check("temperature").setDueMs(now + AN_HOUR.toMillis()));
      offer(publisher, check("pressure").setDueMs(now + AN_HOUR.toMillis()));
      offer(publisher, check("temperature").setDueMs(now + 1_000)); // replaces
      offer(publisher, check("pressure").setCancel(true));
      return publisher.flush(A_MINUTE);
    }
  }

  /** One event goes out in place of 500: the newest value of each field. */
  private static boolean publishParts(EventPublisherSettings settings) throws InterruptedException {
    EventPublisherSettings folding = settings.fold(A_MINUTE, AN_HOUR);
    try (EventPublisher publisher = EventPublisher.start(folding)) {
      for (int part = 1; part <= PARTS; part++) {
        Event.Builder counted = event("parts").setTimestampMs(System.currentTimeMillis());
        offer(publisher, counted.putFields(part % 10 == 0 ? "scrap" : "good", number(part)));
      }
      return publisher.flush(A_MINUTE); // Folds too, without waiting for their minute.
    }
  }

  /** Waits where the queue is full. */
  private static void offer(EventPublisher publisher, Event.Builder builder)
      throws InterruptedException {
    Event event = builder.build();
    Offer offer = publisher.offer(event, A_MINUTE);
    if (offer != Offer.ACCEPTED) {
      String why = EventPublisher.refusal(event).orElse(publisher.status().cause());
      throw new IllegalStateException(offer + ": " + why);
    }
  }

  private static Event.Builder event(String type) {
    return Event.newBuilder().setKey(LINE).setType(type);
  }

  /** Key and id name it: another one of the same key and id replaces it. */
  private static Event.Builder check(String id) {
    return event("check").setId(id);
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value number(long number) {
    return Value.newBuilder().setInt64Value(number).build();
  }
}

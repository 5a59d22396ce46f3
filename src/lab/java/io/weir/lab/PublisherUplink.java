package io.weir.lab;

import io.weir.edge.Acknowledgement;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** An honest gateway: Weir's own publisher. */
final class PublisherUplink implements Uplink {
  private final ReadingPublisher publisher;
  private final Map<FleetLedger.Kind, Acknowledgement> acknowledgements =
      new EnumMap<>(FleetLedger.Kind.class);

  PublisherUplink(PublisherSettings settings, FleetLedger ledger) {
    publisher = ReadingPublisher.start(settings);
    for (FleetLedger.Kind kind : FleetLedger.Kind.values()) {
      acknowledgements.put(kind, () -> ledger.acknowledged(kind, 1));
    }
  }

  @Override
  public boolean offer(Reading reading, FleetLedger.Kind kind) {
    Offer offer = publisher.offer(reading, acknowledgements.get(kind));
    if (offer.reason().isPresent()) {
      throw new IllegalStateException("the fleet made a reading that is " + offer);
    }
    return offer == Offer.ACCEPTED;
  }

  @Override
  public void flush() {}

  @Override
  public boolean close(Duration timeout) {
    return publisher.close(timeout).complete();
  }
}

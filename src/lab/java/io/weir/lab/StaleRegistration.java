package io.weir.lab;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.loader.MetadataLoader;
import org.apache.kafka.image.publisher.MetadataPublisher;

/**
 * What the metadata say of a broker from before its restart: that it is registered, and that it
 * leads its partitions.
 *
 * <p>A broker that takes it for current starts its transaction coordinator at once, before it takes
 * requests. When the session of its former self ends, after seconds, its partitions have no leader
 * for a moment, and Kafka 4.2.0 to 4.3.1 take a partition without a leader for a deleted one
 * (KAFKA-20734): a transaction that is ended in that moment is complete without its markers. Its
 * records stay hidden, and so does everything after them, until a later transaction of the same
 * producer ends them as it ends itself: aborted records can so be committed, and committed ones
 * lost.
 *
 * <p>Without the registration the broker starts without leading anything. Registered again, it
 * leads all its partitions from one change of the metadata on, and only then starts the
 * coordinator. It need not wait for the end of a session either.
 */
final class StaleRegistration {
  private static final long TIMEOUT_SECONDS = 60;
  private static final long RETRY_NANOS = 20_000_000;

  private final int nodeId;
  private final Controller controller;
  private final MetadataLoader loader;

  /**
   * @param controller of a cluster of one node, started
   * @param loader which the broker will have its metadata from
   */
  StaleRegistration(int nodeId, Controller controller, MetadataLoader loader) {
    this.nodeId = nodeId;
    this.controller = controller;
    this.loader = loader;
  }

  /**
   * Removes it where there is one; returns when the loader knows.
   *
   * @throws IllegalStateException if the controller does not do it
   */
  void remove() {
    try {
      if (unregister()) {
        awaitLoaded();
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "the former registration of broker " + nodeId + " cannot be removed: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the broker starts", e);
    }
  }

  /** Whether it was registered. The controller becomes active a moment after its start. */
  private boolean unregister() throws ExecutionException, InterruptedException, TimeoutException {
    var context =
        new ControllerRequestContext(
            new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty());
    long startNanos = System.nanoTime();
    while (true) {
      try {
        controller.unregisterBroker(context, nodeId).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return true;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof BrokerIdNotRegisteredException) {
          return false;
        }
        boolean isTooLate =
            System.nanoTime() - startNanos > TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        if (isTooLate || !(e.getCause() instanceof NotControllerException)) {
          throw e;
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void awaitLoaded() throws ExecutionException, InterruptedException, TimeoutException {
    Watch watch = new Watch();
    loader.installPublishers(List.of(watch)).get();
    watch.unregistered.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    loader.removeAndClosePublisher(watch).get();
  }

  private final class Watch implements MetadataPublisher {
    private final CompletableFuture<Void> unregistered = new CompletableFuture<>();

    @Override
    public String name() {
      return "StaleRegistration";
    }

    @Override
    public void onMetadataUpdate(
        MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
      if (image.cluster().broker(nodeId) == null) {
        unregistered.complete(null);
      }
    }

    @Override
    public void close() {}
  }
}

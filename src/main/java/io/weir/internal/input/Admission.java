package io.weir.internal.input;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts the requests whose bodies have come, and the memory of all bodies. A body that still comes
 * takes memory only, so that slow senders hold no request. Where memory is short, the sender with
 * the most loses the body that has come for longest. Thread-safe.
 */
public final class Admission {
  /** A sender's requests are fewer than this times what is free. */
  private static final int TIMES_WHAT_IS_FREE = 3;

  /** A body that has come for longer gives way also to another one of its sender. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final int maxRequests;
  private final long maxBytes;
  private final LongSupplier nanoTime;
  private final Map<String, Share> shares = new HashMap<>();
  private int places;
  private int requests;
  private long bytes;
  private boolean closed;

  public Admission(InputLimits limits) {
    this(limits, System::nanoTime);
  }

  Admission(InputLimits limits, LongSupplier nanoTime) {
    this.maxRequests = limits.maxRequests();
    this.maxBytes = limits.maxInflightBytes();
    this.nanoTime = nanoTime;
  }

  /** What one sender holds. */
  private static final class Share {
    private final Set<Place> coming = new LinkedHashSet<>();
    private int places;
    private int requests;
    private long bytes;
  }

  /** The place of one request. Its sender's thread uses it; others may cut it. */
  public final class Place {
    private final String sender;
    private final Share share;
    private final Runnable cut;
    private final long beginNanos = nanoTime.getAsLong();
    private long taken;
    private boolean entered;
    private boolean left;

    private Place(String sender, Share share, Runnable cut) {
      this.sender = sender;
      this.share = share;
      this.cut = cut;
    }

    /** Takes memory, or gives it back if negative; false if there is too little. */
    public boolean take(int more) {
      while (true) {
        Place displaced;
        synchronized (Admission.this) {
          if (left) {
            return false;
          }
          if (more <= 0 || bytes + more <= maxBytes) {
            add(more);
            return true;
          }
          displaced = displacedFor(this, more).orElse(null);
          if (displaced == null) {
            return false;
          }
          displaced.free();
        }
        displaced.cut.run();
      }
    }

    private void add(long more) {
      bytes += more;
      share.bytes += more;
      taken += more;
    }

    /** The body has come: takes a request; false if there are too many, or it was cut. */
    public boolean enter() {
      synchronized (Admission.this) {
        int free = maxRequests - requests;
        if (left || share.requests >= TIMES_WHAT_IS_FREE * free) {
          return false;
        }
        share.coming.remove(this);
        share.requests++;
        requests++;
        entered = true;
        return true;
      }
    }

    /** The request has ended. */
    public void leave() {
      synchronized (Admission.this) {
        free();
      }
    }

    private void free() {
      if (left) {
        return;
      }
      left = true;
      add(-taken);
      share.coming.remove(this);
      share.places--;
      places--;
      if (entered) {
        share.requests--;
        requests--;
      }
      if (share.places == 0) {
        shares.remove(sender);
      }
      Admission.this.notifyAll();
    }
  }

  /**
   * Begins a request of a sender.
   *
   * @param cut breaks it off, from any thread, while its body comes
   * @return null if there are too many, or the edge stops
   */
  public synchronized Place begin(String sender, Runnable cut) {
    if (closed || requests >= maxRequests) {
      return null;
    }
    Share share = shares.computeIfAbsent(sender, any -> new Share());
    Place place = new Place(sender, share, cut);
    share.coming.add(place);
    share.places++;
    places++;
    return place;
  }

  /** A body of the sender with the most; of the same sender only one that has come for long. */
  private Optional<Place> displacedFor(Place place, long more) {
    Share largest =
        shares.values().stream()
            .filter(share -> share.coming.stream().anyMatch(each -> each != place))
            .max(Comparator.comparingLong(share -> share.bytes))
            .orElse(place.share);
    boolean fair = largest != place.share && largest.bytes > place.share.bytes + more;
    long nowNanos = nanoTime.getAsLong();
    return largest.coming.stream()
        .filter(each -> each != place && each.taken > 0)
        .filter(each -> fair || nowNanos - each.beginNanos > LONG_NANOS)
        .findFirst();
  }

  /** Requests whose bodies have come. */
  public synchronized int requests() {
    return requests;
  }

  /** Memory of all bodies. */
  synchronized long bytes() {
    return bytes;
  }

  /** Takes no more requests. */
  public synchronized void close() {
    closed = true;
  }

  /** Waits until no request is in flight, nor its body; false after the timeout. */
  public synchronized boolean awaitNone(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    while (places > 0) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}

package io.weir.internal.collect;

/** Another process has acquired the lease; nothing was written. */
final class FencedException extends Exception {
  private static final long serialVersionUID = 1;

  FencedException() {
    super("another process collects now", null, false, false);
  }
}

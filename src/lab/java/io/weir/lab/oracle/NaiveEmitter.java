package io.weir.lab.oracle;

import io.weir.internal.window.CloseReason;

/** Passes a partition's emissions of windows on, and their closing to the status. One thread. */
final class NaiveEmitter {
  private final NaiveWindows windows;
  private final Emissions emissions;
  private final boolean byRecords;

  /** Null where status is not computed. */
  private NaiveStatus status;

  /**
   * An emitter of a partition without status.
   *
   * @param byRecords whether records decide when a silent sensor's windows are emitted
   */
  NaiveEmitter(NaiveWindows windows, Emissions emissions, boolean byRecords) {
    this.windows = windows;
    this.emissions = emissions;
    this.byRecords = byRecords;
  }

  void withStatus(NaiveStatus ofSensors) {
    status = ofSensors;
  }

  void closed(NaiveSensor.Open window) {
    if (status != null) {
      status.closed(window.key, windows.windows().get(window.key));
    }
  }

  void emit(NaiveSensor.Open window, CloseReason reason) {
    emit(window, reason, emissions.position());
  }

  /** Emits a window whose emission was allowed since a position. */
  void emit(NaiveSensor.Open window, CloseReason reason, long since) {
    window.changedSinceEmit = false;
    window.emitted = true;
    window.allowedSince = -1;
    if (status != null && reason == CloseReason.IDLE) {
      status.idle(window.key, windows.windows().get(window.key));
    }
    emissions.due(window.key, reason, windows.windows().get(window.key), since);
  }

  /** Emits what a sensor that is forgotten has not emitted yet. */
  void emitForgotten(NaiveSensor.Open window) {
    if (!window.closed && window.changedSinceEmit) {
      long since = window.allowedSince < 0 ? emissions.position() : window.allowedSince;
      emit(window, CloseReason.IDLE, since);
    }
  }

  /** Before a sensor's windows change: was this one emitted, where that was optional? */
  void settleOptional(NaiveSensor.Open window) {
    boolean allowed = !byRecords || window.allowedSince >= 0;
    if (!window.closed && window.changedSinceEmit && allowed) {
      long since = Math.max(0, window.allowedSince);
      window.changedSinceEmit =
          !emissions.optional(window.key, windows.windows().get(window.key), since);
      window.emitted |= !window.changedSinceEmit;
    }
  }
}

package io.weir.lab.chaos;

/** How a gateway comes to life. */
enum GatewayLife {
  /** With its saved boot id: sends what was not acknowledged again, and goes on. */
  RESUMED,
  /** With a new boot id, and sends what was not acknowledged again under the old one. */
  NEW_BOOT,
  /** With a new boot id and nothing kept; old batches may still be under way. */
  EMPTY_HANDED
}

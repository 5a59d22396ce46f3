/** Events of keys: their validation, scheduling and folding. Uses {@code reading}; no Kafka. */
package io.weir.internal.event;

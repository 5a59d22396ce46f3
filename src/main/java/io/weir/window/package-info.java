/** The algebra: window settings, aggregates, a sensor's windows. Plain Java, no Kafka. */
package io.weir.window;

/**
 * Configuration, start and stop of the applications. {@link
 * io.weir.internal.app.StreamsApplication} runs a topology with the producers and consumers of
 * {@link io.weir.internal.app.StreamsClients}; {@link io.weir.internal.app.Keys} declares settings.
 * No HTTP, no command. Uses everything before it in the order of the data.
 */
package io.weir.internal.app;

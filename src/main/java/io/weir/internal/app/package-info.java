/**
 * Configuration, start and stop of the applications. Uses everything before it in the order of the
 * data; no HTTP and no command.
 */
package io.weir.internal.app;

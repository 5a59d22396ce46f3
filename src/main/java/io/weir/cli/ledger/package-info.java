/**
 * Sends files of readings once, even after repeated or killed runs. Uses {@code app}, {@code edge},
 * {@code reading}, {@code text} and {@code topic}.
 */
package io.weir.cli.ledger;

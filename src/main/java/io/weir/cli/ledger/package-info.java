/**
 * Sends files of readings once, even after repeated or killed runs. {@link
 * io.weir.cli.ledger.LedgerFeed} sends a file in chunks and records each in a {@link
 * io.weir.cli.ledger.Ledger} on disk. Uses {@code app}, {@code edge}, {@code reading}, {@code text}
 * and {@code topic}.
 */
package io.weir.cli.ledger;

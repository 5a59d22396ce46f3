/** Files of readings that are sent once, however often the command is run or killed. */
package io.weir.cli.ledger;

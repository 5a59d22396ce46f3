/** What a consumer takes from brokers, and how much of it at once. */
package io.weir.fetch;

// InfluxDB's client for JavaScript with short pauses. Arguments: the URL, and lines. Prints why
// attempts failed, and ends when the client repeats no more.
import { InfluxDB } from '@influxdata/influxdb-client';

const MOST_REPEATS = 5; // As by default.
const [url, ...lines] = process.argv.slice(2);
let ended;
const end = new Promise((resolve) => (ended = resolve));
const write = new InfluxDB({ url, token: 't' }).getWriteApi('any', 'plant', 'ms', {
  maxRetries: MOST_REPEATS,
  minRetryDelay: 1,
  maxRetryDelay: 10,
  retryJitter: 1,
  writeSuccess: ended,
  writeFailed: (error, failed, attempt) => {
    console.log(`attempt ${attempt}: ${error.statusCode} ${error.body}`);
    if (attempt > MOST_REPEATS || error.statusCode < 500) {
      ended();
    }
  },
});
write.writeRecords(lines);
await write.flush().catch(() => {}); // It rejects with the first failure.
await end;
await write.close().catch(() => {});

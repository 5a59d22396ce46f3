#!/usr/bin/env python3
"""Windows into a database that follows: JSON lines of `weir tail windows` in, SQL out.

    weir tail windows --from-beginning | windows_to_sql.py | sqlite3 windows.db
    weir tail windows --from-beginning | windows_to_sql.py | psql -q -v ON_ERROR_STOP=1 plant

A row is a window, and each summary of it overwrites the row, unless the row is from a later
record: the whole may be stopped, killed and run again from the beginning. Needs SQLite 3.24 or
PostgreSQL 9.5, and nothing beside Python 3.
"""

import json
import select
import sys

TABLE = """CREATE TABLE IF NOT EXISTS windows (
  sensor_id TEXT NOT NULL,
  window_start_ms BIGINT NOT NULL,
  window_end_ms BIGINT NOT NULL,
  count BIGINT NOT NULL,
  bad_count BIGINT NOT NULL,
  sum DOUBLE PRECISION,
  min DOUBLE PRECISION,
  max DOUBLE PRECISION,
  kafka_offset BIGINT NOT NULL,
  PRIMARY KEY (sensor_id, window_start_ms, window_end_ms)
);"""

UPSERT = """INSERT INTO windows VALUES (%s)
ON CONFLICT (sensor_id, window_start_ms, window_end_ms) DO UPDATE SET
  count = excluded.count, bad_count = excluded.bad_count, sum = excluded.sum,
  min = excluded.min, max = excluded.max, kafka_offset = excluded.kafka_offset
WHERE excluded.kafka_offset >= windows.kafka_offset;"""

MOST_IN_A_TRANSACTION = 1000


def text(value):
    return "'" + value.replace("'", "''") + "'"


def number(value, window):
    """Without a good reading there is no value; NaN and infinities, which are texts, have none."""
    return "NULL" if window["count"] == 0 or isinstance(value, str) else repr(float(value))


def upsert(window):
    values = [
        text(window["sensor_id"]),
        str(window["window_start_ms"]),
        str(window["window_end_ms"]),
        str(window["count"]),
        str(window["bad_count"]),
        number(window["sum"], window),
        number(window["min"], window),
        number(window["max"], window),
        str(window["offset"]),
    ]
    return UPSERT % ", ".join(values)


def more_comes(lines):
    return bool(select.select([lines], [], [], 0)[0])


def main():
    print(TABLE, flush=True)
    lines = sys.stdin.buffer.raw  # Not buffered here, so that select sees what is there.
    open_line, statements = b"", 0
    while True:
        part = lines.read(1 << 16)
        *whole, open_line = (open_line + part).split(b"\n")
        for line in whole:
            window = json.loads(line)
            if "sensor_id" not in window or "\0" in window["sensor_id"]:
                print("not a window:", line.decode(), file=sys.stderr)
                continue
            if statements == 0:
                print("BEGIN;")
            print(upsert(window))
            statements += 1
            if statements == MOST_IN_A_TRANSACTION:
                print("COMMIT;", flush=True)
                statements = 0
        if statements and (not part or not more_comes(lines)):
            print("COMMIT;", flush=True)
            statements = 0
        if not part:
            break


if __name__ == "__main__":
    main()

-- What is to be sent: a row is a reading, or an event. Applications insert rows in transactions of
-- their own, and need for that:
--   grant insert (priority, sensor_id, timestamp_ms, value, quality, key, event) on weir_outbox to app;
create table weir_outbox (
  id           bigint   generated always as identity primary key,
  xact         xid8     not null default pg_current_xact_id(),  -- the transaction that inserted it
  priority     smallint not null default 1 check (priority between 0 and 2),  -- 0 goes first; one for each sensor or key
  sensor_id    text,       -- a reading: who
  timestamp_ms bigint,     -- when, milliseconds since 1970-01-01 UTC; of an event too
  value        float8,     -- what
  quality      smallint,   -- null or 1 good, 2 uncertain, 3 bad
  key          text,       -- an event: whose
  event        jsonb       -- {"subject", "type", "fields": {...}}
);

-- The order in which rows are read. A row is read only when every transaction up to its own has
-- ended: none can come later and be before it.
create index weir_outbox_order on weir_outbox (priority, xact, id);

-- The collector, and how far it is: one row, for one gateway. Each transaction of the collector
-- moves the cursors and writes what is sent next, so after a crash the same bytes are sent again.
create table weir_collector (
  name        text        primary key,             -- the gateway id
  epoch       bigint      not null default 0,      -- how often it was taken over
  lease_until timestamptz not null default '-infinity',  -- until then nobody else takes over
  system_id   bigint      not null,                -- of the server that this state is of
  timeline    int         not null,
  relations   text        not null,                -- its database and tables, by oid: a restored dump has others
  boot_id     bigint      not null,
  cursors     text[]      not null,                -- of each priority the last row read: xact and id
  sequences   bigint[]    not null,                -- the last ones of weir.readings, weir.events, weir.scheduled: 64 partitions each
  in_flight   bytea       not null,                -- batches as they are sent, until they are acknowledged
  cleaned       text[],      -- of each priority up to where acknowledged rows were deleted; null: from the beginning
  budget_tokens bigint,      -- rows that weir.collect.max.rate let through now
  budget_at     timestamptz  -- since when the next one fills
);
alter table weir_collector alter column in_flight set storage external;
create unique index weir_collector_one on weir_collector ((true));

-- Without this row the collector would begin again, and rows that are still there would count again.
create function weir_collector_keep() returns trigger language plpgsql as $$
begin
  if exists (select from weir_outbox) then
    raise exception 'weir_outbox has rows, and without weir_collector those that were sent would be sent again'
      using hint = 'delete the rows of weir_outbox that were sent first';
  end if;
  return null;
end
$$;
create trigger weir_collector_keep after delete or truncate on weir_collector
  for each statement execute function weir_collector_keep();

-- Rows that are no reading and no event.
create table weir_outbox_rejects (
  id           bigint      not null,
  xact         xid8        not null,
  priority     smallint    not null,
  sensor_id    text,
  timestamp_ms bigint,
  value        float8,
  quality      smallint,
  key          text,
  event        jsonb,
  reason       text        not null,
  message      text        not null,
  rejected_at  timestamptz not null default now()
);

-- How many rejects were deleted after their retention.
create table weir_outbox_rejects_deleted (
  reason     text        primary key,
  deleted    bigint      not null,
  deleted_at timestamptz not null  -- the last time
);

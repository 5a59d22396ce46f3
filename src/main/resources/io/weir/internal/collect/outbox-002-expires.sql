-- A row that has expired when its batch is made is not sent: up to when it is of use; null: for ever.
--   grant insert (expires_at) on weir_outbox to app;
alter table weir_outbox add column expires_at timestamptz;
alter table weir_outbox_rejects add column expires_at timestamptz;

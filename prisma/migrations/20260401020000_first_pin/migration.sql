-- Whether no PIN was there before the present one: while it ripens, a tap on Stop takes such a PIN away.
ALTER TABLE guards ADD COLUMN pin_is_first boolean NOT NULL DEFAULT false;

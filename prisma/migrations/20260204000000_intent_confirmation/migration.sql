-- What the signer wrote down when the person confirmed: a code over the intent that only the holder of the master key can make.
-- Rows from before this column have none. Those that are still open are not signed any more; they end as refused, and their
-- people can confirm again. (What was signed before stays under watch and ends by what the chain says.)
ALTER TABLE intents ADD COLUMN confirmation text;

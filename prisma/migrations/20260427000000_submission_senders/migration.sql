-- The senders beside the nodes that a submission goes to, by name; `alone`: to the one of them and never to a node.
ALTER TABLE submissions ADD COLUMN senders text NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN alone boolean NOT NULL DEFAULT false;
ALTER TABLE submissions ADD CONSTRAINT submissions_alone_check CHECK (NOT alone OR senders <> '');

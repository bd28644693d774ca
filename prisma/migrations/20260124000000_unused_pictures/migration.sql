-- Pictures that no token's document names go after a while. NULL = named, or from before this was kept: stays for good.
ALTER TABLE metadata_files ADD COLUMN unused_since timestamptz(3);
-- The last part of a link that does not end in "<sha256>.<type>": a content id at a pinning service.
ALTER TABLE metadata_files ADD COLUMN other_name text;

CREATE INDEX metadata_files_unused_since_idx ON metadata_files (unused_since);
CREATE INDEX metadata_files_other_name_idx ON metadata_files (other_name);

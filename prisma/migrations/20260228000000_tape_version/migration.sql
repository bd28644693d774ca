-- Versions of rows in a tape that ClickHouse keeps: of two rows with one key the higher version counts.
CREATE SEQUENCE tape_version;

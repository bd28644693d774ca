-- A second place for notices: the address in force, and the one that takes its place from a moment on.

ALTER TABLE guards
  ADD COLUMN notice_mail         text,
  ADD COLUMN next_notice_mail    text,
  ADD COLUMN next_notice_mail_at timestamptz(3),
  ADD CONSTRAINT guards_next_notice_mail CHECK (next_notice_mail IS NULL OR next_notice_mail_at IS NOT NULL);

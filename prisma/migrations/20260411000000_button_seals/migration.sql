-- Each button carries the seal of the chat's key. A button of before has none: it is an old button, for the day that it lives.
ALTER TABLE buttons ADD COLUMN seal text NOT NULL DEFAULT '';

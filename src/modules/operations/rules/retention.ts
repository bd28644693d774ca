/** Days after its delivery for which a notice is kept, for questions about its text. */
export const NOTICE_DAYS = 7;
/** Days for which a creator's transfers are kept: longer than any order that counts them. */
export const MOVE_DAYS = 100;
/** Days after their end for which progress messages, used allowances and signed bytes are kept. */
export const KEPT_DAYS = 30;
/** Taps of a person are booked when they stopped for this long. */
export const IDLE_DAYS = 1;
/** Days of which `/status` shows the health of each part, today included. */
export const HISTORY_DAYS = 90;

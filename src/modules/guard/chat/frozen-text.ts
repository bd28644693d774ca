import type { Words } from '../../../compose/texts/words.ts';
import { type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { leftText } from '../../../platform/telegram/ui/time.ts';
import type { GuardOverview } from '../use/guard-overview.ts';

type Thaw = Pick<GuardOverview, 'thawsWithPin' | 'thawWaitMs'>;

/** What a freeze has just done, and what ends it: a PIN that was ripe at that moment, or the long wait. */
export function panicText(words: Words, cancelled: number, thaw: Thaw): Html {
  return lines(
    words.html('panic.done', { count: cancelled }),
    thaw.thawsWithPin
      ? words.html('panic.unlock_pin')
      : words.html('panic.unlock_no_pin', { time: leftText(thaw.thawWaitMs) }),
  );
}

/** That everything is frozen, and what ends it. */
export function frozenText(words: Words, thaw: Thaw): Html {
  return thaw.thawsWithPin
    ? words.html('security.frozen')
    : words.html('security.frozen_no_pin', { time: leftText(thaw.thawWaitMs) });
}

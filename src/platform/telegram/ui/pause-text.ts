import type { Words } from '../../../compose/texts/words.ts';
import { type Pause, SWITCHES } from '../../../engine/switches/rules.ts';
import { type Html, plain } from './html.ts';
import { utcText } from './time.ts';

/** The paused part, until when and why, as a sentence. */
export function pauseText(words: Words, { what, reason, until }: Pause): Html {
  const [kind = '', name = ''] = what.split(':');
  const known = SWITCHES.find((one) => one === what);
  return words.html('pause.line', {
    what:
      known === undefined
        ? words.html(kind === 'aggregator' ? 'switch.aggregator' : 'switch.venue', { name })
        : words.html(`switch.${known}`),
    reason: plain(reason),
    until: until === null ? words.html('pause.open_end') : words.html('pause.until', { at: utcText(until) }),
  });
}

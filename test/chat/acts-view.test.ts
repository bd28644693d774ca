import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { type ActEntry, ownAct } from '../../src/engine/audit/rules.ts';
import type { UnreadAct } from '../../src/engine/audit/store/audit-log-port.ts';
import { SWITCHES } from '../../src/engine/switches/rules.ts';
import { actsView } from '../../src/modules/guard/chat/acts-view.ts';
import { pauseText } from '../../src/platform/telegram/ui/pause-text.ts';

const AT = Date.UTC(2027, 0, 31, 12);
const ADDRESS = 'Bz1XwBRGHZ8cmrkhGRTE3QdRVYDcRH3zMpJmoVGjVbnN';
const shown = (entries: readonly (ActEntry | Omit<UnreadAct, 'id'>)[], language: 'en' | 'es' = 'en') =>
  actsView(
    wordsOf(language),
    entries.map((entry, index) => ({ ...entry, id: BigInt(index) })),
    { index: 1, more: true },
  );

describe('the screen of acts', () => {
  it('says what was done, when and by whom, newest first, and pages', () => {
    const { text, keyboard } = shown([
      {
        at: AT,
        actor: 'operator:ann',
        act: 'second-factor-end-asked',
        subject: 'u',
        outcome: 'done',
        details: { at: AT + 86_400_000 },
      },
      ownAct('u', AT, 'pin-wrong', { triesLeft: 0, lockedUntil: AT + 60_000 }, 'refused'),
      ownAct('u', AT, 'withdrawal-confirmed', {
        intentId: 'i',
        destination: ADDRESS,
        mint: null,
        amount: '1500000000',
        notBefore: null,
      }),
      ownAct('u', AT, 'wallet-exported', { walletId: 'w', address: ADDRESS }),
    ]);
    const lines = text.markup.split('\n');
    expect(lines).toContain(
      '2027-01-31 12:00:00 UTC · End of the authenticator asked for, at 2027-02-01 12:00:00 UTC (by the operator)',
    );
    expect(lines).toContain(
      '2027-01-31 12:00:00 UTC · Wrong PIN or code: locked until 2027-01-31 12:01:00 UTC',
    );
    expect(text.markup).toMatch(/Withdrawal of 1\.5 SOL confirmed, to <code>Bz1X.*<\/code>/);
    expect(text.markup).toMatch(/Key given out in a backup file: <code>/);
    expect(JSON.stringify(keyboard)).toMatch(/open-0.*open-2/);
  });

  it('names an act whose details it cannot read, and shows the others', () => {
    const damaged = { ...ownAct('u', AT, 'cap-changed', {} as never), details: null };
    const { markup } = shown([damaged, ownAct('u', AT, 'frozen', {})]).text;
    expect(markup).toContain('Something else: cap-changed');
    expect(markup).toMatch(/frozen|Frozen/);
  });

  it('names an act that this version does not know, without markup', () => {
    const strange = { ...ownAct('u', AT, 'frozen', {}), act: '<b>new</b>', details: null };
    expect(shown([strange]).text.markup).toContain('Something else: &lt;b&gt;new&lt;/b&gt;');
    expect(shown([strange], 'es').text.markup).toContain('Otra cosa: ');
  });
});

it('a pause is a sentence in both languages, for every switch', () => {
  for (const what of [...SWITCHES, 'venue:desk', 'aggregator:okx'] as const) {
    const pause = { what, reason: 'a <b>bug</b>', since: AT, until: AT };
    expect(pauseText(wordsOf('en'), pause).markup).toMatch(
      /paused by the operator until 2027-01-31 12:00:00 UTC: a &lt;b&gt;bug&lt;\/b&gt;\.$/,
    );
    expect(pauseText(wordsOf('es'), { ...pause, until: null }).markup).toMatch(
      /en pausa por decisión del operador, por ahora: a &lt;b&gt;bug/,
    );
  }
  expect(pauseText(wordsOf('en'), { what: 'venue:desk', reason: 'x', since: 1, until: null }).markup).toBe(
    'Trading at desk is paused by the operator for now: x.',
  );
});

import { beforeEach, describe, expect, it } from 'vitest';
import { ACT_NAMES, type Act, ruleOf } from '../../../../src/modules/guard/rules/acts.ts';
import { emptyGuard } from '../../../../src/modules/guard/rules/guard.ts';
import { PRODUCTION_RULES } from '../../../../src/modules/guard/rules/guard-rules.ts';
import { asksPin } from '../../../../src/modules/guard/rules/judge-act.ts';
import { assertMayAct } from '../../../../src/modules/guard/use/pass-gate.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import { askSecret } from '../../../../src/platform/telegram/secret/ask-pin.ts';
import { html } from '../../../../src/platform/telegram/ui/html.ts';
import { insertUser } from '../../../support/chat/people.ts';
import { fakeClock } from '../../../support/fakes/clock.ts';
import { fakeDatabase } from '../../../support/fakes/database.ts';
import { fakeIds } from '../../../support/fakes/ids.ts';
import { PASSED } from '../../../support/passed.ts';
import { filesOfRing } from '../../../support/rings.ts';

const clock = fakeClock();
const ids = fakeIds(4);
let db: Database;
let userId: string;
let shown: number;

beforeEach(async () => {
  db = fakeDatabase();
  userId = (await insertUser(db, ids, 4n)).id;
  shown = 0;
});

/** Asks for the PIN for an act, over the real gate. Everything that the chat would show or wait for is counted. */
function ask(act: Act): Promise<void> {
  const words = { html: (key: string) => html`${key}`, text: (key: string) => key };
  const turn = { user: { id: userId }, words, screen: { show: async () => (shown += 1) } };
  const deps = {
    guard: {
      mayAct: (asked: { readonly act: Act; readonly userId: string | null }) =>
        assertMayAct(db, { clock, guardRules: PRODUCTION_RULES }, asked),
      overview: async () => ({ hasSecondFactor: false }),
    },
    secrets: { ask: async () => (shown += 1) },
  };
  const question = { to: 'a:b', payload: null, isProof: true as const, act, text: html`?` };
  return askSecret(deps as never, { turn } as never, question);
}

const withPin = (change = {}) =>
  db.guards.save({ ...emptyGuard(userId), pinHash: 'hash', pinSetAt: 0, ...change }, PASSED);

describe.each(ACT_NAMES.filter((act) => asksPin(act, { pinHash: 'hash' })))('the PIN for %s', (act) => {
  const { rate, switches, frozen, pin } = ruleOf(act);
  const refused = async (code: string): Promise<void> => {
    await expect(ask(act)).rejects.toMatchObject({ code });
    expect(shown).toBe(0);
  };

  it('is asked for where nothing refuses the act', async () => {
    await withPin();
    await ask(act);
    expect(shown).toBe(2);
  });

  it('is not asked for while everything is frozen', async () => {
    await withPin({ frozenAt: clock.now() });
    if (frozen === 'refused') await refused('ACCOUNT_FROZEN');
    else await ask(act);
  });

  it('is not asked for while a switch of it is off', async () => {
    await withPin();
    for (const what of switches) {
      await db.flags.set(`${what}-paused`, true, clock.now(), { reason: 'x', until: null });
      await refused('PAUSED');
      await db.flags.set(`${what}-paused`, false, clock.now());
    }
  });

  it('is not asked for when its rate is used up', async () => {
    await withPin();
    if (rate === null) return;
    for (let n = 0; n < PRODUCTION_RULES.rates[rate].count; n += 1)
      await db.guards.addAct({ id: ids.ulid(), by: { userId }, rate, at: clock.now() });
    await refused('ACT_LIMIT');
  });

  it('is not asked for while it is locked, or too young', async () => {
    await withPin({ pinLockedUntil: clock.now() + 1 });
    await refused('PIN_LOCKED');
    await withPin({ pinSetAt: clock.now(), unlocksFrom: clock.now() + 1 });
    if (pin === 'ripe') await refused('PIN_TOO_NEW');
  });
});

it('no other way asks for a proof: the screens that ask by themselves are judged by name', () => {
  const direct = filesOfRing('chat')
    .filter(({ text }) => text.includes('secrets.ask('))
    .map(({ path }) => path);
  // The first for the code of a mail and the second for the code of a page, which a PIN opened; the third after `mayWithdraw`.
  expect(direct.toSorted()).toEqual([
    'modules/guard/chat/notice-mail.ts',
    'modules/guard/chat/second-factor.ts',
    'modules/withdrawals/chat/index.ts',
    'platform/telegram/secret/ask-pin.ts',
  ]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ACT_NAMES, ruleOf } from '../../../src/modules/guard/rules/acts.ts';
import { emptyGuard } from '../../../src/modules/guard/rules/guard.ts';
import { PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { asksPin } from '../../../src/modules/guard/rules/judge-act.ts';
import { FREE_ACTS } from '../../../src/modules/guard/rules/pass-free.ts';
import { type Asked, assertMayAct, passGate } from '../../../src/modules/guard/use/pass-gate.ts';
import { verifyPin } from '../../../src/modules/guard/use/verify-pin.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';

const clock = fakeClock();
const ids = fakeIds(1);
const deps = { clock, ids, guardRules: PRODUCTION_RULES };
let db: Database;
let userId: string;

beforeEach(async () => {
  db = fakeDatabase();
  userId = (await insertUser(db, ids, 1n)).id;
});

const pass = (asked: Omit<Asked<(typeof ACT_NAMES)[number]>, 'userId'>) =>
  db.transact((stores) => passGate(stores, deps, { userId, ...asked }));
const look = (act: (typeof ACT_NAMES)[number]) => assertMayAct(db, deps, { act, userId });
const proof = () => verifyPin({ vault: { verifyPin: async () => undefined } }, { userId, pin: '' });
const set = (change: object) =>
  db.guards.save({ ...emptyGuard(userId), pinHash: 'hash', pinSetAt: 0, ...change }, PASSED);

describe.each(ACT_NAMES)('%s', (act) => {
  const rule = ruleOf(act);

  it('is refused by a freeze, on the screen before and at the gate, exactly when its row says so', async () => {
    await set({ frozenAt: clock.now() });
    for (const ask of [() => look(act), async () => pass({ act, proof: await proof() })]) {
      if (rule.frozen === 'refused') await expect(ask()).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
      else await ask();
    }
  });

  it('is refused by each of its switches, on the screen before and at the gate', async () => {
    await set({});
    for (const what of rule.switches) {
      await db.flags.set(`${what}-paused`, true, clock.now(), { reason: 'x', until: null });
      await expect(look(act)).rejects.toMatchObject({ code: 'PAUSED', details: { what } });
      await expect(pass({ act, proof: await proof() })).rejects.toMatchObject({ code: 'PAUSED' });
      await db.flags.set(`${what}-paused`, false, clock.now());
    }
    await pass({ act, proof: await proof() });
  });

  it('is counted, and refused when its rate is used up until the oldest leaves the span', async () => {
    await set({});
    const rate = rule.rate === null ? null : PRODUCTION_RULES.rates[rule.rate];
    const first = clock.now();
    for (let done = 0; done < (rate?.count ?? 0); done += 1) {
      await look(act);
      await pass({ act, proof: await proof() });
      clock.advance(1_000);
    }
    if (rate === null) return;
    const until = first + rate.spanMs;
    await expect(look(act)).rejects.toMatchObject({ code: 'ACT_LIMIT', details: { until } });
    clock.set(until - 1);
    await expect(pass({ act, proof: await proof() })).rejects.toMatchObject({ code: 'ACT_LIMIT' });
    clock.set(until);
    await pass({ act, proof: await proof() });
  });

  it('takes the PIN that its row asks for', async () => {
    await set({});
    const ask = () => pass({ act });
    if (asksPin(act, { pinHash: 'hash' }))
      await expect(ask()).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    else await ask();
    const others = { userId: 'another' } as never;
    if (asksPin(act, { pinHash: 'hash' }))
      await expect(pass({ act, proof: others })).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    const needs = rule.pin === 'always' || rule.pin === 'ripe';
    await db.guards.save(emptyGuard(userId), PASSED);
    if (needs) await expect(look(act)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    else await pass({ act });
    if (rule.pin !== 'ripe') return;
    await set({ unlocksFrom: clock.now() + 1, pinSetAt: clock.now() });
    await expect(look(act)).rejects.toMatchObject({ code: 'PIN_TOO_NEW' });
    await expect(pass({ act, proof: await proof() })).rejects.toMatchObject({ code: 'PIN_TOO_NEW' });
  });
});

it('a PIN of today lets a new person do what needs a ripe one, but takes no key out', async () => {
  await set({ unlocksFrom: null, pinSetAt: clock.now() });
  await look('unlock');
  await expect(look('export-ask')).rejects.toMatchObject({
    code: 'PIN_TOO_NEW',
    details: { until: clock.now() + PRODUCTION_RULES.longDelayMs },
  });
});

it('of two at once that would use up a rate one passes', async () => {
  await pass({ act: 'wallet-import' });
  await pass({ act: 'wallet-import' });
  const both = await Promise.allSettled([pass({ act: 'wallet-import' }), pass({ act: 'wallet-import' })]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

describe('acts that nothing refuses', () => {
  it.each(FREE_ACTS)('%s takes no PIN, has no rate and no switch, and a freeze lets it through', (act) => {
    expect(ruleOf(act)).toMatchObject({ pin: 'none', rate: null, switches: [], frozen: 'allowed' });
  });
});

describe('a pass', () => {
  it('is made by the gate alone', () => {
    const src = new URL('../../../src/', import.meta.url);
    const makers = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        path.endsWith('.ts') &&
        /\bas (?:unknown as )?Passed\b/.test(readFileSync(new URL(path, src), 'utf8')),
    );
    expect(makers.toSorted()).toEqual(['modules/guard/rules/pass-free.ts', 'modules/guard/use/pass-gate.ts']);
  });
});

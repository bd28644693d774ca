import { describe, expect, it } from 'vitest';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { EXPORT_OPEN_MS } from '../../src/modules/guard/rules/key-export.ts';
import { addAddress } from '../../src/modules/guard/use/address-book.ts';
import { changeCap } from '../../src/modules/guard/use/change-cap.ts';
import { freezeAccount, unfreezeAccount } from '../../src/modules/guard/use/freeze-account.ts';
import { hashPin, setPin } from '../../src/modules/guard/use/set-pin.ts';
import { unlockTrades } from '../../src/modules/guard/use/unlock-trades.ts';
import { addressOf } from '../engine/intents/build.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { TEST_PIN } from '../support/fakes/pins.ts';
import { describeTwoAtOnce } from './edges-at-once-suite.ts';
import { actOf, DAY, edgeRig, HOUR, LEAST, outcome, RATES_OF_ACTS, SOL, SUMS } from './edges-rig.ts';

const { delayMs, longDelayMs, rates } = PRODUCTION_RULES;
const rigOf = (hasPin = true) => edgeRig(fakeDatabase(), hasPin);

describeTwoAtOnce(async () => fakeDatabase());

describe.each(SUMS.map((sum) => [sum.name, sum] as const))('%s', (_, sum) => {
  it.each([
    [-1n, 'done'],
    [0n, 'done'],
    [1n, sum.refusal],
  ] as const)('at once, fees counted: what is left and %s lamports', async (beside, expected) => {
    const rig = await rigOf(sum.hasPin);
    await sum.before(rig);
    expect(await sum.spend(rig, sum.left + beside)).toBe(expected);
  });

  it('in parts: what is left passes to the lamport, and not one more', async () => {
    const rig = await rigOf(sum.hasPin);
    await sum.before(rig);
    expect(await sum.spend(rig, sum.left - LEAST - 2n)).toBe('done');
    expect(await sum.spend(rig, LEAST + 3n)).toBe(sum.refusal);
    expect(await sum.spend(rig, LEAST + 2n)).toBe('done');
    expect(await sum.spend(rig, LEAST)).toBe(sum.refusal);
  });

  it(`counts ${sum.isOfADay ? 'for 24 hours, to the millisecond' : 'on, however long it was ago'}`, async () => {
    const rig = await rigOf(sum.hasPin);
    await sum.before(rig);
    expect(await sum.spend(rig, sum.left)).toBe('done');
    rig.clock.advance(DAY);
    if (sum.needsUnlock) await rig.unlock();
    expect(await sum.spend(rig, LEAST)).toBe(sum.refusal);
    rig.clock.advance(1);
    expect(await sum.spend(rig, LEAST)).toBe(sum.isOfADay ? 'done' : sum.refusal);
  });
});

describe.each(RATES_OF_ACTS)('the rate of %s', (rate) => {
  it('passes its number within its span, and one more a span after the first', async () => {
    const rig = await rigOf();
    const act = actOf(rate);
    const { count, spanMs } = rates[rate];
    for (let left = count; left > 0; left -= 1) expect(await rig.pass(act)).toBe('done');
    expect(await rig.pass(act)).toBe('ACT_LIMIT');
    rig.clock.advance(spanMs - 1);
    expect(await rig.pass(act)).toBe('ACT_LIMIT');
    rig.clock.advance(1);
    expect(await rig.pass(act)).toBe('done');
  });
});

describe('what has to wait', () => {
  it('an address: two hours, to the millisecond', async () => {
    const { deps, clock, userId, walletId, withdraw } = await rigOf();
    const address = addressOf(9);
    await addAddress(deps, { userId, walletId, address, name: 'Mine', pin: TEST_PIN });
    const usable = clock.now() + delayMs;
    expect(await withdraw(1n, address)).toBe(usable);
    clock.advance(delayMs - 1);
    expect(await withdraw(1n, address)).toBe(usable);
    clock.advance(1);
    expect(await withdraw(1n, address)).toBeNull();
  });

  it.each([
    [longDelayMs - 1, 'EXPORT_WAITS'],
    [longDelayMs, 'done'],
    [longDelayMs + EXPORT_OPEN_MS - 1, 'done'],
    [longDelayMs + EXPORT_OPEN_MS, 'EXPORT_WAITS'],
  ] as const)('a key: after %s ms taking it is %s', async (ms, expected) => {
    const { vault, clock, userId, walletId } = await rigOf();
    const { exportId } = await vault.askExport({ userId, walletId, pin: TEST_PIN });
    clock.advance(ms);
    const taken = await outcome(() =>
      vault.takeExport({ userId, exportId, pin: TEST_PIN, passphrase: 'a passphrase of twelve' }),
    );
    expect(taken).toBe(expected);
  });

  it('a new PIN: a day until it unlocks trades and asks for a key', async () => {
    const { deps, vault, clock, userId, walletId } = await rigOf(false);
    const hash = await hashPin(deps, { userId, pin: TEST_PIN });
    await setPin(deps, { userId, hash, again: TEST_PIN, replaces: null });
    const unlock = () => outcome(() => unlockTrades(deps, { userId, pin: TEST_PIN }));
    const ask = () => outcome(() => vault.askExport({ userId, walletId, pin: TEST_PIN }));
    clock.advance(longDelayMs - 1);
    expect([await unlock(), await ask()]).toEqual(['PIN_TOO_NEW', 'PIN_TOO_NEW']);
    clock.advance(1);
    expect([await unlock(), await ask()]).toEqual(['done', 'done']);
  });

  it('a raised cap: a day, and not a lamport before', async () => {
    const { deps, clock, userId, withdraw } = await rigOf();
    await changeCap(deps, { userId, pin: TEST_PIN, lamports: 20n * SOL });
    clock.advance(longDelayMs - 1);
    expect(await outcome(() => withdraw(5n * SOL + 1n))).toBe('DAILY_CAP');
    clock.advance(1);
    expect(await outcome(() => withdraw(20n * SOL + 1n))).toBe('DAILY_CAP');
    expect(await outcome(() => withdraw(20n * SOL))).toBe('done');
  });

  it.each([
    ['two hours with a PIN that was ripe', true, 2 * HOUR],
    ['seven days without one', false, 7 * DAY],
  ] as const)('the end of a freeze: %s', async (_, hasPin, waitMs) => {
    const { deps, clock, userId, buy } = await rigOf(hasPin);
    await freezeAccount(deps, { userId });
    await unfreezeAccount(deps, { userId, pin: hasPin ? TEST_PIN : null });
    clock.advance(waitMs - 1);
    expect(await buy(1n)).toBe('ACCOUNT_FROZEN');
    clock.advance(1);
    expect(await buy(1n)).toBe('done');
  });
});

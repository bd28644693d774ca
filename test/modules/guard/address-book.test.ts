import { describe, expect, it } from 'vitest';
import { addAddress, listAddresses } from '../../../src/modules/guard/use/address-book.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { addressOf, PARAMS } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { guardRig, HOUR } from './guard-rig.ts';

describe('an address that a withdrawal brought into the book', () => {
  it('takes the name that its person gives it, and keeps its age', async () => {
    const [db, pins] = [fakeDatabase(), fakePins()];
    const { deps, clock, user, wallet } = await guardRig(db, pins);
    await givePin(db, pins, user.id);
    const of = { userId: user.id, walletId: wallet.id };
    const address = addressOf(7);
    const params = { ...PARAMS.withdrawSol, destination: address };
    await confirmWithdrawal(deps, { ...of, idemKey: 'first', params, pin: TEST_PIN });
    clock.advance(3 * HOUR);
    const named = await addAddress(deps, { ...of, address, name: 'Cold', pin: TEST_PIN });
    expect(named).toMatchObject({ entry: { name: 'Cold', addedAt: clock.now() - 3 * HOUR }, usable: true });
    expect(await listAddresses(deps, of)).toEqual([named]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import { type JourneyRig, startJourneyRig } from './rig.ts';
import { sayAndWait, tapAndWait } from './token-wizard.ts';

const SOL = 1_000_000_000n;
/** More than a double counts in lamports, and more SOL than there is. */
const MANY = '20000000';
const TOO_MANY = '2000000000';
const REFUSED = /is larger than any amount there is/;

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('huge amounts', { spendCapLamports: 100n * SOL });
});
afterAll(() => rig.stop());

describe('an amount that nobody has', () => {
  it('is refused as what the wallet lacks, also where the wallet is empty', async () => {
    const { wallet } = await rig.trader('Empty', 0n);
    const asked = rig.services.trade.quoteTrade({
      side: 'buy',
      wallet: wallet.address,
      mint: rig.token('PUP').mint as never,
      amount: { lamports: BigInt(MANY) * SOL },
      slippageBps: bps(500),
      tier: 'normal',
    });
    await expect(asked).rejects.toMatchObject({ name: 'AppError' });
  });

  it('is answered in words by each question for SOL', async () => {
    const { person } = await rig.trader('Midas', 2n);
    const { mint } = rig.token('PUP');
    await sayAndWait(person, mint, /\n\S+( SOL)? · cap /);
    await tapAndWait(person, '🟢 X', /How much SOL/);
    await sayAndWait(person, TOO_MANY, REFUSED);
    await sayAndWait(person, MANY, /Not enough SOL|moves? the price/);
    await sayAndWait(person, '/cancel', /./);

    await sayAndWait(person, mint, /\n\S+( SOL)? · cap /);
    await tapAndWait(person, 'Limit', /Limit buy/);
    await tapAndWait(person, 'Amount', /How much/);
    await sayAndWait(person, TOO_MANY, REFUSED);
    await sayAndWait(person, MANY, /Limit buy PUP · 20,000,000 SOL/);

    await sayAndWait(person, '/setting', /Settings/);
    await person.tap('Presets');
    await person.waitFor(/Presets/);
    await person.tap('Buy presets');
    await person.waitFor(/Four amounts in SOL/);
    await person.say(`1 2 3 ${TOO_MANY}`);
    await person.waitFor(REFUSED);
  });
});

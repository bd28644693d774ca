import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { ATTEMPT, buildIntent, buildWallet, type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('co-sign');
});
afterAll(() => rig.stop());

async function plan(id: string, lamports: bigint) {
  const mint = rig.token('TAX').mint;
  const { terms, tier } = await quoteTrade(rig.deps, {
    side: 'buy',
    wallet: rig.wallet,
    mint,
    slippageBps: bps(500),
    tier: 'normal',
    amount: { lamports },
  });
  const params = { kind: 'buy', mint, lamportsIn: lamports, terms, tier } as const;
  return {
    build: () => createBuyPlanBuilder(rig.deps)(buildIntent(id, params), buildWallet(rig.wallet), ATTEMPT),
  };
}

describe('a trade overtaken by another', () => {
  it('is asked to try again, and the next attempt lands within the confirmed minimum', async () => {
    const slow = await plan('slow', 100_000_000n);
    const overtaken = await slow.build();
    await rig.execute(await (await plan('fast', 1_000_000_000n)).build(), 'fast');

    const message = await rig.compile(overtaken, 'slow');
    const others = message.signers.filter((signer) => signer !== rig.wallet);
    await expect(overtaken.coSign?.(message.bytes, others)).rejects.toMatchObject({
      code: 'CHAIN_UNREACHABLE',
      details: { endpoint: 'desk' },
    });

    const again = await slow.build();
    expect(again.terms?.quotedOut).toBeLessThan(overtaken.terms?.quotedOut ?? 0n);
    expect((await rig.execute(again, 'slow')).err).toBeNull();
  });

  it('is refused for good once the market is below the confirmed minimum', async () => {
    const slow = await plan('too-slow', 100_000_000n);
    await rig.execute(await (await plan('whale', 9_000_000_000n)).build(), 'whale');
    await expect(slow.build()).rejects.toMatchObject({ code: 'PRICE_MOVED' });
  });
});

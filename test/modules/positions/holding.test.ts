import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../../src/modules/positions/rules/fold-events.ts';
import { holdingOf } from '../../../src/modules/positions/rules/holding.ts';
import type { PositionEvent } from '../../../src/modules/positions/rules/position.ts';

const MINT = 'So11111111111111111111111111111111111111112' as Address;
let slot = 0n;
function event(at: number, kind: 'buy' | 'sell', units: bigint, flowLamports: bigint): PositionEvent {
  slot += 1n;
  return {
    walletId: 'w',
    mint: MINT,
    signature: `s${slot}`,
    slot,
    at,
    final: true,
    kind,
    units,
    flowLamports,
  };
}
const held = (...events: readonly PositionEvent[]) => holdingOf(foldEvents(events).entries);

describe('a holding', () => {
  it('begins with what brought the first of it, and counts what was paid and taken out since', () => {
    expect(
      held(event(10, 'buy', 100n, -1_000n), event(20, 'buy', 100n, -500n), event(30, 'sell', 50n, 900n)),
    ).toEqual({ since: 10, paidLamports: 1_500n, takenLamports: 900n });
  });

  it('begins anew after nothing was held, and the sale that ends one belongs to it', () => {
    const first = [event(10, 'buy', 100n, -1_000n), event(40, 'sell', 100n, 700n)] as const;
    expect(held(...first)).toEqual({ since: 10, paidLamports: 1_000n, takenLamports: 700n });
    expect(held(...first, event(60, 'buy', 5n, -9n))).toEqual({
      since: 60,
      paidLamports: 9n,
      takenLamports: 0n,
    });
  });

  it('is none where nothing came', () => {
    expect(held()).toBeNull();
    expect(held(event(10, 'sell', 5n, 9n))).toBeNull();
  });
});

import type { Address } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { classify, type Movement } from '../../../src/modules/positions/rules/classify.ts';

const movement = (over: Partial<Movement>): Movement => ({
  walletId: 'main',
  mint: 'So11111111111111111111111111111111111111112' as Address,
  signature: 'sig',
  slot: 7n,
  at: 1_000,
  final: true,
  units: 0n,
  flowLamports: 0n,
  failed: false,
  ours: null,
  counterparty: 'other',
  signedByWallet: false,
  knownMint: false,
  valueLamports: null,
  ...over,
});

it('names each movement by what happened', () => {
  const cases: readonly (readonly [Partial<Movement>, object | null])[] = [
    [
      { ours: 'buy', units: 5n, flowLamports: -9n },
      { kind: 'buy', units: 5n, flowLamports: -9n },
    ],
    [
      { ours: 'sell', units: -5n, flowLamports: 9n },
      { kind: 'sell', units: 5n, flowLamports: 9n },
    ],
    [
      { ours: 'sell', failed: true, flowLamports: -5n },
      { kind: 'failed', feeLamports: 5n },
    ],
    [{ failed: true, flowLamports: -5n }, null],
    [
      { ours: 'creation', units: 8n, flowLamports: -3n },
      { kind: 'creation', units: 8n, costLamports: 3n },
    ],
    [
      { ours: 'passed-through', units: 2n },
      { kind: 'remainder', units: 2n },
    ],
    [
      { ours: 'passed-through', units: -2n },
      { kind: 'adjustment', units: -2n },
    ],
    [
      { ours: 'buy', units: -2n },
      { kind: 'adjustment', units: -2n },
    ],
    [
      { counterparty: 'own-wallet', units: 2n },
      { kind: 'own-in', units: 2n },
    ],
    [
      { counterparty: 'own-wallet', units: -2n },
      { kind: 'own-out', units: 2n },
    ],
    [{ units: 2n }, { kind: 'airdrop', units: 2n }],
    [
      { units: 2n, knownMint: true, valueLamports: 4n },
      { kind: 'received', valueLamports: 4n },
    ],
    // Dust: a sale would cost more than it brings, and nobody has to make it.
    [
      { units: 2n, knownMint: true, valueLamports: -4_900n },
      { kind: 'received', valueLamports: 0n },
    ],
    [
      { units: 2n, signedByWallet: true },
      { kind: 'received', valueLamports: 0n, revision: 0 },
    ],
    [
      { units: -2n, signedByWallet: true },
      { kind: 'withdrawn', units: 2n },
    ],
    // Burnt by its owner, and moved by the mint's permanent delegate.
    [
      { units: -2n, signedByWallet: true, counterparty: 'none' },
      { kind: 'taken', units: 2n },
    ],
    [{ units: -2n }, { kind: 'taken', units: 2n }],
    [{}, null],
  ];
  for (const [given, expected] of cases) {
    const event = classify(movement(given));
    if (expected === null) expect(event).toBeNull();
    else expect(event).toMatchObject({ ...expected, walletId: 'main', signature: 'sig', slot: 7n });
  }
});

import { type Instruction, TOKEN_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { buildApi, type ErrorAnswer, post, SOL } from '../../api/build-api.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('withheld');
  // An account that the swaps below have nothing to do with.
  const { mint } = rig.token('USDC');
  await rig.execute(
    {
      instructions: [
        rig.programs.createAssociatedTokenAccount({
          payer: rig.wallet,
          owner: rig.wallet,
          mint,
          tokenProgram: TOKEN_PROGRAM,
        }),
      ],
      tier: 'normal',
      units: null,
      terms: null,
      coSign: null,
      expect: { maxLamportsOut: 3_000_000n, minLamportsIn: null, tokens: [] },
    },
    'opens an account',
  );
});
afterAll(() => rig.stop());

/** Venues whose pools put something of their own beside an honest swap. */
function planting(planted: () => Instruction): readonly Venue[] {
  return rig.venues.map((venue) => ({
    ...venue,
    pools: async (a, b) =>
      (await venue.pools(a, b)).map((pool) => ({
        ...pool,
        swap: (order) => [...pool.swap(order), planted()],
      })),
  }));
}

describe('POST /dex/swap with a wrong instruction in what was assembled', () => {
  const own = () => rig.programs.associatedTokenAddress(rig.wallet, rig.token('USDC').mint, TOKEN_PROGRAM);
  const onToken = (data: readonly number[], ...rest: readonly Instruction['accounts'][number][]) => ({
    programId: TOKEN_PROGRAM,
    accounts: [{ address: own(), signer: false, writable: true }, ...rest],
    data: new Uint8Array(data),
  });
  const user = () => ({ address: rig.wallet, signer: true, writable: true });
  const thief = { address: addressOf(66), signer: false, writable: false };

  it.each([
    // Each of these succeeds in the simulation and takes nothing at once: only reading the bytes shows them.
    [
      'an approval for a stranger',
      () => onToken([4, 255, 255, 255, 255, 0, 0, 0, 0], thief, user()),
      'instruction',
    ],
    [
      'a new owner of the account',
      () => onToken([6, 3, 1, ...new Uint8Array(32).fill(9)], user()),
      'instruction',
    ],
    ['a memo', () => rig.programs.memo('not asked for'), 'memo'],
  ])(
    'withholds %s, says so to the operator and nothing of it to the caller',
    async (_what, planted, rule) => {
      const api = buildApi({ ...rig, deps: { ...rig.deps, venues: planting(planted) } });
      try {
        const answer = await post(api.open, {
          userWalletAddress: rig.wallet,
          fromTokenAddress: SOL,
          toTokenAddress: rig.token('PUP').mint,
          amount: '100000000',
        });
        expect(answer.statusCode, answer.body).toBe(500);
        expect(answer.json<ErrorAnswer>().error).toMatchObject({ code: 'INTERNAL', retryable: false });
        expect(answer.body).not.toContain('"tx"');
        expect(answer.body).not.toContain(rule);
        expect(api.logged).toContainEqual(expect.stringContaining('a swap transaction was withheld'));
        expect(api.denied).toContain(rule);
      } finally {
        await api.close();
      }
    },
  );
});

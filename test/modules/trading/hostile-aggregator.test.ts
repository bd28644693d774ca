import { AuthorityType, createApproveInstruction, createSetAuthorityInstruction } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toInstruction } from '../../../src/platform/chain/instruction-codec.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { type AggregatorRig, startAggregatorRig } from './aggregator-rig.ts';

let r: AggregatorRig;
let own: bigint;
beforeAll(async () => {
  r = await startAggregatorRig('hostile-aggregator');
  own = await r.ownOut();
});
afterAll(() => r.stop());
beforeEach(() => r.stub.reset());

describe('a hostile aggregator', () => {
  const approve = (account: string) =>
    toInstruction(
      createApproveInstruction(
        new PublicKey(account),
        new PublicKey(addressOf(66)),
        new PublicKey(r.rig.wallet),
        9n,
      ),
    );

  it.each([
    [
      'takes more than the amount',
      (own: bigint) => ({ amountOut: own * 2n, takes: 1_000_000_001n }),
      'simulate',
    ],
    ['brings less than the minimum', (own: bigint) => ({ amountOut: own * 2n, brings: own }), 'simulate'],
    [
      'approves somebody for what was bought',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: ({ destination }: { destination: string }) => [approve(destination)],
      }),
      'simulate',
    ],
    [
      'hands the account over',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: ({ destination }: { destination: string }) => [
          toInstruction(
            createSetAuthorityInstruction(
              new PublicKey(destination),
              new PublicKey(r.rig.wallet),
              AuthorityType.AccountOwner,
              new PublicKey(addressOf(66)),
            ),
          ),
        ],
      }),
      'simulate',
    ],
    [
      'has another signer',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [
          {
            programId: TOKEN_PROGRAM,
            accounts: [{ address: addressOf(66), signer: true, writable: false }],
            data: new Uint8Array([1]),
          },
        ],
      }),
      'build',
    ],
    [
      'sends SOL along',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [r.rig.programs.transferSol({ from: r.rig.wallet, to: addressOf(66), lamports: 1n })],
      }),
      'build',
    ],
    [
      'calls an unknown program',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [{ programId: addressOf(67), accounts: [], data: new Uint8Array([1]) }],
      }),
      'build',
    ],
    [
      'names a lookup table that is none',
      (own: bigint) => ({
        amountOut: own * 2n,
        answer: (honest: object) => ({ ...honest, lookupTables: [addressOf(68)] }) as never,
      }),
      'build',
    ],
    [
      'answers with a message that is none',
      (own: bigint) => ({
        amountOut: own * 2n,
        answer: () => ({ kind: 'message', bytes: new Uint8Array(50).fill(3) }) as const,
      }),
      'build',
    ],
    [
      'is too large for a packet',
      (own: bigint) => ({
        amountOut: own * 2n,
        more: () => [{ programId: TOKEN_PROGRAM, accounts: [], data: new Uint8Array(1_300) }],
      }),
      'simulate',
    ],
  ] as const)('is passed over when its transaction %s; our own stands', async (_title, offer, step) => {
    r.stub.offers(offer(own) as never);
    expect((await r.swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    expect(r.stub.passedOver.map((one) => one.step)).toEqual([step]);
  });

  it('is passed over when its swap could write another token account of the trader', async () => {
    const usdc = r.rig.token('USDC');
    // The trader comes to hold a second token.
    r.stub.offers(null);
    expect(await r.submit((await r.swap({ toTokenAddress: usdc.mint })).tx)).toBeNull();
    const other = r.rig.programs.associatedTokenAddress(r.rig.wallet, usdc.mint, TOKEN_PROGRAM);
    const own = await r.ownOut();
    r.stub.offers({
      amountOut: own * 2n,
      answer: (honest) =>
        honest.kind === 'message'
          ? honest
          : {
              ...honest,
              instructions: honest.instructions.map((one) => ({
                ...one,
                accounts: [...one.accounts, { address: other, signer: false, writable: true }],
              })),
            },
    });
    expect((await r.swap()).bestRouter).toMatchObject({ router: 'tradepost' });
    expect(r.stub.passedOver.map(({ err }) => String(err))).toEqual([expect.stringMatching(/other-account/)]);
  });
});

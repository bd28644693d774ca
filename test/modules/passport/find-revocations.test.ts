import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { type Address, type Instruction, TOKEN_2022_PROGRAM, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { TransactionPlan } from '../../../src/engine/transactions/use/plan.ts';
import { revokeInstruction } from '../../../src/modules/mint/rules/instructions/revoke-authority.ts';
import { buildToken } from '../../../src/modules/mint/use/build-token.ts';
import { createMetadataWay } from '../../../src/modules/mint/use/metadata-way.ts';
import { PASSPORT_AUTHORITIES } from '../../../src/modules/passport/rules/passport.ts';
import { createRevocationFinder } from '../../../src/modules/passport/use/find-revocations.ts';
import { createRpcHistory } from '../../../src/platform/chain/rpc-history.ts';
import type { HistoryEntry } from '../../../src/platform/ports/chain-history.ts';
import { createMintKeys } from '../../../src/platform/vault/mint-keys.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { ATTEMPT, type DeskRig, startDeskRig } from '../trading/desk-rig.ts';

const SLOTS_TO_FINALITY = 40;

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('revocations');
});
afterAll(() => rig.stop());

/** A token as `POST /token` makes it, and what the owner of its powers sent later: nothing of it is written down here. */
async function made(draft: { readonly mintAuthority: boolean; readonly updateAuthority: boolean }) {
  const deps = {
    ...rig.deps,
    compiler: rig.compiler,
    mintKeys: createMintKeys(),
    metadata: fakeMetadataStore(),
    metadataWay: createMetadataWay({ chain: rig.chain, clock: rig.deps.clock }),
    wellKnown: [],
  };
  const built = await buildToken(deps, { payer: rig.wallet, program: 'token2022', symbol: 'PUP', ...draft });
  const transaction = VersionedTransaction.deserialize(built.transaction);
  transaction.sign([rig.keypair]);
  expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
  return { mint: built.mint, signature: toBase58(transaction.signatures[0] ?? new Uint8Array()) };
}

function finder(now: () => number = () => 0) {
  const history = createRpcHistory({ urls: [rig.local.rpcUrl] });
  const calls = { signatures: 0, wire: 0 };
  const find = createRevocationFinder({
    clock: { now },
    history: {
      signatures: (...asked) => {
        calls.signatures += 1;
        return history.signatures(...asked);
      },
      wire: (signature) => {
        calls.wire += 1;
        return history.wire(signature);
      },
    },
  });
  return { find, calls };
}

const dropped = async (mint: Address, authority: 'mint' | 'update'): Promise<string> => {
  const instruction: Instruction = revokeInstruction({
    authority,
    mint,
    tokenProgram: TOKEN_2022_PROGRAM,
    holder: rig.wallet,
    record: null,
  });
  const plan: TransactionPlan = {
    instructions: [instruction],
    tier: 'normal',
    units: null,
    terms: null,
    expect: { maxLamportsOut: 0n, minLamportsIn: null, tokens: [] },
    coSign: null,
  };
  return (await rig.execute(plan, ATTEMPT)).signature;
};

describe('the search for what gave authorities up', () => {
  it('finds the creating transaction for what was never kept', async () => {
    const { mint, signature } = await made({ mintAuthority: false, updateAuthority: false });
    rig.local.advanceSlots(SLOTS_TO_FINALITY);
    const found = await finder().find(mint, PASSPORT_AUTHORITIES);
    expect(Object.values(found).map((proof) => proof.signature)).toEqual([signature, signature, signature]);
  });

  it('finds each later one, also after a minute in which it was not there yet', async () => {
    const { mint, signature } = await made({ mintAuthority: true, updateAuthority: true });
    rig.local.advanceSlots(SLOTS_TO_FINALITY);
    let now = 0;
    const { find, calls } = finder(() => now);
    expect(await find(mint, PASSPORT_AUTHORITIES)).toMatchObject({ freeze: { signature } });
    const ofMint = await dropped(mint, 'mint');
    const ofUpdate = await dropped(mint, 'update');
    rig.local.advanceSlots(SLOTS_TO_FINALITY);
    expect(await find(mint, PASSPORT_AUTHORITIES)).toEqual({ freeze: expect.anything() });
    now = 60_000;
    expect(await find(mint, PASSPORT_AUTHORITIES)).toMatchObject({
      freeze: { signature },
      mint: { signature: ofMint },
      update: { signature: ofUpdate },
    });
    // What was found is final: nobody asks the node again.
    now = 1_000_000;
    const before = { ...calls };
    await find(mint, PASSPORT_AUTHORITIES);
    expect(calls).toEqual(before);
  });
});

const entry = (n: number): HistoryEntry => ({ signature: `S${n}`, slot: 1n, err: null, memo: null, at: 1 });
const someMint = () => Keypair.generate().publicKey.toBase58() as Address;

describe('what a stranger’s visit costs the node', () => {
  it('is one page and twelve transactions, and one page only for a mint that is traded a lot', async () => {
    for (const [length, reads] of [
      [300, 12],
      [1_000, 0],
    ] as const) {
      let wires = 0;
      const find = createRevocationFinder({
        clock: { now: () => 0 },
        history: {
          signatures: async () => Array.from({ length }, (_, n) => entry(n)),
          wire: async () => {
            wires += 1;
            return Uint8Array.of(0);
          },
        },
      });
      expect(await find(someMint(), ['mint'])).toEqual({});
      expect(wires).toBe(reads);
    }
  });

  it('is one search for many visits at once, and two searches for many mints', async () => {
    let asked = 0;
    const answers: (() => void)[] = [];
    const find = createRevocationFinder({
      clock: { now: () => 0 },
      history: {
        signatures: async () => {
          asked += 1;
          await new Promise<void>((resolve) => answers.push(resolve));
          return [];
        },
        wire: async () => null,
      },
    });
    const mint = someMint();
    const visits = [mint, mint, mint, someMint(), someMint(), someMint()].map((one) => find(one, ['mint']));
    expect(asked).toBe(2);
    for (const answer of answers) answer();
    expect(await Promise.all(visits)).toEqual([{}, {}, {}, {}, {}, {}]);
  });

  it('is nothing while nothing is missing, and a page without proofs while the chain does not answer', async () => {
    const find = createRevocationFinder({
      clock: { now: () => 0 },
      history: {
        signatures: async () => {
          throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'e', cause: 'c' });
        },
        wire: async () => null,
      },
    });
    expect(await find(someMint(), [])).toEqual({});
    expect(await find(someMint(), ['mint'])).toEqual({});
  });
});

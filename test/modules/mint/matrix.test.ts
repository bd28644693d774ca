import { Keypair, VersionedTransaction } from '@solana/web3.js';
import {
  type Address,
  type Instruction,
  METADATA_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  toBase58,
} from '@tradepost/solana';
import { concat, text, u8, u16 } from '@tradepost/solana/bytes';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { MetadataTexts } from '../../../src/modules/mint/rules/instructions/metadata.ts';
import { signs, writes } from '../../../src/modules/mint/rules/instructions/token-program.ts';
import type { TokenDraft } from '../../../src/modules/mint/rules/token-draft.ts';
import {
  type BuildTokenDeps,
  type BuiltToken,
  buildToken,
} from '../../../src/modules/mint/use/build-token.ts';
import { createMetadataWay } from '../../../src/modules/mint/use/metadata-way.ts';
import { tokenSafety } from '../../../src/modules/tokens/rules/safety.ts';
import { PACKET_BYTES } from '../../../src/modules/trading/rules/message-size.ts';
import { createTokenRecords } from '../../../src/platform/chain/token-records.ts';
import { createMintKeys } from '../../../src/platform/vault/mint-keys.ts';
import { describeOnLocalnet } from '../../platform/venues/shared/exchange/localnet.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { type DeskRig, startDeskRig } from '../trading/desk-rig.ts';
import { aToken2022Draft, aTokenDraft } from './drafts.ts';
import { readMint } from './read-mint.ts';

/** Holds real programs, Metaplex's among them, where an operator put them there. */
const PROGRAMS_DIR = process.env['LOCALNET_PROGRAMS_DIR'];
const other = (): Address => address(Keypair.generate().publicKey.toBase58());
const AUTHORITY = other();

let rig: DeskRig;
let deps: BuildTokenDeps;
beforeAll(async () => {
  rig = await startDeskRig('mint-matrix', PROGRAMS_DIR === undefined ? {} : { programsDir: PROGRAMS_DIR });
  deps = {
    ...rig.deps,
    compiler: rig.compiler,
    mintKeys: createMintKeys(),
    metadata: fakeMetadataStore(),
    metadataWay: createMetadataWay({ chain: rig.chain, clock: rig.deps.clock }),
    wellKnown: [],
  };
});
afterAll(() => rig.stop());

/** Builds, signs as the payer would, sends, and gives back what stands on the chain. */
async function create(draft: Omit<TokenDraft, 'payer'>, signers: readonly Keypair[] = []) {
  const built = await buildToken(deps, { payer: rig.wallet, ...draft });
  expect(built.transaction.length).toBeLessThanOrEqual(PACKET_BYTES);
  const transaction = VersionedTransaction.deserialize(built.transaction);
  transaction.sign([rig.keypair, ...signers]);
  expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
  const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
  expect(landed?.err).toBeNull();
  const program = built.spec.program === 'token' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  const holding = rig.programs.associatedTokenAddress(built.spec.mintTo, built.mint, program);
  const { accounts } = await rig.chain.accounts([built.mint, holding]);
  const [mint, held] = accounts;
  if (landed === null || !mint || !held) throw new Error('a creation left no accounts');
  return { built, landed, mint, held };
}

/** Every account and every lamport against the request. */
async function expectAsAsked(draft: Omit<TokenDraft, 'payer'>): Promise<BuiltToken> {
  const { built, landed, mint, held } = await create(draft);
  const { spec, uri, cost } = built;
  const read = readMint(built.mint, mint);
  const { extensions } = spec;
  const isFrozen = extensions.defaultAccountState === 'frozen';
  const is2022 = spec.program === 'token2022';
  expect(mint.owner).toBe(is2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM);
  expect(read).toEqual({
    decimals: draft.decimals ?? 6,
    supply: 1_000_000_000n * 10n ** BigInt(draft.decimals ?? 6),
    mintAuthority: draft.mintAuthority === false ? null : rig.wallet,
    freezeAuthority: draft.freezeAuthority === true ? rig.wallet : null,
    extensions: new Set([
      ...(is2022 ? ['MetadataPointer', 'TokenMetadata'] : []),
      ...(draft.transferFeeBps === undefined ? [] : ['TransferFeeConfig']),
      ...(draft.mintCloseAuthority === undefined ? [] : ['MintCloseAuthority']),
      ...(draft.defaultAccountState === undefined ? [] : ['DefaultAccountState']),
      ...(draft.nonTransferableMint === true ? ['NonTransferable'] : []),
      ...(draft.interestBearingPercent === undefined ? [] : ['InterestBearingConfig']),
      ...(draft.permanentDelegate === undefined ? [] : ['PermanentDelegate']),
    ]),
    transferFee:
      draft.transferFeeBps === undefined
        ? null
        : {
            configAuthority: draft.transferFeeConfigAuthority,
            withdrawalAuthority: draft.transferFeeWithdrawalAuthority,
            bps: draft.transferFeeBps,
            maximum: BigInt(draft.transferFeeMax ?? 0),
          },
    permanentDelegate: draft.permanentDelegate ?? null,
    defaultAccountState: draft.defaultAccountState === undefined ? null : isFrozen ? 2 : 1,
    interest:
      draft.interestBearingPercent === undefined
        ? null
        : {
            authority: draft.interestBearingAuthority,
            bps: Math.round(draft.interestBearingPercent * 100),
          },
    mintCloseAuthority: draft.mintCloseAuthority ?? null,
    pointer: is2022 ? { authority: null, address: built.mint } : null,
    metadata: is2022
      ? {
          updateAuthority: draft.updateAuthority === false ? null : rig.wallet,
          name: draft.name ?? draft.symbol,
          symbol: draft.symbol,
          uri,
        }
      : null,
  });
  // The holder's account: the whole supply, never frozen for the creator's own recipient.
  const view = new DataView(held.data.buffer, held.data.byteOffset);
  expect(view.getBigUint64(64, true)).toBe(read.supply);
  expect(held.data[108]).toBe(1);

  const opened = cost.accounts.map(({ role, rentLamports }) => [role, rentLamports]);
  expect(opened.slice(0, 2)).toEqual([
    ['mint', mint.lamports],
    ['holding', held.lamports],
  ]);
  const payer = landed.balances.find((balance) => balance.address === rig.wallet);
  const spent = (payer?.before ?? 0n) - (payer?.after ?? 0n);
  const told = cost.rentLamports + cost.metadataFeeLamports + built.networkLamports;
  // Not a lamport more than was said; less only where a metadata record turned out smaller.
  if (built.way === 'metaplex') expect(told - spent).toBeLessThan(1_000_000n);
  else expect(spent).toBe(told);
  expect(spent).toBeLessThanOrEqual(told);

  // What buyers are told of the token on the chain is what the creator was told of the plan.
  const token = await rig.chain.token(built.mint);
  if (token === null) throw new Error('our own reader does not know the mint');
  expect(tokenSafety(token, { epoch: 0n, wellKnown: [] })).toEqual(built.safety);
  expect([token.name, token.symbol]).toEqual(
    built.way === 'none' ? [null, null] : [draft.name ?? draft.symbol, draft.symbol],
  );
  // Link and update authority by the reader that passports use, wherever the cluster keeps them.
  expect((await createTokenRecords(rig.chain).find(built.mint))?.metadata ?? null).toEqual(
    built.way === 'none'
      ? null
      : {
          kind: built.way === 'metaplex' ? 'metaplex' : 'token-2022',
          uri,
          updateAuthority: draft.updateAuthority === false ? null : rig.wallet,
        },
  );
  return built;
}

/** Source of truth: mpl-token-metadata `UpdateMetadataAccountV2` (15) with `DataV2`. */
function renameMetaplexRecord(record: Address, authority: Address, texts: MetadataTexts): Instruction {
  const none = u8(0);
  const data = [text(texts.name), text(texts.symbol), text(texts.uri), u16(0), none, none, none];
  return {
    programId: METADATA_PROGRAM,
    accounts: [writes(record), signs(authority)],
    // New data; update authority, primary sale and mutable stay.
    data: concat(u8(15), u8(1), ...data, none, none, none),
  };
}

const SINGLE: Readonly<Record<string, Partial<TokenDraft>>> = {
  'no extension': {},
  'a transfer fee': {
    transferFeeConfigAuthority: AUTHORITY,
    transferFeeWithdrawalAuthority: AUTHORITY,
    transferFeeBps: 250,
    transferFeeMax: '1000000',
  },
  'the highest transfer fee': {
    transferFeeConfigAuthority: AUTHORITY,
    transferFeeWithdrawalAuthority: AUTHORITY,
    transferFeeBps: 10_000,
    transferFeeMax: '18446744073709551615',
  },
  'a permanent delegate': { permanentDelegate: AUTHORITY },
  'accounts that start initialized': { defaultAccountState: { state: 'initialized' } },
  'accounts that start frozen': { defaultAccountState: { state: 'frozen' }, freezeAuthority: true },
  interest: { interestBearingAuthority: AUTHORITY, interestBearingPercent: 2.5 },
  'a close authority': { mintCloseAuthority: AUTHORITY },
  'no transfers': { nonTransferableMint: true },
  'a freeze authority': { freezeAuthority: true },
  'no mint authority': { mintAuthority: false },
  'metadata for ever': { updateAuthority: false },
  'nothing given up or added, long texts': {
    name: 'N'.repeat(32),
    symbol: '😀😀é',
    metadataUri: `https://meta.example.org/${'u'.repeat(175)}`,
  },
};

describe('a token2022 made by POST /token', () => {
  for (const [what, draft] of Object.entries(SINGLE)) {
    it(`stands on the chain as asked with ${what}`, async () => {
      const built = await expectAsAsked({ symbol: 'ONE', program: 'token2022', ...draft });
      expect(built.way).toBe('native');
    });
  }

  it('stands on the chain as asked with everything at once and the longest texts', async () => {
    await expectAsAsked({
      symbol: 'S'.repeat(10),
      name: 'N'.repeat(32),
      metadataUri: `https://meta.example.org/${'u'.repeat(175)}`,
      program: 'token2022',
      mintAuthority: false,
      freezeAuthority: true,
      ...SINGLE['the highest transfer fee'],
      permanentDelegate: other(),
      interestBearingAuthority: other(),
      interestBearingPercent: 100,
      mintCloseAuthority: other(),
      defaultAccountState: { state: 'frozen' },
    });
  });

  it('stands on the chain as asked in sixty random lawful combinations', async () => {
    const combinations = fc.sample(aToken2022Draft, { numRuns: 60, seed: 20_261_121 });
    expect(new Set(combinations.map((draft) => Object.keys(draft).sort().join())).size).toBeGreaterThan(30);
    for (const draft of combinations) await expectAsAsked(draft);
  });
});

describe('a token made by POST /token', () => {
  it('stands on the chain as asked with each authority kept or given up', async () => {
    for (const draft of fc.sample(aTokenDraft, { numRuns: 40, seed: 7 })) await expectAsAsked(draft);
  });

  it.runIf(PROGRAMS_DIR === undefined)(
    'says that it has no name where the cluster has no metadata program',
    async () => {
      const built = await expectAsAsked({ symbol: 'BARE' });
      expect(built.warnings).toEqual([{ code: 'NO_METADATA_PROGRAM' }]);
      expect(built.powers.map(({ code }) => code)).toEqual(['MINT_MORE']);
    },
  );
});

describeOnLocalnet(
  'the Metaplex record of a token made by POST /token',
  { programs: [METADATA_PROGRAM] },
  () => {
    it('has its name in a Metaplex record that costs what was said', async () => {
      for (const updateAuthority of [true, false]) {
        const built = await expectAsAsked({
          symbol: 'META',
          name: 'Metaplex Token',
          metadataUri: 'https://meta.example.org/x.json',
          updateAuthority,
        });
        expect(built.way).toBe('metaplex');
        expect(built.cost.metadataFeeLamports).toBe(10_000_000n);
        const record = rig.programs.metadataRecordAddress(built.mint);
        const [account] = (await rig.chain.accounts([record])).accounts;
        expect(account?.owner).toBe(METADATA_PROGRAM);
        const data = Buffer.from(account?.data ?? []);
        expect(data.includes('https://meta.example.org/x.json')).toBe(true);
        // After texts, fee and the absent creators: primary sale, then mutable.
        const strings = 1 + 32 + 32 + (4 + 32) + (4 + 10) + (4 + 200);
        expect(data[strings + 2 + 1 + 1]).toBe(updateAuthority ? 1 : 0);
      }
    });

    it('lets its creator rename it as long as the update authority was kept, and nobody afterwards', async () => {
      const uri = 'https://meta.example.org/x.json';
      for (const updateAuthority of [true, false]) {
        const { mint } = await expectAsAsked({ symbol: 'META', metadataUri: uri, updateAuthority });
        const record = rig.programs.metadataRecordAddress(mint);
        const renamed = rig.execute(
          {
            instructions: [renameMetaplexRecord(record, rig.wallet, { name: 'Renamed', symbol: 'NEW', uri })],
            tier: 'normal',
            units: null,
            terms: null,
            expect: { maxLamportsOut: 0n, minLamportsIn: null, tokens: [] },
            coSign: null,
          },
          'rename',
        );
        if (updateAuthority) expect((await renamed).err).toBeNull();
        else await expect(renamed).rejects.toThrow(/Data is immutable/);
      }
    });
  },
);

describe('the parties of POST /token', () => {
  it('a mint of the caller signs beside the payer, and the supply may go to somebody else', async () => {
    const mint = Keypair.generate();
    const mintTo = other();
    const { built, held } = await create(
      {
        symbol: 'OWN',
        program: 'token2022',
        newMint: mint.publicKey.toBase58(),
        mintSupply: '7',
        decimals: 2,
        mintToPubkey: mintTo,
      },
      [mint],
    );
    expect(built.mint).toBe(mint.publicKey.toBase58());
    expect(toBase58(held.data.subarray(32, 64))).toBe(mintTo);
    expect(new DataView(held.data.buffer, held.data.byteOffset).getBigUint64(64, true)).toBe(700n);
    await expect(create({ symbol: 'OWN', newMint: mint.publicKey.toBase58() }, [mint])).rejects.toMatchObject(
      {
        code: 'TOKEN_REQUEST_INVALID',
        details: { problems: [{ field: 'newMint', code: 'MINT_EXISTS' }] },
      },
    );
  });

  it('a payer without the money, a payer that is no wallet and a recipient that is a token account are refused', async () => {
    await expect(buildToken(deps, { payer: AUTHORITY, symbol: 'POOR' })).rejects.toMatchObject({
      code: 'INSUFFICIENT_LAMPORTS',
    });
    const pup = rig.token('PUP');
    await expect(
      buildToken(deps, { payer: rig.wallet, symbol: 'X', mintSupply: '1', mintToPubkey: pup.mint }),
    ).rejects.toMatchObject({
      details: { problems: [{ field: 'mintToPubkey', code: 'RECIPIENT_IS_TOKEN_ACCOUNT' }] },
    });
    await expect(buildToken(deps, { payer: pup.mint, symbol: 'X' })).rejects.toMatchObject({
      code: 'TOKEN_REQUEST_INVALID',
    });
  });
});

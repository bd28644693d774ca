import { METADATA_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REVOCABLE_AUTHORITIES } from '../../../src/modules/mint/rules/instructions/revoke-authority.ts';
import { liveAuthorities } from '../../../src/modules/mint/use/quote-revoke-authority.ts';
import { createTokenRecords } from '../../../src/platform/chain/token-records.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { type MoneyRig, startMoneyRig } from '../../engine/transactions/money-rig.ts';
import { describeOnLocalnet } from '../../platform/venues/shared/exchange/localnet.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { createMintDesk, type Person, type Request } from './mint-desk.ts';

const SOL = 1_000_000_000n;
const FEE = 20_000_000n;
const SUPPLY = 10n ** 15n;
/** What the Metaplex program takes for a record, on top of its rent; the record holds it until the program collects it. */
const METAPLEX_FEE = 10_000_000n;

describeOnLocalnet(
  'a token of a custodial wallet on the real Metaplex program',
  { programs: [METADATA_PROGRAM] },
  () => {
    let db: Database;
    let rig: MoneyRig;
    const { create, quote, revoke, mintAt } = createMintDesk({
      rig: () => rig,
      metadata: fakeMetadataStore(),
      title: 'metaplex-path',
      feeLamports: FEE,
    });
    beforeAll(async () => {
      db = fakeDatabase();
      rig = await startMoneyRig(db, 'metaplex-path', {
        programsDir: process.env['LOCALNET_PROGRAMS_DIR'] ?? '',
      });
    });
    afterAll(() => rig?.stop());

    const metadataOf = async (mint: string) => {
      const records = createTokenRecords(rig.chain);
      return (await records.find(mint as never))?.metadata ?? null;
    };
    const accountsOf = async (addresses: readonly string[]) =>
      (await rig.chain.accounts(addresses as never)).accounts;

    /** Creates it and compares every account, every lamport and the desk's memory with the request. */
    async function expectAsAsked(maker: Person, request: Request): Promise<string> {
      const { agreed, intent } = await create(maker, request);
      expect(agreed).toMatchObject({
        transactions: 1,
        missingLamports: 0n,
        cost: { metadataFeeLamports: METAPLEX_FEE },
      });
      expect(intent).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });
      const receipt = intent.outcome?.receipt;
      const mint = receipt?.createdMint ?? '';
      expect(receipt).toMatchObject({
        platformFeeLamports: FEE,
        tokenDeltas: [{ mint, delta: SUPPLY }],
      });
      const wallet = maker.wallet.address;
      expect(await mintAt(mint)).toMatchObject({
        supply: SUPPLY,
        mintAuthority: request.mintAuthority === false ? null : wallet,
        freezeAuthority: request.freezeAuthority === true ? wallet : null,
        metadata: null,
      });
      expect(await metadataOf(mint)).toEqual({
        kind: 'metaplex',
        uri: agreed.uri,
        updateAuthority: request.updateAuthority === false ? null : wallet,
      });
      const token = await rig.chain.token(mint as never);
      expect(token).toMatchObject({
        symbol: request.symbol,
        name: request.name,
        tokenProgram: TOKEN_PROGRAM,
      });

      const opened = await accountsOf([
        mint,
        rig.programs.associatedTokenAddress(wallet, mint as never, TOKEN_PROGRAM),
        rig.programs.metadataRecordAddress(mint as never),
      ]);
      expect(opened.map((account) => account?.owner)).toEqual([
        TOKEN_PROGRAM,
        TOKEN_PROGRAM,
        METADATA_PROGRAM,
      ]);
      const kept = opened.reduce((sum, account) => sum + (account?.lamports ?? 0n), 0n);
      const spent = -(receipt?.walletLamportsDelta ?? 0n);
      // What stands in the three accounts, the network's fee and ours; not a lamport more.
      expect(spent).toBe(kept + FEE + (receipt?.feeLamports ?? 0n));
      expect(spent).toBeLessThanOrEqual(agreed.cost.totalLamports);
      expect(await db.createdTokens.find(mint as never)).toMatchObject({
        userId: maker.userId,
        way: 'metaplex',
        uri: agreed.uri,
        metadataHash: agreed.metadataHash,
        signature: receipt?.signature,
      });
      return mint;
    }

    it('is made as agreed and gives up freeze, mint and update one by one, with the signature of each', async () => {
      const maker = await rig.person('Mia', SOL);
      const mint = await expectAsAsked(maker, {
        symbol: 'MPL',
        name: 'Metaplex Pup',
        program: 'token',
        freezeAuthority: true,
        metadata: { description: 'A record of its own.' },
      });
      const before = await metadataOf(mint);
      for (const authority of REVOCABLE_AUTHORITIES) {
        const gone = await revoke(maker, mint, authority);
        expect(gone.status).toBe('SUCCEEDED');
        const known = await db.createdTokens.find(mint as never);
        expect(known?.revocations[authority]?.signature).toBe(gone.outcome?.receipt?.signature);
        await expect(revoke(maker, mint, authority)).rejects.toMatchObject({ code: 'AUTHORITY_GONE' });
      }
      expect(await mintAt(mint)).toMatchObject({
        supply: SUPPLY,
        mintAuthority: null,
        freezeAuthority: null,
      });
      // Sealed, and otherwise what it was.
      expect(await metadataOf(mint)).toEqual({ ...before, updateAuthority: null });
      const known = await db.createdTokens.find(mint as never);
      expect(known === null ? null : liveAuthorities(known)).toEqual([]);
    });

    it('is made as agreed with every choice of authorities and the longest texts', async () => {
      const maker = await rig.person('Ann', SOL);
      for (const choice of [0, 1, 2, 3, 4, 5, 6, 7]) {
        await expectAsAsked(maker, {
          symbol: 'S'.repeat(10),
          name: 'N'.repeat(32),
          metadataUri: `https://meta.example.org/${'u'.repeat(175)}`,
          program: 'token',
          mintAuthority: (choice & 1) !== 0,
          freezeAuthority: (choice & 2) !== 0,
          updateAuthority: (choice & 4) !== 0,
        });
      }
    });

    it('costs nothing and leaves no token when the money is enough for everything but the record', async () => {
      const maker = await rig.person('Poe', 0n);
      const request: Request = { symbol: 'POOR', name: 'Poor', program: 'token' };
      const { cost } = await quote(maker, request);
      const held = cost.totalLamports - cost.metadataFeeLamports;
      await rig.fund(maker.wallet.address, held);
      const before = await rig.chain.balance(rig.treasury.address);
      const { agreed, intent } = await create(maker, request);
      expect(agreed.missingLamports).toBeGreaterThan(0n);
      expect(intent).toMatchObject({ status: 'REJECTED', outcome: { reason: 'INSUFFICIENT_LAMPORTS' } });
      expect(await rig.chain.balance(maker.wallet.address)).toBe(held);
      expect(await rig.chain.balance(rig.treasury.address)).toBe(before);
      expect(await db.createdTokens.listByUser(maker.userId, 10)).toEqual([]);
    });
  },
);

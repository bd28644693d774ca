import {
  addressFromBytes,
  type Instruction,
  METADATA_PROGRAM,
  type MetadataWay,
  NO_SPEC_EXTENSIONS,
} from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenInstructions } from '../../../src/modules/mint/rules/instructions/create-token.ts';
import { revokeInstruction } from '../../../src/modules/mint/rules/instructions/revoke-authority.ts';
import { transferSol } from '../../../src/modules/mint/rules/instructions/token-program.ts';
import { tokenProgramOf } from '../../../src/modules/mint/rules/mint-size.ts';
import { planToken } from '../../../src/modules/mint/rules/plan-token.ts';
import { recoveredMintRequest } from '../../../src/modules/mint/rules/recovered-request.ts';
import type { TokenSpec } from '../../../src/modules/mint/rules/token-spec.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { addressOf, TREASURY, WALLET } from '../../engine/intents/build.ts';
import { aToken2022Draft, aTokenDraft } from './drafts.ts';

const programs = createPrograms();
const MINT = addressOf(50);
const URI = 'https://meta.example.org/x.json';
const signers = [WALLET, MINT];
const parties = { wallet: WALLET, treasury: TREASURY, signers };

function made(spec: TokenSpec, way: MetadataWay, fee: bigint): readonly Instruction[] {
  return createTokenInstructions({
    spec,
    way,
    uri: URI,
    creator: WALLET,
    mint: MINT,
    holding: programs.associatedTokenAddress(spec.mintTo, MINT, tokenProgramOf(spec)),
    record: way === 'metaplex' ? programs.metadataRecordAddress(MINT) : null,
    mintRentLamports: 3_000_000n,
    fee: fee === 0n ? null : { treasury: TREASURY, lamports: fee },
  });
}
const landedWith = (own: readonly Instruction[]): LandedTransaction => ({
  signature: 'sig',
  slot: 1n,
  blockTime: null,
  err: null,
  feeLamports: 10_000n,
  logs: [],
  balances: [...new Set(own.flatMap(({ accounts }) => accounts.map(({ address }) => address)))].map(
    (address) => ({ address, before: address === WALLET ? 9_000_000n : 0n, after: 1_000n }),
  ),
  tokenBalances: [],
  signatureCount: 2,
});
const aSpec = fc.tuple(fc.oneof(aTokenDraft, aToken2022Draft), fc.boolean()).map(([draft, named]) => {
  const plan = planToken({
    payer: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    ...draft,
    mintToPubkey: WALLET,
    metadataUri: URI,
  });
  if (plan.kind === 'refused') throw new Error('the draft is lawful');
  const { spec } = plan.token;
  const way: MetadataWay = !named ? 'none' : spec.program === 'token' ? 'metaplex' : 'native';
  return { spec, way };
});

describe('the request behind a landed making of a token', () => {
  it('is the creation that its instructions were built from, whatever its powers', () => {
    fc.assert(
      fc.property(aSpec, fc.constantFrom(0n, 20_000_000n), ({ spec, way }, fee) => {
        const own = made(spec, way, fee);
        const request = recoveredMintRequest(own, landedWith(own), parties, null);
        if (request?.kind !== 'create-token')
          throw new Error(`not recovered: ${JSON.stringify(request?.kind)}`);
        expect({ way: request.way, fee: request.feeLamports, rent: request.mintRentLamports }).toEqual({
          way,
          fee,
          rent: 3_000_000n,
        });
        // A token without metadata has no name that could be read back.
        const named =
          way === 'none'
            ? { name: request.spec.name, symbol: request.spec.symbol, updateAuthority: true }
            : {};
        expect(request.spec).toEqual({ ...spec, ...named });
        if (way !== 'none') expect(request.uri).toBe(URI);
      }),
      { numRuns: 300 },
    );
  });

  it('is nothing when one instruction is missing, repeated, changed, or not ours', () => {
    fc.assert(
      fc.property(aSpec, fc.nat(), fc.nat(), ({ spec, way }, at, byte) => {
        const own = made(spec, way, 20_000_000n);
        const index = at % own.length;
        const victim = own[index];
        if (victim === undefined) throw new Error('there is an instruction');
        const stranger = transferSol(WALLET, addressOf(66), 1n);
        for (const changed of [
          own.toSpliced(index, 0, victim),
          [...own, stranger],
          own.with(index, { ...victim, data: victim.data.slice(0, byte % victim.data.length) }),
        ]) {
          expect(recoveredMintRequest(changed, landedWith(changed), parties, null)).toBeNull();
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is the authority that was given up, of the mint that the record belongs to', () => {
    const one = { ...parties, signers: [WALLET] };
    for (const authority of ['mint', 'freeze', 'update'] as const) {
      const tokenProgram = tokenProgramOf({ program: 'token2022' });
      const native = { authority, mint: MINT, tokenProgram, record: null };
      const own = [revokeInstruction({ ...native, holder: WALLET })];
      expect(recoveredMintRequest(own, landedWith(own), one, null)).toEqual({
        kind: 'revoke-authority',
        ...native,
        tier: 'normal',
      });
      expect(recoveredMintRequest([...own, ...own], landedWith(own), one, null)).toBeNull();
    }
    const record = programs.metadataRecordAddress(MINT);
    const tokenProgram = tokenProgramOf({ program: 'token' });
    const sealed = [
      revokeInstruction({ authority: 'update', mint: MINT, tokenProgram, holder: WALLET, record }),
    ];
    expect(sealed[0]?.programId).toBe(METADATA_PROGRAM);
    expect(recoveredMintRequest(sealed, landedWith(sealed), one, MINT)).toMatchObject({
      authority: 'update',
      mint: MINT,
      record,
    });
    expect(recoveredMintRequest(sealed, landedWith(sealed), one, null)).toBeNull();
  });

  it('is nothing for bytes without a second signer that make an account', () => {
    const spec: TokenSpec = {
      program: 'token',
      name: 'A',
      symbol: 'A',
      decimals: 0,
      supply: 1n,
      mintTo: WALLET,
      mintAuthority: true,
      freezeAuthority: false,
      updateAuthority: true,
      extensions: NO_SPEC_EXTENSIONS,
    };
    const own = made(spec, 'none', 0n);
    const others = [[WALLET], [WALLET, addressFromBytes(new Uint8Array(32).fill(9))]];
    for (const someone of others) {
      expect(recoveredMintRequest(own, landedWith(own), { ...parties, signers: someone }, null)).toBeNull();
    }
  });
});

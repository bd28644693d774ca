import { posix } from 'node:path';
import { type Address, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { buildMint, buildTokenAccount } from '../../../packages/venues/test/shared/build.ts';
import { address } from '../../../src/core/address/address.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { LookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';
import type { WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { associatedAccount } from '../../../src/platform/vault/associated-account.ts';
import { createVault, type VaultDeps } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { sealSeed } from '../../../src/platform/vault/seal.ts';
import { describeKeyHolder, isSignedBy, withdrawal } from '../../conformance/key-holder.ts';
import { addressOf, buildIntent, INTENT_ID, MINT, PARAMS, TREASURY } from '../../engine/intents/build.ts';
import { rentExemption } from '../../support/rent.ts';
import { filesOfRing, ringOf } from '../../support/rings.ts';

describeKeyHolder('createVault', () => {
  const secrets = new Map<string, WalletSecret>();
  return {
    secrets,
    vault: createVault({
      keyring: keyring(localKek(new Uint8Array(32).fill(5))),
      secrets: { secret: async (walletId) => secrets.get(walletId) ?? null },
      venuePrograms: [],
    }),
  };
});

const seed = Buffer.alloc(32, 9);
const ADDRESS = address('J2xccRtuG43drESLYznHhLhQkLTdfepcKYbiQ9BsJVaf');
const ROW = { walletId: 'wallet-1', userId: 'user-1', publicKey: ADDRESS };
const kek = () => localKek(new Uint8Array(32).fill(5));
const sealed = (change: Partial<typeof ROW> = {}, bytes = seed) =>
  sealSeed(bytes, { ...ROW, ...change }, kek());
/** Signs as the wallet `wallet-1` of `user-1` whose key is made of `seed`. */
const signer = (
  row: () => Promise<WalletSecret>,
  lists: Omit<VaultDeps, 'keyring' | 'secrets'> = { venuePrograms: [] },
) => {
  const vault = createVault({ keyring: keyring(kek()), secrets: { secret: row }, ...lists });
  return (message: Uint8Array, intent = buildIntent()) =>
    vault.sign({
      intent,
      wallet: { id: 'wallet-1', userId: 'user-1', address: ADDRESS },
      message,
      treasury: TREASURY,
    });
};

/** A chain on which the wallet's account of the bought token holds this much; null where there is none. */
const holding = (units: bigint | null): NonNullable<VaultDeps['chain']> => ({
  rentExemption,
  accounts: async (addresses) => ({
    slot: 1n,
    accounts: addresses.map((one) =>
      units !== null && one === associatedAccount(ADDRESS, MINT, TOKEN_PROGRAM)
        ? buildTokenAccount(buildMint(MINT), ADDRESS, units)
        : null,
    ),
  }),
});

/** The buy of `PARAMS.buy`, carried out by `program`, with the check of its minimum behind it. */
function tradeThrough(program: Address, lookupTables: readonly LookupTable[] = []): Uint8Array {
  const programs = createPrograms();
  const account = programs.associatedTokenAddress(ADDRESS, MINT, TOKEN_PROGRAM);
  const token = { mint: MINT, owner: ADDRESS, tokenProgram: TOKEN_PROGRAM };
  return createMessageCompiler().compile({
    payer: ADDRESS,
    blockhash: addressOf(99),
    lookupTables,
    instructions: [
      programs.memo(INTENT_ID),
      programs.createAssociatedTokenAccount({ ...token, payer: ADDRESS }),
      {
        programId: program,
        accounts: [
          { address: ADDRESS, signer: true, writable: true },
          { address: addressOf(70), signer: false, writable: true },
        ],
        data: new Uint8Array([1]),
      },
      programs.transferToken({
        ...token,
        source: account,
        destination: account,
        amount: PARAMS.buy.terms.minOut,
        decimals: 6,
      }),
    ],
  }).bytes;
}

describe('the vault', () => {
  it.each([
    ['another wallet’s row, whole and valid', () => sealed({ walletId: 'wallet-2' })],
    ['another person’s row, whole and valid', () => sealed({ userId: 'user-2' })],
    ['a row that was sealed under another address', () => sealed({ publicKey: TREASURY })],
    ['another key sealed under this wallet’s names', () => sealed({}, Buffer.alloc(32, 8))],
    ['a seed of another length', () => sealed({}, Buffer.alloc(31, 9))],
  ])('signs nothing with %s', async (_, row) => {
    await expect(signer(row)(withdrawal(ADDRESS))).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      details: { walletId: 'wallet-1' },
    });
  });

  it('signs the bytes that were judged, whatever becomes of the caller’s buffer meanwhile', async () => {
    const message = withdrawal(ADDRESS);
    const judged = Buffer.from(message);
    const signature = await signer(async () => {
      message.fill(0);
      return sealed();
    })(message);
    expect(isSignedBy(ADDRESS, judged, signature)).toBe(true);
  });

  it('signs what looks its accounts up only by tables that are verified at that moment', async () => {
    const table: LookupTable = { address: addressOf(90), entries: [addressOf(69), addressOf(70)] };
    const lists = { venuePrograms: [], aggregatorPrograms: [addressOf(80)], chain: holding(null) };
    const buy = buildIntent({ params: PARAMS.buy });
    const looking = tradeThrough(addressOf(80), [table]);
    let asked = 0;
    const tables = (answer: () => Promise<readonly LookupTable[]>) => ({
      verified: () => {
        asked += 1;
        return answer();
      },
    });
    const verified = signer(sealed, { ...lists, lookupTables: tables(async () => [table]) });
    expect(isSignedBy(ADDRESS, looking, await verified(looking, buy))).toBe(true);
    expect(asked).toBe(1);
    // What looks nothing up, or cannot be read at all, is judged without asking the chain.
    await verified(tradeThrough(addressOf(80)), buy);
    await expect(verified(new Uint8Array(10), buy)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(asked).toBe(1);
    for (const believed of [{}, { lookupTables: tables(async () => []) }]) {
      await expect(signer(sealed, { ...lists, ...believed })(looking, buy)).rejects.toMatchObject({
        code: 'POLICY_DENIED',
      });
    }
    const outage = new AppError('CHAIN_UNREACHABLE', { endpoint: 'rpc', cause: 'down' });
    const cut = tables(() => Promise.reject(outage));
    await expect(signer(sealed, { ...lists, lookupTables: cut })(looking, buy)).rejects.toBe(outage);
  });

  it('looks itself at what is held, and lets nothing that was there before pass for what a trade brought', async () => {
    const aggregator = addressOf(80);
    const buy = buildIntent({ params: PARAMS.buy });
    const sign = (chain?: VaultDeps['chain']) =>
      signer(sealed, {
        venuePrograms: [],
        aggregatorPrograms: [aggregator],
        ...(chain === undefined ? {} : { chain }),
      })(tradeThrough(aggregator), buy);
    await expect(sign(holding(0n))).resolves.toHaveLength(64);
    for (const chain of [holding(1n), holding(PARAMS.buy.terms.minOut), undefined]) {
      await expect(sign(chain)).rejects.toMatchObject({
        code: 'POLICY_DENIED',
        details: { rule: 'swap-check' },
      });
    }
  });

  it('lets a trade call the programs it was told of, and no other', async () => {
    const aggregator = addressOf(80);
    const call = tradeThrough(aggregator);
    const buy = buildIntent({ params: PARAMS.buy });
    const told = signer(sealed, {
      venuePrograms: [],
      aggregatorPrograms: [aggregator],
      chain: holding(null),
    });
    expect(isSignedBy(ADDRESS, call, await told(call, buy))).toBe(true);
    for (const untold of [
      { venuePrograms: [] },
      { venuePrograms: [], aggregatorPrograms: [addressOf(81)] },
    ]) {
      await expect(signer(sealed, untold)(call, buy)).rejects.toMatchObject({
        code: 'POLICY_DENIED',
        details: { rule: 'program' },
      });
    }
  });

  it('reaches rules, the data of the chain, its own folder, the box, the texts of certificates and, to sign, libsodium alone', () => {
    const box = 'platform/gcm-box.ts';
    const texts = 'platform/certificate-texts.ts';
    const files = filesOfRing('platform').filter(
      ({ path }) => path.startsWith('platform/vault/') || path === box,
    );
    expect(files.map(({ path }) => path)).toContain(box);
    expect(files.map(({ path }) => path)).toContain('platform/vault/create-vault.ts');
    for (const { path, text } of files) {
      for (const [, specifier = ''] of text.matchAll(/from '([^']+)'/g)) {
        if (path.endsWith('/seed-signer.ts') && specifier === 'libsodium') continue;
        if ([box, texts].includes(posix.join('platform/vault', specifier))) continue;
        const isRule =
          specifier.startsWith('../') && ringOf(posix.join('platform/vault', specifier)) === 'rules';
        if (!isRule)
          expect(specifier, path).toMatch(
            /^(?:node:(?:crypto|fs\/promises|path)|@tradepost\/solana|\.\/[a-z-]+\.ts)$/,
          );
      }
    }
    const { text = '' } = filesOfRing('platform').find(({ path }) => path === texts) ?? {};
    expect([...text.matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier)).toEqual([
      '../core/canonical-text.ts',
      '../modules/guard/rules/certified-guard.ts',
      './ports/certificates.ts',
    ]);
  });
});

describe('whether a key is held here', () => {
  const holds = (secret: () => Promise<WalletSecret | null>, master = kek()): Promise<boolean> =>
    createVault({ keyring: keyring(master), secrets: { secret }, venuePrograms: [] }).holds({
      id: 'wallet-1',
      userId: 'user-1',
      address: ADDRESS,
    });

  it('is proved by opening it', async () => {
    expect(await holds(() => sealed())).toBe(true);
    expect(await holds(async () => null)).toBe(false);
    expect(await holds(() => sealed({ walletId: 'wallet-2' }))).toBe(false);
    expect(await holds(() => sealed(), localKek(new Uint8Array(32).fill(6)))).toBe(false);
  });

  it('is not said while nobody can look', async () => {
    const away = new AppError('DATABASE_UNREACHABLE', { cause: 'away' });
    await expect(holds(() => Promise.reject(away))).rejects.toBe(away);
  });
});

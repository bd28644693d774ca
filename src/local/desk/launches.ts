import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AccountState,
  associatedAccount,
  deriveKey,
  isTokenProgram,
  readMint,
  readTokenAccount,
} from '@tradepost/local-chain';
import { type Address, isAddress, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { DeskError } from './desk-error.ts';
import type { DeskPool } from './pool.ts';

/** The shape of a well-known launchpad's curve, at a fifth of its SOL: play money should reach the end of it. */
export const LAUNCH_CURVE = {
  feeBps: 100,
  /** Of the supply, in thousandths: the virtual part that the price counts beyond the vault. */
  virtualThousandths: 73n,
  virtualLamports: 6_000_000_000n,
  graduationLamports: 17_000_000_000n,
} as const;

const MAX_LAUNCHES = 10_000;
const DESK = 'Desk Launch';

export interface LaunchBook {
  /** Takes the mint into the book and names the maker whose accounts are its curve. The mint need not exist yet. */
  register(mint: Address): { readonly maker: Address };
  /** The curves that stand: the mint and both of the maker's accounts exist. */
  pools(): readonly DeskPool[];
}

/** The maker's two accounts of a curve, and the token program that the first was derived with. */
type Vaults = { readonly program: Address; readonly vaultA: Address; readonly vaultB: Address };

/**
 * Launch curves of the demonstration desk. A curve is a maker's two accounts like every desk pool; which mints have one is
 * written to `dir`, so that it outlives the process, and everything else is read from the chain.
 */
export function createLaunchBook(deps: {
  readonly seed: Uint8Array;
  readonly dir: string | undefined;
  readonly account: (address: Address) => AccountState | null;
}): LaunchBook {
  const path = deps.dir === undefined ? null : join(deps.dir, 'desk-launches');
  const known = path === null || !existsSync(path) ? [] : readFileSync(path, 'utf8').split('\n');
  const mints = new Set<Address>(known.filter((line) => isAddress(line)));
  const { makerOf, vaultsOf } = createMakers(deps.seed);

  const poolOf = (mint: Address): readonly DeskPool[] => {
    const state = deps.account(mint);
    const facts = readMint(state);
    if (state === null || facts === null || !isTokenProgram(state.owner)) return [];
    const { vaultA, vaultB } = vaultsOf(mint, state.owner);
    const held = readTokenAccount(deps.account(vaultA));
    if (held === null || readTokenAccount(deps.account(vaultB)) === null) return [];
    return [
      {
        id: makerOf(mint),
        desk: DESK,
        kind: 'launch-curve',
        mintA: mint,
        mintB: WSOL_MINT,
        vaultA,
        vaultB,
        programA: state.owner,
        programB: TOKEN_PROGRAM,
        decimalsA: facts.decimals,
        decimalsB: 9,
        feeBps: LAUNCH_CURVE.feeBps,
        virtualA: (facts.supply * LAUNCH_CURVE.virtualThousandths) / 1_000n,
        virtualB: LAUNCH_CURVE.virtualLamports,
        keyLabel: keyLabel(mint),
      },
    ];
  };

  return {
    register: (mint) => {
      if (mint === WSOL_MINT) throw new DeskError('LAUNCH_INVALID', 'SOL is what curves are paid in.');
      if (!mints.has(mint)) {
        if (mints.size >= MAX_LAUNCHES)
          throw new DeskError('LAUNCH_INVALID', `The desk has ${MAX_LAUNCHES} curves already.`);
        if (path !== null) appendFileSync(path, `${mint}\n`, { mode: 0o600, flush: true });
        mints.add(mint);
      }
      return { maker: makerOf(mint) };
    },
    pools: () => [...mints].flatMap(poolOf),
  };
}

const keyLabel = (mint: Address): string => `maker:launch:${mint}`;

/** The makers of the curves and their accounts, derived once each: every question to the desk asks for all curves. */
function createMakers(seed: Uint8Array): {
  readonly makerOf: (mint: Address) => Address;
  readonly vaultsOf: (mint: Address, program: Address) => Vaults;
} {
  const makers = new Map<Address, Address>();
  const makerOf = (mint: Address): Address => {
    const maker = makers.get(mint) ?? deriveKey(seed, keyLabel(mint)).address;
    makers.set(mint, maker);
    return maker;
  };
  const vaults = new Map<Address, Vaults>();
  const vaultsOf = (mint: Address, program: Address): Vaults => {
    const found = vaults.get(mint);
    if (found?.program === program) return found;
    const maker = makerOf(mint);
    const derived = {
      program,
      vaultA: associatedAccount(mint, maker, program),
      vaultB: associatedAccount(WSOL_MINT, maker, TOKEN_PROGRAM),
    };
    vaults.set(mint, derived);
    return derived;
  };
  return { makerOf, vaultsOf };
}

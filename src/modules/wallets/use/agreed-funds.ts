import type { Address } from '@tradepost/solana';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import { accountsOf, lowerOf, type WalletFunds } from '../rules/agreed-funds.ts';
import { walletFunds } from './list-wallets.ts';

/** A screen waits so long for the second node, all in all; a later answer counts for the next screen. */
const SECOND_WITHIN_MS = 800;
/** The answers of two nodes for the same amounts are not asked again within it. */
const KEPT_MS = 5_000;
const MOST_KEPT = 10_000;
/** One question to the second node. */
const ACCOUNTS_AT_MOST = 100;

type Asked = { readonly address: Address };

/** The holdings of people's wallets, as screens show them: never more than both nodes say. */
export type AgreedFunds = {
  /** Throws CHAIN_UNREACHABLE when no node answers. */
  readonly of: (wallet: Asked) => Promise<WalletFunds>;
  /** In the order asked; null for a wallet that no node answers for. The second node is asked once for all. */
  readonly ofAll: (wallets: readonly Asked[]) => Promise<readonly (WalletFunds | null)[]>;
};

type Told = { readonly owner: Address; readonly funds: WalletFunds };
type Kept = { readonly text: string; readonly at: Mark; readonly agreed: WalletFunds };
type Deps = {
  readonly chain: Pick<Chain, 'balance' | 'holdings' | 'secondWord' | 'slotMs'>;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
};

/**
 * Reads funds from the first node and compares them with a second host's word in one question of 100 accounts, the newest asked first.
 * Where there is one host, or it is silent for 800 ms, the first is the only source.
 */
export function createAgreedFunds(deps: Deps): AgreedFunds {
  const kept = new Map<Address, Kept>();
  const known = ({ owner, funds }: Told): WalletFunds | null => {
    const last = kept.get(owner);
    const isKnown = last?.text === textOf(funds) && elapsedSince(last.at, deps.clock) < KEPT_MS;
    return isKnown ? last.agreed : null;
  };
  const keep = ({ owner, funds }: Told, agreed: WalletFunds): void => {
    kept.delete(owner);
    kept.set(owner, { text: textOf(funds), at: markOf(deps.clock), agreed });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };
  const agree = async (told: readonly Told[]): Promise<ReadonlyMap<Address, WalletFunds>> => {
    const answers = new Map(told.map((one) => [one.owner, known(one)]));
    const open = told.filter(({ owner }) => answers.get(owner) === null);
    if (open.length > 0) {
      const late = deps.pause(SECOND_WITHIN_MS).then(() => null);
      const found = await Promise.race([compared(deps, open, keep).catch(() => null), late]);
      for (const one of open) answers.set(one.owner, found?.get(one.owner) ?? null);
    }
    return new Map(told.map(({ owner, funds }) => [owner, answers.get(owner) ?? funds]));
  };
  return {
    of: async (wallet) => {
      const funds = await walletFunds(deps.chain, wallet);
      return (await agree([{ owner: wallet.address, funds }])).get(wallet.address) ?? funds;
    },
    ofAll: async (wallets) => {
      const read = await Promise.all(
        wallets.map((wallet) => walletFunds(deps.chain, wallet).catch(() => null)),
      );
      const told = wallets.flatMap(({ address }, index) => {
        const funds = read[index] ?? null;
        return funds === null ? [] : [{ owner: address, funds }];
      });
      const agreed = await agree(told);
      return wallets.map(({ address }) => agreed.get(address) ?? null);
    },
  };
}

/** Null where nothing could be compared. A difference is read again after a slot, from both. */
async function compared(
  deps: Deps,
  told: readonly Told[],
  keep: (told: Told, agreed: WalletFunds) => void,
): Promise<ReadonlyMap<Address, WalletFunds> | null> {
  const first = await beside(deps, told);
  if (first === null) return null;
  const differing = told.filter(({ owner }) => first.get(owner)?.inDoubt === true);
  for (const one of told) if (!differing.includes(one)) keep(one, one.funds);
  if (differing.length === 0) return first;
  // Nodes are a slot or two apart: a difference that is gone after it was none.
  await deps.pause(2 * deps.chain.slotMs());
  const again = await Promise.all(
    differing.map(async ({ owner }) => ({ owner, funds: await walletFunds(deps.chain, { address: owner }) })),
  );
  const second = await beside(deps, again);
  // The answers of a second node that fell silent are kept.
  if (second === null) return first;
  for (const one of again) keep(one, second.get(one.owner) ?? one.funds);
  return new Map([...first, ...second]);
}

async function beside(
  { chain }: Deps,
  told: readonly Told[],
): Promise<ReadonlyMap<Address, WalletFunds> | null> {
  const wanted = told.flatMap(({ owner, funds }) => accountsOf(owner, funds)).slice(0, ACCOUNTS_AT_MOST);
  const accounts = await chain.secondWord(wanted);
  if (accounts === null) return null;
  const said = new Map(wanted.map((address, index) => [address, accounts[index] ?? null]));
  return new Map(told.map(({ owner, funds }) => [owner, lowerOf(owner, funds, said)]));
}

const textOf = ({ lamports, tokens }: WalletFunds): string =>
  [lamports, ...tokens.map(({ mint, amount }) => `${mint} ${amount}`)].join();

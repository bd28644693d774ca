import {
  type Address,
  maxBigint,
  minBigint,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import type { SwapEnd } from './swap-forms.ts';

/**
 * The chain's answer to the judge, by address: a token account of the wallet's, or null for another account. Nothing is known of an address
 * that is not in it.
 */
export type HeldAccounts = ReadonlyMap<Address, { readonly mint: Address; readonly amount: bigint } | null>;

export type AssociatedAddress = (owner: Address, mint: Address, tokenProgram: Address) => Address;

/**
 * The effect of a message on the wallet's token accounts, in lower bounds: each is credited with the amount that the chain enforces (a
 * transfer's amount, a venue's minimum) and charged with the most that can leave it. An account is the wallet's when the same message
 * proves it, or when its address is derived from the wallet's.
 */
export type AccountBook = {
  /** The message proves that the account is the wallet's, for this mint. */
  readonly prove: (account: Address, mint: Address) => void;
  /** As `prove`, for an account of wrapped SOL that the message opens with so many lamports. */
  readonly wrap: (account: Address, lamports: bigint) => void;
  /** A transfer of the wallet's names the account with this mint, which the token program checks. */
  readonly name: (account: Address, mint: Address) => void;
  readonly close: (account: Address) => void;
  /** Its mint where the message proves that it is the wallet's and does not close it before. */
  readonly proved: (account: SwapEnd) => Address | null;
  /** Its mint where the wallet may spend from it: proved, named in a transfer, or at a derived address. */
  readonly spendable: (account: SwapEnd) => Address | null;
  readonly isWrapped: (account: Address) => boolean;
  /** Its mint by anything that is known here. */
  readonly mintOf: (account: Address) => Address | null;
  /** Whether the account is, by anything that is known here, the wallet or one of its accounts. */
  readonly isOwn: (account: Address) => boolean;
  /** Whether a look at the chain showed that the account belongs to another owner, who let the wallet spend from it. */
  readonly isOthers: (account: Address) => boolean;
  readonly move: (account: SwapEnd, mint: Address, units: bigint) => void;
  /** Everything in the account may go. False, and without effect, where its content was not read. */
  readonly empty: (account: SwapEnd) => boolean;
  /**
   * The chain itself fails the message unless the account holds so much of the token by then. The earlier content is not gained. A gain is
   * possible only where the message proves whose the account is.
   */
  readonly holds: (account: Address, mint: Address, units: bigint) => void;
  /** The least that the wallet gains of the token, or, below zero, the most that it loses. */
  readonly net: (mint: Address) => bigint;
  /** Accounts that the message proves to be the wallet's and does not close before, with their mints. */
  readonly proofs: ReadonlyMap<Address, Address>;
};

export function openAccountBook(input: {
  readonly wallet: Address;
  /** Tokens whose associated accounts may be spent from. */
  readonly mints: readonly Address[];
  readonly associated?: AssociatedAddress;
  /** True where wrapped SOL is a token of the order: then the wallet's own account of it is one of those. */
  readonly solAsToken?: boolean;
  readonly held?: HeldAccounts;
  /**
   * Rent of a token account as the chain has it: lamports beyond it in an account for wrapped SOL are wrapped. 0 where it was not read, so
   * that no wrapped unit is left out of the possible loss.
   */
  readonly tokenAccountRent?: bigint;
}): AccountBook {
  const { units, ...owners } = openOwners(input);
  return { ...owners, ...openSums(owners, units) };
}

type Owners = Omit<AccountBook, keyof Sums>;
type Sums = Pick<AccountBook, 'move' | 'empty' | 'holds' | 'net'>;
/** Units in an account before the message runs; null where they were not read. */
type UnitsBefore = (account: Address) => bigint | null;

/** The owner and the mint of each account. */
function openOwners(input: Parameters<typeof openAccountBook>[0]): Owners & { readonly units: UnitsBefore } {
  const { held, tokenAccountRent = 0n } = input;
  const derived = derivedAccounts(input);
  const proofs = new Map<Address, Address>();
  const named = new Map<Address, Address>();
  const wrapped = new Map<Address, bigint>();
  const proved = (account: SwapEnd): Address | null =>
    account === 'lamports' ? WSOL_MINT : (proofs.get(account) ?? null);
  const spendable = (account: SwapEnd): Address | null =>
    account === 'lamports'
      ? WSOL_MINT
      : (proofs.get(account) ?? named.get(account) ?? derived.get(account) ?? null);
  const isOthers = (account: Address): boolean =>
    held?.get(account) === null && !proofs.has(account) && !derived.has(account) && !wrapped.has(account);
  const mintOf = (account: Address): Address | null => spendable(account) ?? held?.get(account)?.mint ?? null;
  return {
    proofs,
    proved,
    spendable,
    mintOf,
    prove: (account, mint) => {
      proofs.set(account, mint);
    },
    wrap: (account, lamports) => {
      proofs.set(account, WSOL_MINT);
      wrapped.set(account, maxBigint(0n, lamports - tokenAccountRent));
    },
    name: (account, mint) => {
      if (!isOthers(account)) named.set(account, mint);
    },
    close: (account) => {
      proofs.delete(account);
    },
    isOthers,
    isWrapped: (account) => proofs.has(account) && wrapped.has(account),
    isOwn: (account) => account === input.wallet || wrapped.has(account) || mintOf(account) !== null,
    units: (account) => {
      const shown = held?.get(account);
      return wrapped.get(account) ?? (shown === null ? 0n : (shown?.amount ?? null));
    },
  };
}

/** The wallet's gain and loss of each account's token. */
function openSums({ proofs, spendable, mintOf }: Owners, unitsBefore: UnitsBefore): Sums {
  const nets = new Map<SwapEnd, { readonly mint: Address; readonly units: bigint }>();
  /** Units that may be gone already cannot go a second time: the floor of each emptied account is the least that it can come to. */
  const floors = new Map<SwapEnd, bigint>();
  const unitsOf = (account: SwapEnd): bigint => nets.get(account)?.units ?? 0n;
  return {
    move: (account, mint, units) => {
      const sum = unitsOf(account) + units;
      nets.set(account, { mint, units: maxBigint(sum, floors.get(account) ?? sum) });
    },
    empty: (account) => {
      const mint = account === 'lamports' ? null : mintOf(account);
      const least = account === 'lamports' ? null : unitsBefore(account);
      if (mint === null || least === null) return false;
      nets.set(account, { mint, units: -least });
      floors.set(account, -least);
      return true;
    },
    holds: (account, mint, units) => {
      const before = unitsBefore(account);
      if (before === null || spendable(account) !== mint) return;
      const more = units - before;
      const least = proofs.get(account) === mint ? more : minBigint(more, 0n);
      nets.set(account, { mint, units: maxBigint(unitsOf(account), least) });
    },
    net: (mint) => [...nets.values()].reduce((sum, one) => (one.mint === mint ? sum + one.units : sum), 0n),
  };
}

function derivedAccounts({
  wallet,
  mints,
  associated,
  solAsToken = false,
}: Parameters<typeof openAccountBook>[0]): ReadonlyMap<Address, Address> {
  if (associated === undefined) return new Map();
  return new Map(
    mints
      // The wallet's own wrapped SOL is no part of any order: SOL is wrapped for it, in an account of its own.
      .filter((mint) => solAsToken || mint !== WSOL_MINT)
      .flatMap((mint) =>
        [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(
          (program) => [associated(wallet, mint, program), mint] as const,
        ),
      ),
  );
}

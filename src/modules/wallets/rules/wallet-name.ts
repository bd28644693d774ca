import { AppError } from '../../../core/errors/app-error.ts';
import { skeleton } from '../../tokens/rules/look-alike.ts';
import { WALLET_GRACE_DAYS, WALLET_NAME_MAX, type Wallet, type WalletOrigin } from './wallet.ts';

/**
 * A name a person typed for a wallet: invisible and direction-changing characters removed, white space collapsed, 1 to 20
 * characters as a reader counts them. Throws TEXT_INVALID otherwise. Combining marks count too, so that a stack of them
 * cannot make a name taller than its line.
 */
export function walletName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\u2800\u3164\uFFA0\u115F\u1160]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  const length = Array.from(name).length;
  if (length < 1 || length > WALLET_NAME_MAX) {
    throw new AppError('TEXT_INVALID', { field: 'wallet name', minLength: 1, maxLength: WALLET_NAME_MAX });
  }
  return name;
}

/** Letters drawn like Latin ones that `skeleton` does not fold: it is stored for tokens, so it cannot change here. */
const ALSO_ALIKE: Readonly<Record<string, string>> = {
  Ζ: 'z',
  Μ: 'm',
  Ν: 'n',
  Υ: 'y',
  ᴀ: 'a',
  ɪ: 'i',
  ᴍ: 'm',
  ɴ: 'n',
};

/** A wallet's name as a reader sees it. Two names with one appearance can be mistaken for each other. */
function appearance(name: string): string {
  const letters = Array.from(name.normalize('NFKD'), (letter) => ALSO_ALIKE[letter] ?? letter);
  return skeleton(letters.join('')) ?? '';
}

const FIRST_NAME = 'Main';
/** So long the name of a wallet that was deleted or renamed is reserved. */
export const NAME_KEPT_MS = WALLET_GRACE_DAYS * 86_400_000;

/** A wallet and its name. `isFormer`: a name that it had until `deletedAt`. */
export type Named = Pick<Wallet, 'id' | 'name' | 'deletedAt'> & { readonly isFormer?: true };

/** Whose names are kept from `walletId`: other wallets that are here, or were deleted or renamed within 30 days. */
export function nameHolders<W extends Named>(wallets: readonly W[], walletId: string, now: number): W[] {
  return wallets.filter(
    ({ id, deletedAt }) => id !== walletId && (deletedAt === null || deletedAt + NAME_KEPT_MS > now),
  );
}

/**
 * Why the wallet may not have this name, or null where it may. WALLET_NAME_TAKEN: another wallet has it, letter case aside.
 * NAME_RESERVED: it looks like the name of another wallet, also of one that was deleted or renamed within 30 days, or the wallet is
 * imported and the name looks like "Main". `wallets` comes from `reservedNames`.
 */
export function nameRefusal(
  name: string,
  wallet: Pick<Wallet, 'id' | 'origin'>,
  wallets: readonly Named[],
  now: number,
): AppError<'WALLET_NAME_TAKEN' | 'NAME_RESERVED'> | null {
  const holders = nameHolders(wallets, wallet.id, now);
  const lower = name.toLowerCase();
  if (holders.some((other) => other.deletedAt === null && other.name.toLowerCase() === lower)) {
    return new AppError('WALLET_NAME_TAKEN', { name });
  }
  const seen = appearance(name);
  if (wallet.origin === 'imported' && seen === appearance(FIRST_NAME)) {
    return new AppError('NAME_RESERVED', { name, like: FIRST_NAME, reason: 'imported' });
  }
  const alike = holders.find((other) => appearance(other.name) === seen);
  if (alike === undefined) return null;
  return new AppError('NAME_RESERVED', { name, like: alike.name, reason: reasonOf(alike) });
}

function reasonOf({ deletedAt, isFormer }: Named): 'look-alike' | 'renamed' | 'deleted' {
  if (isFormer) return 'renamed';
  return deletedAt === null ? 'look-alike' : 'deleted';
}

/**
 * The first of `Main`, `Wallet 2`, `Wallet 3` … that looks like none of `taken`; for an imported wallet the first of
 * `Imported`, `Imported 2` …
 */
export function freeWalletName(taken: readonly string[], origin: WalletOrigin): string {
  const used = new Set(taken.map(appearance));
  const isFree = (name: string): boolean => !used.has(appearance(name));
  const [first, further] = origin === 'imported' ? ['Imported', 'Imported'] : [FIRST_NAME, 'Wallet'];
  if (origin === 'imported' ? isFree(first) : used.size === 0) return first;
  for (let n = origin === 'imported' ? 2 : used.size + 1; ; n += 1) {
    if (isFree(`${further} ${n}`)) return `${further} ${n}`;
  }
}

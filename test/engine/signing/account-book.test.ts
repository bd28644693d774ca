import { type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { type HeldAccounts, openAccountBook } from '../../../src/engine/signing/rules/account-book.ts';
import { addressOf, MINT, WALLET } from '../intents/build.ts';

const RENT = 2_039_280n;
const OTHER_MINT = addressOf(5);
const [OWN, SECOND, STRANGERS] = [addressOf(40), addressOf(41), addressOf(42)];
/** Addresses that are told apart by program and mint, as the chain derives them. */
const DERIVED = new Map<string, Address>([
  [`${WALLET}${MINT}${TOKEN_PROGRAM}`, addressOf(50)],
  [`${WALLET}${MINT}${TOKEN_2022_PROGRAM}`, addressOf(51)],
  [`${WALLET}${WSOL_MINT}${TOKEN_PROGRAM}`, addressOf(52)],
  [`${WALLET}${WSOL_MINT}${TOKEN_2022_PROGRAM}`, addressOf(53)],
]);
const associated = (...parts: readonly Address[]): Address => {
  const found = DERIVED.get(parts.join(''));
  if (found === undefined) throw new Error('nobody’s address was asked for');
  return found;
};
const open = (held?: HeldAccounts, mints: readonly Address[] = [MINT, WSOL_MINT]) =>
  openAccountBook({
    wallet: WALLET,
    mints,
    associated,
    tokenAccountRent: 2_039_280n,
    ...(held === undefined ? {} : { held }),
  });
const shown = (...accounts: readonly (readonly [Address, bigint | null])[]): HeldAccounts =>
  new Map(accounts.map(([one, amount]) => [one, amount === null ? null : { mint: MINT, amount }]));

describe('whose an account is', () => {
  it('is proved by the message until it closes it', () => {
    const book = open();
    expect([book.proved(OWN), book.spendable(OWN), book.mintOf(OWN), book.isOwn(OWN)]).toEqual([
      null,
      null,
      null,
      false,
    ]);
    book.prove(OWN, MINT);
    expect([book.proved(OWN), book.spendable(OWN), book.mintOf(OWN), book.isOwn(OWN)]).toEqual([
      MINT,
      MINT,
      MINT,
      true,
    ]);
    expect(book.isWrapped(OWN)).toBe(false);
    expect([...book.proofs]).toEqual([[OWN, MINT]]);
    book.close(OWN);
    expect([book.proved(OWN), book.spendable(OWN), book.isOwn(OWN), book.proofs.size]).toEqual([
      null,
      null,
      false,
      0,
    ]);
  });

  it('stays the wallet’s own when its wrapped SOL is closed: nothing may pass through it again', () => {
    const book = open();
    book.wrap(OWN, RENT);
    expect([book.proved(OWN), book.isWrapped(OWN), book.isOwn(OWN)]).toEqual([WSOL_MINT, true, true]);
    book.close(OWN);
    expect([book.proved(OWN), book.isWrapped(OWN), book.isOwn(OWN)]).toEqual([null, false, true]);
  });

  it('follows from its address, under both token programs, but never for wrapped SOL', () => {
    const book = open();
    for (const one of [addressOf(50), addressOf(51)]) {
      expect([book.spendable(one), book.proved(one), book.isOwn(one)]).toEqual([MINT, null, true]);
    }
    for (const one of [addressOf(52), addressOf(53)]) {
      expect([book.spendable(one), book.isOwn(one)]).toEqual([null, false]);
    }
    const blind = openAccountBook({ wallet: WALLET, mints: [MINT] });
    expect(blind.spendable(addressOf(50))).toBeNull();
  });

  it('is named by a transfer, unless the chain shows somebody else’s', () => {
    const book = open(shown([STRANGERS, null], [SECOND, 1n]));
    for (const one of [OWN, SECOND, STRANGERS]) book.name(one, MINT);
    expect(book.spendable(OWN)).toBe(MINT);
    expect(book.spendable(SECOND)).toBe(MINT);
    expect(book.spendable(STRANGERS)).toBeNull();
    expect(book.proved(OWN)).toBeNull();
  });

  it('is somebody else’s only where a look showed that, and nothing else says that it is the wallet’s', () => {
    const book = open(
      shown([STRANGERS, null], [OWN, null], [SECOND, null], [addressOf(50), null], [addressOf(43), 1n]),
    );
    book.prove(OWN, MINT);
    book.wrap(SECOND, RENT);
    book.close(SECOND);
    expect(book.isOthers(STRANGERS)).toBe(true);
    for (const one of [OWN, SECOND, addressOf(50), addressOf(43), addressOf(44)]) {
      expect(book.isOthers(one)).toBe(false);
    }
    expect(open().isOthers(STRANGERS)).toBe(false);
  });

  it('is shown by a look: known, but neither proved nor spendable', () => {
    const book = open(shown([OWN, 5n]));
    expect([book.mintOf(OWN), book.isOwn(OWN)]).toEqual([MINT, true]);
    expect([book.proved(OWN), book.spendable(OWN)]).toEqual([null, null]);
    expect(book.isOwn(WALLET)).toBe(true);
  });

  it('is the wallet’s where it is its lamports', () => {
    const book = open();
    expect([book.proved('lamports'), book.spendable('lamports')]).toEqual([WSOL_MINT, WSOL_MINT]);
  });
});

describe('what an account surely gains', () => {
  it('is the sum of what moves, token by token', () => {
    const book = open();
    book.move(OWN, MINT, 7n);
    book.move(OWN, MINT, -3n);
    book.move(SECOND, MINT, 10n);
    book.move('lamports', WSOL_MINT, -2n);
    expect([book.net(MINT), book.net(WSOL_MINT), book.net(OTHER_MINT)]).toEqual([14n, -2n, 0n]);
  });

  it('is less all that was in it when it may be emptied, and that cannot go twice', () => {
    const book = open(shown([OWN, 9n]));
    expect(book.empty(OWN)).toBe(true);
    expect(book.net(MINT)).toBe(-9n);
    expect(book.empty(OWN)).toBe(true);
    book.move(OWN, MINT, -4n);
    expect(book.net(MINT)).toBe(-9n);
    book.move(OWN, MINT, 6n);
    expect(book.net(MINT)).toBe(-3n);
    // What came in since may be gone as well.
    expect(book.empty(OWN)).toBe(true);
    expect(book.net(MINT)).toBe(-9n);
  });

  it('is not told where nobody looked, whose mint nobody knows, or of lamports', () => {
    const book = open(shown([STRANGERS, null]));
    book.name(OWN, MINT);
    expect(book.empty(OWN)).toBe(false);
    expect(book.empty(STRANGERS)).toBe(false);
    expect(book.empty('lamports')).toBe(false);
    expect([book.net(MINT), book.net(WSOL_MINT)]).toEqual([0n, 0n]);
    // A new account of the wallet's: the look found nothing there.
    book.prove(STRANGERS, MINT);
    expect(book.empty(STRANGERS)).toBe(true);
    expect(book.net(MINT)).toBe(0n);
  });

  it('begins, in an account that wraps, with what it was opened with beyond its rent', () => {
    const book = open();
    book.wrap(OWN, RENT + 30n);
    book.holds(OWN, WSOL_MINT, 50n);
    expect(book.net(WSOL_MINT)).toBe(20n);
    expect(book.empty(OWN)).toBe(true);
    expect(book.net(WSOL_MINT)).toBe(-30n);
    book.wrap(SECOND, RENT - 1n);
    book.holds(SECOND, WSOL_MINT, 1n);
    expect(book.net(WSOL_MINT)).toBe(-29n);
  });

  it('begins there at the rent of now, and with everything where nobody asked for the rent', () => {
    const opened = (tokenAccountRent?: bigint) => {
      const given = tokenAccountRent === undefined ? {} : { tokenAccountRent };
      const book = openAccountBook({ wallet: WALLET, mints: [WSOL_MINT], associated, ...given });
      book.wrap(OWN, 1_488_440n + 30n);
      book.empty(OWN);
      return book.net(WSOL_MINT);
    };
    expect([opened(1_488_440n), opened(203_928n), opened()]).toEqual([-30n, -1_284_542n, -1_488_470n]);
  });

  it('is what a check finds beyond what was held, in an account that the message proves', () => {
    const book = open(shown([OWN, 9n]));
    book.prove(OWN, MINT);
    book.holds(OWN, MINT, 12n);
    expect(book.net(MINT)).toBe(3n);
    // A weaker check takes nothing back.
    book.holds(OWN, MINT, 10n);
    expect(book.net(MINT)).toBe(3n);
  });

  it('is nothing by a check of an account that is only named, which still says what is left', () => {
    const book = open(shown([OWN, 9n]));
    book.name(OWN, MINT);
    book.holds(OWN, MINT, 12n);
    expect(book.net(MINT)).toBe(0n);
    book.empty(OWN);
    book.holds(OWN, MINT, 5n);
    expect(book.net(MINT)).toBe(-4n);
  });

  it('stays lost when the check behind is of another token, or of an account that nothing but a look knows', () => {
    const book = open(shown([OWN, 9n], [SECOND, 4n]));
    book.prove(OWN, MINT);
    book.empty(OWN);
    book.empty(SECOND);
    book.holds(OWN, OTHER_MINT, 20n);
    book.holds(SECOND, MINT, 20n);
    expect(book.net(MINT)).toBe(-13n);
  });

  it('is nothing by a check where nobody looked, of another token, or of an account that is only shown', () => {
    const blind = open();
    blind.prove(OWN, MINT);
    blind.holds(OWN, MINT, 12n);
    expect(blind.net(MINT)).toBe(0n);
    const book = open(shown([OWN, 1n], [SECOND, 1n]));
    book.prove(OWN, MINT);
    book.holds(OWN, OTHER_MINT, 12n);
    book.holds(SECOND, MINT, 12n);
    expect([book.net(MINT), book.net(OTHER_MINT)]).toEqual([0n, 0n]);
  });
});

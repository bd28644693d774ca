import { bps } from '../../../src/core/amounts/bps.ts';
import { AppError, isAppError } from '../../../src/core/errors/app-error.ts';
import { feesUpTo } from '../../../src/engine/intents/kinds/rules.ts';
import type { TradeTerms } from '../../../src/engine/intents/rules/terms.ts';
import { cancelIntent } from '../../../src/engine/transactions/use/cancel-intent.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { NOTICE_LETTERS } from '../../../src/modules/guard/chat/mail-letters.ts';
import { capNow } from '../../../src/modules/guard/rules/cap.ts';
import type { Grants } from '../../../src/modules/guard/rules/grants.ts';
import { judgeTrade } from '../../../src/modules/guard/rules/judge-trade.ts';
import { addAddress, listAddresses, removeAddress } from '../../../src/modules/guard/use/address-book.ts';
import { cancelWaiting } from '../../../src/modules/guard/use/cancel-waiting.ts';
import { changeCap } from '../../../src/modules/guard/use/change-cap.ts';
import { deleteWallet } from '../../../src/modules/guard/use/delete-wallet.ts';
import { freezeAccount, unfreezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import {
  countSpending,
  createSpendingIntent,
  spentNow,
} from '../../../src/modules/guard/use/guard-spending.ts';
import { letReceive } from '../../../src/modules/guard/use/let-receive.ts';
import { noticeLetter } from '../../../src/modules/guard/use/mail-notice.ts';
import {
  askNoticeMail,
  confirmNoticeMail,
  removeNoticeMail,
} from '../../../src/modules/guard/use/notice-mail.ts';
import { renameWallet } from '../../../src/modules/guard/use/rename-wallet.ts';
import {
  beginRecoveryCodes,
  beginSecondFactor,
  endSecondFactor,
} from '../../../src/modules/guard/use/second-factor.ts';
import { beginPinChange, hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { stopChanges } from '../../../src/modules/guard/use/stop-changes.ts';
import { switchWallet } from '../../../src/modules/guard/use/switch-wallet.ts';
import { lockTrades, unlockTrades } from '../../../src/modules/guard/use/unlock-trades.ts';
import { chooseCode } from '../../../src/modules/referrals/use/choose-code.ts';
import { openReferralAccount } from '../../../src/modules/referrals/use/open-referral-account.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import { changeSettings } from '../../../src/modules/settings/use/change-settings.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { openDepositWallet } from '../../../src/modules/wallets/use/open-deposit-wallet.ts';
import { restoreWallet } from '../../../src/modules/wallets/use/restore-wallet.ts';
import { importWallet } from '../../../src/modules/wallets/use/wallet-backups.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createLinkTokens } from '../../../src/platform/api-keys/link-tokens.ts';
import { addressOf, MINT } from '../../engine/intents/build.ts';
import type { Dice } from './dice.ts';
import { DOUBTED, OWNERS_PIN, type Scenario, type Stolen } from './world.ts';

const SOL = 1_000_000_000n;
const WHOLE_WALLET = 100_000n * SOL;
const THIEFS_PINS = ['402917', '551188'] as const;
const WRONG_PIN = '918273';
const TERMS: TradeTerms = {
  amountIn: SOL,
  quotedOut: 1_000n,
  minOut: 950n,
  platformFeeLamports: 0n,
  priceImpactBps: 0,
  slippageBps: 500,
  route: [],
};

const purchase = (lamportsIn: bigint, mint = MINT) =>
  ({ kind: 'buy', mint, lamportsIn, terms: TERMS, tier: 'normal' }) as const;

/** Network fees at most of a purchase: the thief burns them too. */
const FEES = feesUpTo(purchase(1n));

/** An order that the thief left behind, with what it was granted when it was placed. */
type Left = { readonly lamports: bigint; readonly grants: Grants | null };

/** The taps, forms and links that the thief may use. Each answers whether the product let it through. */
export function thiefOf(world: Stolen, { hold }: Scenario, dice: Dice) {
  const { db, clock, deps, vault, userId, walletId } = world;
  const address = addressOf(40);
  const orders: Left[] = [];
  const tokens = createLinkTokens();
  const mailing = {
    ...deps,
    tokens,
    hasMail: () => true,
    async letterOf(mailId: string): Promise<string> {
      const mail = await db.mails.claim(mailId, clock.now(), Number.MAX_SAFE_INTEGER);
      if (mail?.template !== 'notice-code') return '';
      const shared = { ...deps, tokens, letters: NOTICE_LETTERS };
      return (await noticeLetter(shared, { ...mail, template: mail.template }, ''))?.text ?? '';
    },
  };
  let serial = 0;
  let pin: string = hold === 'pin' ? OWNERS_PIN : WRONG_PIN;
  let exportId: string | null = null;
  const key = (): string => {
    serial += 1;
    return `k-${serial}`;
  };

  async function tried<T>(
    work: () => Promise<T>,
  ): Promise<{ done: T } | { refused: Record<string, unknown> }> {
    try {
      return { done: await work() };
    } catch (error) {
      if (!isAppError(error)) throw error;
      return { refused: { code: error.code, ...(error.details as object) } };
    }
  }
  const simply = (work: () => Promise<unknown>) => async (): Promise<void> => {
    await tried(work);
  };

  /** Asks for too much, and then for what each refusal says is left, without the fees that count beside it. */
  async function mostOf(
    first: bigint,
    ask: (lamports: bigint) => Promise<unknown>,
    fees = 0n,
  ): Promise<void> {
    let lamports = first;
    for (;;) {
      const result = await tried(() => ask(lamports));
      if (!('refused' in result)) return;
      const { left, available } = result.refused;
      const rest = typeof left === 'bigint' ? left : available;
      if (typeof rest !== 'bigint' || rest <= fees || rest - fees >= lamports) return;
      lamports = rest - fees;
    }
  }

  async function buy(lamports: bigint, mint = MINT): Promise<string> {
    const { intent } = await createSpendingIntent(deps, {
      userId,
      walletId,
      idemKey: key(),
      params: purchase(lamports, mint),
    });
    return intent.id;
  }
  const buyAndPay = async (lamports: bigint, mint = MINT): Promise<void> => {
    await world.settle(await buy(lamports, mint), lamports + FEES);
  };

  /** Of a sale the fees are lost, at the priority at which it was let through. */
  async function sell(minOut: bigint): Promise<void> {
    const { intent } = await createSpendingIntent(deps, {
      userId,
      walletId,
      idemKey: key(),
      params: {
        kind: 'sell',
        mint: MINT,
        amountIn: SOL,
        terms: { ...TERMS, minOut },
        tier: dice.oneOf(['economy', 'normal']),
      },
    });
    await world.settle(intent.id, feesUpTo(intent.params));
  }

  async function withdraw(lamports: bigint, to = address): Promise<string> {
    const { intent } = await confirmWithdrawal(deps, {
      userId,
      walletId,
      idemKey: key(),
      pin,
      params: { kind: 'withdraw-sol', destination: to, lamports, everything: false, tier: 'normal' },
    });
    await world.await(intent.id, intent.notBefore, lamports + feesUpTo(intent.params));
    if (lamports === WHOLE_WALLET && intent.notBefore === null) world.tookAll();
    return intent.id;
  }

  async function newPin(): Promise<void> {
    const next = dice.oneOf(THIEFS_PINS);
    const { pinHash } = await db.guards.find(userId);
    const replaces = pinHash === null ? null : await beginPinChange(deps, { userId, pin });
    const hash = await hashPin(deps, { userId, pin: next });
    if (await setPin(deps, { userId, hash, again: next, replaces })) pin = next;
  }

  /** The judge of a fire, under the person's lock and counted in the same commit, as `fire-order.ts` asks it. */
  async function fire({ lamports, grants }: Left): Promise<void> {
    const request = { userId, walletId, idemKey: key() };
    const params = purchase(lamports);
    let passed = false;
    const { intent } = await createIntent(deps, {
      ...request,
      params,
      judge: async (stores, intentId) => {
        const guard = await stores.guards.lock(userId);
        const now = clock.now();
        const verdict = judgeTrade({
          side: 'buy',
          units: lamports,
          minOut: 0n,
          leastOut: 0n,
          spotOut: 0n,
          medianOut: null,
          doubts: [],
          fees: FEES,
          floorFees: null,
          guard,
          grants,
          spent: await spentNow(stores, userId, now),
          rules: deps.guardRules,
          source: 'fire',
          now,
        });
        if (verdict.kind !== 'pass') return { notBefore: now };
        passed = true;
        await countSpending(stores, { intentId, userId, countsAt: now, fees: FEES }, verdict.count);
        return { notBefore: null };
      },
    });
    if (passed) await world.settle(intent.id, lamports + FEES);
    else await cancelIntent(deps, { intentId: intent.id, userId });
  }

  async function order(): Promise<void> {
    const guard = await db.guards.find(userId);
    const until = guard.unlockedUntil;
    const isOpen = until !== null && until > clock.now();
    const grants: Grants | null = isOpen
      ? { steep: false, doubts: [], lockEpoch: guard.lockEpoch, until }
      : null;
    const left = { lamports: dice.oneOf([SOL, 5n * SOL, 20n * SOL]), grants };
    orders.push(left);
    if (orders.length > 6) orders.shift();
    await fire(left);
  }

  async function raise(kind: 'withdrawals' | 'spending'): Promise<void> {
    const guard = await db.guards.find(userId);
    // Another raise begins the wait again.
    const { nextCapAt, nextSpendCapAt } = guard;
    if ((kind === 'withdrawals' ? nextCapAt : nextSpendCapAt) !== null) return;
    if (capNow(guard, clock.now(), deps.guardRules, kind) >= WHOLE_WALLET) return;
    await changeCap(deps, { userId, pin, lamports: 2n * WHOLE_WALLET, kind });
  }

  async function anyWallet(): Promise<Wallet> {
    const all = await db.wallets.listByUser(userId);
    const [first] = all;
    if (first === undefined) throw new AppError('WALLET_NOT_FOUND', {});
    return all[dice.between(0, all.length)] ?? first;
  }

  async function take(): Promise<void> {
    if (exportId === null) return;
    await vault.takeExport({ userId, exportId, pin, passphrase: 'a passphrase of twelve' });
    world.tookAll();
  }

  return {
    knowsPin: (): boolean => pin !== WRONG_PIN,
    hasPin: async (): Promise<boolean> => (await db.guards.find(userId)).pinHash !== null,
    buy: () => mostOf(60n * SOL, buyAndPay, FEES),
    buySome: simply(() => buyAndPay(dice.oneOf([1n, SOL / 2n, 2n * SOL, 5n * SOL, 11n * SOL]))),
    buyDoubted: () => mostOf(11n * SOL, (lamports) => buyAndPay(lamports, DOUBTED), FEES),
    buyAndCancel: simply(async () => cancelIntent(deps, { intentId: await buy(SOL), userId })),
    sell: simply(() => sell(dice.oneOf([1n, 900n]))),
    /** Dust, for the fees alone: once more than the floor has room for. */
    sellDust: async (): Promise<void> => {
      for (let count = 0; count < 4; count += 1) await tried(() => sell(950n));
    },
    withdraw: () => mostOf(WHOLE_WALLET, withdraw),
    withdrawSome: simply(() =>
      withdraw(dice.oneOf([SOL / 3n, SOL, 2n * SOL]), addressOf(dice.oneOf([40, 41]))),
    ),
    cancelWaiting: simply(() => cancelWaiting(deps, { userId, only: 'withdrawals' })),
    addAddress: simply(() => addAddress(deps, { userId, walletId, address, name: 'Mine', pin })),
    removeAddress: simply(async () => {
      const [row] = await listAddresses(deps, { userId, walletId });
      if (row !== undefined) await removeAddress(deps, { userId, id: row.entry.id });
    }),
    newPin: simply(newPin),
    unlock: simply(() => unlockTrades(deps, { userId, pin })),
    lock: simply(() => lockTrades(deps, { userId })),
    raise: simply(() => raise('withdrawals')),
    raiseSpending: simply(() => raise('spending')),
    lower: simply(() => changeCap(deps, { userId, pin: null, lamports: SOL })),
    askExport: simply(async () => {
      exportId = (await vault.askExport({ userId, walletId, pin })).exportId;
    }),
    take: simply(take),
    stopExport: simply(() => vault.stopExport({ userId })),
    order: simply(order),
    fire: simply(async () => {
      const left = orders[dice.between(0, orders.length)];
      if (left !== undefined) await fire(left);
    }),
    panic: simply(() => freezeAccount(deps, { userId })),
    stopChanges: simply(() => stopChanges(deps, { userId })),
    unfreeze: simply(() => unfreezeAccount(deps, { userId, pin })),
    import: simply(() => importWallet(deps, { userId, material: 'a key', passphrase: null, permit: null })),
    switch: simply(() => switchWallet(deps, { userId, walletId, pin: null })),
    rename: simply(() => renameWallet(deps, { userId, walletId, name: `Main ${serial}` })),
    makeWallet: simply(async () => {
      const { length } = await db.wallets.listByUser(userId);
      await openDepositWallet(deps, { userId, expectedCount: length });
    }),
    letReceive: simply(async () => {
      const wallet = await anyWallet();
      const act = dice.oneOf(['wallet-confirm', 'payout-wallet'] as const);
      await letReceive(deps, { userId, walletId: wallet.id, act, pin });
    }),
    switchToImported: simply(async () => {
      const found = (await db.wallets.listByUser(userId)).find(({ origin }) => origin === 'imported');
      if (found !== undefined) await switchWallet(deps, { userId, walletId: found.id, pin });
    }),
    deleteWallet: simply(async () => {
      const { id, name } = await anyWallet();
      await deleteWallet(deps, { userId, walletId: id, typedName: name, pin });
    }),
    restoreWallet: simply(async () => {
      const all = await db.wallets.listByUser(userId, { deleted: true });
      const gone = all.find(({ deletedAt }) => deletedAt !== null);
      if (gone !== undefined) await restoreWallet(deps, { userId, walletId: gone.id });
    }),
    settings: simply(() =>
      changeSettings(deps, { userId, change: { slippageBuyBps: bps(dice.between(1, 900)) } }),
    ),
    highSlippage: simply(() =>
      changeSettings(deps, { userId, change: { slippageSellBps: bps(5_000) }, pin }),
    ),
    language: simply(() => changeSettings(deps, { userId, change: { language: dice.oneOf(['en', 'es']) } })),
    autoBuy: simply(() =>
      changeSettings(deps, {
        userId,
        change: {
          autoBuy: { ...DEFAULT_SETTINGS.autoBuy, on: true, lamports: 5n * SOL, dayLamports: 50n * SOL },
        },
        pin,
      }),
    ),
    newCodes: simply(() => beginRecoveryCodes(deps, { userId, pin })),
    ownCode: simply(async () => {
      await openReferralAccount({ referrals: db.referrals, ids: deps.ids, clock }, userId);
      await chooseCode(deps, { userId, text: `THIEF${serial}`, needsVoucher: false });
    }),
    /** Their own address: they read the code as it is mailed. */
    noticeMail: simply(async () => {
      const input = { userId, address: `thief${dice.between(1, 3)}@example.org` };
      await askNoticeMail(mailing, { ...input, pin });
      let code = '';
      for (const id of await db.mails.due(clock.now(), 9))
        code = /\w{5}-\w{5}/.exec(await mailing.letterOf(id))?.[0] ?? code;
      await confirmNoticeMail(mailing, { ...input, code });
    }),
    noNoticeMail: simply(() => removeNoticeMail(mailing, { userId, pin })),
    addFactor: simply(() => beginSecondFactor(deps, { userId, pin })),
    endFactor: simply(() => endSecondFactor(deps, { userId, pin })),
  };
}

export type Thief = ReturnType<typeof thiefOf>;

import type { Wallet } from '../../../../src/modules/wallets/rules/wallet.ts';
import type { CertificateCheck } from '../../../../src/platform/ports/certificates.ts';
import type { Database, Stores } from '../../../../src/platform/ports/stores.ts';

/** The columns of certificates that rows in memory have not: by table, row and, of a moment of receiving, its act. */
export type CertificateColumns = Map<string, string | null>;

type Checked = Pick<Stores, 'users' | 'wallets' | 'intents' | 'guards' | 'addressBook'>;

/**
 * The database in memory as the adapters of Postgres read it: no person, wallet, guard or address is believed without its certificate. A
 * row without a right one is ROW_FORGED for its reader.
 */
export function certifiedDatabase(
  db: Database,
  check: CertificateCheck,
  certificates: CertificateColumns,
): Database {
  return {
    ...db,
    ...checkedStores(db, check, certificates),
    transact: (work) =>
      db.transact((stores) => work({ ...stores, ...checkedStores(stores, check, certificates) })),
  };
}

function checkedStores(stores: Checked, check: CertificateCheck, certificates: CertificateColumns): Checked {
  const proved = <W extends Wallet | null>(wallet: W): W => {
    if (wallet !== null) proveWallet(wallet, check, certificates);
    return wallet;
  };
  const whole = <T extends { readonly wallet: Wallet } | null>(found: T): T => {
    proved(found?.wallet ?? null);
    return found;
  };
  const { wallets, intents } = stores;
  return {
    users: checkedUsers(stores, check, certificates, proved),
    wallets: {
      ...wallets,
      insert: async (passed, wallet, secret) => {
        certificates.set(`wallets/${wallet.id}`, secret.certificate ?? null);
        await wallets.insert(passed, wallet, secret);
      },
      find: async (id) => proved(await wallets.find(id)),
      findByAddress: async (address) => proved(await wallets.findByAddress(address)),
      listByUser: async (userId, options) =>
        (await wallets.listByUser(userId, options)).map((wallet) => proved(wallet)),
      treasury: async () => proved(await wallets.treasury()),
      treasuryLocked: async () => proved(await wallets.treasuryLocked()),
    },
    intents: {
      ...intents,
      whole: async (id) => whole(await intents.whole(id)),
      lease: async (id, claim) => whole(await intents.lease(id, claim)),
    },
    guards: checkedGuards(stores, check),
    addressBook: checkedAddresses(stores, check, certificates),
  };
}

function proveWallet(
  { id, userId, address, origin, confirmedAt, payoutFrom }: Wallet,
  check: CertificateCheck,
  certificates: CertificateColumns,
): void {
  const of = (name: string): string | null => certificates.get(name) ?? null;
  check.wallet({ id, userId, address, origin }, of(`wallets/${id}`));
  const moments = { 'wallet-confirm': confirmedAt, 'payout-wallet': payoutFrom } as const;
  for (const act of ['wallet-confirm', 'payout-wallet'] as const) {
    const at = moments[act];
    if (at !== null) check.receiving({ walletId: id, userId, act, at }, of(`wallets/${id}/${act}`));
  }
}

function checkedUsers(
  { users }: Checked,
  check: CertificateCheck,
  certificates: CertificateColumns,
  provedWallet: (wallet: Wallet | null) => Wallet | null,
): Stores['users'] {
  type User = NonNullable<Awaited<ReturnType<typeof users.find>>>;
  const proved = <U extends User | null>(user: U): U => {
    if (user !== null) check.person(user, certificates.get(`users/${user.id}`) ?? null);
    return user;
  };
  return {
    ...users,
    insert: async (user, certificate) => {
      certificates.set(`users/${user.id}`, certificate ?? null);
      const inserted = await users.insert(user, certificate);
      proved(inserted.user);
      return inserted;
    },
    find: async (id) => proved(await users.find(id)),
    findByTelegramId: async (telegramId) => proved(await users.findByTelegramId(telegramId)),
    lock: async (id) => proved(await users.lock(id)),
    arrive: async (...asked) => {
      const comer = await users.arrive(...asked);
      proved(comer?.user ?? null);
      provedWallet(comer?.wallet ?? null);
      return comer;
    },
  };
}

function checkedGuards({ guards }: Checked, check: CertificateCheck): Stores['guards'] {
  let transactions = 0;
  const transactionId = async (): Promise<string> => {
    transactions += 1;
    return `${transactions}`;
  };
  const proved = async <T>(of: T, guard: Parameters<CertificateCheck['guard']>[0]): Promise<T> => {
    await check.guard(guard);
    return of;
  };
  return {
    ...guards,
    find: async (userId) => {
      const guard = await guards.find(userId);
      return proved(guard, guard);
    },
    lock: async (userId) => {
      const guard = await guards.lock(userId);
      return proved(guard, guard);
    },
    findWithPauses: async (userId) => {
      const found = await guards.findWithPauses(userId);
      return proved(found, found.guard);
    },
    findWithSums: async (userId, since) => {
      const found = await guards.findWithSums(userId, since);
      return proved(found, found.guard);
    },
    save: async (given, passed) => {
      const guard = await check.certifyGuard(given, { act: passed.act, transactionId });
      await guards.save(guard ?? given, passed);
    },
    saveTries: async (given) => {
      const guard = await check.certifyGuard(given, { act: null, transactionId });
      await guards.saveTries(guard ?? given);
    },
  };
}

function checkedAddresses(
  { addressBook }: Checked,
  check: CertificateCheck,
  certificates: CertificateColumns,
): Stores['addressBook'] {
  type Entry = NonNullable<Awaited<ReturnType<typeof addressBook.find>>>;
  const proved = (entry: Entry): Entry => {
    check.address(entry, certificates.get(`address_book/${entry.id}`) ?? null);
    return entry;
  };
  return {
    ...addressBook,
    list: async (walletId) => (await addressBook.list(walletId)).map(proved),
    find: async (walletId, address) => {
      const entry = await addressBook.find(walletId, address);
      return entry && proved(entry);
    },
    insert: async (passed, entry) => {
      const { addedAt, certificate } = await check.certifyAddress(entry);
      certificates.set(`address_book/${entry.id}`, certificate);
      return proved(await addressBook.insert(passed, { ...entry, addedAt }));
    },
  };
}

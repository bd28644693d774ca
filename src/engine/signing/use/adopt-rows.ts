import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { type ConvertPeriod, type PeriodSeal, periodFacts } from '../../../modules/convert/rules.ts';
import { isUntouched } from '../../../modules/guard/rules/certified-guard.ts';
import type { Certifier, WalletFacts } from '../../../platform/ports/certificates.ts';
import type { KeyHolder } from '../../../platform/ports/key-holder.ts';
import type { CertificateRows } from '../store/certificate-rows-port.ts';

/** Rows asked for in one statement. */
const PAGE = 1_000;

export type AdoptDeps = {
  readonly rows: CertificateRows;
  readonly certifier: Certifier;
  readonly keys: Pick<KeyHolder, 'holds'>;
  /** The version of guards that get a certificate: epoch milliseconds. */
  readonly now: number;
  /** Versions of guards that the signer's journal knows, where it is at hand. */
  readonly known?: ReadonlyMap<string, number>;
  /** The signer's journal, where it is at hand: when it began, and what it paid from periods of conversion, by their openings. */
  readonly journal?: { readonly begunAt: number; readonly paid: (opensAt: number) => bigint } | null;
};

export type Adoption = {
  /** Rows that have no certificate and get one. */
  readonly people: number;
  readonly wallets: number;
  /** Those that are not over. */
  readonly orders: number;
  /** Moments from which wallets receive. */
  readonly receivings: number;
  readonly guards: number;
  /** Addresses of books. */
  readonly addresses: number;
  /** Mandates of copies that are not over. No release wrote one without a certificate: they get one with `again` alone. */
  readonly copies: number;
  /** Periods of conversion, with the sum that each paid and no line of the journal counts. */
  readonly periods: readonly { readonly period: ConvertPeriod; readonly uncountedLamports: bigint }[];
  /** Periods whose certificate is older than the signer's journal: nothing is paid from them. */
  readonly stale: readonly number[];
  /** Has none and gets none: its key does not open, or is of another address or person. */
  readonly left: readonly WalletFacts[];
  /** Has one that is not the signer's over these facts. No command writes another. */
  readonly forged: readonly {
    readonly table: 'users' | 'wallets' | 'orders' | 'guards' | 'address_book' | 'copies' | 'convert_periods';
    readonly row: string;
  }[];
  /** Guards with a right certificate and an older version than the journal's: they were put back, or the database was restored. */
  readonly older: readonly string[];
};

/**
 * Certifies the rows that an earlier release wrote: a person as the row says, a wallet whose sealed key opens, is the person's and gives
 * the row's address. An open order is certified as its row says, its grant too; so is a moment from which a wallet receives. Writes with
 * `write` only, all in one commit. With `again` a forged or older guard is certified as its row says, for its person could do nothing
 * else; so is a period of conversion. No other process may write these tables meanwhile. Throws KEK_UNAVAILABLE.
 */
export async function adoptRows(
  deps: AdoptDeps,
  { write, again = false }: { readonly write: boolean; readonly again?: boolean },
): Promise<Adoption> {
  const { rows, certifier, keys } = deps;
  const people: { readonly id: string; readonly certificate: string }[] = [];
  const wallets: { readonly id: string; readonly certificate: string }[] = [];
  const left: WalletFacts[] = [];
  const forged: Adoption['forged'][number][] = [];
  for await (const { certificate, ...facts } of everyRow((after, limit) => rows.people(after, limit))) {
    const right = certifier.person(facts);
    if (certificate === null) people.push({ id: facts.id, certificate: right });
    else if (certificate !== right) forged.push({ table: 'users', row: facts.id });
  }
  for await (const { certificate, ...facts } of everyRow((after, limit) => rows.wallets(after, limit))) {
    const right = certifier.wallet(facts);
    if (certificate !== null && certificate !== right) forged.push({ table: 'wallets', row: facts.id });
    if (certificate !== null) continue;
    if (await keys.holds({ ...facts, address: address(facts.address) }))
      wallets.push({ id: facts.id, certificate: right });
    else left.push(facts);
  }
  const orders = await adoptableOrders(deps);
  const receivings: Parameters<CertificateRows['write']>[0]['receivings'][number][] = [];
  for await (const { id, moments } of everyRow((after, limit) => rows.receivings(after, limit))) {
    for (const { facts, certificate } of moments) {
      const right = certifier.receiving(facts);
      if (certificate === null) receivings.push({ id, act: facts.act, certificate: right });
      else if (certificate !== right) forged.push({ table: 'wallets', row: id });
    }
  }
  const [addresses, copies] = [await adoptableAddresses(deps), await adoptableCopies(deps)];
  const periods = await adoptablePeriods(deps, again);
  const { guards, older, forged: forgedGuards } = await adoptableGuards(deps, again);
  forged.push(...orders.forged, ...addresses.forged, ...copies.forged, ...periods.forged, ...forgedGuards);
  if (write)
    await rows.write({
      people,
      wallets,
      orders: orders.given,
      receivings,
      guards,
      addresses: addresses.given,
      copies: again ? copies.given : [],
      periods: periods.ids,
    });
  return {
    people: people.length,
    wallets: wallets.length,
    orders: orders.given.length,
    receivings: receivings.length,
    guards: guards.length,
    addresses: addresses.given.length,
    copies: copies.given.length,
    ...adopted(periods),
    left,
    forged,
    older,
  };
}

type Adoptable = {
  readonly given: readonly { readonly id: string; readonly certificate: string }[];
  readonly forged: Adoption['forged'];
};

async function adoptableOrders({ rows, certifier }: AdoptDeps): Promise<Adoptable> {
  const given: Adoptable['given'][number][] = [];
  const forged: Adoption['forged'][number][] = [];
  for await (const order of everyRow((after, limit) => rows.orders(after, limit))) {
    const right = certifier.order(order);
    if (order.certificate === null) given.push({ id: order.id, certificate: right });
    else if (order.certificate !== right) forged.push({ table: 'orders', row: order.id });
  }
  return { given, forged };
}

async function adoptableAddresses({ rows, certifier }: AdoptDeps): Promise<Adoptable> {
  const given: Adoptable['given'][number][] = [];
  const forged: Adoption['forged'][number][] = [];
  for await (const { certificate, ...facts } of everyRow((after, limit) => rows.addresses(after, limit))) {
    const right = certifier.address(facts);
    if (certificate === null) given.push({ id: facts.id, certificate: right });
    else if (certificate !== right) forged.push({ table: 'address_book', row: facts.id });
  }
  return { given, forged };
}

async function adoptableCopies({ rows, certifier }: AdoptDeps): Promise<Adoptable> {
  const given: Adoptable['given'][number][] = [];
  const forged: Adoption['forged'][number][] = [];
  for await (const copy of everyRow((after, limit) => rows.copies(after, limit))) {
    const right = certifier.copy(copy);
    if (copy.certificate === null) given.push({ id: copy.id, certificate: right });
    else if (copy.certificate !== right) forged.push({ table: 'copies', row: copy.id });
  }
  return { given, forged };
}

/** Periods that get a certificate, and those that have another one than they should, or one that is older than the journal. */
async function adoptablePeriods({ rows, certifier, now, journal }: AdoptDeps, again: boolean) {
  const given: { readonly period: ConvertPeriod; readonly seal: PeriodSeal }[] = [];
  const forged: Adoption['forged'][number][] = [];
  const stale: number[] = [];
  for await (const { period, paidLamports } of everyRow((after, limit) => rows.periods(after, limit))) {
    const facts = periodFacts(period);
    const isRight = facts !== null && period.seal?.certificate === certifier.period(facts);
    const isStale = journal != null && facts !== null && facts.at < journal.begunAt;
    if (facts !== null && !isRight) forged.push({ table: 'convert_periods', row: `${period.number}` });
    else if (isStale) stale.push(period.number);
    else if (isRight) continue;
    if (facts !== null && !again) continue;
    const counted = journal?.paid(period.opensAt) ?? 0n;
    const uncountedLamports = paidLamports > counted ? paidLamports - counted : 0n;
    const { budgetLamports, opensAt, closesAt } = period;
    const isCancelled = period.status === 'CANCELLED';
    const seal = { at: now, uncountedLamports };
    const certificate = certifier.period({ budgetLamports, opensAt, closesAt, isCancelled, ...seal });
    given.push({ period, seal: { ...seal, certificate } });
  }
  const ids = given.map(({ period, seal }) => ({ id: `${period.number}`, ...seal }));
  return { given, ids, forged, stale };
}

const adopted = ({
  given,
  stale,
}: Awaited<ReturnType<typeof adoptablePeriods>>): Pick<Adoption, 'periods' | 'stale'> => ({
  periods: given.map(({ period, seal }) => ({ period, ...seal })),
  stale,
});

/** Guards that get a certificate, and those that have another one than they should. */
async function adoptableGuards({ rows, certifier, now, known }: AdoptDeps, again: boolean) {
  const guards: Parameters<CertificateRows['write']>[0]['guards'][number][] = [];
  const forged: Adoption['forged'][number][] = [];
  const older: string[] = [];
  for await (const { guard } of everyRow((after, limit) => rows.guards(after, limit))) {
    if (guard.version === 0 && guard.certificate === null && isUntouched(guard)) continue;
    const newest = known?.get(guard.userId) ?? 0;
    const version = Math.max(now, newest + 1);
    const given = { id: guard.userId, version, certificate: certifier.guard({ ...guard, version }) };
    const isRight = guard.certificate === certifier.guard(guard);
    if (guard.certificate === null) guards.push(given);
    else if (!isRight) forged.push({ table: 'guards', row: guard.userId });
    else if (guard.version < newest) older.push(guard.userId);
    else continue;
    if (again && guard.certificate !== null) guards.push(given);
  }
  return { guards, forged, older };
}

/**
 * Throws CONFIG_INVALID where all rows of a kind lack certificates: an earlier release wrote them, and no process would believe one. Kinds are
 * people with wallets, open orders, choices of receiving wallets, guards, addresses of books, and periods of conversion. An operator certifies them, after a look.
 */
export async function assertAdopted(rows: Pick<CertificateRows, 'unadopted'>): Promise<void> {
  const found = await rows.unadopted();
  if (!Object.values(found).some(Boolean)) return;
  const { keys, orders, receivings, guards, addresses } = found;
  const whose = keys
    ? 'people and wallets'
    : orders
      ? 'open orders'
      : receivings
        ? 'chosen wallets for payouts and deposits'
        : guards
          ? 'guards'
          : addresses
            ? 'books of addresses'
            : 'periods of conversion';
  throw new AppError('CONFIG_INVALID', {
    problems: [
      `The ${whose} of this database have no certificates: an earlier release wrote them. Run "npm run ops -- trust adopt", read what it prints, run it with --yes, and start again (docs/operations.md, "Certificates").`,
    ],
  });
}

/** The rows of all pages, one after the other. */
export async function* everyRow<R extends { readonly id: string }>(
  page: (after: string, limit: number) => Promise<readonly R[]>,
): AsyncGenerator<R> {
  for (let after = ''; ; ) {
    const found = await page(after, PAGE);
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return;
    after = last.id;
  }
}

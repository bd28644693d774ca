import type { CertificateRows } from '../../../engine/signing/store/certificate-rows-port.ts';
import { everyRow } from '../../../engine/signing/use/adopt-rows.ts';
import type { Certifier } from '../../../platform/ports/certificates.ts';
import type { Mismatch } from '../../../platform/ports/operations.ts';
import { periodFacts } from '../../convert/rules.ts';
import { isUntouched } from '../../guard/rules/certified-guard.ts';

export type CertificateAudit = { readonly rows: number; readonly mismatches: readonly Mismatch[] };

/**
 * Compares people, wallets, the choice of those that receive, guards, addresses of books, open orders, mandates of copies and periods of conversion with the
 * certificates that the signer gave them: `forged-row` is one that has none, or one of other facts. `older-guard` is one before the newest that the journal
 * knows, or one that is gone. Every process refuses a forged row, and the signer an older one; the audit says so before anybody meets it.
 */
export async function auditCertificates({
  rows,
  certifier,
  knownGuards = new Map(),
}: {
  readonly rows: Pick<
    CertificateRows,
    'people' | 'wallets' | 'orders' | 'copies' | 'receivings' | 'guards' | 'addresses' | 'periods'
  >;
  readonly certifier: Certifier;
  /** The newest versions of guards by the signer's journal, where that is at hand. */
  readonly knownGuards?: ReadonlyMap<string, number>;
}): Promise<CertificateAudit> {
  const mismatches: Mismatch[] = [];
  let count = 0;
  const judge = (
    table: string,
    { id, certificate }: { readonly id: string; readonly certificate: string | null },
    right: string,
  ) => {
    count += 1;
    if (certificate === right) return;
    const detail =
      certificate === null
        ? 'it has no certificate of the signer: another one wrote it, or it was never adopted'
        : 'its certificate is of other facts: it was changed';
    mismatches.push({ rule: 'forged-row', subject: `${table} ${id}`, detail });
  };
  for await (const row of everyRow((after, limit) => rows.people(after, limit)))
    judge('users', row, certifier.person(row));
  for await (const row of everyRow((after, limit) => rows.wallets(after, limit)))
    judge('wallets', row, certifier.wallet(row));
  for await (const row of everyRow((after, limit) => rows.orders(after, limit)))
    judge('orders', row, certifier.order(row));
  for await (const row of everyRow((after, limit) => rows.copies(after, limit)))
    judge('copies', row, certifier.copy(row));
  for await (const { id, moments } of everyRow((after, limit) => rows.receivings(after, limit)))
    for (const { facts, certificate } of moments)
      judge(`wallets.${facts.act}`, { id, certificate }, certifier.receiving(facts));
  for await (const row of everyRow((after, limit) => rows.addresses(after, limit)))
    judge('address_book', row, certifier.address(row));
  for await (const { id, period } of everyRow((after, limit) => rows.periods(after, limit))) {
    const [facts, certificate] = [periodFacts(period), period.seal?.certificate ?? null];
    judge('convert_periods', { id, certificate }, facts === null ? '' : certifier.period(facts));
  }
  const left = new Map(knownGuards);
  const older = (id: string, detail: string): void =>
    void mismatches.push({ rule: 'older-guard', subject: `guards ${id}`, detail });
  for await (const { id, guard } of everyRow((after, limit) => rows.guards(after, limit))) {
    const newest = left.get(id) ?? 0;
    left.delete(id);
    if (guard.version < newest)
      older(id, 'the signer certified a later one: this one was put back, or the database was restored');
    if (guard.version === 0 && isUntouched(guard) && guard.certificate === null) continue;
    judge('guards', { id, certificate: guard.certificate }, certifier.guard(guard));
  }
  for (const [id, version] of left)
    if (version > 0) older(id, 'the signer certified one, and its row is gone');
  return { rows: count, mismatches };
}
